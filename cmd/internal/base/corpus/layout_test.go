package corpus_test

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"parallax/cmd/internal/base/corpus"
	"parallax/internal/input"
)

const (
	sum  = "86f7e437faa5a7fce15d1ddcb9eaeaea377667b8"
	sum2 = "e9d71f5ee7c92d6dc9e92ffdad17b8bd49418f98"
)

// TestLayouts has the files of each program's folders. The contents of inputs begin with "+".
func TestLayouts(t *testing.T) {
	afl := map[string]string{
		"queue/id:000000,time:0,execs:0,orig:a":                      "+0",
		"queue/id:000001,src:000000,time:17,execs:98,op:havoc,rep:2": "+1",
		"queue/.state/deterministic_done/id:000000,orig:a":           "",
		"queue/.state/auto_extras/auto_000000":                       "token",
		"crashes/README.txt":                                         "Command line used to find this crash:",
		"crashes/id:000000,sig:11,src:000001,time:1,op:flip1,pos:0":  "+2",
		"crashes.2026-01-31-12:00:00/id:000000,sig:06":               "+3",
		"crashes.2026-01-31-12:00:00/README.txt":                     "Command line",
		"hangs/id:000000,src:000000":                                 "+4",
		"fuzzer_stats":                                               "start_time : 1",
		"fuzzer_setup":                                               "# environment",
		"fuzz_bitmap":                                                "\xff",
		"plot_data":                                                  "# relative_time",
		"cmdline":                                                    "./a.out",
		"target_hash":                                                "1",
		".cur_input":                                                 "x",
		".synced/other":                                              "1",
	}
	under := func(dir string, files map[string]string) map[string]string {
		out := map[string]string{}
		for name, content := range files {
			out[dir+"/"+name] = content
		}
		return out
	}
	join := func(all ...map[string]string) map[string]string {
		out := map[string]string{}
		for _, files := range all {
			for name, content := range files {
				out[name] = content
			}
		}
		return out
	}
	for _, c := range []struct {
		name  string
		files map[string]string
		dir   string
		want  string
	}{
		{"AFL", afl, "", "+0 +1 +2 +3 +4"},
		{"AFL++", under("default", afl), "", "+0 +1 +2 +3 +4"},
		{"AFL++, its fuzzer", under("default", afl), "default", "+0 +1 +2 +3 +4"},
		{"AFL's queue", afl, "queue", "+0 +1"},
		{"AFL's crashes", afl, "crashes", "+2"},
		{"two fuzzers", join(under("main", afl), map[string]string{"second/queue/id_000000,orig_b": "+5", "second/fuzzer_stats": "x"}),
			"", "+0 +1 +2 +3 +4 +5"},
		{"AFL's queue alone", map[string]string{"queue/id:000000,orig:a": "+1", "README.txt": "mine"}, "", "+1"},
		{"a folder named queue", map[string]string{"queue/a": "+1", "README.txt": "+0", "b": "+2"}, "", "+0 +2 +1"},
		{"libFuzzer", map[string]string{
			sum: "+1", "crash-" + sum: "+2", "slow-unit-" + sum2: "+3", "timeout-" + sum: "+4", "fuzz-0.log": "INFO", "fuzz-12.log": "INFO",
			"fuzz-x.log": "+5", "README.txt": "+6",
		}, "", "+1 +6 +2 +5 +3 +4"},
		{"logs", map[string]string{"fuzz-0.log": "+1"}, "", "+1"},
		{"a campaign", map[string]string{
			"campaign.json": "{}", "lock": "1", "stats.jsonl": "{}", "log.txt": "x", "pending/x": "{}", "tuples.log": "x",
			"corpus/0123456789abcdef": "+1", "corpus/0123456789abcdef.json": "{}", "corpus/.broken/0123456789abcdef": "x",
			"findings/ab/bucket.json": "{}", "findings/ab/0123456789abcdef/outputs.json": "{}",
			"findings/ab/0123456789abcdef/minimized": "+2", "findings/ab/0123456789abcdef/input": "+3",
			"findings/ab/0123456789abcdef/parent": "x", "findings/ab/0123456789abcdef/report.md": "x",
			"findings/ab/0123456789abcdef/reproducer_test.go": "x", "findings/ab/0123456789abcdef/go.mod": "x",
		}, "", "+1 +2 +3"},
		{"JSON files", map[string]string{"campaign.json": "+1", "bucket.json": "+2", "outputs.json": "+3", "x/minimized": "+4"}, "", "+1 +3 +4"},
		{"Go", map[string]string{"0123456789abcdef": "go test fuzz v1\n[]byte(\"+1\")\n", "mine": "go test fuzz v1\nstring(\"+2\")"}, "", "+1 +2"},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := t.TempDir()
			for name, content := range c.files {
				write(t, filepath.Join(dir, name), content)
			}
			flats, problems, err := corpus.Seeds(filepath.Join(dir, c.dir), raw)
			if err != nil || len(problems) > 0 {
				t.Fatalf("%q, %v", problems, err)
			}
			var got []string
			for _, f := range flats {
				got = append(got, string(f.Flat))
			}
			if strings.Join(got, " ") != c.want {
				t.Errorf("%q, want %s", got, c.want)
			}
		})
	}
}

// TestSeedsProblemsAreCounted checks that many unusable files give a few lines.
func TestSeedsProblemsAreCounted(t *testing.T) {
	dir := t.TempDir()
	for i := range 12 {
		write(t, filepath.Join(dir, fmt.Sprintf("raw%02d", i)), "bytes")
		write(t, filepath.Join(dir, fmt.Sprintf("v1-%02d", i)), fmt.Sprintf("go test fuzz v1\nint(%d)\nint(0)\n", i))
	}
	write(t, filepath.Join(dir, "good"), "go test fuzz v1\n[]byte(\"x\")\nint(3)\n")
	flats, problems, err := corpus.Seeds(dir, input.Shape{input.String, input.Int})
	if err != nil || len(flats) != 1 {
		t.Fatalf("%q, %v", flats, err)
	}
	if len(problems) != 7 || !strings.Contains(problems[0], "12 files of plain bytes (raw00, raw01, raw02, ...)") ||
		!strings.Contains(problems[1], "v1-00: line 2: expected a value of type string, have int") ||
		problems[6] != "seeds "+dir+": 7 files more cannot be used" {
		t.Errorf("problems\n%s", strings.Join(problems, "\n"))
	}
}

func TestGoCache(t *testing.T) {
	if got, want := corpus.GoCache("/c", "example.com/a/b", "FuzzX"), "/c/fuzz/example.com/a/b/FuzzX"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

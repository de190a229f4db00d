package main

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"parallax/cmd/internal/finding"
	"parallax/internal/feature"
	"parallax/internal/mutate"
	"parallax/internal/schedule"
)

// A guidance is one file and one row, and so is a schedule: here both are one file of a test.
// Nothing else knows of them, and a campaign is guided, counted, kept on disk, resumed and shown by
// them.

// toyDomain has a feature for each sum of the lengths of paths.
var toyDomain = feature.Domain{
	Name: "toy-length", Text: "new sums of path lengths", Number: 250, Key: "toys", Bounded: true, Plural: "toy sums", Counts: "distinct sums of the lengths of paths",
	Measure: func(feature.Setting) feature.Measure {
		return func(j *feature.Joint, out []uint64) []uint64 {
			sum := uint64(1)
			for i := range j.Traces {
				sum += j.Traces[i].Length
			}
			return append(out, feature.Mix(sum))
		}
	},
}

// toySchedule always mutates the newest seed.
var toySchedule = schedule.Row{Name: "toy-newest", New: func(schedule.Environment) schedule.Schedule { return &newest{} }}

type newest struct{ seeds int }

func (s *newest) Added(schedule.Seed)   { s.seeds++ }
func (s *newest) Next(*mutate.Rand) int { return s.seeds - 1 }
func (s *newest) Ran(schedule.Result)   {}

func TestToyDomain(t *testing.T) {
	if testing.Short() {
		t.Skip("runs a campaign")
	}
	t.Parallel()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	parallax := func(args ...string) (stdout, stderr string) {
		t.Helper()
		cmd := exec.Command(self, args...)
		cmd.Dir, cmd.Env = dir, append(os.Environ(), toyVariable+"=1", "XDG_CACHE_HOME="+filepath.Join(dir, ".cache"))
		var out, errs strings.Builder
		cmd.Stdout, cmd.Stderr = &out, &errs
		cmd.Run() // exit code 1 says that there are findings
		return out.String(), errs.String()
	}
	write := func(name, text string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write("parallax.toml", "version = 1\n[[program]]\nname = \"one\"\nkind = \"toy\"\nword = \"ab\"\n[[program]]\nname = \"two\"\nkind = \"toy\"\nword = \"abcd\"\n")
	write("seed", "ab")
	campaign := func(budget string) finding.Summary {
		t.Helper()
		out, told := parallax("diff", "parallax.toml", "--seeds", "seed", "--guidance", "toy-length,path-fine", "--schedule", "toy-newest",
			"--parallel", "1", "--fuzztime", budget, "--out", "out", "--json", "--ui", "none", "-v")
		var s finding.Summary
		if err := json.Unmarshal([]byte(out), &s); err != nil {
			t.Fatalf("%v\n%s", err, told)
		}
		if !strings.Contains(told, " output, ") || !strings.Contains(told, " toys") {
			t.Errorf("the end of the run does not count the domain:\n%s", told)
		}
		return s
	}
	first := campaign("3000x")
	if n := first.Diversity.Get("toys"); n < 3 || first.Diversity.Get("coarse") == 0 || strings.Join(first.Guidance, " ") != "path-fine toy-length" {
		t.Fatalf("guidance %v, diversity %v", first.Guidance, first.Diversity)
	}
	// The next run knows the features of the first, and adds to them.
	if next := campaign("500x"); next.Diversity.Get("toys") < first.Diversity.Get("toys") || next.Inputs != first.Inputs+500 {
		t.Errorf("diversity %v, then %v after %d inputs", first.Diversity, next.Diversity, next.Inputs)
	}
	var kept int
	files, _ := filepath.Glob(filepath.Join(dir, "out", "corpus", "*.json"))
	for _, f := range files {
		if data, _ := os.ReadFile(f); strings.Contains(string(data), `"toy-length"`) {
			kept++
		}
	}
	if kept == 0 {
		t.Errorf("none of %d inputs was kept for the domain", len(files))
	}
	stats, err := os.ReadFile(filepath.Join(dir, "out", "stats.jsonl"))
	if err != nil || !strings.Contains(string(stats), `"output":`) || !strings.Contains(string(stats), `"toys":`) {
		t.Errorf("stats.jsonl has no column of the domain: %v\n%s", err, stats)
	}
	config, _ := os.ReadFile(filepath.Join(dir, "out", "campaign.json"))
	if !strings.Contains(string(config), `"toy-newest"`) {
		t.Errorf("campaign.json: %s", config)
	}
	parallax("report", "--campaign", "out", "--no-coverage", "--to", "page.html")
	page, err := os.ReadFile(filepath.Join(dir, "page.html"))
	if err != nil || !strings.Contains(string(page), toyDomain.Counts) {
		t.Errorf("the page does not plot the domain: %v", err)
	}
	if help, _ := parallax("diff", "--help"); !strings.Contains(help, "toy-length") {
		t.Errorf("help does not name it:\n%s", help)
	}
	if words, _ := parallax("__complete", "diff", "--schedule", ""); !strings.Contains(words, "toy-newest") {
		t.Errorf("completion: %s", words)
	}
}

package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// kindsOfFiles are one of each kind of file in a campaign's folder, as patterns.
var kindsOfFiles = []string{
	"campaign.json", "lock", "tuples.log", "coverage.bin", "clock.json", "stats.jsonl", "summary.json", "log.txt",
	"corpus/????????????????", "corpus/????????????????.json", "pending/*.json",
	"findings/*/bucket.json", "findings/*/*/outputs.json", "findings/*/*/input", "findings/*/*/minimized", "findings/*/*/report.md",
	"corpus", "pending", "findings", "findings/*",
}

// ways damage a file. A folder is only replaced and removed.
var ways = []struct {
	name string
	do   func(path string, data []byte) error
}{
	{"truncate", func(path string, data []byte) error { return os.WriteFile(path, data[:len(data)/2], 0o644) }},
	{"flip", func(path string, data []byte) error {
		if len(data) > 0 {
			data[len(data)/2] ^= 0x55
		}
		return os.WriteFile(path, data, 0o644)
	}},
	{"empty", func(path string, _ []byte) error { return os.WriteFile(path, nil, 0o644) }},
	{"replace", func(path string, _ []byte) error {
		info, err := os.Stat(path)
		if err != nil {
			return err
		}
		if err := os.RemoveAll(path); err != nil {
			return err
		}
		if info.IsDir() {
			return os.WriteFile(path, []byte("a file"), 0o644)
		}
		return os.Mkdir(path, 0o755)
	}},
	{"remove", func(path string, _ []byte) error { return os.RemoveAll(path) }},
}

// damage damages a copy of the first subject's folder, in each way, and runs the campaign on it.
func (t *trial) damage() {
	s := t.subjects[0]
	if _, err := t.run(s, s.out(), "--fuzztime", "20000x"); err != nil {
		t.fail(s, "%v", err)
		return
	}
	if _, err := t.run(s, s.out(), "--fuzztime", "3s", "--no-triage"); err != nil { // for candidates
		t.fail(s, "%v", err)
		return
	}
	n, told, kept := 0, 0, 0
	for _, kind := range kindsOfFiles {
		for _, way := range ways {
			out := filepath.Join(t.work, "damaged")
			os.RemoveAll(out)
			if text, err := exec.Command("cp", "-a", s.out(), out).CombinedOutput(); err != nil {
				t.fail(s, "%v: %s", err, text)
				return
			}
			matches, _ := filepath.Glob(filepath.Join(out, kind))
			if len(matches) == 0 {
				fmt.Println("there is no", kind)
				break
			}
			before, _ := look(out)
			path := matches[t.rand.Intn(len(matches))]
			data, err := os.ReadFile(path)
			if err != nil && way.name != "replace" && way.name != "remove" {
				continue // a folder
			}
			if err := way.do(path, data); err != nil {
				t.fail(s, "%v", err)
				continue
			}
			n++
			end := t.survives(s, out, path, way.name, before)
			fmt.Printf("%-8s %-24s %s\n", way.name, kind, end)
			switch end {
			case "told":
				told++
			case "kept":
				kept++
			}
		}
	}
	fmt.Printf("damaged %d files: all was kept %d times, and %d times a message named the file\n", n, kept, told)
}

// survives runs a campaign on a damaged folder. It must keep everything else, or name what is
// damaged; "" if it does neither.
func (t *trial) survives(s *subject, out, path, way string, before ledger) string {
	name, _ := filepath.Rel(out, path)
	r, err := t.run(s, out, "--fuzztime", "50x")
	if err != nil {
		t.fail(s, "%s %s: %v", way, name, err)
		return ""
	}
	named := strings.Contains(r.text(), name) || strings.Contains(r.text(), filepath.Dir(name)+": ")
	if strings.Contains(r.stderr, "goroutine ") || strings.Contains(r.stderr, "panic") {
		t.fail(s, "%s %s: %s", way, name, r.stderr)
		return ""
	}
	if r.code != 0 && r.code != 1 {
		if said := strings.TrimSpace(r.stderr); !named || strings.Count(said, "parallax: ") != 1 {
			t.fail(s, "%s %s: exit code %d and no clear message: %s", way, name, r.code, said)
			return ""
		}
		return "told"
	}
	now, _ := look(out)
	lost := before.lost(&now)
	if way == "remove" { // what the user removes is meant to go
		lost = without(lost, name)
	}
	if len(lost) == 0 {
		if named && way != "remove" {
			return "told"
		}
		return "kept"
	}
	if !named {
		t.fail(s, "%s %s: lost without a word: %s", way, name, strings.Join(lost, ", "))
		return ""
	}
	return "told"
}

// without leaves out what was removed with a file or folder.
func without(lost []string, removed string) (list []string) {
	for _, what := range lost {
		kind, id, _ := strings.Cut(what, " ")
		gone := strings.Contains(removed, id) || kind == "input" && removed == "corpus" || kind == "bucket" && removed == "findings" ||
			kind == "counters:" && (removed == "coverage.bin" || removed == "stats.jsonl")
		if !gone {
			list = append(list, what)
		}
	}
	return list
}

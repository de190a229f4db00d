package main

import (
	"bufio"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// ledger has the findings and inputs that a campaign has announced, or had on disk when it was
// attacked. They must be there from then on.
type ledger struct {
	buckets, inputs     map[string]bool
	inputsN, executions uint64
}

// kinds begin the lines in which a campaign announces a new bucket.
var kinds = []string{"discrepancy", "crash", "timeout", "oom", "failure", "change", "new", "changed"}

// hear takes what a campaign said on standard error.
func (l *ledger) hear(stderr string) {
	for _, line := range strings.Split(stderr, "\n") {
		words := strings.Fields(line)
		if len(words) > 3 && slices.Contains(kinds, words[0]) && len(words[1]) == 12 && words[2] == "on" {
			l.add(&l.buckets, words[1])
		}
	}
}

func (l *ledger) add(set *map[string]bool, name string) {
	if *set == nil {
		*set = map[string]bool{}
	}
	(*set)[name] = true
}

// targets are the folders of campaigns below out: regress has one for each harness.
func targets(out string) (dirs []string) {
	filepath.WalkDir(out, func(path string, d os.DirEntry, err error) error {
		if err == nil && d.Name() == "campaign.json" {
			dirs = append(dirs, filepath.Dir(path))
		}
		return nil
	})
	return dirs
}

// look reads what is on disk.
func look(out string) (l ledger, problems []string) {
	for _, dir := range targets(out) {
		corpus, _ := os.ReadDir(filepath.Join(dir, "corpus"))
		for _, e := range corpus {
			if name := e.Name(); len(name) == 16 && e.Type().IsRegular() {
				data, err := os.ReadFile(filepath.Join(dir, "corpus", name))
				if sum := sha256.Sum256(data); err != nil || hex.EncodeToString(sum[:])[:16] != name {
					problems = append(problems, fmt.Sprintf("input %s is not whole: %v", name, err))
				}
				l.add(&l.inputs, name)
			}
		}
		findings, _ := filepath.Glob(filepath.Join(dir, "findings", "*", "bucket.json"))
		for _, f := range findings {
			bucket := filepath.Dir(f)
			l.add(&l.buckets, filepath.Base(bucket))
			whole, _ := filepath.Glob(filepath.Join(bucket, "*", "outputs.json"))
			if len(whole) == 0 {
				problems = append(problems, "no finding in "+bucket)
			}
			for _, f := range append(whole, f) {
				if data, err := os.ReadFile(f); err != nil || !json.Valid(data) {
					problems = append(problems, fmt.Sprintf("%s is not whole: %v", f, err))
				}
			}
		}
		pending, _ := filepath.Glob(filepath.Join(dir, "pending", "*.json"))
		for _, f := range pending {
			if data, err := os.ReadFile(f); err == nil && !json.Valid(data) {
				problems = append(problems, f+" is not whole")
			}
		}
		n, e := counters(filepath.Join(dir, "stats.jsonl"))
		l.inputsN, l.executions = l.inputsN+n, l.executions+e
	}
	return l, problems
}

// counters are those of the last whole line of a time series.
func counters(path string) (inputs, executions uint64) {
	f, err := os.Open(path)
	if err != nil {
		return 0, 0
	}
	defer f.Close()
	in := bufio.NewReader(f)
	for {
		line, err := in.ReadBytes('\n')
		if err != nil {
			return inputs, executions
		}
		var s struct{ Inputs, Executions uint64 }
		if json.Unmarshal(line, &s) == nil {
			inputs, executions = s.Inputs, s.Executions
		}
	}
}

// lost lists the entries of the ledger that another lacks.
func (l *ledger) lost(now *ledger) (list []string) {
	for id := range l.buckets {
		if !now.buckets[id] {
			list = append(list, "bucket "+id)
		}
	}
	for hash := range l.inputs {
		if !now.inputs[hash] {
			list = append(list, "input "+hash)
		}
	}
	if now.inputsN < l.inputsN || now.executions < l.executions {
		list = append(list, fmt.Sprintf("counters: %d inputs and %d executions, after %d and %d", now.inputsN, now.executions, l.inputsN, l.executions))
	}
	slices.Sort(list)
	return list
}

// take makes what is on disk now what must stay.
func (l *ledger) take(now ledger) {
	for id := range now.buckets {
		l.add(&l.buckets, id)
	}
	for hash := range now.inputs {
		l.add(&l.inputs, hash)
	}
	l.inputsN, l.executions = max(l.inputsN, now.inputsN), max(l.executions, now.executions)
}

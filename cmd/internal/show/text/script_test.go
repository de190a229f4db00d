package text

import (
	"strings"
	"testing"

	"parallax/cmd/internal/finding"
	"parallax/internal/input"
)

// TestPageOfScript checks that a page names the script, and what runs.
func TestPageOfScript(t *testing.T) {
	f := &finding.Finding{Bucket: "b", Kind: "discrepancy", Layer: "verdict", Target: "t", Shape: input.Shape{input.Bytes}, Programs: []finding.Program{
		{Name: "a", Kind: "command", Runs: "jq -c ."}, {Name: "b", Kind: "http", Runs: "http://x/{input}"},
	}}
	text := string(Markdown(f, finding.Page{Script: "#!/bin/sh"}))
	for _, want := range []string{"| `a` | command | `jq -c .` |", "| `b` | http | `http://x/{input}` |", "`sh reproducer.sh`"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
	data, err := f.JSON()
	if err != nil {
		t.Fatal(err)
	}
	again, err := finding.ParseFinding(data)
	if err != nil || again.Programs[0].Kind != "command" || again.Programs[1].Runs != "http://x/{input}" {
		t.Errorf("%+v, %v", again, err)
	}
}

// TestEndWithoutBlocks checks that programs without known blocks are not reported to execute
// nothing.
func TestEndWithoutBlocks(t *testing.T) {
	var b strings.Builder
	s := &finding.Summary{Target: "t", Coverage: []finding.Coverage{{Program: "go", Blocks: 10, Covered: 4}, {Program: "jq"}, {Program: "python", Blocks: 65536, Covered: 60, Features: true}, {Program: "service"}}}
	if err := End(&b, s, EndOptions{}); err != nil {
		t.Fatal(err)
	}
	if want := "\n  coverage go 4 of 10 blocks, python 60 features; coverage not known for jq,\n      service\n"; !strings.Contains(b.String(), want) {
		t.Errorf("no %q in\n%s", want, b.String())
	}
	b.Reset()
	s.Coverage[0].OwnBlocks, s.Coverage[0].OwnCovered = 5, 3
	if err := End(&b, s, EndOptions{Verbose: true}); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"coverage  go      3 of 5 blocks, 4 of 10 with dependencies\n", "          python  60 features\n", "          not known for jq, service\n"} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("no %q in\n%s", want, b.String())
		}
	}
}

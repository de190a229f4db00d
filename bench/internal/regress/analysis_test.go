package main

import (
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"parallax/bench/internal/samples"
)

// TestAnalysisSubjects: the pairs whose analysis is measured have their harnesses.
func TestAnalysisSubjects(t *testing.T) {
	list, err := readSubjects(root, "^(goja|esbuild-media)$", goPairs, analysis)
	if err != nil || len(list) != 2 {
		t.Fatalf("%v, %v", list, err)
	}
	for _, s := range list {
		if _, err := os.Stat(filepath.Join(s.harness(root), "go.mod")); err != nil {
			t.Error(err)
		}
	}
}

func TestReadAnalysis(t *testing.T) {
	var a analyzed
	err := a.read([]byte(`{"version":1,"change":{"points":6,"functions":[{"name":"A"},{"name":"B"}],"harnesses":[{"name":"p.FuzzP","reaches":5}]}}`))
	if want := (analyzed{Points: 6, Functions: 2, Reached: 5}); err != nil || !reflect.DeepEqual(a, want) {
		t.Errorf("%+v, %v", a, err)
	}
	for _, text := range []string{"", `{"version":1,"change":{"points":0}}`} {
		if err := a.read([]byte(text)); err == nil {
			t.Errorf("%q is read", text)
		}
	}
}

func TestAnalysisTable(t *testing.T) {
	file := filepath.Join(t.TempDir(), "samples.jsonl")
	here := trials("s", ours, 1)[0].Origin
	one := analyzed{Subject: "s", Versions: "v1 v2", Trial: 1, Points: 6, Functions: 2, Cold: 12, Warm: 1.5, ColdAll: 60, WarmAll: 2, Origin: here}
	two, three, again := one, one, one
	two.Trial, two.Cold, two.Warm = 2, 30, 2.5
	three.Trial, three.Cold, three.Warm = 3, 14, 3
	again.Error = "was measured again"
	bad := analyzed{Subject: "bad", Trial: 1, Error: "a `b`", Origin: here}
	if err := samples.Append(file, again, one, two, three, bad); err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	if err := analysisTable(&b, file); err != nil {
		t.Fatal(err)
	}
	for _, line := range []string{
		"| analysis of the change | versions | change points | functions | trials | cold, CPU s | warm, CPU s | with the go command | under 20 and 2 |",
		"| s | v1 v2 | 6 | 2 | 3 | 14.0 (12.0 to 30.0) | 2.5 (1.5 to 3.0) | 60.0, 2.0 | yes, no |",
		"- bad, trial 1 failed: `a 'b'`",
	} {
		if !strings.Contains(b.String(), line+"\n") {
			t.Errorf("%q is missing in:\n%s", line, b.String())
		}
	}
	if strings.Contains(b.String(), "again") {
		t.Error("what was measured again counts")
	}
	if err := analysisTable(&b, filepath.Join(t.TempDir(), "none")); err == nil {
		t.Error("no samples, and no error")
	}
}

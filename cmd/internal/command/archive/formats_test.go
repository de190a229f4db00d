package archive

import (
	"os"
	"path/filepath"
	"testing"

	"parallax/cmd/internal/campaign/findings"
	"parallax/cmd/internal/finding"
	"parallax/cmd/internal/finding/state"
	"parallax/cmd/internal/show/formats"
	"parallax/internal/input"
)

// writeFiles writes files below a folder.
func writeFiles(t *testing.T, dir string, files map[string]string) {
	t.Helper()
	for name, text := range files {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// TestHarnessPlace checks the place that replaces that of a finding outside of the repository.
func TestHarnessPlace(t *testing.T) {
	const frames = "call stack, innermost first:\n    #0 memcpy /usr/lib/x.c:3\n    #1 LLVMFuzzerTestOneInput c/h.c:15\n"
	module := map[string]string{"go.mod": "module example.com/m\n\ngo 1.22\n\nrequire (\n\texample.com/a v1.0.0\n\texample.com/b v1.2.3 // indirect\n)\n"}
	for _, tt := range []struct {
		name     string
		files    map[string]string
		options  map[string]string
		programs []state.Program
		stack    string
		want     formats.Anchor
	}{
		{name: "a fuzz test", files: map[string]string{"p/a_test.go": "package p\n\nfunc FuzzOther() {}\n", "p/b_test.go": "package p\n\n// FuzzX does.\nfunc FuzzX(f *testing.F) {}\n", "p/c_test.go": "broken"},
			options: map[string]string{"package_dir": "{}/p", "fuzz": "FuzzX"}, want: formats.Anchor{File: "p/b_test.go", Line: 4, Stand: "the fuzz test"}},
		{name: "a fuzz test that is gone", files: module, options: map[string]string{"package_dir": "{}/p", "fuzz": "FuzzX"}, want: formats.Anchor{File: "go.mod", Line: 1, Stand: "go.mod"}},
		{name: "a configuration", files: map[string]string{"parallax.toml": ""}, options: map[string]string{"config": "{}/parallax.toml"}, want: formats.Anchor{File: "parallax.toml", Line: 1, Stand: "the configuration"}},
		{name: "a harness", options: map[string]string{"harness": "{}/h"}, stack: frames, want: formats.Anchor{File: "c/h.c", Line: 15, Stand: "the harness"}},
		{name: "a harness without a stack", options: map[string]string{"harness": "{}/h"}, want: formats.Anchor{}},
		{name: "functions", files: module, programs: []state.Program{{Name: "m.A", Module: "example.com/m"}, {Name: "b.B", Module: "example.com/b", Version: "v1.2.3"}},
			want: formats.Anchor{File: "go.mod", Line: 7, Stand: "the requirement of example.com/b"}},
		{name: "functions of modules that are not required", files: module, programs: []state.Program{{Name: "c.C", Module: "example.com/c", Version: "v1.2.3"}}, want: formats.Anchor{File: "go.mod", Line: 1, Stand: "go.mod"}},
		{name: "no module", want: formats.Anchor{}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			dir := inFolder(t)
			writeFiles(t, dir, tt.files)
			p := &Campaign{Config: state.Config{Dir: dir, Options: map[string]string{}, Identity: state.Identity{Programs: tt.programs}}}
			p.Options.Dir = dir
			for key, value := range tt.options {
				if value[0] == '{' {
					value = dir + value[2:]
				}
				p.Config.Options[key] = value
			}
			if tt.stack != "" {
				p.buckets = append(p.buckets, bucketWith(tt.stack))
			}
			if got := p.harness(formats.Repository{Root: dir, Dir: dir}); got != tt.want {
				t.Errorf("got %+v, want %+v", got, tt.want)
			}
		})
	}
}

// TestFormatted checks that a campaign on disk has the records of its findings, and places in the
// repository that it was started in.
func TestFormatted(t *testing.T) {
	dir := inModule(t, failsOnX)
	writeFiles(t, dir, map[string]string{".git/HEAD": "ref: x\n"})
	out := filepath.Join(dir, ".parallax", "t")
	made{dir: dir, out: out, shape: input.Shape{input.String, input.Int8}, options: fuzzOptions(dir), buckets: map[string][]any{"aaaaaaaaaaaa": {"y", int8(1)}, "bbbbbbbbbbbb": {"z", int8(2)}}, gone: "bbbbbbbbbbbb"}.write(t)
	pasts, _, err := Open(out)
	if err != nil {
		t.Fatal(err)
	}
	target, err := pasts[0].Formatted(nil)
	if err != nil {
		t.Fatal(err)
	}
	if target.Name != "t" || target.Folder != ".parallax/t" || len(target.Findings) != 2 {
		t.Fatalf("%+v", target)
	}
	f := target.Findings[0]
	if f.ID != "aaaaaaaaaaaa" || f.Record == nil || f.Page.Replay != "parallax replay --campaign .parallax/t aaaaaaaaaaaa" || filepath.Dir(f.Page.Folder) != ".parallax/t/findings/aaaaaaaaaaaa" {
		t.Errorf("%+v", f)
	}
	if want := (formats.Anchor{File: "p/p_test.go", Line: 5, Stand: "the fuzz test"}); f.Where != want {
		t.Errorf("shown at %+v, want %+v", f.Where, want)
	}
	if !target.Findings[1].Gone {
		t.Error("what is gone is not told to be")
	}

	// The summary of the current run takes precedence over the one on disk. Findings that the
	// folder lacks have no record.
	live := &finding.Summary{Target: "t", Mode: "fuzz", Inputs: 7, Findings: finding.Findings{Buckets: []finding.Row{{ID: "cccccccccccc", Kind: "crash", Location: "p/p.go:1"}}}}
	target, err = pasts[0].Formatted(live)
	if err != nil || target.Summary.Inputs != 7 || len(target.Findings) != 1 || target.Findings[0].Record != nil || target.Findings[0].Where.File != "p/p.go" {
		t.Errorf("%+v, %v", target, err)
	}
	if bare := Bare(live, "f"); len(bare.Findings) != 1 || bare.Name != "t" || bare.Folder != "f" {
		t.Errorf("%+v", bare)
	}
}

func bucketWith(stack string) *findings.Group {
	return &findings.Group{Best: &finding.Finding{Programs: []finding.Program{{Name: "h", Stack: stack}}}}
}

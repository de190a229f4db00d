package bisect

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"parallax/cmd/internal/campaign/findings"
	"parallax/cmd/internal/command/archive"
	"parallax/cmd/internal/finding"
	"parallax/cmd/internal/gobuild/gomod"
	"parallax/internal/oracle"
	"parallax/internal/wire"
)

// TestBisectOutcome checks that the compared properties depend on the layer, and never on a value
// or a message itself.
func TestBisectOutcome(t *testing.T) {
	accepted := func(value uint64) wire.RunResult {
		return wire.RunResult{Outcome: uint64(oracle.Accepted), Value: value}
	}
	rejected := func(class uint64) wire.RunResult {
		return wire.RunResult{Outcome: uint64(oracle.Rejected), Class: class}
	}
	const verdict, value, class = oracle.VerdictLayer, oracle.VerdictLayer | oracle.ValueLayer, oracle.VerdictLayer | oracle.ClassLayer
	for _, tt := range []struct {
		name   string
		layers oracle.Layers
		a, b   []wire.RunResult
		same   bool
	}{
		{"other outcomes", verdict, []wire.RunResult{accepted(1), rejected(1)}, []wire.RunResult{accepted(1), accepted(1)}, false},
		{"other values", verdict, []wire.RunResult{accepted(1), accepted(2)}, []wire.RunResult{accepted(3), accepted(3)}, true},
		{"values that part", value, []wire.RunResult{accepted(1), accepted(2)}, []wire.RunResult{accepted(3), accepted(3)}, false},
		{"values that part as before", value, []wire.RunResult{accepted(1), accepted(2)}, []wire.RunResult{accepted(3), accepted(4)}, true},
		{"another odd one out", value, []wire.RunResult{accepted(1), accepted(1), accepted(2)}, []wire.RunResult{accepted(1), accepted(2), accepted(2)}, false},
		{"other classes", value, []wire.RunResult{rejected(1), rejected(2)}, []wire.RunResult{rejected(3), rejected(3)}, true},
		{"classes that part", class, []wire.RunResult{rejected(1), rejected(2)}, []wire.RunResult{rejected(3), rejected(3)}, false},
		{"another panic", value, []wire.RunResult{{Outcome: uint64(oracle.Crashed), Panic: "a"}}, []wire.RunResult{{Outcome: uint64(oracle.Crashed), Panic: "b"}}, true},
		{"a panic and a failure", value, []wire.RunResult{{Outcome: uint64(oracle.Crashed)}}, []wire.RunResult{{Outcome: uint64(oracle.Crashed), Failure: true}}, false},
	} {
		s := &bisection{layers: tt.layers}
		if a, b := s.outcome(tt.a), s.outcome(tt.b); (a == b) != tt.same {
			t.Errorf("%s: %s and %s", tt.name, a, b)
		}
	}
}

// TestBisectKeep checks that the report records the agreements between programs, as far as they are
// compared.
func TestBisectKeep(t *testing.T) {
	for layers, want := range map[oracle.Layers]string{oracle.VerdictLayer: "", oracle.ValueLayer: "a"} {
		s := &bisection{layers: layers, report: &Report{Programs: []string{"a", "b", "c"}}}
		p := &triedPoint{}
		s.keep(p, []wire.RunResult{
			{Outcome: uint64(oracle.Accepted), Value: 1}, {Outcome: uint64(oracle.Accepted), Value: 2}, {Outcome: uint64(oracle.Accepted), Value: 1},
		})
		if p.Programs[0].SameAs != "" || p.Programs[1].SameAs != "" || p.Programs[2].SameAs != want {
			t.Errorf("%v: %+v", layers, p.Programs)
		}
	}
}

// TestBisectRecorded checks the end from which the change is searched, and the note on a finding
// that reproduces nowhere.
func TestBisectRecorded(t *testing.T) {
	point := func(outcome string) *triedPoint { return &triedPoint{outcomes: []string{outcome}, shown: outcome} }
	s := &bisection{
		item:   archive.Item{Bucket: &findings.Group{Best: &finding.Finding{Programs: []finding.Program{{Name: "A", Detail: oracle.Detail{Outcome: "crashed"}}}}}},
		points: map[int]*triedPoint{0: point("crashed"), 5: point("accepted"), 7: {Point: Point{Skip: "no"}}},
		report: &Report{},
	}
	crashed, accepted := Shown{Outcome: "crashed"}, Shown{Outcome: "accepted"}
	if !s.recorded(crashed, accepted) || s.recorded(accepted, crashed) {
		t.Error("the end that shows the finding is not known")
	}
	if s.noteUnseen(); len(s.report.Notes) > 0 {
		t.Errorf("notes %q", s.report.Notes)
	}
	delete(s.points, 0)
	if s.noteUnseen(); len(s.report.Notes) != 1 || !strings.Contains(s.report.Notes[0], "as recorded at any point that was tried: A crashed.") {
		t.Errorf("notes %q", s.report.Notes)
	}
}

func TestVersioned(t *testing.T) {
	modules := []gomod.InUse{
		{Path: "example.com/app", Main: true, Folder: true}, {Path: "example.com/dir", Dir: "/a b", Folder: true}, {Path: "example.com/lib", Version: "v1.0.0"},
	}
	for module, want := range map[string]string{
		"example.com/lib":        "",
		"example.com/app":        "is your own module: use --git to look through its commits",
		"example.com/dir":        "use --git --repo '/a b' for the commits there",
		"example.com/lib/sub":    "the target is not built from it; it is a package of module example.com/lib, which the target is built from",
		"example.com/none":       "the target is not built from it; it is built from example.com/lib",
		"example.com/lib@v1.1.0": "name the module without a version, and give versions with --since and --until, as in --until v1.1.0",
		"encoding/json":          "the standard library changes only with the Go release",
		"std":                    "the standard library changes only with the Go release",
	} {
		s := &bisection{Query: &Query{Module: module}}
		m, err := s.versioned(modules)
		switch {
		case want == "" && (err != nil || m.Version != "v1.0.0"):
			t.Errorf("%s: %+v, %v", module, m, err)
		case want != "" && (err == nil || !strings.Contains(err.Error(), want)):
			t.Errorf("%s: %v, want one with %q", module, err, want)
		}
	}
}

// TestBisectModules checks that modules that a commit's go.mod lacks, or names outside of the
// repository, come from their current place.
func TestBisectModules(t *testing.T) {
	replace := func(old, dir string) (r gomod.Replacement) {
		r.Old.Path, r.New.Path = old, dir
		return r
	}
	c := &commits{top: "/user/repo", own: &gomod.Module{
		Path: "example.com/app", Work: "/user/go.work",
		Require:  []gomod.Requirement{{Path: "parallax", Version: "v0.0.0"}, {Path: "example.com/lib", Version: "v1.0.0"}, {Path: "example.com/lib/sub", Version: "v1.1.0"}, {Path: "example.com/old", Version: "v1.2.0"}},
		Replace:  []gomod.Replacement{replace("parallax", "/user/repo/parallax")},
		Siblings: []gomod.Module{{Path: "example.com/sibling", Dir: "/user/sibling"}, {Path: "example.com/inside", Dir: "/user/repo/inside"}},
	}}
	then := &gomod.Module{
		Path: "example.com/app", Dir: "/cache/tree", Require: []gomod.Requirement{{Path: "example.com/old", Version: "v1.0.0"}},
		Replace: []gomod.Replacement{replace("example.com/beside", "/cache/beside"), replace("example.com/within", "/cache/tree/within")},
	}
	out := c.outsideFolders(then, "/cache/tree")
	if want := []gomod.Instead{{Module: "example.com/beside", Dir: "/user/beside"}, {Module: "example.com/sibling", Dir: "/user/sibling", Require: true}}; !slices.Equal(out, want) {
		t.Errorf("outside of the repository: %+v", out)
	}
	imports := []string{"testing", "parallax", "example.com/lib/sub/x", "example.com/old/y", "example.com/app/z", "example.com/lib/sub", "example.com/libel"}
	if got, want := c.missingModules(then, imports, out), []gomod.Instead{{Module: "parallax", Dir: "/user/repo/parallax", Require: true}, {Module: "example.com/lib/sub", Version: "v1.1.0", Require: true}}; !slices.Equal(got, want) {
		t.Errorf("lacks %+v", got)
	}
	if got := c.inTree("/user/repo/p", "/cache/tree"); got != "/cache/tree/p" {
		t.Errorf("moved to %s", got)
	}
	if got := c.inTree("/elsewhere/p", "/cache/tree"); got != "/elsewhere/p" {
		t.Errorf("moved to %s", got)
	}
}

func TestModuleAt(t *testing.T) {
	tree := t.TempDir()
	for _, name := range []string{"vendor/x", "deep/er/x", "x"} {
		if err := os.MkdirAll(filepath.Join(tree, name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(tree, name, "go.mod"), []byte("module example.com/x // here\n"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if dir, err := moduleAt(tree, "example.com/x"); err != nil || dir != filepath.Join(tree, "x") {
		t.Errorf("%s, %v", dir, err)
	}
	if _, err := moduleAt(tree, "example.com/y"); err == nil {
		t.Error("a module that is not there is found")
	}
	if !governed(filepath.Join(tree, "x"), tree) || governed(filepath.Join(tree, "deep"), tree) || governed(filepath.Dir(tree), tree) {
		t.Error("go.mod is looked for elsewhere")
	}
}

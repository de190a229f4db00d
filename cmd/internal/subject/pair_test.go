package subject

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"parallax/cmd/internal/base/exit"
	"parallax/cmd/internal/gobuild/fuzztest"
	"parallax/cmd/internal/gobuild/gocommand"
	"parallax/cmd/internal/gobuild/gocommand/moduletest"
	"parallax/cmd/internal/gobuild/golang"
	"parallax/cmd/internal/process/execute"
	"parallax/cmd/internal/program/lockstep"
	"parallax/cmd/internal/subject/kinds"
	"parallax/internal/oracle"
	"parallax/internal/wire"
)

// TestMain runs parallax if the arguments are its own: it builds workers and is a lockstep process.
func TestMain(m *testing.M) {
	if len(os.Args) > 2 {
		switch os.Args[1] {
		case "toolexec":
			os.Exit(golang.Toolexec(os.Args[2:]))
		case "guard":
			os.Exit(gocommand.Guard(os.Args[2:]))
		case "lockstep":
			os.Exit(lockstep.Main(os.Args[2:], kinds.Table))
		}
	}
	os.Exit(moduletest.WithScratch(m, "target"))
}

// pairOptions returns options for small tests.
func pairOptions(t *testing.T) *Options {
	o := &Options{Mode: Diff, Timeout: 10 * time.Second, Memory: 1 << 30, Dir: t.TempDir()}
	o.MaxBytes = 1 << 10
	o.Guidance = []string{"ensemble"}
	return o
}

// pairOf builds FuzzP of package p in two modules, each given as the text of a tree without its
// go.mod.
func pairOf(t *testing.T, newer, older string) (*Lockstep, error) {
	t.Helper()
	if testing.Short() {
		t.Skip("builds tests")
	}
	t.Setenv("XDG_CACHE_HOME", moduletest.Cache())
	r := PairRequest{Fuzz: "FuzzP"}
	const mod = "-- go.mod --\nmodule example.com/m\n\ngo 1.22\n"
	for _, v := range []struct {
		version *Version
		text    string
	}{{&r.New, newer}, {&r.Old, older}} {
		if v.text == "" {
			r.NoOld = true
			continue
		}
		if !strings.Contains(v.text, "-- go.mod --") {
			v.text = mod + v.text
		}
		v.version.Dir, v.version.Package = moduletest.Tree(t, v.text), "./p"
		moduletest.Untouched(t, v.version.Dir)
	}
	target, err := BuildPair(context.Background(), r, pairOptions(t), moduletest.Self(t), func(string) {})
	if err == nil {
		t.Cleanup(target.Close)
	}
	return target, err
}

// ran returns the results of the programs of a pair on inputs that are one text.
func ran(t *testing.T, p *Lockstep, inputs ...string) (all [][]wire.RunResult) {
	t.Helper()
	w, err := execute.Start(p.Spec(pairOptions(t)))
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	if err := p.Check(w); err != nil {
		t.Fatal(err)
	}
	for _, in := range inputs {
		flat, err := p.Shape.Pack(in)
		if err != nil {
			t.Fatal(err)
		}
		results, err := w.Run(flat, wire.WantDetail|wire.WantHits)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, results)
	}
	return all
}

const (
	parseHarness = `-- p/p_test.go --
package p

import "testing"

func FuzzP(f *testing.F) {
	f.Add("seed of the harness")
	f.Fuzz(func(t *testing.T, s string) {
		n, err := Parse(s)
		if err != nil {
			t.Skip()
		}
		var into struct{ Length int }
		if err := Read(s, &into); err != nil {
			t.Fatal(err)
		}
		if Format(n) != s && n > 90 {
			t.Error("round trip")
		}
	})
}
`
	parseOld = `-- p/p.go --
package p

import (
	"errors"
	"strconv"
)

func Parse(s string) (int, error) {
	switch s {
	case "":
		return 0, errors.New("empty")
	case "7":
		return 7, nil
	case "panic":
		return 0, errors.New("no panic")
	case "no":
		return 0, errors.New("no")
	case "99":
		return 99, nil
	}
	return strconv.Atoi(s)
}

func Read(s string, into any) error {
	into.(*struct{ Length int }).Length = len(s)
	return nil
}

func Format(n int) string { return strconv.Itoa(n) }
`
)

// parseNew is parseOld with five changes.
var parseNew = strings.NewReplacer(`"empty"`, `"nothing"`, "return 7,", "return 8,", `return 0, errors.New("no panic")`, `panic("as told")`,
	`return 0, errors.New("no")`, "return 1, nil", "return 99,", "return 98,", "= len(s)", "= len(s) + len(s)/5").Replace(parseOld)

// TestPairTrees checks that the package is where a version says, or where the new version has it.
func TestPairTrees(t *testing.T) {
	newer := &side{test: &sideTest{FuzzTest: &FuzzTest{pkg: &fuzztest.Package{ModuleDir: "/new", Dir: "/new/a/p"}}}}
	dir := moduletest.Tree(t, "-- go.mod --\nmodule m\n-- sub/x --\n")
	for _, test := range []struct{ in, pkg, want string }{{"", "", "a/p"}, {"", "example.com/m/a/p", "a/p"}, {"", "./q", "q"}, {"sub", "./q", "sub/q"}, {"sub", "", "a/p"}, {"", ".", "."}} {
		r := PairRequest{Old: Version{Dir: filepath.Join(dir, test.in), Package: test.pkg}}
		b := pairBuilder{t: &Lockstep{Facts: Facts{Pair: &Pair{request: r}}}}
		if got := b.tree(OldVersion, newer); got != (fuzztest.Tree{Dir: dir, Package: test.want}) {
			t.Errorf("%+v: %+v", test, got)
		}
	}
	if got := (&pairBuilder{}).tree(NewVersion, newer); got != (fuzztest.Tree{Dir: "/new", Package: "a/p"}) {
		t.Errorf("the new version: %+v", got)
	}
}

// TestPair checks that differences between the versions show, and that all else is the same.
func TestPair(t *testing.T) {
	p, err := pairOf(t, parseNew+parseHarness+"-- p/testdata/fuzz/FuzzP/a --\ngo test fuzz v1\nstring(\"new\")\n",
		parseOld+strings.Replace(parseHarness, "seed of the harness", "older seed", 1)+"-- p/testdata/fuzz/FuzzP/b --\ngo test fuzz v1\nstring(\"old\")\n")
	if err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(p.Names, " "); got != "new old" || p.Mode != Diff || p.Name != "p.FuzzP" {
		t.Errorf("programs %s, %s of %s", got, p.Mode, p.Name)
	}
	if want := "pass, skip, fail, and the results of 3 calls, each time that it is made: Parse (p_test.go:8), Read (p_test.go:13), Format (p_test.go:16); and what a run costs, in blocks executed and bytes allocated"; p.Pair.Compared != want {
		t.Errorf("compared: %s\nwant      %s", p.Pair.Compared, want)
	}
	var seeds []string
	for _, s := range p.Plan.Seeds {
		seeds = append(seeds, string(s.Flat))
	}
	for _, want := range []string{"seed of the harness", "new", "old"} {
		if !strings.Contains(strings.Join(seeds, ","), want) {
			t.Errorf("seeds %q, without %q", seeds, want)
		}
	}
	if len(p.Plan.Notes) > 0 {
		t.Logf("notes: %q", p.Plan.Notes)
	}
	tests := []struct {
		input, newer, older string
		same                bool   // in the compared layers
		told                string // by the new version
	}{
		{"5", "accepted", "accepted", true, "Parse (p_test.go:8): 5, nil\nRead (p_test.go:13): nil, into &struct{Length: 1}\nFormat (p_test.go:16): \"5\""},
		{"7", "accepted", "accepted", false, "Parse (p_test.go:8): 8, nil\nRead (p_test.go:13): nil, into &struct{Length: 1}\nFormat (p_test.go:16): \"8\""},
		{"00005", "accepted", "accepted", false, "Parse (p_test.go:8): 5, nil\nRead (p_test.go:13): nil, into &struct{Length: 6}\nFormat (p_test.go:16): \"5\""},
		{"x", "rejected", "rejected", true, "skipped (t.Skip)\nParse (p_test.go:8): 0, error *strconv.NumError: strconv.Atoi: parsing \"x\": invalid syntax"},
		{"", "rejected", "rejected", false, "skipped (t.Skip)\nParse (p_test.go:8): 0, error *errors.errorString: nothing"},
		{"no", "accepted", "rejected", false, "Parse (p_test.go:8): 1, nil\nRead (p_test.go:13): nil, into &struct{Length: 2}\nFormat (p_test.go:16): \"1\""},
		{"99", "crashed", "accepted", false, ""},
		{"panic", "crashed", "rejected", false, ""},
	}
	var inputs []string
	for _, test := range tests {
		inputs = append(inputs, test.input)
	}
	for i, r := range ran(t, p, inputs...) {
		test := tests[i]
		a, z := oracle.Outcome(r[0].Outcome).String(), oracle.Outcome(r[1].Outcome).String()
		if a != test.newer || z != test.older {
			t.Errorf("%q: new %s, old %s; want %s, %s (%q, %q)", test.input, a, z, test.newer, test.older, r[0].Panic, r[1].Panic)
		}
		compared := []oracle.Observation{{Outcome: oracle.Outcome(r[0].Outcome), Class: r[0].Class, Value: r[0].Value}, {Outcome: oracle.Outcome(r[1].Outcome), Class: r[1].Class, Value: r[1].Value}}
		if same := !oracle.Disagree(oracle.VerdictLayer|oracle.ValueLayer, compared); a == z && a != "crashed" && same != test.same {
			t.Errorf("%q: the same: %v", test.input, same)
		}
		if told := r[0].Error + r[0].Rendered; told != test.told {
			t.Errorf("%q: told %q, want %q", test.input, told, test.told)
		}
		if len(r[0].Hits) == 0 || len(r[1].Hits) == 0 {
			t.Errorf("%q: no blocks", test.input)
		}
	}
	// The old version may follow the new one. Triage runs it on each input.
	if err := p.Follow([]uint32{1, 2}, []uint32{1, 2, 3}); err != nil {
		t.Fatal(err)
	}
	spec, err := os.ReadFile(p.Spec(pairOptions(t)).Args[1])
	if err != nil || !strings.Contains(string(spec), `"After":{"Program":0,"Blocks":[1,2],"Impacted":[1,2,3]}`) {
		t.Errorf("%v: %s", err, spec)
	}
	if r := ran(t, p, "5")[0]; r[1].Outcome != uint64(oracle.Accepted) {
		t.Errorf("as a follower: %+v", r[1])
	}
	// The versions of a package are aligned, and the changed hunks are known.
	hunks := map[string]bool{}
	for id := range p.Space.Len() {
		if h, ok := p.Space.Hunk(id); ok {
			hunks[p.Space.HunkOf(h).Function] = true
		}
	}
	if len(hunks) != 2 || !hunks["Parse"] || !hunks["Read"] || !p.Space.AllVersions(2) {
		t.Errorf("hunks in %v", hunks)
	}
}

// TestPairLaidOver builds an old tree with an older harness, which lacks a helper of the new one
// and reads other files.
func TestPairLaidOver(t *testing.T) {
	harness := `-- p/p_test.go --
package p_test

import (
	"os"
	"testing"

	"example.com/m/internal/testutil"
	"example.com/m/p"
)

func FuzzP(f *testing.F) {
	f.Fuzz(func(t *testing.T, s string) {
		for _, name := range []string{"testdata/both", "testdata/new", "testdata/old", "../go.mod"} {
			if _, err := os.ReadFile(name); err != nil {
				if s == name {
					t.Fatal(err)
				}
			}
		}
		data, _ := os.ReadFile("testdata/both")
		if s == "data" && testutil.Clean(string(data)) != "of the new" {
			t.Fatal(string(data))
		}
		_ = p.Double(len(s))
	})
}
`
	p, err := pairOf(t, harness+`-- internal/testutil/t.go --
package testutil

import "strings"

func Clean(s string) string { return strings.TrimSpace(s) }
-- p/p.go --
package p

func Double(n int) int { return n + n }
-- p/testdata/both --
of the new
-- p/testdata/new --
-- p/testdata/sub/deep --
`, `-- p/p.go --
package p

func Double(n int) int { return 2 * n }
-- p/gone_test.go --
package p

import "testing"

func TestGone(t *testing.T) { missing() }
-- p/p_test.go --
package p
-- p/testdata/both --
of the old
-- p/testdata/old --
`)
	if err != nil {
		t.Fatal(err)
	}
	if p.Pair.OwnHarness || len(p.Pair.Calls) != 2 || p.Pair.Calls[1].Name != "Double" {
		t.Errorf("%+v", p.Pair)
	}
	for i, r := range ran(t, p, "a", "data", "testdata/both", "testdata/new", "../go.mod", "testdata/old") {
		for k := range r {
			if i < 5 && oracle.Outcome(r[k].Outcome) != oracle.Accepted {
				t.Errorf("input %d, %s: %+v", i, p.Names[k], r[k])
			}
		}
		if r[0].Value != r[1].Value && i < 5 {
			t.Errorf("input %d: values differ: %s, %s", i, r[0].Rendered, r[1].Rendered)
		}
		if i == 5 && (oracle.Outcome(r[0].Outcome) != oracle.Crashed || oracle.Outcome(r[1].Outcome) != oracle.Accepted) {
			t.Errorf("what only the old version has: %+v", r)
		}
	}
}

// TestPairOwnHarness checks that the old tree runs its own harness if the new one does not compile
// there.
func TestPairOwnHarness(t *testing.T) {
	const uses = "-- p/p_test.go --\npackage p\n\nimport \"testing\"\n\nfunc FuzzP(f *testing.F) {\n\tf.Fuzz(func(t *testing.T, s string) { _ = CALL })\n}\n"
	const old = "-- p/p.go --\npackage p\n\nfunc Old(s string) int { return len(s) }\n"
	newer := "-- p/p.go --\npackage p\n\nfunc New(s string) int { return len(s) + 1 }\n" + strings.Replace(uses, "CALL", "New(s)", 1)
	p, err := pairOf(t, newer, old+strings.Replace(uses, "CALL", "Old(s)", 1))
	if err != nil {
		t.Fatal(err)
	}
	if !p.Pair.OwnHarness || len(p.Pair.Calls) > 0 || !strings.HasPrefix(p.Pair.Compared, "pass, skip and fail (the versions run different harnesses)") {
		t.Errorf("%+v", p.Pair)
	}
	if notes := strings.Join(p.Plan.Notes, "\n"); !strings.Contains(notes, "the old version runs its own FuzzP, since") || !strings.Contains(notes, "undefined: New") {
		t.Errorf("notes: %s", notes)
	}
	if r := ran(t, p, "x")[0]; r[0].Value != r[1].Value || r[0].Outcome != uint64(oracle.Accepted) {
		t.Errorf("%+v", r)
	}

	// Another test of the package, of a new function, does not prevent the overlay of the harness.
	apart := "-- p/p.go --\npackage p\n\nfunc Old(s string) int { return len(s) }\n\nfunc New(s string) int { return len(s) + 1 }\n" +
		strings.Replace(uses, "CALL", "Old(s)", 1) + "-- p/new_test.go --\npackage p\n\nimport \"testing\"\n\nfunc TestNew(t *testing.T) { New(\"\") }\n"
	if p, err = pairOf(t, apart, old); err != nil || p.Pair.OwnHarness || len(p.Pair.Calls) != 1 {
		t.Fatalf("%v, %+v", err, p)
	}

	// Nor does one in the same file.
	same := "-- p/p.go --\npackage p\n\nfunc Old(s string) int { return len(s) }\n\nfunc New(s string) int { return len(s) + 1 }\n" +
		strings.Replace(uses, "CALL", "Old(s)", 1) + "\nfunc FuzzNew(f *testing.F) {\n\tf.Fuzz(func(t *testing.T, s string) { New(s) })\n}\n"
	if p, err = pairOf(t, same, old); err != nil || p.Pair.OwnHarness || len(p.Pair.Calls) != 1 {
		t.Fatalf("%v, %+v", err, p)
	}

	if _, err = pairOf(t, newer, old); exit.Code(err) != exit.BuildCode || !strings.Contains(err.Error(), "undefined: New") {
		t.Errorf("without a harness of its own: %d, %v", exit.Code(err), err)
	}
	other := strings.Replace(strings.Replace(uses, "CALL", "Old(string(s))", 1), "s string", "s []byte", 1)
	if _, err = pairOf(t, newer, old+other); exit.Code(err) != exit.BuildCode || !strings.Contains(err.Error(), "(string)") || !strings.Contains(err.Error(), "([]byte)") {
		t.Errorf("with another signature: %d, %v", exit.Code(err), err)
	}
	var absent *OldError
	if _, err = pairOf(t, newer, "-- q/q.go --\npackage q\n"); !errors.As(err, &absent) || exit.Code(err) != exit.BuildCode || !strings.Contains(err.Error(), "it has no package in the folder p, where the new one has FuzzP") {
		t.Errorf("without the package: %v", err)
	}
}

// TestPairUnready checks the errors of versions that do not reach their fuzz target. The old
// version's is an OldError, since without it no failure is known to be new.
func TestPairUnready(t *testing.T) {
	code := func(begin, v string) string {
		return "-- p/p.go --\npackage p\n\nconst V = " + v + "\n\nfunc F(s string) int { return V }\n-- p/p_test.go --\npackage p\n\nimport \"testing\"\n\nfunc FuzzP(f *testing.F) {\n\t" + begin +
			"\n\tf.Fuzz(func(t *testing.T, s string) { F(s) })\n}\n"
	}
	const skip = `if V == 1 { f.Skip("not here") }`
	_, err := pairOf(t, code(skip, "2"), code("", "1"))
	var old *OldError
	if !errors.As(err, &old) || exit.Code(err) != exit.BuildCode || !strings.Contains(err.Error(), "does not reach f.Fuzz") || !strings.Contains(err.Error(), "not here") {
		t.Errorf("%d, %v", exit.Code(err), err)
	}
	var skipped *Skipped
	if _, err = pairOf(t, code(skip, "1"), code("", "2")); !errors.As(err, &skipped) || exit.Code(err) != exit.BaselineCode {
		t.Errorf("%v", err)
	}
	if _, err = pairOf(t, code(`if V == 1 { f.Fatal("broken") }`, "1"), code("", "2")); exit.Code(err) != exit.BaselineCode || !strings.Contains(err.Error(), "new version") || !strings.Contains(err.Error(), "broken") {
		t.Errorf("%d, %v", exit.Code(err), err)
	}
	if p, err := pairOf(t, code("", "1"), ""); err != nil || len(p.Names) != 1 {
		t.Errorf("without an old version: %v, %v", p, err)
	}
	// The user's folder may be missing in the old version.
	r := PairRequest{Fuzz: "FuzzP", New: Version{Dir: moduletest.Tree(t, "-- go.mod --\nmodule example.com/m\n\ngo 1.22\n"+code("", "1")), Package: "./p"}}
	r.Old.Dir = filepath.Join(t.TempDir(), "fresh")
	if _, err := BuildPair(t.Context(), r, pairOptions(t), moduletest.Self(t), func(string) {}); !errors.As(err, &old) || exit.Code(err) != exit.BuildCode || !strings.HasSuffix(err.Error(), "it has no folder fresh") {
		t.Errorf("%d, %v", exit.Code(err), err)
	}
	r.NoOld = true
	p, err := BuildPair(t.Context(), r, pairOptions(t), moduletest.Self(t), func(string) {})
	if err != nil || len(p.Names) != 1 {
		t.Fatalf("without an old version, whose folder is not there: %v, %v", p, err)
	}
	p.Close()
}

// TestPairRequirements checks that each tree has its own go.mod. A missing requirement is a build
// error.
func TestPairRequirements(t *testing.T) {
	const harness = "-- p/p_test.go --\npackage p\n\nimport (\n\t\"testing\"\n\n\t\"golang.org/x/mod/semver\"\n)\n\nfunc FuzzP(f *testing.F) {\n\tf.Fuzz(func(t *testing.T, s string) { F(semver.Canonical(s)) })\n}\n-- p/p.go --\npackage p\n\nfunc F(s string) int { return len(s) }\n"
	const require = "-- go.mod --\nmodule example.com/m\n\ngo 1.22\n\nrequire golang.org/x/mod v0.20.0\n"
	const sum = "-- go.sum --\ngolang.org/x/mod v0.20.0 h1:utOm6MM3R3dnawAiJgn0y+xvuYRsm1RKM/4giyfDgV0=\ngolang.org/x/mod v0.20.0/go.mod h1:hTbmBsO62+eylJbnUtE2MGJUyE7QWk4xUqPFrRgJ+7c=\n"
	_, err := pairOf(t, require+sum+harness, require+harness)
	var old *OldError
	if exit.Code(err) == exit.OK || !errors.As(err, &old) || !strings.Contains(err.Error(), "go.sum") {
		t.Errorf("without go.sum: %d, %v", exit.Code(err), err)
	}
	_, err = pairOf(t, require+sum+harness, "-- go.mod --\nmodule example.com/m\n\ngo 1.22\n"+harness)
	if exit.Code(err) == exit.OK || !errors.As(err, &old) || !strings.Contains(err.Error(), "golang.org/x/mod/semver") {
		t.Errorf("without the requirement: %d, %v", exit.Code(err), err)
	}
}

// TestPairModules checks that a dependency counts as tested if it differs between the versions, and
// not otherwise.
func TestPairModules(t *testing.T) {
	const tree = `-- go.mod --
module example.com/m

go 1.22

require (
	example.com/d v1.0.0
	example.com/d2 v1.0.0
)

replace (
	example.com/d => ./d
	example.com/d2 => ./d2
)
-- d/go.mod --
module example.com/d

go 1.22
-- d/in/in.go --
package in

func In(s string) int { return len(s) }
-- d/d.go --
package d

import "example.com/d/in"

func D(s string) int { return in.In(s) }
-- d2/go.mod --
module example.com/d2

go 1.22
-- d2/d2.go --
package d2

func D2(s string) int { return len(s) }
-- p/p.go --
package p

import (
	"example.com/d"
	"example.com/d2"
)

func F(s string) int { return d.D(s) + d2.D2(s) }
-- p/p_test.go --
package p

import "testing"

func FuzzP(f *testing.F) {
	f.Fuzz(func(t *testing.T, s string) { F(s) })
}
`
	p, err := pairOf(t, strings.Replace(tree, "return in.In(s)", "return in.In(s[1:])", 1), tree)
	if err != nil {
		t.Fatal(err)
	}
	for function, want := range map[string]bool{
		"example.com/m/p.F": true, "example.com/d.D": true, "example.com/d/in.In": true, "example.com/d2.D2": false, "strings.Index": false,
	} {
		if got := p.Space.Own(function); got != want {
			t.Errorf("%s belongs to what is tested: %v", function, got)
		}
	}
}

// TestPairSiblings checks that two FuzzXxx of a package are linked once.
func TestPairSiblings(t *testing.T) {
	tree := func(n string) string {
		return "-- p/p.go --\npackage p\n\nfunc N() int { return " + n + ` }
-- p/p_test.go --
package p

import "testing"

func FuzzP(f *testing.F) { f.Fuzz(func(t *testing.T, s string) { N() }) }

func FuzzQ(f *testing.F) { f.Fuzz(func(t *testing.T, s string) { N() }) }
`
	}
	p, err := pairOf(t, tree("1"), tree("2"))
	if err != nil {
		t.Fatal(err)
	}
	r := p.Pair.request
	r.Fuzz = "FuzzQ"
	q, err := BuildPair(context.Background(), r, pairOptions(t), moduletest.Self(t), func(string) {})
	if err != nil {
		t.Fatal(err)
	}
	defer q.Close()
	if err := errors.Join(p.CmpLog().Build(context.Background()), q.CmpLog().Build(context.Background())); err != nil {
		t.Fatal(err)
	}
	builds := func(l *Lockstep) (all []os.FileInfo) {
		for _, part := range l.assembly.parts {
			ordered, err := part.plan.BuildOrdered(context.Background())
			if err != nil {
				t.Fatal(err)
			}
			for _, path := range []string{part.binary, part.cmplogPath(l.assembly.space), ordered} {
				info, err := os.Stat(path)
				if err != nil {
					t.Fatal(err)
				}
				all = append(all, info)
			}
		}
		return all
	}
	ofP, ofQ := builds(p), builds(q)
	for i := range ofP {
		for k := range ofQ {
			if same := os.SameFile(ofP[i], ofQ[k]); same != (i == k) {
				t.Errorf("build %d of FuzzP is build %d of FuzzQ: %v", i, k, same)
			}
		}
	}
}

package signature

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"parallax/cmd/internal/base/exit"
	"parallax/cmd/internal/gobuild/funcname"
	"parallax/cmd/internal/gobuild/gocommand"
	"parallax/cmd/internal/gobuild/gocommand/moduletest"
)

// source has package lib at two versions, and another package.
const source = `
-- v1/lib.go --
package lib

type Node struct {
	Name     string
	Children []*Node
	Value    int
}

func Parse(s string) (*Node, error)   { return nil, nil }
func Raw(b []byte) ([]byte, error)    { return nil, nil }
func Valid(b []byte) bool             { return false }
func Count(b []byte) int              { return 0 }
func Nothing(b []byte)                {}
func Fix(b []byte) []byte             { return b }
func Open(name string, n int) error   { return nil }

type Opaque struct{ n int }

func Hide(s string) (Opaque, error) { return Opaque{}, nil }

type Half struct {
	Name string
	old  int
}

func Show(s string) (Half, error) { return Half{}, nil }
func Each[T any](v T) error           { return nil }
func Walk(f func(*Node)) error        { return nil }

type (
	Loud  struct{ N int }
	Maps  struct{ By map[Half]int }
	Wave  struct{ C []complex128 }
	Quiet struct {
		C  complex128 "json:\"-\""
		By map[int8]*Node
	}
)

func (Loud) MarshalJSON() ([]byte, error) { return nil, nil }

func Rank(n *Node, weights []float64) (int, error) { return 0, nil }
func Calm(q Quiet, more ...string) bool            { return true }
func Shout(l []Loud) bool                          { return true }
func Index(m Maps) bool                            { return true }
func Tune(w Wave) bool                             { return true }

func Match(pattern, name string) (bool, error)         { return false, nil }
func Fits(str, pattern string) bool                    { return false }
func Scores(str, pattern string) (int, error)          { return 0, nil }
func Check(pattern, name string) error                 { return nil }
func Lookup(name string) (string, bool)                { return "", false }
func Find(name string) (string, bool, error)           { return "", false, nil }
func Number(name string) (float64, bool, bool, error)  { return 0, false, false, nil }
-- v2/lib.go --
package lib

type Node struct {
	Name     string
	Children []*Node
	Value    float64
	Column   int
}

func Parse(s string) (*Node, error)  { return nil, nil }
func Raw(b []byte) (string, error)   { return "", nil }
func Count(b []byte) []int           { return nil }

type Opaque struct{ text string }

func Hide(s string) (Opaque, error) { return Opaque{}, nil }

type Half struct {
	Name string
	now  int
	More bool
}

func Show(s string) (Half, error) { return Half{}, nil }
`

// read reads functions of package lib at a version. For functions that cannot be fuzzed, problems
// has "where: why".
func read(t *testing.T, version string, names ...string) (calls []*Function, problems []string) {
	t.Helper()
	dir := moduletest.Tree(t, source)
	graph := gocommand.NewGraph([]*gocommand.Package{{ImportPath: "example.com/lib", Name: "lib", GoFiles: []string{filepath.Join(dir, version, "lib.go")}}})
	var funcs []funcname.Func
	for _, name := range names {
		f, err := funcname.Parse("example.com/lib." + name)
		if err != nil {
			t.Fatal(err)
		}
		funcs = append(funcs, f)
	}
	calls, err := Find(&gocommand.Env{GOARCH: "amd64"}, graph, funcs, funcname.Shortest(funcs), func(funcname.Func, *gocommand.Package) error { return nil })
	if err != nil {
		t.Fatal(err)
	}
	all, _ := ReadAll(calls)
	for _, p := range all {
		if p != nil {
			problems = append(problems, p.Where+": "+p.Why)
		}
	}
	return calls, problems
}

func TestRead(t *testing.T) {
	calls, problems := read(t, "v1", "Parse", "Open", "Each", "Walk")
	if got := calls[0].Shape.String() + calls[1].Shape.String(); got != "(string)(string, int)" {
		t.Errorf("shapes %s", got)
	}
	if calls[0].Ending != ErrorLast || calls[0].ValueText() != "*lib.Node" || calls[1].ValueText() != "none" {
		t.Errorf("%+v, values %s and %s", calls[0], calls[0].ValueText(), calls[1].ValueText())
	}
	if len(problems) != 2 || !strings.HasPrefix(problems[0], "it is generic: ") || !strings.HasPrefix(problems[1], "parameter 1 (f func(*lib.Node)): ") {
		t.Errorf("problems %q", problems)
	}
}

// TestReadTexts checks that structs are read from a text where encoding/json can write and read
// them.
func TestReadTexts(t *testing.T) {
	calls, _ := read(t, "v1", "Rank", "Calm", "Shout", "Index", "Tune", "Parse", "Walk")
	for i, want := range []string{
		"", "", "parameter 1 ([]lib.Loud): lib.Loud has a method MarshalJSON and no UnmarshalJSON, so that it cannot be read from JSON",
		"parameter 1 (lib.Maps): JSON has no objects with keys of type lib.Half", "parameter 1 (lib.Wave): JSON has no complex numbers",
		"it takes no struct: whose fields parallax draws values for", "it takes no struct: whose fields parallax draws values for",
	} {
		got := ""
		if p := calls[i].ReadTexts(); p != nil {
			got = p.Where + ": " + p.Why
		}
		if got != want {
			t.Errorf("%s: %q, want %q", calls[i].Name, got, want)
		}
	}
	if c := calls[0]; !c.FromText() || c.Shape.String() != "([]byte)" || len(c.Drawable()) != 2 || c.Ending != ErrorLast || c.ValueText() != "int" {
		t.Errorf("%+v, values %s", c, c.ValueText())
	}
}

func TestAgree(t *testing.T) {
	for _, tt := range []struct {
		functions string
		values    bool
		note      string // or a part of the error
		fails     bool
	}{
		{"Parse Raw", false, "Parse gives *lib.Node, lib.Raw gives []byte", false},
		{"Raw Count", false, "[]byte, lib.Count gives int", false},
		{"Valid Nothing", false, "lib.Nothing returns neither an error nor a bool", false},
		{"Count Nothing", false, "there is nothing to compare", true},
		{"Parse Open", false, "lib.Open   func(name string, n int) error", true},
		{"Raw", true, "", false},
		{"Match Fits", false, "\n\tlib.Fits   func(str string, pattern string) bool\n\tlib.Match  func(pattern string, name string) (bool, error)\n", true},
		{"Fits Match", false, ":\n\tfunc Fits(str string, pattern string) (bool, error) { return lib.Fits(str, pattern), nil }\n" +
			"lib.Match calls its parameters (pattern, name), lib.Fits (str, pattern): are the arguments in the same order?", true},
		{"Lookup Find", false, "false means rejected for lib.Lookup, and is an accepted value of lib.Find", true},
		{"Lookup Number", false, "values are not compared", false},
		{"Match Check", false, "values are not compared", false},
		{"Check Fits", false, "lib.Fits calls its parameters (str, pattern), lib.Check (pattern, name): are the arguments in the same order?", false},
		{"Fits Scores", false, "values are not compared", false},
	} {
		calls, _ := read(t, "v1", strings.Fields(tt.functions)...)
		a, err := Agree(calls)
		if tt.fails {
			if exit.Code(err) != exit.UsageCode || !strings.Contains(err.Error(), tt.note) {
				t.Errorf("%s: %v, want %q", tt.functions, err, tt.note)
			}
			continue
		}
		if err != nil {
			t.Errorf("%s: %v", tt.functions, err)
			continue
		}
		if notes := strings.Join(a.Notes, "\n"); a.Values != tt.values || !strings.Contains(notes, tt.note) || tt.note == "" && notes != "" {
			t.Errorf("%s: values %t, notes %q", tt.functions, a.Values, notes)
		}
	}
}

// TestAgreeVersions checks that structs of two versions are compared by their common fields.
func TestAgreeVersions(t *testing.T) {
	agree := func(name string, text bool) (*Agreement, error) {
		a, _ := read(t, "v1", name)
		b, _ := read(t, "v2", name)
		return AgreeVersions(append(a, b...), text, false)
	}
	a, err := agree("Parse", false)
	if err != nil || !a.Values || !slices.Equal(a.Ignored, []string{"lib.Node.Column", "lib.Node.Value"}) {
		t.Errorf("Parse: %+v, %v", a, err)
	}
	if want := "fields that differ between the versions are not compared: lib.Node.Column, lib.Node.Value"; len(a.Notes) != 1 || a.Notes[0] != want {
		t.Errorf("notes %q, want %q", a.Notes, want)
	}
	if a, err := agree("Raw", false); err != nil || !a.Values { // texts
		t.Errorf("Raw: %+v, %v", a, err)
	}
	if _, err := agree("Count", false); exit.Code(err) != exit.UsageCode || !strings.Contains(err.Error(), "there is nothing to compare") {
		t.Errorf("Count: %v", err)
	}
	if a, err := agree("Count", true); err != nil || !a.Values || len(a.Notes) > 0 {
		t.Errorf("Count, as text: %+v, %v", a, err)
	}
}

// TestAgreeOutside checks that fields that users of a package cannot see are no part of its types
// if values are compared from outside.
func TestAgreeOutside(t *testing.T) {
	for _, tt := range []struct {
		name    string
		outside bool
		values  bool
		ignored string
	}{
		{"Hide", false, false, "lib.Opaque.n lib.Opaque.text"},
		{"Hide", true, true, ""},
		{"Show", false, true, "lib.Half.More lib.Half.now lib.Half.old"},
		{"Show", true, true, "lib.Half.More"},
	} {
		a, _ := read(t, "v1", tt.name)
		b, _ := read(t, "v2", tt.name)
		got, err := AgreeVersions(append(a, b...), false, tt.outside)
		if err != nil || got.Values != tt.values || strings.Join(got.Ignored, " ") != tt.ignored {
			t.Errorf("%s, outside %t: %+v, %v", tt.name, tt.outside, got, err)
		}
	}
}

func TestReadRepair(t *testing.T) {
	calls, _ := read(t, "v1", "Raw", "Valid")
	raw, _ := read(t, "v1", "Raw")
	for name, want := range map[string]bool{"Fix": true, "Raw": false, "Count": false} { // no error, and what it takes
		calls, _ := read(t, "v1", name)
		calls[0].Shape, calls[0].Params, calls[0].Values = nil, nil, nil
		if got := calls[0].ReadRepair(raw[0].Shape); got != want {
			t.Errorf("%s repairs: %t", name, got)
		}
	}
	if got := RepairType(raw[0].Shape); got != "func([]byte) []byte" {
		t.Errorf("RepairType = %s", got)
	}
	if calls[0].Transforms() != nil || calls[1].Transforms() == nil {
		t.Errorf("Raw: %v, Valid: %v", calls[0].Transforms(), calls[1].Transforms())
	}
}

package reproducer

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"parallax/cmd/internal/base/goldentest"
	"parallax/cmd/internal/finding"
	"parallax/cmd/internal/finding/findingtest"
	"parallax/internal/input"
	"parallax/internal/oracle"
)

var jsonPrograms = []Function{
	{Name: "encoding/json.Valid", ImportPath: "encoding/json", Call: "p1.Valid(in)", Last: "bool"},
	{Name: "encoding/json.Unmarshal", ImportPath: "encoding/json", Results: []string{"any"}, Last: "error",
		Call: "func() (any, error) { var v any; err := p2.Unmarshal(in, &v); return v, err }()"},
}

// TestReproducerRuns checks that reproducers fail under go test and show both results.
func TestReproducerRuns(t *testing.T) {
	typed := input.Shape{input.String, input.Int, input.Float64}
	tests := []struct {
		name string
		f    finding.Finding
		want []string // in the output
		pass bool
	}{
		{"verdict", finding.Finding{
			Shape: input.Shape{input.String}, Minimized: []byte("1_0"), Layer: "verdict", Kind: "discrepancy",
			Reproducer: &Functions{GoVersion: "1.22", Programs: []Function{
				{Name: "strconv.Atoi", ImportPath: "strconv", Call: "p1.Atoi(in)", Results: []string{"int"}, Last: "error"},
				{Name: "strconv.ParseInt \"`\\\x1b", ImportPath: "strconv", Call: "p2.ParseInt(in, 0, 64)", Results: []string{"int64"}, Last: "error"},
			}},
		}, []string{"strconv.Atoi: rejected", "invalid syntax", `accepted "10"`}, false},
		{"value", finding.Finding{
			Shape: typed, Minimized: findingtest.Pack(typed, "\xff`", 7, math.Inf(1)), Layer: "value", Kind: "discrepancy",
			Reproducer: &Functions{GoVersion: "1.22", Programs: []Function{
				{Name: "a", ImportPath: "strings", Call: "p1.Repeat(in1, in2)", Results: []string{"string"}},
				{Name: "b", ImportPath: "math", Call: "p2.Floor(in3)", Results: []string{"float64"}},
			}},
		}, []string{"a: accepted", "b: accepted +Inf\n", "a: accepted \"\\xff`\\xff`"}, false},
		{"class", finding.Finding{
			Shape: input.Shape{input.Bytes}, Minimized: []byte("{"), Layer: "class", Kind: "discrepancy",
			Reproducer: &Functions{GoVersion: "1.22", Programs: []Function{
				jsonPrograms[1], {Name: "c", ImportPath: "strconv", Call: "p2.Atoi(string(in))", Results: []string{"int"}, Last: "error"},
			}},
		}, nil, false},
		{"crash", finding.Finding{
			Shape: input.Shape{input.Int}, Minimized: findingtest.Pack(input.Shape{input.Int}, -1), Kind: "crash",
			Reproducer: &Functions{GoVersion: "1.22", Programs: []Function{
				{Name: "strings.Repeat", ImportPath: "strings", Call: `p1.Repeat("x", in)`, Results: []string{"string"}},
			}},
		}, []string{"strings.Repeat: crashed", "negative Repeat count", "panicked:"}, false},
		{"agree", finding.Finding{
			Shape: input.Shape{input.Bytes}, Minimized: []byte("[1,{\"a\":null}]"), Layer: "value", Kind: "discrepancy",
			Reproducer: &Functions{GoVersion: "1.22", Programs: []Function{jsonPrograms[1], {Name: "again", ImportPath: "encoding/json",
				Results: []string{"any"}, Last: "error", Call: "func() (any, error) { var v any; err := p2.Unmarshal(in, &v); return v, err }()"}}},
		}, nil, true},
	}
	// If the campaign compares values only, one program that rejects is no disagreement.
	values := tests[4]
	values.name, values.f.Compare = "value alone", []string{"value"}
	values.f.Reproducer = &Functions{GoVersion: "1.22", Programs: append(slices.Clone(values.f.Reproducer.(*Functions).Programs),
		Function{Name: "n", ImportPath: "strconv", Call: "p3.Atoi(string(in))", Results: []string{"int"}, Last: "error"})}
	crash := values
	crash.name, crash.f.Layer, crash.f.Kind = "crash alone", "", "crash"
	tests = append(tests, values, crash)
	for _, i := range []int{2, 4, 5, 6} {
		tests[i].f.Reproducer.(*Functions).Programs[0].Call = strings.ReplaceAll(jsonPrograms[1].Call, "p2", "p1")
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			dir := t.TempDir()
			files, err := tt.f.Reproducer.Files(&tt.f)
			if err != nil {
				t.Fatal(err)
			}
			for name, data := range files {
				if err := os.WriteFile(filepath.Join(dir, name), data, 0o644); err != nil {
					t.Fatal(err)
				}
			}
			cmd := exec.Command("sh", "-c", TestCommand)
			cmd.Dir = dir
			out, err := cmd.CombinedOutput()
			if (err == nil) != tt.pass || strings.Contains(string(out), "build failed") {
				t.Fatalf("%v\n%s\n%s", err, out, files[TestFile])
			}
			for _, want := range tt.want {
				if !strings.Contains(string(out), want) {
					t.Errorf("%q is not in\n%s", want, out)
				}
			}
		})
	}
}

func TestReproducerText(t *testing.T) {
	f := findingtest.SemverFinding()
	f.Reproducer = &Functions{GoVersion: "1.26", Programs: []Function{
		{Name: f.Programs[0].Name, ImportPath: "golang.org/x/mod/semver", Module: "golang.org/x/mod", Version: "v0.30.0", Call: "p1.IsValid(in)", Last: "bool"},
		{Name: f.Programs[1].Name, ImportPath: "github.com/Masterminds/semver/v3", Module: "github.com/Masterminds/semver/v3", Version: "v3.4.0",
			Call: "p2.StrictNewVersion(in)", Results: []string{"*semver.Version"}, Last: "error"},
	}}
	files, err := f.Reproducer.Files(f)
	if err != nil {
		t.Fatal(err)
	}
	goldentest.Compare(t, "reproducer.go.txt", files[TestFile])
	goldentest.Compare(t, "go.mod.txt", files["go.mod"])
}

// TestMemoryLimit checks that only a test that runs out of memory has a limit.
func TestMemoryLimit(t *testing.T) {
	f := &finding.Finding{Kind: "oom"}
	if got, want := Command(f), "("+MemoryLimit+" && "+TestCommand+")"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	if f.Kind = "crash"; Command(f) != TestCommand {
		t.Errorf("%q", Command(f))
	}
}

// TestReproducerTaking checks that a reproducer calls only programs that take part in the
// disagreement.
func TestReproducerTaking(t *testing.T) {
	for _, c := range []struct {
		layer    string
		outcomes string // of programs: a letter each, and a value
		want     string // names of those that are called
	}{
		{"value", "a1 a2 r", "p0 p1"},
		{"value", "r a1 c a2", "p1 p3"},
		{"value", "t a1 a1 a2", "p1 p2 p3"},
		{"value", "a1 a1 r r", "p0 p1 p2 p3"}, // those that reject return different values
		{"class", "r r a1", "p0 p1"},
		{"verdict", "a1 r c t o d", "p0 p1"},
		{"", "c a1 r", "p0 p1 p2"},
		{"cost", "a1 r", "p0 p1"},
	} {
		f := &finding.Finding{Bucket: "b", Shape: input.Shape{input.String}, Minimized: []byte("x"), Layer: c.layer}
		r := &Functions{GoVersion: "1.22"}
		for i, o := range strings.Fields(c.outcomes) {
			name := fmt.Sprintf("p%d", i)
			outcome := map[byte]string{'a': "accepted", 'r': "rejected", 'c': "crashed", 't': "timeout", 'o': "oom", 'd': "declined"}[o[0]]
			f.Programs = append(f.Programs, finding.Program{Name: name, Detail: oracle.Detail{Outcome: outcome, Value: o[1:]}})
			r.Programs = append(r.Programs, Function{Name: name, ImportPath: "example.com/" + name, Module: "example.com/" + name, Version: "v1.0.0", Call: fmt.Sprintf("p%d.F(in)", i+1), Last: "error"})
		}
		files, err := r.Files(f)
		if err != nil {
			t.Fatal(err)
		}
		src, mod := files[TestFile], files["go.mod"]
		for i := range f.Programs {
			name := fmt.Sprintf("p%d", i)
			called := strings.Contains(string(src), fmt.Sprintf("p%d.F(in)", i+1))
			imported := strings.Contains(string(src), fmt.Sprintf("p%d \"example.com/%s\"", i+1, name))
			needed := strings.Contains(string(mod), "require example.com/"+name)
			if want := slices.Contains(strings.Fields(c.want), name); called != want || imported != want || needed != want {
				t.Errorf("%s of %q: %s is called %v, imported %v, needed %v", c.layer, c.outcomes, name, called, imported, needed)
			}
		}
	}
}

func TestReproducerErrors(t *testing.T) {
	f := findingtest.SemverFinding()
	bad := &Functions{Programs: []Function{{Name: "x", ImportPath: "x", Call: "p1.F(in"}}}
	if _, err := bad.Files(f); err == nil || !strings.Contains(err.Error(), f.Bucket+": x: the call is not a Go expression") {
		t.Errorf("no expression: %v", err)
	}
	r := &Functions{Programs: []Function{{Module: "m", Version: "v1.0.0"}, {Module: "m", Version: "v1.1.0"}}}
	if _, err := r.goMod(); err == nil {
		t.Error("two versions of a module")
	}
	r = &Functions{Programs: []Function{{Module: "example.com/m/v2", Dir: "/a b"}, {Module: "example.com/m/v2", Dir: "/a b"}}}
	mod, err := r.goMod()
	if want := "module discrepancy\n\ngo 1.22\n\nrequire example.com/m/v2 v2.0.0\n\nreplace example.com/m/v2 => \"/a b\"\n"; err != nil || string(mod) != want {
		t.Errorf("%v\n%s", err, mod)
	}
}

func TestReproducerModule(t *testing.T) {
	for _, tt := range []struct {
		programs []Function
		want     string // "" is an error
	}{
		{[]Function{{ImportPath: "encoding/json"}}, "module discrepancy\n\ngo 1.22\n"},
		{[]Function{{ImportPath: "example.com/m/a/internal/b", Module: "example.com/m", Version: "v1.0.0", Dir: "/mod/example.com/m@v1.0.0"}},
			"module example.com/m/a/discrepancy\n\ngo 1.22\n\nrequire example.com/m v1.0.0\n"},
		{[]Function{{ImportPath: "m/internal", Module: "m", Dir: "/m"}}, "module m/discrepancy\n\ngo 1.22\n\nrequire m v0.0.0\n\nreplace m => /m\n"},
		{[]Function{{ImportPath: "m/internal/x", Module: "m"}, {ImportPath: "n/internal/x", Module: "n"}}, ""},
		{[]Function{{ImportPath: "encoding/json/internal/jsonwire"}}, ""},
		{[]Function{{ImportPath: "internal/abi"}}, ""},
	} {
		mod, err := (&Functions{Programs: tt.programs}).goMod()
		if (err != nil) != (tt.want == "") || string(mod) != tt.want {
			t.Errorf("%v: %v\n%s", tt.programs, err, mod)
		}
	}
}

func FuzzReproducer(f *testing.F) {
	f.Add([]byte("a"), "name", "verdict")
	f.Add([]byte("\xff`\"\n"), "*/ \n}", "value")
	f.Fuzz(func(t *testing.T, in []byte, name, layer string) {
		x := finding.Finding{Shape: input.Shape{input.Bytes}, Minimized: in, Bucket: name, Layer: layer, Reproducer: &Functions{
			Programs: []Function{{Name: name, ImportPath: "encoding/json", Call: "p1.Valid(in)", Last: "bool"}},
		}}
		files, err := x.Reproducer.Files(&x)
		if err != nil {
			t.Fatal(err)
		}
		file, err := parser.ParseFile(token.NewFileSet(), "x.go", files[TestFile], parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range file.Decls {
			if fn, ok := d.(*ast.FuncDecl); ok && fn.Recv == nil && fn.Name.Name == "TestDiscrepancy" {
				return
			}
		}
		t.Fatalf("no TestDiscrepancy in\n%s", files[TestFile])
	})
}

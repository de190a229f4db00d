package scaffold

import (
	"bytes"
	"context"
	"fmt"
	"go/format"
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"parallax/cmd/internal/base/exit"
	"parallax/cmd/internal/base/spdx"
	"parallax/cmd/internal/gobuild/gocommand/moduletest"
	"parallax/cmd/internal/gobuild/library"
)

func write(t *testing.T, dir string, files map[string]string) {
	t.Helper()
	for name, text := range files {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

func goes(t *testing.T, dir string, args ...string) {
	t.Helper()
	cmd := exec.Command("go", args...)
	cmd.Dir, cmd.Env = dir, append(os.Environ(), "PWD="+dir)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("go %s: %v\n%s", strings.Join(args, " "), err, out)
	}
}

// generated matches the comment by which go/ast recognizes a generated file.
var generated = regexp.MustCompile(`^// Code generated .* DO NOT EDIT\.\n`)

func TestFiles(t *testing.T) {
	const at = "example.com/m/internal/parallax"
	files, err := Files(at)
	if err != nil {
		t.Fatal(err)
	}
	folders := map[string]bool{}
	for i, f := range files {
		folders[filepath.Dir(f.Path)] = true
		if i > 0 && files[i-1].Path >= f.Path {
			t.Errorf("%s after %s", f.Path, files[i-1].Path)
		}
		if strings.HasSuffix(f.Path, "_test.go") || bytes.Contains(f.Text, []byte("\n//go:embed")) {
			t.Errorf("%s is no part of a copy", f.Path)
		}
		if !generated.Match(f.Text) || !bytes.Contains(f.Text, []byte("\n\n//go:build go1.22\n\n")) {
			t.Errorf("%s is not generated, or not made Go 1.22:\n%.200s", f.Path, f.Text)
		}
		if formatted, err := format.Source(f.Text); err != nil || !bytes.Equal(formatted, f.Text) {
			t.Errorf("%s is not formatted: %v", f.Path, err)
		}
		if !bytes.Contains(f.Text, []byte("DO NOT EDIT.\n// "+spdx.Line+"\n\n")) {
			t.Errorf("%s has no license:\n%.200s", f.Path, f.Text)
		}
		if !library.Unchanged(f.Text) {
			t.Errorf("%s has another sum", f.Path)
		}
		parsed, err := parser.ParseFile(token.NewFileSet(), f.Path, f.Text, parser.ImportsOnly)
		if err != nil {
			t.Error(err)
			continue
		}
		for _, s := range parsed.Imports {
			name, _ := strconv.Unquote(s.Path.Value)
			if root, ok := library.Root(name); ok && root != at {
				t.Errorf("%s imports %s", f.Path, name)
			}
		}
	}
	if want := "map[.:true gen:true internal/atomicfile:true internal/generator:true internal/grammar:true internal/implementation:true internal/input:true internal/oracle:true internal/tape:true repair:true]"; fmt.Sprint(folders) != want {
		t.Errorf("folders %v, want %v", folders, want)
	}
}

// TestGeneratedTestsCompile checks that generated tests compile and pass go vet, however names
// collide.
func TestGeneratedTestsCompile(t *testing.T) {
	if testing.Short() {
		t.Skip("runs the go command")
	}
	dir := moduletest.Dir(t)
	write(t, dir, map[string]string{
		"go.mod": "module example.com/m\n\ngo 1.22\n",
		"json/json.go": `package json

import (
	"context"
	"encoding/json"
	"io"
	"net/url"
	"sync"
)

type Text string
type Locked struct { mu sync.Mutex; N int }
type Plain struct{ N int }
type failure struct{}
type hidden struct{}

func (*failure) Error() string { return "" }

func Valid(json []byte) bool                              { return true }
func Unmarshal(data []byte, v any) error                  { return json.Unmarshal(data, v) }
func (p *Plain) UnmarshalText(text []byte) error          { p.N = len(text); return nil }
func (l *Locked) UnmarshalText(parallax []byte) bool      { l.N = len(parallax); return true }
func (p Plain) Parse(testing Text) (Text, *failure)       { return testing, nil }
func (p *Plain) Hidden(s string) (hidden, error)          { return hidden{}, nil }
func Parse(url Text, more ...int) (Plain, error)          { return Plain{}, nil }
func Fetch(ctx context.Context, url *url.URL, f io.Reader) (*url.URL, error) { return url, nil }
func Copy(dst io.Writer, src io.Reader) (int64, error)    { return io.Copy(dst, src) }
func Max[T int | string](a, b T) T                        { return max(a, b) }
func (p *Plain) Decode(s string, v any) error             { return nil }

var Default = Plain{3}
var Check = func(s string, n int) bool { return true }
`,
		"json/json_test.go":     "package json_test\n\nvar url, strings = 1, 2\n\nfunc Copy() {}\n",
		"own/own.go":            "package own\n\nvar json, io = 1, 2\n\ntype text string\ntype pair struct{ a, b int }\n\nfunc parse(t text) (*pair, error) { return nil, nil }\nfunc (p *pair) parse(t text) error { return nil }\nfunc Valid(b []byte) bool { return true }\nfunc other(b []byte) bool { return true }\n",
		"tool/main.go":          "package main\n\nfunc main() {}\n\nfunc Check(s string) bool { return true }\n",
		"go-thing.v2/empty.txt": "",
	})
	for _, c := range []struct {
		dir, name string
		functions []string
		want      []string
	}{
		{"json", "FuzzValid", []string{".Valid", "encoding/json.Valid"}, []string{"package json_test", `encodingjson "encoding/json"`, `Impl("m/json.Valid", json.Valid)`}},
		{"json", "FuzzSame", []string{"encoding/json.Valid", ".Valid"}, []string{`json.Valid)`, `mjson.Valid)`}},
		{"json", "FuzzDecode", []string{".Unmarshal", "encoding/json.Unmarshal"}, nil},
		{"json", "FuzzReceivers", []string{".(*Plain).UnmarshalText", ".(*Locked).UnmarshalText"}, []string{"(*json.Plain, error)", "(*json.Locked, bool)", "// Values are not compared"}},
		{"json", "FuzzMixed", []string{".(*Plain).UnmarshalText", ".Parse"}, []string{"return *x, err", `json.Parse)`}},
		{"json", "FuzzLocked", []string{".(*Locked).UnmarshalText", ".Parse"}, []string{"return x, ok"}},
		{"json", "FuzzTyped", []string{".Plain.Parse", ".Parse"}, []string{"(json.Text, error)", "json.Text(s)", "return r1, nil"}},
		{"json", "FuzzHidden", []string{".(*Plain).Hidden", ".Parse"}, []string{"(any, error)"}},
		{"json", "FuzzWrapped", []string{".Fetch", ".Copy", "strings.ToUpper"}, []string{"func Fetch(data []byte)", "func Copy2(data []byte)"}},
		{"json", "FuzzGeneric", []string{".Max", "strings.Compare"}, nil},
		{"json", "FuzzVariable", []string{".Default.Parse", ".Parse"}, nil},
		{"json", "FuzzFunctionVariable", []string{".Check", ".Check"}, nil},
		{"json", "FuzzOne", []string{".Check"}, []string{"func(t *testing.T, s string, n int)"}},
		{"json", "FuzzOneMethod", []string{".(*Plain).Decode"}, []string{"Decode(s, &v)"}},
		{"json", "FuzzOneWrapped", []string{".Copy"}, []string{"func(t *testing.T, data []byte)"}},
		{"json", "FuzzBytes", []string{"bytes.Equal", "strings.EqualFold"}, []string{"\t\"bytes\"\n", `strings2 "strings"`}},
		{"own", "FuzzOwn", []string{".parse", "./.(*pair).parse"}, []string{"package own\n", "x := new(pair)", "x.parse(text(s))"}},
		{"own", "FuzzJSON", []string{".other", "encoding/json.Valid", "../json.Valid"}, []string{`encodingjson "encoding/json"`}},
		{"tool", "", []string{".Check", "unicode/utf8.ValidString"}, []string{"package main\n", "FuzzCheck"}},
		{"go-thing.v2", "", []string{"net/url.Parse"}, []string{"package thingv2_test\n", "FuzzParse"}},
	} {
		here := filepath.Join(dir, c.dir)
		_, err := Init(context.Background(), Options{Dir: here, Functions: c.functions, Name: c.name})
		if c.name == "FuzzFunctionVariable" {
			if exit.Code(err) != exit.UsageCode {
				t.Errorf("one function twice: %v", err)
			}
			continue
		}
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		var all string
		name := c.name
		if name == "" {
			name = "func Fuzz"
		}
		files, _ := filepath.Glob(filepath.Join(here, "*_test.go"))
		for _, f := range files {
			if text, _ := os.ReadFile(f); strings.Contains(string(text), name+"(") || c.name == "" {
				all = string(text)
			}
		}
		if strings.Contains(all, spdx.Line) {
			t.Errorf("%s names a license, and is the user's:\n%s", c.name, all)
		}
		for _, want := range c.want {
			if !strings.Contains(all, want) {
				t.Errorf("%s lacks %q:\n%s", c.name, want, all)
			}
		}
	}
	goes(t, dir, "test", "-vet=all", "-ldflags=-w", "-run=^FuzzTyped$", "./...") // a nil pointer in an error is no error
}

func TestReplacedByAVersion(t *testing.T) {
	dir := t.TempDir()
	mod := "module example.com/m\n\ngo 1.22\n\nreplace parallax => example.com/fork v1.0.0\n"
	write(t, dir, map[string]string{"go.mod": mod})
	r, err := Init(context.Background(), Options{Dir: dir})
	if err != nil || !strings.Contains(strings.Join(r.Done, "\n"), "left unchanged") {
		t.Errorf("%+v, %v", r, err)
	}
	if text, _ := os.ReadFile(filepath.Join(dir, "go.mod")); string(text) != mod {
		t.Errorf("go.mod was changed:\n%s", text)
	}
}

// TestNothingIsHalfDone checks that init writes nothing if it fails.
func TestNothingIsHalfDone(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, map[string]string{
		"go.mod":              "module example.com/m\n\ngo 1.22\n",
		"m.go":                "package m\n",
		"internal/parallax/x": "mine",
	})
	_, err := Init(context.Background(), Options{Dir: dir, Functions: []string{"strings.ToUpper", "strings.ToLower"}})
	if exit.Code(err) != exit.UsageCode {
		t.Fatalf("%v", err)
	}
	entries, _ := os.ReadDir(dir)
	if len(entries) != 3 {
		t.Errorf("the folder holds %v", entries)
	}
	if text, _ := os.ReadFile(filepath.Join(dir, "go.mod")); strings.Contains(string(text), "parallax") {
		t.Errorf("go.mod was changed:\n%s", text)
	}
}

package gobuild

import (
	"context"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"parallax/cmd/internal/base/exit"
	"parallax/cmd/internal/gobuild/gocommand/moduletest"
)

const shapes = `
-- go.mod --
module example.com/s

go 1.22
-- s.go --
package s

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"math/big"
	"strings"
	"time"
)

type (
	Text  string
	Raw   []byte
	Level int8
	Flag  bool
	Alias = string
	hidden string
	hiddenBytes []byte
)

type Point struct{ X int }

type Err struct{}

func (*Err) Error() string { return "err" }

type Failure interface {
	error
	Temporary() bool
}

var errShort = errors.New("short")

// Every shape of arguments.
func Tuple(a []byte, b string, c bool, d int, e int8, f int16, g int32, h int64, i uint, j uint8, k uint16, l uint32, m uint64, n float32, o float64, p rune, q byte) int {
	return d + int(e) + int(q)
}
func Tuple2(a string, b []byte, c Flag, d int, e Level, f int16, g rune, h int64, i uint, j byte, k uint16, l uint32, m uint64, n float32, o float64, p int32, q uint8) int64 {
	return int64(d) + int64(e) + int64(q)
}
func Named(t Text) Text                      { return t + "!" }
func NamedRaw(r Raw) Raw                     { return append(r, '!') }
func Json(m json.RawMessage) string          { return string(m) + "!" }
func Number(n json.Number) Alias             { return n.String() + "!" }
func HiddenBytes(h hiddenBytes) []byte       { return append(h, '!') }
func Variadic(s string, opts ...int) string  { return strings.Repeat(s, 1+len(opts)) + "!" }

// Every shape of results.
func Nothing(s string)                        {}
func Bool(s string) bool                      { return false }
func NamedBool(s string) Flag                 { return false }
func Error(s string) error                    { return errShort }
func NilError(s string) error                 { return nil }
func PointerError(s string) *Err              { return nil }
func PointerError2(s string) (int, *Err)      { return 1, &Err{} }
func Interface(s string) (int, Failure)       { return 1, nil }
func Value(s string) int                      { return 1 }
func ValueBool(s string) (int, bool)          { return 1, true }
func ValueError(s string) (int, error)        { return 1, errShort }
func Several(s string) (int, string, bool, uint8, float32, []byte, error) {
	return 1, "s", true, 2, 0.5, []byte("b"), nil
}
func Tree(s string) (map[string][]any, error) { return nil, nil }
func Tree2(s string) (map[Text][]int, error)  { return nil, nil }
func Time(s string) (time.Time, error)        { return time.Time{}, nil }
func Duration(s string) (time.Duration, error) { return 7, nil }
func Struct(s string) (Point, error)          { return Point{1}, nil }
func StructPointer(s string) (*Point, error)  { return &Point{1}, nil }
func Big(s string) (*big.Int, bool)           { return new(big.Int).SetString(s, 10) }

// Decoders.
func Decode(b []byte, v any) error         { *v.(*any) = string(b); return nil }
func DecodeText(s string, v interface{}) error { *v.(*any) = s; return nil }
func DecodeNothing(s string, v any)        { *v.(*any) = s }
func DecodeMeta(s string, v any) (Point, int, error) { *v.(*any) = s; return Point{3}, 4, nil }
func Render(s string, v any) (string, error) { return s, nil }

func (p *Point) UnmarshalText(b []byte) error { p.X = len(b); return nil }
func (p Point) Add(n int) int                 { return p.X + n }
func (p *Point) Parse(s string) (int, error)  { return len(s), nil }
func (l *Level) Set(s string) error           { *l = Level(len(s)); return nil }

type Codec struct{}

func (Codec) Decode(b []byte, v any) error { *v.(*any) = string(b); return nil }
func (*Codec) Reset()                      {}

var Default = &Codec{}
var Func = func(b []byte) bool { return true }
var Count int

// What cannot be called.
type Reader2 struct{}

func (*Reader2) ReadAll() (string, error) { return "", nil }

func Indent(dst *bytes.Buffer, src []byte) error                 { return nil }
func NewReader(r io.Reader) *Reader2                             { return nil }
func Write(w io.Writer, s string) (int, error)                   { return io.WriteString(w, s) }
func Print(w *strings.Builder, out2 string, v io.Writer) string  { return out2 }
func Reader(r io.Reader) (Point, error)                { return Point{}, nil }
func Context(ctx context.Context, s string) error      { return nil }
func Both(name string, r *bufio.Reader, n Level) error { return nil }
func Lines(lines []string) int                         { return len(lines) }
func Struct2(p Point, opts map[string]Point) error     { return nil }
func Hidden(h hidden) error                            { return nil }
func Chan(c chan int) (hidden, error)                  { return "", nil }
func None() bool                                       { return true }
func Generic[T ~string | ~int](v T) T                  { return v }
func GenericAny[K comparable, V any](k K, v V) V       { return v }
func Any(v any) error                                  { return nil }
func (p *Point) Scan(r io.RuneScanner) error           { return nil }

type Shape interface{ Area(s string) int }
type List[T any] struct{}

func (List[T]) Len(s string) int { return 0 }
`

func TestShapes(t *testing.T) {
	if testing.Short() {
		t.Skip("builds workers")
	}
	dir := moduletest.Tree(t, shapes)
	moduletest.Untouched(t, dir)
	for _, tt := range []struct{ functions, want string }{
		{"Tuple Tuple2", "[[]byte string bool int int8 int16 int32 int64 uint uint8 uint16 uint32 uint64 float32 float64 int32 uint8] true\nTuple accepted int:21\nTuple2 accepted int:21"},
		{"Named NamedRaw Json Number HiddenBytes Variadic", "[string] true\nNamed accepted string:in!\nNamedRaw accepted bytes:in!\nJson accepted string:in!\nNumber accepted string:in!\nHiddenBytes accepted bytes:in!\nVariadic accepted string:in!"},
		{"Nothing Bool NamedBool Error NilError PointerError Func", "[string] false\nNothing accepted\nBool rejected\nNamedBool rejected\nError rejected\nNilError accepted\nPointerError accepted\nFunc accepted"},
		{"Value ValueBool ValueError PointerError2 Interface", "[string] true\nValue accepted int:1\nValueBool accepted int:1\nValueError rejected\nPointerError2 rejected\nInterface accepted int:1"},
		{"Several", "[string] true\nSeveral accepted int:1 string:s bool:true uint:2 float:0.5 bytes:b"},
		{"Decode DecodeText DecodeNothing Codec.Decode Default.Decode", "[[]byte] true\nDecode accepted any:in\nDecodeText accepted any:in\nDecodeNothing accepted any:in\nCodec.Decode accepted any:in\nDefault.Decode accepted any:in"},
		{"DecodeMeta", "[string] true\nDecodeMeta accepted any:{3} int:4 any:in"},
		{"(*Point).UnmarshalText Struct", "[[]byte] true\n(*Point).UnmarshalText accepted any:{2}\nStruct accepted any:{1}"},
		{"(*Point).UnmarshalText", "[[]byte] true\n(*Point).UnmarshalText accepted any:{2}"},
		{"Point.Add", "[int] true\nPoint.Add accepted int:7"},
		{"(*Point).Parse (*Level).Set", "[string] true\n(*Point).Parse accepted int:2\n(*Level).Set accepted int:2"},
	} {
		var args []string
		for _, f := range strings.Fields(tt.functions) {
			args = append(args, "./."+f)
		}
		p := resolve(t, dir, args...)
		got := regexp.MustCompile(`(?m)^s\.`).ReplaceAllString(runWorker(t, p, "in"), "")
		if got != tt.want {
			t.Errorf("%s:\ngot  %q\nwant %q", tt.functions, got, tt.want)
		}
	}
}

func TestCompareValues(t *testing.T) {
	dir := moduletest.Tree(t, shapes)
	for _, tt := range []struct {
		functions string
		want      bool
		note      string
	}{
		{"Tree Tree2", true, ""},
		{"Value Duration", true, ""},
		{"Struct Struct2x", false, ""},
		{"Value Bool", false, "Bool gives none"},
		{"Bool Error", false, ""},
		{"Value Tree", false, "Value gives int, s.Tree gives map[string][]any"},
		{"Time Time", true, ""},
		{"Time Duration", false, "Time gives time.Time"},
		{"Struct StructPointer", false, "Struct gives s.Point, s.StructPointer gives *s.Point"},
		{"Big", true, ""},
		{"Value Several", false, "int, string, bool, uint8, float32, []byte"},
	} {
		var args []string
		for _, f := range strings.Fields(tt.functions) {
			if arg := "./." + f; f != "Struct2x" && !slices.Contains(args, arg) {
				args = append(args, arg)
			}
		}
		p := resolve(t, dir, args...)
		if strings.Contains(tt.functions, "Struct2x") {
			tt.want = true // alone: identical with itself
		}
		if p.CompareValues != tt.want || !strings.Contains(strings.Join(p.Notes, "\n"), tt.note) {
			t.Errorf("%s: compared %t, want %t; notes %q, want %q", tt.functions, p.CompareValues, tt.want, p.Notes, tt.note)
		}
	}
}

func TestDifferentShapes(t *testing.T) {
	dir := moduletest.Tree(t, shapes)
	_, err := Resolve(context.Background(), request(t, dir, "./.Bool", "./.Point.Add", "encoding/json.Valid"))
	moduletest.WantError(t, err, exit.UsageCode, "do not take the same arguments", "s.Bool       func(s string) bool", "s.Point.Add  func (Point) Add(n int) int", "json.Valid   func(data []byte) bool")
}

// TestUnsupported checks the message for functions that cannot be called. It names the parameter,
// and a file that compiles and can be called.
func TestUnsupported(t *testing.T) {
	if testing.Short() {
		t.Skip("builds workers")
	}
	dir, proposed := moduletest.Tree(t, shapes), filepath.Join(moduletest.Dir(t), "proposed")
	for i, tt := range []struct {
		function string
		parts    []string
		compiles bool
	}{
		{"Reader", []string{"parameter 1 (r io.Reader)", "func(r io.Reader) (s.Point, error)", "bytes.NewReader(data)", "parallax diff ./harness.Reader encoding/json.Valid"}, true},
		{"Context", []string{"parameter 1 (ctx context.Context)", "context.Background()"}, true},
		{"Both", []string{"parameter 2 (r *bufio.Reader)", "bufio.NewReader"}, true},
		{"Lines", []string{"parameter 1 (lines []string)"}, true},
		{"Struct2", []string{"parameter 1 (p s.Point)", "var p p0.Point"}, true},
		{"Hidden", []string{"parameter 1 (h s.hidden)", "cannot be named"}, false},
		{"Chan", []string{"parameter 1 (c chan int)"}, true},
		{"None", []string{"it has no parameter"}, true},
		{"Generic", []string{"it is generic", "Generic[string]"}, true},
		{"GenericAny", []string{"it is generic", "GenericAny[string, string]"}, true},
		{"Any", []string{"parameter 1 (v any)"}, true},
		{"Render", []string{"parameter 2 (v any)", "has a name such as Decode"}, true},
		{"Write", []string{"parameter 1 (w io.Writer)", "func Write(s string) (string, int, error)", "var out bytes.Buffer", "r1, err := p0.Write(&out, s)", "return out.String(), r1, err"}, true},
		{"Print", []string{"func Print(out2 string) (string, string, string)", "var out strings.Builder", "p0.Print(&out, out2, &out3)"}, true},
		{"Indent", []string{"func Indent(src []byte) (string, error)", "err := p0.Indent(&out, src)"}, true},
		{"NewReader", []string{"A *p0.Reader2 alone compares nothing: call the method that does the work (ReadAll)", "return p0.NewReader(bytes.NewReader(data))"}, true},
		{"(*Point).Scan", []string{"parameter 1 (r io.RuneScanner)", "x := new(p0.Point)", "./harness.PointScan"}, true},
	} {
		t.Run(tt.function, func(t *testing.T) {
			_, err := Resolve(context.Background(), request(t, dir, "./."+tt.function, "encoding/json.Valid"))
			moduletest.WantError(t, err, exit.UsageCode, tt.parts...)
			if err == nil || !tt.compiles {
				return
			}
			_, text, _ := strings.Cut(err.Error(), "in your own module:\n\n")
			text, command, _ := strings.Cut(text, "\nthen:\n")
			text = regexp.MustCompile(`(?m)^\t`).ReplaceAllString(text, "")
			if _, err := parser.ParseFile(token.NewFileSet(), "harness.go", text, 0); err != nil {
				t.Fatalf("the proposed file: %v\n%s", err, text)
			}
			write := func(path string) {
				if err := os.MkdirAll(path, 0o777); err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(filepath.Join(path, "harness.go"), []byte(text), 0o666); err != nil {
					t.Fatal(err)
				}
			}
			harness := filepath.Join(dir, "harness")
			write(harness)
			defer os.RemoveAll(harness)
			if tt.function != "Struct2" && tt.function != "Chan" && tt.function != "Any" && tt.function != "Render" { // a variable to be filled in is unused there
				write(filepath.Join(proposed, fmt.Sprint(i)))
			}
			fields := strings.Fields(command)
			if _, err := Resolve(context.Background(), request(t, dir, fields[2:3]...)); err != nil {
				t.Fatalf("%s: %v\n%s", command, err, text)
			}
		})
	}
	if err := os.Rename(proposed, filepath.Join(dir, "proposed")); err != nil {
		t.Fatal(err)
	}
	goRun(t, dir, "vet", "./proposed/...")
}

// TestWrapperOfInternal checks that a wrapper of an internal function gets a folder that may import
// it.
func TestWrapperOfInternal(t *testing.T) {
	dir := moduletest.Tree(t, local+"-- a/internal/r/r.go --\npackage r\n\nimport \"io\"\n\nfunc Read(r io.Reader) error { return nil }\n")
	for from, want := range map[string]string{".": " ./a/harness.Read", "a": " ./harness.Read", "c": " ../a/harness.Read"} {
		_, err := Resolve(context.Background(), request(t, filepath.Join(dir, from), "example.com/m/a/internal/r.Read", "encoding/json.Valid"))
		moduletest.WantError(t, err, exit.UsageCode, "parallax diff"+want+" encoding/json.Valid")
	}
}

func TestNotFunctions(t *testing.T) {
	dir := moduletest.Tree(t, shapes)
	for function, part := range map[string]string{
		"Point":        "Point is a type, not a function",
		"Count":        "Count is a variable of type int",
		"Shape.Area":   "Shape is an interface",
		"List.Len":     "List is a generic type",
		"Point.Nope":   "Point has no method Nope",
		"Codec.Decod":  "has no method Decod (it has Decode)",
		"Func.Missing": "has no method Missing",
	} {
		_, err := Resolve(context.Background(), request(t, dir, "./."+function, "encoding/json.Valid"))
		t.Run(function, func(t *testing.T) { moduletest.WantError(t, err, exit.UsageCode, part) })
	}
}

// TestGeneratedFile checks that the generated file is gofmt'ed and says that it is generated, as
// tools expect it.
func TestGeneratedFile(t *testing.T) {
	req := request(t, t.TempDir(), "go/token.IsKeyword", "go/token.IsIdentifier") // on which little depends
	req.Order = true
	p, err := Resolve(context.Background(), req)
	if err != nil {
		t.Fatal(err)
	}
	text := p.files[len(p.files)-1].Text
	f, err := parser.ParseFile(token.NewFileSet(), "main.go", text, parser.ParseComments)
	if err != nil {
		t.Fatal(err)
	}
	if !ast.IsGenerated(f) || !strings.Contains(string(text), "var plxSeq uint32") {
		t.Errorf("main.go:\n%s", text)
	}
	if got := runWorker(t, p, "x"); got != "[string] false\ntoken.IsKeyword rejected\ntoken.IsIdentifier accepted" {
		t.Errorf("worker prints %q", got)
	}
}

package gobuild

import (
	"context"
	"regexp"
	"strings"
	"testing"

	"parallax/cmd/internal/base/exit"
	"parallax/cmd/internal/gobuild/gocommand/moduletest"
	"parallax/cmd/internal/gobuild/signature"
)

// made is functions whose arguments are no inputs.
const made = `-- go.mod --
module example.com/s

go 1.22
-- s.go --
package s

import (
	"bufio"
	"bytes"
	"context"
	"io"
	"strings"
)

type Point struct{ X, Y int }
type Level int8

func read(r io.Reader) string { b, _ := io.ReadAll(r); return string(b) + "!" }

func Reader(r io.Reader) (string, error)                  { return read(r), nil }
func Closer(r io.ReadCloser) string                       { defer r.Close(); return read(r) }
func Line(ctx context.Context, r *bufio.Reader) string    { s, _ := r.ReadString('\n'); return s + "!" }
func Text(r *strings.Reader) string                       { return read(r) }
func Buffer(b *bytes.Buffer) string                       { return read(b) }
func Scan(r io.RuneScanner) string                        { c, _, _ := r.ReadRune(); return string(c) }
func Write(w io.Writer, s string) (int, error)            { return io.WriteString(w, s+"?") }
func Indent(dst *bytes.Buffer, src []byte) error          { dst.WriteString(">"); dst.Write(src); return nil }
func Print(b *strings.Builder, s string)                  { b.WriteString(s) }
func Decode(s string, into *Point) error                  { into.X = len(s); return nil }
func DecodeLevel(s string, into *Level) error             { *into = Level(len(s)); return nil }
func Join(s string, more ...string) string                { return strings.Join(append([]string{s}, more...), "+") }
func Levels(s string, more ...Level) int                  { return len(more) }
func All(more ...string) string                           { return strings.Join(more, "+") }
func With(s string, opts ...func()) int                   { return len(opts) }

func Process(s string, opts *Point) (string, error) { return s, nil }
func Check(s string, into *Point) bool              { return true }
`

// TestMadeArguments checks that versions of a function get arguments that are made from an input,
// and that the arguments are compared after the call.
func TestMadeArguments(t *testing.T) {
	if testing.Short() {
		t.Skip("builds workers")
	}
	dir := moduletest.Tree(t, made)
	for _, tt := range []struct{ functions, want string }{
		{"Reader Closer Line Text Buffer", "[[]byte] true\nReader accepted string:in!\nCloser accepted string:in!\nLine accepted string:in!\nText accepted string:in!\nBuffer accepted string:in!"},
		{"Scan", "[[]byte] true\nScan accepted string:i"},
		{"Write", "[string] true\nWrite accepted int:3 string:in?"},
		{"Indent", "[[]byte] true\nIndent accepted string:>in"},
		{"Print", "[string] true\nPrint accepted string:in"},
		{"Decode", "[string] true\nDecode accepted any:{2 0}"},
		{"DecodeLevel", "[string] true\nDecodeLevel accepted int:2"},
		{"Join", "[string uint8 string string] true\nJoin accepted string:in+in"},
		{"Levels", "[string uint8 int8 int8] true\nLevels accepted int:1"},
		{"All", "[uint8 string string] true\nAll accepted string:in"},
		{"With", "[string] true\nWith accepted int:0"},
	} {
		var args []string
		for _, f := range strings.Fields(tt.functions) {
			args = append(args, "./."+f)
		}
		req := request(t, dir, args...)
		req.Making = signature.MakeSpread
		p, err := Resolve(context.Background(), req)
		if err != nil {
			t.Errorf("%s: %v", tt.functions, err)
			continue
		}
		got := regexp.MustCompile(`(?m)^s\.`).ReplaceAllString(runWorker(t, p, "in"), "")
		if got != tt.want {
			t.Errorf("%s:\ngot  %q\nwant %q", tt.functions, got, tt.want)
		}
		if p.Programs[0].Call != "" && tt.functions != "With" {
			t.Errorf("%s: a reproducer calls %s", tt.functions, p.Programs[0].Call)
		}
	}
	for _, name := range []string{"Process", "Check"} { // their use of an empty value is undefined
		req := request(t, dir, "./."+name)
		req.Making = signature.MakeSpread
		_, err := Resolve(context.Background(), req)
		moduletest.WantError(t, err, exit.UsageCode, "parameter 2")
	}
	// Functions that the user compares are given none of that.
	_, err := Resolve(context.Background(), request(t, dir, "./.Reader", "./.Closer"))
	moduletest.WantError(t, err, exit.UsageCode, "parameter 1 (r io.Reader)")
	if got := runWorker(t, resolve(t, dir, "./.Join"), "in"); !strings.HasSuffix(got, "string:in") {
		t.Errorf("Join prints %q", got)
	}
}

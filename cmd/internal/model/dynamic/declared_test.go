package dynamic

import (
	"errors"
	"strings"
	"testing"

	"parallax/cmd/internal/model/extract"
	"parallax/cmd/internal/model/scope"
)

// TestDeclare checks the declared scope of an engine's model of a method.
func TestDeclare(t *testing.T) {
	f := &Function{
		Function: "str.center", Form: "{0}.center({...})", Elements: 8,
		Parameters: []extract.Parameter{{Name: "self", Kinds: []string{"str"}}, {Name: "width", Kinds: []string{"int"}}, {Name: "fillchar", Kinds: []string{"str"}, Optional: true}},
	}
	f.Scope = `(and (< (str.len self) 3) (> arg_1 0) (not (= width (div 6 (- width 5)))))`
	d, err := Declare(f)
	if err != nil {
		t.Fatal(err)
	}
	for flat, want := range map[string]string{"ab\x00\x04\x00": "", "a\x80\x00\x04\x00": "", "abc\x00\x04\x00": "declared out of scope", "\x00\x00": "declared out of scope", "\x00\x05": "the declared scope divides by zero"} {
		if why := d.Meant(f.Decode([]byte(flat))); (why == nil) != (want == "") || why != nil && why.Error() != want {
			t.Errorf("%q: %v; not %q", flat, why, want)
		}
	}
	f.Scope = "width"
	for range 30 {
		f.Scope = "(let ((m " + f.Scope + ")) (* m m))"
	}
	f.Scope = "(<= 0 " + f.Scope + ")"
	if d, err = Declare(f); err != nil {
		t.Fatal(err)
	}
	var failed *scope.EvaluationError
	if why := d.Meant(f.Decode([]byte("a\x00\x03"))); !errors.As(why, &failed) || !strings.HasPrefix(why.Error(), "it cannot be computed for 'a'.center(3): ") {
		t.Errorf("a number that grows beyond all memory: %v", why)
	}
	for text, want := range map[string]string{
		"(+ width 1)":            "the scope is of sort Int: write a term that is true or false",
		"(= fillchar \"x\")":     "(a scope says nothing of fillchar: it may be left out, or has values of several types)",
		"(> width":               "scope",
		"(bvult width #x000001)": "scope",
	} {
		f.Scope = text
		if _, err := Declare(f); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v; not %s", text, err, want)
		}
	}
}

package extract

import (
	"strings"
	"testing"
)

// TestDeclared checks that every engine with a file of prototypes has declarations, each of a name.
func TestDeclared(t *testing.T) {
	files, err := prototypes.ReadDir("prototypes")
	if err != nil || len(files) == 0 {
		t.Fatalf("%d files of prototypes: %v", len(files), err)
	}
	declarations := 0
	for _, engine := range Engines() {
		for name, d := range Declared(engine) {
			declarations++
			if NameOf(d.Text) != name || strings.ContainsAny(d.Text, `="`) {
				t.Errorf("%s: %q declares %q, not %s", engine, d.Text, NameOf(d.Text), name)
			}
		}
	}
	if declarations == 0 {
		t.Error("no engine has declarations")
	}
}

// TestDeclarationOfFormat checks that a declaration holds a format at its text, and that it serves
// for functions of a variable number of arguments only.
func TestDeclarationOfFormat(t *testing.T) {
	d := declaration(`int sscanf(char *text, char *format = "%d", int *number);`)
	if d.Text != "int sscanf(char *text, char *format, int *number);" || len(d.Held) != 1 || d.Held[1].Hex != "256400" {
		t.Errorf("%+v", d)
	}
	plain := declaration("int f(int x);")
	for _, test := range []struct {
		d    Declaration
		l    Listed
		want bool
	}{
		{d, Listed{Prototype: "int sscanf(char*, char*, ...)", Reason: "variadic"}, true}, {d, Listed{}, true}, {d, Listed{Prototype: "int sscanf(char*)"}, false},
		{plain, Listed{Reason: "no prototype"}, true}, {plain, Listed{Prototype: "int f(double)", Reason: "floating point"}, false}, {Declaration{}, Listed{}, false},
	} {
		if got := test.d.Serves(test.l); got != test.want {
			t.Errorf("%+v serves for %+v: %v", test.d, test.l, got)
		}
	}
}

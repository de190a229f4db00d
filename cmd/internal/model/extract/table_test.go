package extract

import "testing"

// TestDeclared checks that every engine with a file of prototypes has declarations, each of a name.
func TestDeclared(t *testing.T) {
	files, err := prototypes.ReadDir("prototypes")
	if err != nil || len(files) == 0 {
		t.Fatalf("%d files of prototypes: %v", len(files), err)
	}
	declarations := 0
	for _, engine := range Engines() {
		for name, text := range Declared(engine) {
			declarations++
			if NameOf(text) != name {
				t.Errorf("%s: %q declares %q, not %s", engine, text, NameOf(text), name)
			}
		}
	}
	if declarations == 0 {
		t.Error("no engine has declarations")
	}
}

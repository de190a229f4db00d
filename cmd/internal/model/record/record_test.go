package record

import (
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"parallax/cmd/internal/model/csource"
	"parallax/cmd/internal/model/extract"
	"parallax/cmd/internal/model/prototype"
)

const twice = `define i32 @double_it(i32 %x) {
  %y = add i32 %x, %x
  ret i32 %y
}
`

// TestCode checks that a record is read as it was written, and that its sides run.
func TestCode(t *testing.T) {
	s, err := prototype.Read("int twice(int x)", nil)
	if err != nil {
		t.Fatal(err)
	}
	part := func(model bool) *csource.Part {
		return &csource.Part{Sources: &csource.Sources{Units: []csource.Unit{{File: "a.c", IR: twice}}, Model: model}, Function: "double_it"}
	}
	path := filepath.Join(t.TempDir(), "extraction.json")
	want := New(s, &Code{Model: part(true), Original: part(false)})
	if err := want.Write(path); err != nil {
		t.Fatal(err)
	}
	got, err := Read(path)
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Fatalf("%v, %v", got, err)
	}
	o, err := got.Original()
	if err != nil {
		t.Fatal(err)
	}
	m, err := got.Evaluator()
	if err != nil {
		t.Fatal(err)
	}
	c := s.Decode([]byte{21})
	run, err := o.Run(c)
	if err != nil || run.Effect.Ret != 42 {
		t.Errorf("the original: %v, %v", run, err)
	}
	if answer, err := m.Evaluate(t.Context(), c); err != nil || answer.Effect.Ret != 42 {
		t.Errorf("the model: %v, %v", answer, err)
	}
	if got.Code.Original.Files() != "a.c" {
		t.Errorf("files: %s", got.Code.Original.Files())
	}
}

func TestMistakes(t *testing.T) {
	for text, want := range map[string]string{
		`{`: "is no extraction", `{"function":"f"}`: "it names no function, or no result of it",
		`{"function":"f","result":{},"code":{"model":{}}}`: "its code has no files", `{"function":"f","result":{},"code":{"original":{"function":"f"}}}`: "its code has no files",
	} {
		path := filepath.Join(t.TempDir(), "extraction.json")
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		if _, err := Read(path); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", text, err)
		}
	}
}

func FuzzRead(f *testing.F) {
	f.Add(`{"function":"f","status":"ok","result":{"name":"ret","kind":"scalar","bits":32},"code":{"model":{"units":[{"file":"a.c","ir":"define i32 @f() {\n  ret i32 1\n}\n"}],"function":"f"}}}`)
	dir := f.TempDir()
	f.Fuzz(func(t *testing.T, text string) {
		path := filepath.Join(dir, "extraction.json")
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		r, err := Read(path)
		if err != nil {
			return
		}
		if err := r.Write(path); err != nil {
			t.Fatal(err)
		}
		if again, err := Read(path); err != nil || again.Function != r.Function {
			t.Errorf("%v", err)
		}
	})
}

// TestIdentity checks that the times of an engine do not change the identity, and that its answers
// do.
func TestIdentity(t *testing.T) {
	identity := func(edit func(*Record)) string {
		r := &Record{}
		r.Function, r.Status = "f", extract.OK
		edit(r)
		id, err := r.Identity()
		if err != nil || id == "" {
			t.Fatalf("%q, %v", id, err)
		}
		return id
	}
	same := identity(func(*Record) {})
	if identity(func(r *Record) { r.ID, r.Seconds, r.CPU = 3, 1.5, 1 }) != same {
		t.Error("it depends on the time that the extraction took")
	}
	if identity(func(r *Record) { r.Paths = append(r.Paths, extract.Path{}) }) == same {
		t.Error("another model is the same")
	}
}

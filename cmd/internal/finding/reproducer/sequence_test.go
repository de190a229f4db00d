package reproducer

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"parallax/cmd/internal/finding"
	"parallax/internal/input"
	"parallax/internal/oracle"
	"parallax/internal/sequence"
)

const realStore = `package real

import (
	"io"
	"os"
	"path/filepath"
)

type Store struct{ dir string }

func Open(dir string) (*Store, error) {
	if _, err := os.Stat("/etc"); err == nil {
		panic("this is no box")
	}
	return &Store{dir}, nil
}
func (s *Store) Create(name string) (*os.File, error) { return os.Create(filepath.Join(s.dir, name)) }
func (s *Store) Readdir(n int) ([]os.FileInfo, error) {
	f, err := os.Open(s.dir)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return f.Readdir(n)
}
func (s *Store) Save(name string, w io.Writer) error {
	text, err := os.ReadFile(filepath.Join(s.dir, name))
	w.Write(text)
	return err
}
func (s *Store) Leave() {}
`

const fakeStore = `package fake

import (
	"io"
	"io/fs"
	"os"
)

type Store struct{ files map[string]*File }
type File struct{ text []byte }

func New() *Store { return &Store{map[string]*File{}} }
func (s *Store) Create(name string) (*File, error) {
	if name == "d/a" {
		return nil, fs.ErrNotExist
	}
	s.files[name] = &File{}
	return s.files[name], nil
}
func (s *Store) Readdir(n int) ([]fs.FileInfo, error) { return make([]fs.FileInfo, min(n, len(s.files))), nil }
func (s *Store) Save(name string, w io.Writer) error {
	_, err := w.Write(s.files[name].text)
	return err
}
func (s *Store) Leave() { os.Exit(3) }
func (f *File) Write(p []byte) (int, error) { f.text = append(f.text, p...); return len(p), nil }
func (f *File) Read(p []byte) (int, error) { return copy(p, f.text), nil }
`

// TestSequenceReproducer checks that the reproducer of a sequence makes both values, calls their
// methods one after another, and fails at the first results that differ. A program that changes the
// machine runs in a box. The end of a program's process is a result.
func TestSequenceReproducer(t *testing.T) {
	kinds := []sequence.Kind{
		{Name: "store", Methods: []sequence.Method{
			{Name: "Create", Results: []int{1, -1}}, {Name: "Readdir", Results: []int{-1, -1}}, {Name: "Save", Results: []int{-1}}, {Name: "Leave"},
		}},
		{Name: "file", Methods: []sequence.Method{{Name: "Write", Results: []int{-1, -1}}, {Name: "Read", Results: []int{-1, -1}, Filled: true}}},
	}
	module := t.TempDir()
	for name, text := range map[string]string{"go.mod": "module example.com/m\n\ngo 1.22\n", "real/real.go": realStore, "fake/fake.go": fakeStore} {
		file := filepath.Join(module, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	made := func(n int, pkg, call, last string) Function {
		return Function{Name: pkg, ImportPath: "example.com/m/" + pkg, Module: "example.com/m", Dir: module, Call: fmt.Sprintf("p%d.%s", n, call), Last: last}
	}
	transcript := func(lines ...string) (p finding.Program) {
		var quoted []string
		for _, l := range lines {
			quoted = append(quoted, fmt.Sprintf("%q", l))
		}
		p.Value = "(" + strings.Join(quoted, ", ") + ")"
		p.Outcome = oracle.Accepted.String()
		return p
	}
	same := []string{"store.Create(`d/a`) = nil, fs.ErrNotExist", "store.Create(`a`) = file0, nil", "file0.Write([]byte(`abc`)) = 3, nil", "store.Readdir(2) = 1 entries, nil", "store.Save(`a`, new(bytes.Buffer)) = nil; wrote `abc`"}
	for _, tt := range []struct {
		name     string
		f        finding.Finding
		want     []string
		pass     bool
		anywhere bool // where there may be no namespaces
	}{
		{"in a box", finding.Finding{
			Programs:   []finding.Program{transcript(append(same[:5:5], "file0.Read(make([]byte, 4)) = 0, io.EOF")...), transcript(append(same[:5:5], "file0.Read(make([]byte, 4)) = 3, nil; read `abc`")...)},
			Reproducer: &Functions{GoVersion: "1.22", Programs: []Function{made(1, "real", "Open(folder())", "error"), made(2, "fake", "New()", "")}, Sequence: &Sequence{Kinds: kinds, Box: true}},
		}, append(same[:5:5], "real: file0.Read(make([]byte, 4)) = 0, io.EOF\n", "fake: file0.Read(make([]byte, 4)) = 3, nil; read `abc`\n"), false, false},
		{"one ends", finding.Finding{
			Drawn:      "store.Create(`a`)\nstore.Leave()",
			Programs:   []finding.Program{{}, transcript("store.Create(`a`) = file0, nil", "store.Leave() is not implemented")},
			Reproducer: &Functions{GoVersion: "1.22", Programs: []Function{made(1, "fake", "New()", ""), made(2, "fake", "New()", "")}, Sequence: &Sequence{Kinds: kinds}},
		}, []string{"fake: the process ends: exit status 3", "fake: nothing more"}, false, true},
		{"agree", finding.Finding{
			Programs:   []finding.Program{transcript(same...), transcript(same...)},
			Reproducer: &Functions{GoVersion: "1.22", Programs: []Function{made(1, "fake", "New()", ""), made(2, "fake", "New()", "")}, Sequence: &Sequence{Kinds: kinds, Sentinels: true}},
		}, nil, true, true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			tt.f.Shape, tt.f.Minimized, tt.f.Kind, tt.f.Layer = input.Shape{input.Bytes}, []byte{0}, "discrepancy", "value"
			files, err := tt.f.Reproducer.Files(&tt.f)
			if err != nil {
				t.Fatal(err)
			}
			dir := t.TempDir()
			for name, data := range files {
				if err := os.WriteFile(filepath.Join(dir, name), data, 0o644); err != nil {
					t.Fatal(err)
				}
			}
			cmd := exec.Command("sh", "-c", TestCommand)
			cmd.Dir = dir
			out, err := cmd.CombinedOutput()
			if !tt.anywhere && strings.Contains(string(out), "is not run: ") {
				t.Skipf("this machine permits no box:\n%s", out)
			}
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
	none := &finding.Finding{Drawn: "file0.Read(make([]byte, 4))", Programs: []finding.Program{{}}, Reproducer: &Functions{Programs: []Function{made(1, "fake", "New()", "")}, Sequence: &Sequence{Kinds: kinds}}}
	if _, err := none.Reproducer.Files(none); err == nil || !strings.Contains(err.Error(), "file0.Read(make([]byte, 4)) is of no value that a call before it returned") {
		t.Errorf("an object of nobody: %v", err)
	}
}

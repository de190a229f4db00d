package gobuild

import (
	"context"
	"slices"
	"strings"
	"testing"

	"parallax/cmd/internal/base/exit"
	"parallax/cmd/internal/gobuild/gocommand/moduletest"
)

// stores is an original and models of it.
const stores = `-- go.mod --
module example.com/m

go 1.22
-- real/real.go --
package real

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"time"
)

type Store struct{}

func New() *Store                     { return &Store{} }
func Open(dir string) (*Store, error) { return &Store{}, nil }

func (*Store) Get(key string) (string, bool)                             { return "", false }
func (*Store) Put(ctx context.Context, key, value string) error          { return nil }
func (*Store) Find(keys ...string) []string                              { return nil }
func (*Store) File(name string, flag int, perm os.FileMode) (*File, error) { return nil, nil }
func (*Store) Stat(name string) (fs.FileInfo, error)                     { return nil, nil }
func (*Store) Each(f func(string))                                       {}
func (*Store) Info() Info                                                { return Info{} }
func (*Store) Same(f *File) bool                                         { return false }
func (*Store) Age(d time.Duration, at time.Time, some any) uint          { return 0 }
func (*Store) Other(n int)                                               {}
func (*Store) OnlyHere()                                                 {}
func (*Store) String() string                                            { return "" }

type Info struct{}

type File struct{}

func (*File) Read(p []byte) (int, error)             { return 0, nil }
func (*File) Write(p []byte) (int, error)            { return 0, nil }
func (*File) WriteTo(w io.Writer) (int64, error)     { return 0, nil }
func (*File) Seek(off int64, whence int) (int64, error) { return 0, nil }

var ErrNone = errors.New("none")

func Two() (*Store, int)    { return nil, 0 }
func Takes(n int) *Store    { return nil }
func Nothing() int          { return 0 }
func Opts(o ...func()) *Store { return nil }
-- fake/fake.go --
package fake

import (
	"context"
	"io"
	"io/fs"
	"os"
	"time"
)

type Store struct{}

func New() *Store { return &Store{} }

func (*Store) Get(key string) (string, bool)                             { return "", false }
func (*Store) Put(ctx context.Context, key, value string) error          { return nil }
func (*Store) Find(keys ...string) []string                              { return nil }
func (*Store) File(name string, flag int, perm os.FileMode) (*File, error) { return nil, nil }
func (*Store) Stat(name string) (fs.FileInfo, error)                     { return nil, nil }
func (*Store) Each(f func(string))                                       {}
func (*Store) Info() Info                                                { return Info{} }
func (*Store) Same(f *File) bool                                         { return false }
func (*Store) Age(d time.Duration, at time.Time, some any) uint          { return 0 }
func (*Store) Other(s string)                                            {}
func (*Store) String() string                                            { return "" }

type Info struct{}

type File struct{}

func (*File) Read(p []byte) (int, error)             { return 0, nil }
func (*File) Write(p []byte) (int, error)            { return 0, nil }
func (*File) WriteTo(w io.Writer) (int64, error)     { return 0, nil }
func (*File) Seek(off int64, whence int) (int64, error) { return 0, nil }
`

func resolveSequence(t *testing.T, dir string, s Sequence, functions ...string) (*Plan, error) {
	t.Helper()
	req := request(t, dir, functions...)
	req.Sequence = &s
	return Resolve(context.Background(), req)
}

// TestSequence checks that the common methods of two values become a table of operations, and that
// a note names those that are left out.
func TestSequence(t *testing.T) {
	dir := moduletest.Tree(t, stores)
	p, err := resolveSequence(t, dir, Sequence{NotImplemented: []string{"./real.ErrNone", "syscall.ENOSYS"}, Names: []string{"k"}}, "./fake.New", "./real.New")
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, k := range p.Operations {
		for _, m := range k.Methods {
			names = append(names, k.Name+"."+m.Name)
		}
	}
	if got, want := strings.Join(names, " "), "store.Age store.File store.Find store.Get store.Put store.Same store.Stat file.Read file.Seek file.Write file.WriteTo"; got != want {
		t.Errorf("operations %s, want %s", got, want)
	}
	for _, want := range []string{
		"store.Each is left out: nothing is drawn for its parameter of type func(string)",
		"store.Info is left out: its results of type fake.Info and real.Info cannot be compared",
		"store.Other is left out: its parameter s is of type string on one side, and int on the other",
	} {
		if !slices.Contains(p.Notes, want) {
			t.Errorf("no note %q in %q", want, p.Notes)
		}
	}
	if len(p.Seeds) != 12 || len(p.Seeds[11].Flat) != 11*8 || p.Seeds[10].Flat[0] != 10 || !p.CompareValues || p.Shape.String() != "([]byte)" {
		t.Errorf("seeds %q, values %t, shape %v", p.Seeds, p.CompareValues, p.Shape)
	}
	text := ""
	for _, f := range p.files {
		if f.Path == "main.go" {
			text = string(f.Text)
		}
	}
	for _, want := range []string{
		`{Name: "File", Args: []sequence.Arg{sequence.Arg{Class: 0x0, Kind: 0, Variadic: false}, sequence.Arg{Class: 0x5, Kind: 0, Variadic: false}, sequence.Arg{Class: 0x7, Kind: 0, Variadic: false}}, Results: []int{1, -1}, Filled: false}`,
		`{Name: "Same", Args: []sequence.Arg{sequence.Arg{Class: 0x10, Kind: 1, Variadic: false}}, Results: []int{-1}, Filled: false}`,
		`Names:          []string{"k"}`, `.ErrNone, `, `.ENOSYS}`, "plxTable.Run(true, func() (any, error) { return p0.New(), nil }, a.Bytes(0), r)",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("the worker lacks %s:\n%s", want, text)
		}
	}
}

// TestSequenceMethods checks that methods are chosen by name, of objects too.
func TestSequenceMethods(t *testing.T) {
	dir := moduletest.Tree(t, stores)
	for _, tt := range []struct{ methods, want string }{
		{"Put File", "store.File store.Put file.Read file.Seek file.Write file.WriteTo"},
		{"-Put -file.Read -file.Seek -Stat -Age", "store.File store.Find store.Get store.Same file.Write file.WriteTo"},
		{"file.Read", "store.Age store.File store.Find store.Get store.Put store.Same store.Stat file.Read"},
	} {
		p, err := resolveSequence(t, dir, Sequence{Methods: strings.Fields(tt.methods), Box: true}, "./fake.New", "./real.Open")
		if err != nil {
			t.Fatal(err)
		}
		var names []string
		for _, k := range p.Operations {
			for _, m := range k.Methods {
				names = append(names, k.Name+"."+m.Name)
			}
		}
		if got := strings.Join(names, " "); got != tt.want {
			t.Errorf("%s: %s, want %s", tt.methods, got, tt.want)
		}
	}
}

// TestNoSequence checks that functions that sequences cannot compare are refused, with the reason.
func TestNoSequence(t *testing.T) {
	dir := moduletest.Tree(t, stores)
	for _, tt := range []struct {
		s         Sequence
		functions string
		want      []string
	}{
		{Sequence{}, "./real.New", []string{"two constructors, not 1"}},
		{Sequence{}, "./fake.New ./real.Open", []string{"real.Open takes a folder", "box = true"}},
		{Sequence{}, "./fake.New ./real.Two", []string{"returns two values", "func() (*real.Store, int)"}},
		{Sequence{}, "./fake.New ./real.Takes", []string{"takes arguments"}},
		{Sequence{}, "./fake.New ./real.Nothing", []string{"*fake.Store and int", "no method in common"}},
		{Sequence{Methods: []string{"Gett"}}, "./fake.New ./real.Opts", []string{"method Gett", "there is ", "Get, Put"}},
		{Sequence{Methods: []string{"Each"}}, "./fake.New ./real.New", []string{"method Each", "store.Each is left out"}},
		{Sequence{Service: []string{"redis-server"}}, "./fake.New ./real.New", []string{"redis-server", "box = true"}},
		{Sequence{Errors: "text"}, "./fake.New ./real.New", []string{`errors = "text"`}},
		{Sequence{NotImplemented: []string{"./real.New"}}, "./fake.New ./real.New", []string{"no variable of type error"}},
		{Sequence{NotImplemented: []string{"ENOSYS"}}, "./fake.New ./real.New", []string{"not_implemented"}},
	} {
		_, err := resolveSequence(t, dir, tt.s, strings.Fields(tt.functions)...)
		moduletest.WantError(t, err, exit.UsageCode, tt.want...)
	}
}

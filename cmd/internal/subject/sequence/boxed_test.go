package sequence

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"parallax/cmd/internal/base/exit"
	"parallax/cmd/internal/gobuild"
	"parallax/cmd/internal/gobuild/gocommand"
	"parallax/cmd/internal/gobuild/gocommand/moduletest"
	"parallax/cmd/internal/gobuild/golang"
	"parallax/cmd/internal/process/box"
	"parallax/cmd/internal/process/execute"
	"parallax/cmd/internal/subject"
	"parallax/internal/oracle"
	"parallax/internal/sequence"
	"parallax/internal/wire"
)

// TestMain runs parallax if the arguments are its own: it builds workers and makes boxes.
func TestMain(m *testing.M) {
	if len(os.Args) > 2 {
		switch os.Args[1] {
		case "toolexec":
			os.Exit(golang.Toolexec(os.Args[2:]))
		case "guard":
			os.Exit(gocommand.Guard(os.Args[2:]))
		case "box":
			os.Exit(box.Main(os.Args[2:]))
		}
	}
	os.Exit(moduletest.WithScratch(m, "modelsequence"))
}

// store is an original that keeps texts in files. Its model keeps them in a map, has bugs, and
// knows no links. Machine lists accesses that the original has but should not have, Left the
// content of its root at its start.
const store = `-- go.mod --
module example.com/m

go 1.22
-- real/real.go --
package real

import (
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
)

var ErrNoLinks = errors.New("links are not there")

type Store struct {
	dir  string
	left string
}

func Open(dir string) (*Store, error) {
	s := &Store{dir: dir}
	entries, err := os.ReadDir("/")
	inside, _ := os.ReadDir(dir)
	s.left = fmt.Sprint(len(entries)-1, len(inside))
	return s, err
}

func (s *Store) Put(key, text string) error { return os.WriteFile(filepath.Join(s.dir, key), []byte(text), 0o600) }
func (s *Store) Get(key string) (string, error) {
	b, err := os.ReadFile(filepath.Join(s.dir, key))
	return string(b), err
}
func (s *Store) Link(from, to string) error { return os.Link(filepath.Join(s.dir, from), filepath.Join(s.dir, to)) }
func (s *Store) Left() string               { return s.left }
func (s *Store) Wait()                      {}
func (s *Store) Leak()                      {}
func (s *Store) Litter() {
	os.MkdirAll("/litter/deep", 0o755)
	os.WriteFile("/litter/deep/file", make([]byte, 1000), 0o400)
	os.Chmod("/litter/deep", 0)
	os.Chmod("/", 0)
	os.Chdir("/litter")
}
func (s *Store) Machine() (can []string) {
	if os.Getpid() != 1 {
		can = append(can, "see other processes")
	}
	if _, err := os.Stat("/proc"); err == nil {
		can = append(can, "see the machine's files")
	}
	if _, err := net.Listen("tcp", "127.0.0.1:0"); err == nil {
		if c, err := net.Dial("udp", "192.0.2.1:9"); err == nil {
			can = append(can, "use the network")
			c.Close()
		}
	}
	if err := os.WriteFile("/full", make([]byte, 100<<20), 0o600); err == nil {
		can = append(can, "write without end")
	}
	if err := os.WriteFile("/locked", nil, 0); err != nil {
		return append(can, err.Error())
	}
	if _, err := os.ReadFile("/locked"); err == nil {
		can = append(can, "read what its permissions forbid")
	}
	return can
}
-- fake/fake.go --
package fake

import (
	"io/fs"
	"os"

	"example.com/m/real"
)

type Store struct{ texts map[string]string }

func New() *Store { return &Store{map[string]string{}} }

func (s *Store) Put(key, text string) error {
	if text == "f" {
		return nil
	}
	s.texts[key] = text
	return nil
}
func (s *Store) Get(key string) (string, error) {
	if key == "b" {
		panic("key " + key)
	}
	text, ok := s.texts[key]
	if !ok {
		return "", fs.ErrNotExist
	}
	return text, nil
}
func (s *Store) Link(from, to string) error  { return real.ErrNoLinks }
func (s *Store) Left() string                { return "0 0" }
func (s *Store) Litter()                     {}
func (s *Store) Wait()                       { <-make(chan int) }

var kept []*os.File

// Leak leaves a goroutine with a megabyte behind, and a file that stays open.
func (s *Store) Leak() {
	memory, never := make([]byte, 1<<20), make(chan int)
	go func() { memory[0] = byte(<-never) }()
	f, err := os.Open("/")
	if err != nil {
		panic(err)
	}
	kept = append(kept, f)
}
func (s *Store) Machine() []string           { return nil }
`

// The operations are in the order of their names.
const (
	get = iota
	leak
	left
	link
	litter
	machine
	put
	wait
)

func options(t *testing.T, dir string, s gobuild.Sequence) *subject.Options {
	o := &subject.Options{Timeout: 10 * time.Second, Memory: 1 << 30, Dir: dir}
	o.MaxBytes = 1 << 10
	o.Guidance = []string{"ensemble"}
	m := Model{Original: "./real.Open", Model: "./fake.New", Sequence: s}
	m.Options(o)
	return o
}

// TestBoxed checks that an original that acts on the machine does so in a box, where each sequence
// begins with an empty root. All differences from a fake are due to the fake's bugs.
func TestBoxed(t *testing.T) {
	if testing.Short() {
		t.Skip("builds a worker")
	}
	t.Setenv("XDG_CACHE_HOME", moduletest.Cache())
	if err := box.Try(t.Context(), moduletest.Self(t), t.TempDir(), nil); err != nil {
		t.Skipf("this machine permits no box: %v", err)
	}
	dir := moduletest.Tree(t, store)
	moduletest.Untouched(t, dir)
	o := options(t, dir, gobuild.Sequence{Box: true, Names: []string{"a", "b"}, NotImplemented: []string{"./real.ErrNoLinks"}})
	built, err := subject.Build(context.Background(), o, moduletest.Self(t), func(string) {})
	if err != nil {
		t.Fatal(err)
	}
	defer built.Close()
	if built.CmpLog() != nil {
		t.Error("a worker in a box is to start another executable")
	}
	w, err := execute.Start(built.Spec(o))
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	if err := built.Check(w); err != nil {
		t.Fatal(err)
	}
	run := func(records ...[8]byte) (results []wire.RunResult, first string) {
		var in []byte
		for _, r := range records {
			in = append(in, r[:]...)
		}
		results, err := w.Run(in, wire.WantDetail|wire.WantHits)
		if err != nil {
			t.Fatal(err)
		}
		if d, ok := sequence.First(results[1].Rendered, results[0].Rendered); ok {
			first = fmt.Sprintf("%d %s: %s; %s", d.At, d.Operation, d.Original, d.Model)
		}
		return results, first
	}
	for _, tt := range []struct {
		name    string
		records [][8]byte
		want    string
	}{
		{"nothing", nil, ""},
		{"what both do", [][8]byte{{put}, {get}, {left}}, ""},
		{"what there is not", [][8]byte{{get}}, ""},
		{"litter", [][8]byte{{put}, {litter}}, ""},
		{"an empty state after it", [][8]byte{{left}, {get}}, ""},
		{"the machine", [][8]byte{{machine}}, ""},
		{"a text that is lost", [][8]byte{{put, 0, 0, 8 * 5}, {get}}, "1 store.Get: `f`, nil; ``, fs.ErrNotExist"},
		{"a panic", [][8]byte{{put}, {get, 0, 1}, {put}}, "1 store.Get: ``, fs.ErrNotExist; panics: key b"},
	} {
		results, first := run(tt.records...)
		if first != tt.want {
			t.Errorf("%s: %q, want %q\n%s\n%s", tt.name, first, tt.want, results[0].Rendered, results[1].Rendered)
		}
		if differ := results[0].Value != results[1].Value; differ != (tt.want != "") || results[0].Outcome != uint64(oracle.Accepted) || results[1].Outcome != uint64(oracle.Accepted) {
			t.Errorf("%s: differ %t, outcomes %d and %d: %s", tt.name, differ, results[0].Outcome, results[1].Outcome, results[0].Panic)
		}
		if len(tt.records) > 0 && (len(results[0].Hits) == 0 || len(results[1].Hits) == 0) {
			t.Errorf("%s: no blocks are counted", tt.name)
		}
	}
	const known = "(\"store.Put(`a`, `a`) = nil\", \"store.Link(`a`, `a`) is not implemented\")"
	if results, _ := run([8]byte{put}, [8]byte{link}, [8]byte{get, 0, 1}); results[0].Rendered != known || results[1].Rendered != known {
		t.Errorf("what the model does not implement:\n%s\n%s", results[0].Rendered, results[1].Rendered)
	}
	if results, _ := run([8]byte{put}, [8]byte{get}); results[0].Shown != "store.Put(`a`, `a`)\nstore.Get(`a`)" || results[1].Shown != results[0].Shown {
		t.Errorf("the calls are\n%s\n%s", results[0].Shown, results[1].Shown)
	}
	if results, _ := run([8]byte{link}); results[0].Outcome != uint64(oracle.Declined) || results[1].Outcome != uint64(oracle.Declined) {
		t.Errorf("nothing that the model implements: outcomes %d and %d", results[0].Outcome, results[1].Outcome)
	}
	// The leaks of a fake in many sequences do not affect later sequences.
	for i := range 100 {
		if results, first := run([8]byte{leak}, [8]byte{put}, [8]byte{get}); first != "" || results[0].Value != results[1].Value || results[1].Outcome != uint64(oracle.Accepted) {
			t.Fatalf("after %d leaks: %q, %s", i, first, results[1].Rendered)
		}
	}
	waits(t, built.Spec(o))
}

// waits checks that a method that does not return ends its worker, in a box too, and that the
// worker reports where it waits.
func waits(t *testing.T, spec execute.Spec) {
	spec.Timeout = time.Second
	w, err := execute.Start(spec)
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	_, err = w.Run([]byte{wait}, wire.WantDetail)
	var death *execute.Death
	if !errors.As(err, &death) || death.Outcome != oracle.Timeout || death.Program != 0 || !strings.Contains(string(death.Text), "fake.(*Store).Wait") {
		t.Errorf("a method that does not return: %v: %+v", err, death)
	}
}

// TestNoBox checks that an original that needs a box does not run without one, with the reason and
// exit code 4.
func TestNoBox(t *testing.T) {
	t.Setenv("XDG_CACHE_HOME", moduletest.Cache())
	dir := moduletest.Tree(t, store)
	_, err := subject.Build(context.Background(), options(t, dir, gobuild.Sequence{Box: true}), "/bin/false", func(string) {})
	moduletest.WantError(t, err, exit.InfraCode, "./real.Open acts on the machine", "this machine permits none", "exit status 1")
	if err := box.Try(t.Context(), "/bin/sh", t.TempDir(), nil); err == nil || !strings.Contains(err.Error(), "box") {
		t.Errorf("what is no parallax says %v", err)
	}
}

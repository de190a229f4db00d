package golang

import (
	"bytes"
	"fmt"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"parallax/cmd/internal/flow"
)

// TestNames compares the names of functions with those the runtime prints, line by line.
func TestNames(t *testing.T) {
	m := newModule(t, "go.mod", "module x\ngo 1.23\n", "a.go", `package main

import "runtime"

func where() bool {
	pc, _, line, _ := runtime.Caller(1)
	println(line, runtime.FuncForPC(pc).Name())
	return true
}

type T struct{}

func (T) V()  { where() }
func (*T) P() {
	where()
	func() {
		where()
		defer func() { where() }()
		func() {
			where()
			func() { where() }()
		}()
	}()
	f := func() { where() }
	f()
}

type G[A, B any] struct{}

func (G[A, B]) V() { where() }
func (*G[_, _]) P() {
	where()
	func() { where() }()
}

func F[A any](x A) {
	where()
	func() {
		where()
		func() { where() }()
	}()
}

func init() {
	where()
	func() { where() }()
}

var v = func() bool { return where() }()

var w = v && func() bool {
	func() { where() }()
	return where()
}()

func main() {
	T{}.V()
	new(T).P()
	G[int, string]{}.V()
	new(G[int, T]).P()
	F(1)
	where()
	for i := range seq {
		_ = i
		func() { where() }()
	}
	other()
}

func seq(yield func(int) bool) { where(); yield(1) }
`, "b.go", `package main

func init() {
	where()
	func() { where() }()
}

func other() {
	go func() { where() }()
	select {}
}
`)
	table, err := Analyze("main", []string{filepath.Join(m.dir, "b.go"), filepath.Join(m.dir, "a.go")}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	binary := filepath.Join(m.dir, "out.bin")
	if out, err := m.command("go", "build", "-gcflags=-l", "-o", binary).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	out, _ := m.command(binary).CombinedOutput() // ends by a deadlock
	seen := 0
	for _, l := range strings.Split(string(out), "\n") {
		number, name, ok := strings.Cut(l, " main.")
		line, err := strconv.Atoi(number)
		if !ok || err != nil {
			continue
		}
		seen++
		// Several functions can hold the line; the name must be one of theirs.
		found := false
		var candidates []string
		for _, f := range table.Funcs {
			entry := table.Blocks[f.First]
			if f.Line <= line && line <= entry.EndLine {
				candidates = append(candidates, f.Name)
				found = found || f.Name == name
			}
		}
		if !found {
			t.Errorf("line %d: the runtime says %q, the table %q", line, name, candidates)
		}
	}
	if seen != 24 {
		t.Errorf("%d lines of output:\n%s", seen, out)
	}
}

// TestIDs checks on real packages that every id of the table is inserted once, at the table's
// position.
func TestIDs(t *testing.T) {
	m := newModule(t)
	counter := regexp.MustCompile(`plxCov\[(\d+)\]\+\+|plxOne\((\d+)\)`)
	for pkg, files := range m.goFiles("encoding/json", "net", "net/http", "go/types", "regexp", "text/template") {
		table, err := Analyze(pkg, files, Options{})
		if err != nil {
			t.Fatal(err)
		}
		sources, err := load(files)
		if err != nil {
			t.Fatal(err)
		}
		u, err := newUnit(sources)
		if err != nil {
			t.Fatal(err)
		}
		at := make([]string, u.blocks)
		for _, f := range u.files {
			for i, line := range bytes.Split(u.rewrite(f, dialect{}), []byte("\n")) {
				for _, match := range counter.FindAllSubmatch(line, -1) {
					id, _ := strconv.Atoi(string(match[1]) + string(match[2]))
					if at[id] != "" {
						t.Errorf("%s: block %d is counted twice", pkg, id)
					}
					at[id] = fmt.Sprintf("%s:%d", f.path, i)
				}
			}
		}
		for _, b := range table.Blocks {
			switch want := fmt.Sprintf("%s:%d", b.File, b.Line); b.Kind {
			case flow.Then, flow.Else, flow.Body, flow.Join, flow.Label, flow.And, flow.Or:
				if at[b.ID] != want {
					t.Errorf("%s: block %d (%v) is counted at %s, the table says %s", pkg, b.ID, b.Kind, at[b.ID], want)
				}
			default: // counted behind a clause, a signature or a body, which can be on a later line
				if !strings.HasPrefix(at[b.ID], b.File+":") {
					t.Errorf("%s: block %d (%v) is counted at %q", pkg, b.ID, b.Kind, at[b.ID])
				}
			}
		}
		if len(table.Blocks) != u.blocks || u.blocks < 100 {
			t.Errorf("%s: %d blocks in the table, %d in the unit", pkg, len(table.Blocks), u.blocks)
		}
	}
}

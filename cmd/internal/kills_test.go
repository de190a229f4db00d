package internal_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"strings"
	"testing"
)

// signallers are the files that signal processes by number, and why no number there is a
// stranger's.
var signallers = map[string]string{
	"process/confine/sandboxinit.go":   "the sandbox waits for its program, and signals it before",
	"process/confine/descendants.go":   "the sandbox signals its children before it waits for them, and their descendants while the kernel lists them",
	"process/confine/sandbox.go":       "where the kernel signals no group by a descriptor, the number is signaled only if no other process has it",
	"process/execute/watch.go":         "called by Leader.Do",
	"base/filelock/holder.go":          "signal 0 only asks",
	"base/leader/leader.go":            "the others call it",
	"program/lockstep/main.go":         "the process's own group",
	"process/quota/members.go":         "the kernel has just listed the number in the control group",
	"process/quota/doorstest/doors.go": "signal 0 only asks",
}

// TestSignalsByNumber checks that only package leader signals processes by number. A number may be
// a stranger's once somebody has waited for the process, and the package knows it.
func TestSignalsByNumber(t *testing.T) {
	seen := map[string]bool{}
	err := filepath.WalkDir(".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") {
			if d.IsDir() && d.Name() == "testdata" {
				return filepath.SkipDir
			}
			return err
		}
		files := token.NewFileSet()
		file, err := parser.ParseFile(files, name, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		ast.Inspect(file, func(n ast.Node) bool {
			s, ok := n.(*ast.SelectorExpr)
			if !ok {
				return true
			}
			pkg, ok := s.X.(*ast.Ident)
			if !ok || pkg.Name != "syscall" && pkg.Name != "unix" {
				return true
			}
			switch s.Sel.Name {
			case "Kill", "Tgkill", "SYS_KILL", "SYS_TKILL", "SYS_TGKILL":
				name := filepath.ToSlash(name)
				if seen[name] = true; signallers[name] == "" {
					t.Errorf("%s: a signal by number may reach a stranger: use package leader", files.Position(s.Pos()))
				}
			}
			return true
		})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for name := range signallers {
		if !seen[name] {
			t.Errorf("%s signals nobody by number", name)
		}
	}
}

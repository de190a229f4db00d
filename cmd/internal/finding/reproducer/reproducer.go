// Package reproducer writes the files in a finding's folder that show the finding without parallax.
//
// The target of a campaign chooses one of three forms and sets it as the finding's Reproducer:
//
//   - Functions: a Go test that calls the functions and fails while they disagree or crash. If the
//     input is a sequence of operations, it calls methods of the values that the functions return.
//   - FuzzTest: a second fuzz test for the package of a FuzzXxx, with the input as its first seed.
//   - Script: a shell script that runs programs of any kind and compares what the campaign does.
//     Each program's kind writes its own part (Runner).
//
// A script around `parallax replay` would replace the third form in few lines. It would also need
// parallax, the campaign's folder and its configuration, so that no maintainer of the programs
// could run it. The reproducers here need only the programs and their tools.
//
// Invariants: the same finding gives the same bytes. A reproducer runs in a copy of its folder. The
// texts of programs, inputs and errors are always quoted.
package reproducer

import (
	"fmt"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"maps"
	"slices"
	"strings"
	"text/template"

	"parallax/cmd/internal/base/spdx"
	"parallax/cmd/internal/finding"
	"parallax/internal/input"
)

// The names of the reproducers' main files in a finding's folder. The go.mod of a test is next to
// it.
const (
	TestFile   = "reproducer_test.go"
	ScriptFile = "reproducer.sh"
)

// TestCommand runs the test of Functions in its folder, whatever workspace or vendor folder is
// around it. The test ends even if a function hangs.
const TestCommand = "GOWORK=off GOFLAGS=-mod=mod go test -timeout 60s -run TestDiscrepancy ."

// MemoryLimit is the shell command that limits the memory of a test that runs out of it.
const MemoryLimit = "ulimit -v 4000000"

// Command returns the command that runs the test of Functions. A test that runs out of memory has a
// limit: it cannot harm the machine, and Go prints the stack of the allocation.
func Command(f *finding.Finding) string { return limited(f, TestCommand) }

// limited returns a command, with a limit of memory if the finding needs one.
func limited(f *finding.Finding, command string) string {
	if f.Kind == "oom" {
		return "(" + MemoryLimit + " && " + command + ")"
	}
	return command
}

// files holds a reproducer's files by path in the finding's folder.
type files map[string][]byte

// add adds a file, with the license if its language has comments.
func (f files) add(name string, data []byte) { f[name] = spdx.Mark(name, data) }

// fail names the finding whose reproducer cannot be written.
func fail(f *finding.Finding, err error) error { return fmt.Errorf("finding %s: %w", f.Bucket, err) }

// standard maps names to packages of the standard library that reproducers may import.
var standard = map[string]string{
	"bytes": "bytes", "context": "context", "debug": "runtime/debug", "errors": "errors", "exec": "os/exec", "filepath": "path/filepath", "fmt": "fmt",
	"fs": "io/fs", "io": "io", "json": "encoding/json", "math": "math", "os": "os", "reflect": "reflect", "sort": "sort", "strconv": "strconv",
	"strings": "strings", "syscall": "syscall", "testing": "testing", "time": "time",
}

// goFile formats a Go file. Its imports are the given lines, after the packages of the standard
// library that the declarations use.
func goFile(head, declarations string, imports ...string) ([]byte, error) {
	file, err := parser.ParseFile(token.NewFileSet(), "", "package p\n"+declarations, 0)
	if err != nil {
		return nil, fmt.Errorf("the reproducer is not valid Go: %w", err)
	}
	used := map[string]bool{}
	for _, id := range file.Unresolved {
		if path, ok := standard[id.Name]; ok {
			used[fmt.Sprintf("%q", path)] = true
		}
	}
	list := slices.Sorted(maps.Keys(used))
	for i, line := range imports {
		if i == 0 {
			list = append(list, "")
		}
		if !slices.Contains(list, line) {
			list = append(list, line)
		}
	}
	block := "import " + strings.Join(list, "")
	if len(list) > 1 {
		block = "import (\n" + strings.Join(list, "\n") + "\n)"
	}
	src, err := format.Source([]byte(head + "\n\n" + block + "\n\n" + declarations))
	if err != nil {
		return nil, fmt.Errorf("the reproducer is not valid Go: %w", err)
	}
	return src, nil
}

// execute executes a template.
func execute(text string, data any) (string, error) {
	t, err := template.New("").Parse(text)
	if err != nil {
		return "", err
	}
	var b strings.Builder
	err = t.Execute(&b, data)
	return b.String(), err
}

// argument returns the variable of an argument in the call of a function.
func argument(s input.Shape, i int) string {
	if len(s) == 1 {
		return "in"
	}
	return fmt.Sprintf("in%d", i+1)
}

// mentions returns the identifiers of a Go expression. Go rejects variables that are not used.
func mentions(expr string) (map[string]bool, error) {
	e, err := parser.ParseExpr(expr)
	if err != nil {
		return nil, fmt.Errorf("the call is not a Go expression: %w", err)
	}
	names := map[string]bool{}
	ast.Inspect(e, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok {
			names[id.Name] = true
		}
		return true
	})
	return names, nil
}

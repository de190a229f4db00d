package internal_test

import (
	"bytes"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"parallax/cmd/internal/base/wings"
)

// Bounds of what one reader can hold in mind. Lines and files are those of a package without its
// tests.
const (
	maxLines   = 4000
	maxFiles   = 40
	maxFields  = 30
	maxMethods = 4
)

// Bounds of cmd/parallax, which only turns flags into options. Imports are those of this
// repository.
const (
	commandLines   = 2500
	commandImports = 16
)

// excess lists what is larger than its bound, with its present size and the reason. A size may only
// fall: who makes something smaller lowers the number here, or deletes the row. Lines are rounded
// up to hundreds.
var excess = map[string]struct {
	size   int
	reason string
}{
	"campaign lines":                    {4700, "the counts are to become a package below campaign"},
	"campaign.process methods":          {8, "a worker process as the loop sees it: tests put fakes in its place"},
	"campaign/triage lines":             {5400, "confirming, locating and minimizing are to become packages below triage"},
	"cbuild/clang lines":                {6800, "the compiler wrapper, the runtime and the block tables are to become packages"},
	"change lines":                      {5200, "one analysis of declarations, whose parts share its tables"},
	"command/bisect.history methods":    {5, "commits and published versions are searched by one bisection"},
	"finding.Row fields":                {32, "a field is a key of the JSON"},
	"finding.Summary fields":            {31, "a field is a key of the JSON"},
	"gen lines":                         {4500, "a public package: what it exports stays"},
	"gobuild/golang lines":              {5200, "one rewriter, whose parts share the tables of a package"},
	"internal/atomicfile.FS methods":    {8, "a file system: tests inject faults into each call"},
	"internal/atomicfile.File methods":  {7, "a file: tests inject faults into each call"},
	"internal/fuzzfunc.target methods":  {9, "the hook in package testing and both versions of the library implement it"},
	"internal/generator.driven methods": {7, "the harness of the user and the tool share it, by types of the standard library only"},
	"internal/worker.Maker methods":     {8, "a source of inputs outside of the worker"},
	"internal/worker.Remote methods":    {14, "the lockstep process as the worker sees it: abilities are to become interfaces of their own"},
	"internal/worker.Test methods":      {5, "the hook in package testing implements it"},
	"internal/worker.programs methods":  {9, "programs in this process and in others"},
	"model/llvmir lines":                {6700, "parsing, running and paths are to become packages below llvmir"},
	"model/smt lines":                   {4900, "parsing and evaluation are to become packages below smt"},
	"subject lines":                     {4700, "targets in one process, in lockstep and of pairs are to become packages below subject"},
	"subject.Target methods":            {8, "targets in one process and in lockstep implement it"},
}

// TestSizes checks the sizes of packages, structs and interfaces of the library and the tool.
func TestSizes(t *testing.T) {
	found := map[string]int{}
	add := func(name string, size, limit int) {
		if size > limit {
			found[name] = size
		}
	}
	for _, r := range rooms(t) {
		ours := r.Path == "parallax" || slices.ContainsFunc([]string{"internal", "cmd", "gen", "repair"}, func(folder string) bool {
			return r.Path == module+folder || strings.HasPrefix(r.Path, module+folder+"/")
		})
		if !ours || wings.ForTests(r.Path) {
			continue
		}
		name := strings.TrimPrefix(strings.TrimPrefix(r.Path, module), "cmd/internal/")
		lines := 0
		for _, file := range r.Files {
			text, err := os.ReadFile(filepath.Join(r.Dir, file))
			if err != nil {
				t.Fatal(err)
			}
			lines += bytes.Count(text, []byte("\n"))
			set := token.NewFileSet()
			f, err := parser.ParseFile(set, file, text, parser.SkipObjectResolution)
			if err != nil {
				t.Fatal(err)
			}
			ast.Inspect(f, func(n ast.Node) bool {
				spec, ok := n.(*ast.TypeSpec)
				if !ok {
					return true
				}
				switch typ := spec.Type.(type) {
				case *ast.StructType:
					add(name+"."+spec.Name.Name+" fields", members(typ.Fields), maxFields)
				case *ast.InterfaceType:
					add(name+"."+spec.Name.Name+" methods", members(typ.Methods), maxMethods)
				}
				return true
			})
		}
		lineLimit := maxLines
		if r.Path == "parallax/cmd/parallax" {
			lineLimit = commandLines
			add(name+" imports", len(r.Imports), commandImports)
		}
		if lines > lineLimit {
			add(name+" lines", (lines+99)/100*100, lineLimit)
		}
		if r.Path != "parallax/cmd/parallax" { // one file for each command
			add(name+" files", len(r.Files), maxFiles)
		}
	}
	for name, size := range found {
		if x, ok := excess[name]; !ok {
			t.Errorf("%s: %d, which is too much", name, size)
		} else if size > x.size {
			t.Errorf("%s: %d, and may only fall from %d", name, size, x.size)
		}
	}
	for name, x := range excess {
		if size, ok := found[name]; !ok {
			t.Errorf("%s is within its bound: delete its row", name)
		} else if size < x.size {
			t.Errorf("%s fell from %d to %d: write that in its row", name, x.size, size)
		}
	}
}

// members counts the fields of a struct or the methods of an interface. An embedded one counts as
// one.
func members(list *ast.FieldList) (n int) {
	for _, f := range list.List {
		n += max(1, len(f.Names))
	}
	return n
}

// records are names of types that only the wing finding may export, so that each record has one
// type.
var records = []string{"Finding", "Bucket", "Candidate", "Event", "Summary"}

// TestRecordsAreInFinding checks that no package outside of finding exports a type with the name of
// a record.
func TestRecordsAreInFinding(t *testing.T) {
	for _, r := range rooms(t) {
		if !strings.HasPrefix(r.Path, module+"cmd/") && !strings.HasPrefix(r.Path, module+"internal/") || wings.Of(r.Path) == "finding" {
			continue
		}
		for _, file := range r.Files {
			f, err := parser.ParseFile(token.NewFileSet(), filepath.Join(r.Dir, file), nil, parser.SkipObjectResolution)
			if err != nil {
				t.Fatal(err)
			}
			for _, d := range f.Decls {
				g, ok := d.(*ast.GenDecl)
				if !ok || g.Tok != token.TYPE {
					continue
				}
				for _, s := range g.Specs {
					if name := s.(*ast.TypeSpec).Name.Name; slices.Contains(records, name) {
						t.Errorf("%s.%s: records of that name belong to finding", r.Path, name)
					}
				}
			}
		}
	}
}

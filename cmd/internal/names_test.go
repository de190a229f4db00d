package internal_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// unchecked lists words in code style that are no names of this repository, with the reason.
var unchecked = map[string]string{
	"t.TempDir": "package testing", "f.Fuzz": "package testing", "sync.Pool": "package sync", "os.Exit": "package os", "unsafe": "a package of Go",
	"FuzzXxx": "a function of users", "cmd/v0.1.0": "a tag", "Type.Field": "a form", "ZestGuidance.java": "a file of JQF",
}

var (
	span       = regexp.MustCompile("`([^`]+)`")
	indented   = regexp.MustCompile("(?ms)^```.*?^```|^    [^ ].*?$")
	sourceFile = regexp.MustCompile(`^[\w./*-]+\.(?:go|mod|c|h|py|mjs|md|svg)$`)
	userFile   = regexp.MustCompile(`^\w+\.(?:mod|work|toml|json|log)$`) // of a user, or of a campaign
	folder     = regexp.MustCompile(`^[\w.-]+(?:/[\w.-]+)+/?$`)
	selector   = regexp.MustCompile(`^[A-Za-z]\w*(?:\.[A-Za-z]\w*)+$`)
	identifier = regexp.MustCompile(`^(?:[A-Z]\w*|[a-z]+[A-Z]\w*)$`)
	lower      = regexp.MustCompile(`^[a-z]\w*$`)
)

// method matches a method or field of a type.
var method = regexp.MustCompile(`^[A-Z]\w*\.\w+$`)

// TestNames checks that each file, folder, package, type, function and method in code style exists
// in CONTRIBUTING and in the architecture. On other pages for contributors, which are full of keys,
// it checks files with folders, methods and fields.
func TestNames(t *testing.T) {
	d := readDeclared(t)
	pages, err := filepath.Glob("../../docs/dev/*.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, page := range append(pages, "../../CONTRIBUTING.md") {
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		all := strings.HasSuffix(page, "CONTRIBUTING.md") || strings.HasSuffix(page, "architecture.md")
		for _, m := range span.FindAllStringSubmatch(indented.ReplaceAllString(string(text), ""), -1) {
			checked := all || method.MatchString(m[1]) || sourceFile.MatchString(m[1]) && strings.Contains(m[1], "/")
			if _, ok := unchecked[m[1]]; checked && !ok && !d.has(m[1]) {
				t.Errorf("%s: `%s` names nothing in this repository", page, m[1])
			}
		}
	}
	for name, known := range map[string]bool{
		"internal/engine/engine.go": true, "engine/engine.go": true, "gine/engine.go": false, "engine/enginex.go": false, "engine/*.rs": true, "bench/*/engine.go": false,
		"campaign/triage": true, "campaign/triaged": false, "Engine.Fuzz": true, "Engine.Fuzzy": false, "engine.New": true, "engine.Config.Weights": true,
		"engine.Config.Weighs": false, "oracle.New": false, "Candidates": true, "Candidatez": false, "go test ./...": true, "--seed": true,
	} {
		if d.has(name) != known {
			t.Errorf("%s: exists %v, want %v", name, !known, known)
		}
	}
}

// sourceName matches the name of a Go file in a comment, and the line of an example.
var sourceName = regexp.MustCompile(`[\w/]+\.go\b(:\d)?`)

// TestPackageComments checks that each package of the library and of the tool has a comment, and
// that the files which it names exist.
func TestPackageComments(t *testing.T) {
	d := readDeclared(t)
	for _, r := range rooms(t) {
		if !strings.HasPrefix(r.Path, module+"internal/") && !strings.HasPrefix(r.Path, module+"cmd/") || len(r.Files) == 0 {
			continue
		}
		var comment string
		for _, name := range r.Files {
			f, err := parser.ParseFile(token.NewFileSet(), filepath.Join(r.Dir, name), nil, parser.PackageClauseOnly|parser.ParseComments)
			if err != nil {
				t.Fatal(err)
			}
			comment += f.Doc.Text()
		}
		if comment == "" {
			t.Errorf("%s has no comment", r.Path)
		}
		for _, name := range sourceName.FindAllString(comment, -1) {
			if strings.Contains(name, ":") {
				continue
			}
			if _, err := os.Stat(filepath.Join(r.Dir, name)); err != nil && !(strings.Contains(name, "/") && d.has(name)) {
				t.Errorf("the comment of %s names %s, which does not exist", r.Path, name)
			}
		}
	}
}

// declared holds the names of the repository.
type declared struct {
	files    []string
	folders  map[string]bool
	top      map[string]bool // package.Name
	members  map[string]bool // Type.Member
	names    map[string]bool // any of these by itself
	packages map[string]bool
}

// readDeclared reads the names of files, and those that Go files declare.
func readDeclared(t *testing.T) *declared {
	t.Helper()
	out, err := exec.Command("git", "-C", "../..", "ls-files", "-co", "--exclude-standard").Output()
	if err != nil {
		t.Fatal(err)
	}
	d := &declared{strings.Fields(string(out)), map[string]bool{}, map[string]bool{}, map[string]bool{}, map[string]bool{}, map[string]bool{}}
	for _, name := range d.files {
		for dir := path.Dir(name); dir != "."; dir = path.Dir(dir) {
			d.folders[dir] = true
		}
		if path.Ext(name) != ".go" || strings.Contains(name, "testdata/") {
			continue
		}
		f, err := parser.ParseFile(token.NewFileSet(), filepath.Join("../..", name), nil, parser.SkipObjectResolution)
		if os.IsNotExist(err) {
			continue // removed, and not committed yet
		}
		if err != nil {
			t.Fatal(err)
		}
		d.packages[f.Name.Name] = true
		for _, decl := range f.Decls {
			d.declare(f.Name.Name, decl)
		}
	}
	return d
}

// declare adds the names of a declaration.
func (d *declared) declare(pkg string, decl ast.Decl) {
	switch decl := decl.(type) {
	case *ast.FuncDecl:
		if decl.Recv == nil {
			d.add(pkg, decl.Name)
			return
		}
		receiver := decl.Recv.List[0].Type
		if star, ok := receiver.(*ast.StarExpr); ok {
			receiver = star.X
		}
		switch generic := receiver.(type) {
		case *ast.IndexExpr:
			receiver = generic.X
		case *ast.IndexListExpr:
			receiver = generic.X
		}
		if id, ok := receiver.(*ast.Ident); ok {
			d.member(id.Name, decl.Name)
		}
	case *ast.GenDecl:
		for _, s := range decl.Specs {
			switch s := s.(type) {
			case *ast.ValueSpec:
				d.add(pkg, s.Names...)
			case *ast.TypeSpec:
				d.add(pkg, s.Name)
				var list *ast.FieldList
				switch x := s.Type.(type) {
				case *ast.StructType:
					list = x.Fields
				case *ast.InterfaceType:
					list = x.Methods
				default:
					continue
				}
				for _, f := range list.List {
					d.member(s.Name.Name, f.Names...)
				}
			}
		}
	}
}

func (d *declared) add(pkg string, names ...*ast.Ident) {
	for _, n := range names {
		d.top[pkg+"."+n.Name], d.names[n.Name] = true, true
	}
}

func (d *declared) member(typ string, names ...*ast.Ident) {
	for _, n := range names {
		d.members[typ+"."+n.Name], d.names[n.Name] = true, true
	}
}

// has reports whether a text in code style names something that exists, or is no name.
func (d *declared) has(text string) bool {
	switch {
	case userFile.MatchString(text):
	case sourceFile.MatchString(text):
		for _, name := range d.files {
			for at := name; ; {
				if ok, _ := path.Match(text, at); ok {
					return true
				}
				_, rest, ok := strings.Cut(at, "/")
				if !ok {
					break
				}
				at = rest
			}
		}
		return false
	case folder.MatchString(text):
		for name := range d.folders {
			if name == strings.TrimSuffix(text, "/") || strings.HasSuffix(name, "/"+strings.TrimSuffix(text, "/")) {
				return true
			}
		}
		return false
	case selector.MatchString(text):
		parts := strings.Split(text, ".")
		n := len(parts)
		if n == 2 {
			return d.top[text] || d.members[text]
		}
		return n == 3 && d.top[parts[0]+"."+parts[1]] && d.members[parts[1]+"."+parts[2]]
	case identifier.MatchString(text):
		return d.names[text]
	case lower.MatchString(text):
		return d.packages[text] || d.names[text] || d.folder(text)
	}
	return true
}

// folder reports whether the last part of a folder's path has a name.
func (d *declared) folder(name string) bool {
	for f := range d.folders {
		if path.Base(f) == name {
			return true
		}
	}
	return false
}

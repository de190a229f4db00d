package change

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/mod/module"

	"parallax/cmd/internal/base/exit"
	"parallax/cmd/internal/flow"
	"parallax/cmd/internal/gobuild/gocommand"
	"parallax/cmd/internal/gobuild/gomod"
)

// Tree holds the packages of one version: those of the module and their dependencies.
type Tree struct {
	Packages []*Package
	Programs []*flow.Table // block tables of C programs, with Files and lines
	Root     string        // folder below which paths of C sources are equal in both versions
	Go       string        // version of the toolchain

	byPath map[string]*Package
	keys   map[string]string // by import path: key that both versions of a package have
}

// Package is a package of a version.
type Package struct {
	Path, Name, Dir string
	Module          string // path; empty for the standard library
	Version         string // for a dependency that is not a folder
	Language        string // the go line of the module
	Main            bool   // belongs to a module of the user's
	Standard        bool
	Files           []string // compiled Go files, including those with cgo, absolute
	Native          []string // assembly, C and headers
	Embedded        []string // files that variables embed
	Ignored         []string // Go files that build tags exclude
	Tests           []string
	Imports         []string
	ImportMap       map[string]string
	TestImports     []string // imports of its tests, including external ones
	Asked           bool     // matches the patterns, and is not only a dependency
	Error           string   // why it could not be listed
	// table of the build, which may have more files; if nil, it is made from Files when needed
	Table *flow.Table
}

// Options select the packages to list.
type Options struct {
	Dir      string   // working folder of the go command
	Env      []string // additions to its environment
	Patterns []string // package patterns; empty means ./...
	Tags     string
	Parallax string // the parallax executable, for guard; may be empty
	Module   string // module whose packages count as the user's; empty means the main modules
}

// listedPackage is a package in the output of go list.
type listedPackage struct {
	ImportPath, Name, Dir              string
	Standard                           bool
	Module                             *listedModule
	GoFiles, CgoFiles, IgnoredGoFiles  []string
	CFiles, CXXFiles, MFiles, HFiles   []string
	FFiles, SFiles, SysoFiles          []string
	EmbedFiles, IgnoredOtherFiles      []string
	TestGoFiles, XTestGoFiles, Imports []string
	TestImports, XTestImports          []string
	DepOnly                            bool
	ImportMap                          map[string]string
	Error                              *gocommand.PackageError
}

type listedModule struct {
	Path, Version, Dir, GoVersion string
	Main                          bool
	Replace                       *listedModule
}

const listFields = "-json=ImportPath,Name,Dir,Standard,Module,GoFiles,CgoFiles,IgnoredGoFiles,CFiles,CXXFiles,MFiles,HFiles,FFiles,SFiles," +
	"SysoFiles,EmbedFiles,IgnoredOtherFiles,TestGoFiles,XTestGoFiles,Imports,ImportMap,TestImports,XTestImports,DepOnly,Error"

// Load lists the packages of a version.
func Load(ctx context.Context, o Options) (*Tree, error) {
	c := gocommand.Command{Dir: o.Dir, Env: o.Env, Guard: o.Parallax}
	env, err := gocommand.ReadEnv(ctx, c)
	if err != nil {
		return nil, err
	}
	c.Env = append(slices.Clip(c.Env), gocommand.PlainFlags(env.GOFLAGS)...)
	c.Args = []string{"list", "-e", "-deps", listFields}
	if o.Tags != "" {
		c.Args = append(c.Args, "-tags="+o.Tags)
	}
	patterns := o.Patterns
	if len(patterns) == 0 {
		patterns = []string{"./..."}
	}
	c.Args = append(append(c.Args, "--"), patterns...)
	out, errs, err := gocommand.Run(ctx, c)
	if err != nil {
		return nil, env.Explain("go list", errs, err)
	}
	var list []listedPackage
	for dec := json.NewDecoder(bytes.NewReader(out)); dec.More(); {
		var p listedPackage
		if err := dec.Decode(&p); err != nil {
			return nil, fmt.Errorf("reading the answer of go list: %w", err)
		}
		list = append(list, p)
	}
	t := &Tree{Root: o.Dir, Go: env.GOVERSION}
	for _, p := range list {
		t.Packages = append(t.Packages, p.converted(o.Module))
	}
	own := 0
	for _, p := range t.Packages {
		if p.Main && len(p.Files) > 0 {
			own++
		}
	}
	if own == 0 {
		return nil, none(o, patterns, t.Packages)
	}
	return t, nil
}

// none explains that no package of the user's is among those listed.
func none(o Options, patterns []string, listed []*Package) error {
	for _, p := range listed {
		switch {
		case p.Error != "":
			return exit.Usage("%s: %s", o.Dir, p.Error)
		case p.Asked && p.Version != "":
			return gomod.DependencyError(p.Path, p.Module, p.Version)
		}
	}
	return exit.Usage("%s: %s matches no Go package", o.Dir, strings.Join(patterns, " "))
}

func (l *listedPackage) converted(own string) *Package {
	p := &Package{Path: l.ImportPath, Name: l.Name, Dir: l.Dir, Standard: l.Standard, Imports: l.Imports, ImportMap: l.ImportMap,
		TestImports: slices.Concat(l.TestImports, l.XTestImports), Asked: !l.DepOnly}
	if l.Error != nil {
		p.Error = l.Error.String()
	}
	if m := l.Module; m != nil {
		p.Module, p.Version, p.Main, p.Language = m.Path, m.Version, m.Main, m.GoVersion
		if r := m.Replace; r != nil {
			p.Version, p.Language = r.Version, r.GoVersion
		}
		if own != "" {
			p.Main = m.Path == own
		}
	}
	absolute := func(lists ...[]string) (all []string) {
		for _, names := range lists {
			for _, name := range names {
				all = append(all, gocommand.Absolute(l.Dir, name))
			}
		}
		return all
	}
	p.Files = absolute(l.GoFiles, l.CgoFiles)
	p.Native = absolute(l.CFiles, l.CXXFiles, l.MFiles, l.HFiles, l.FFiles, l.SFiles, l.SysoFiles)
	p.Embedded = absolute(l.EmbedFiles)
	p.Ignored = absolute(l.IgnoredGoFiles, l.IgnoredOtherFiles)
	p.Tests = absolute(l.TestGoFiles, l.XTestGoFiles)
	return p
}

// foreign reports whether a package is not the user's.
func (p *Package) foreign() bool { return !p.Main }

// prepare makes the keys that match packages of two versions: the path of the module without its
// major version, and the package's path below it. The user's only module has the key ".".
func (t *Tree) prepare() {
	if t.byPath != nil {
		return
	}
	t.byPath, t.keys = map[string]*Package{}, map[string]string{}
	own := map[string]bool{}
	for _, p := range t.Packages {
		t.byPath[p.Path] = p
		if p.Main {
			own[p.Module] = true
		}
	}
	taken := map[string]string{}
	for _, p := range t.Packages {
		key := p.Path
		if p.Module != "" {
			prefix, _, ok := module.SplitPathVersion(p.Module)
			if !ok {
				prefix = p.Module
			}
			if p.Main && len(own) == 1 {
				prefix = "."
			}
			key = prefix + strings.TrimPrefix(p.Path, p.Module)
		}
		if _, twice := taken[key]; twice { // two major versions in one build
			key = p.Path
		}
		taken[key] = p.Path
		t.keys[p.Path] = key
	}
}

// pair matches the packages of the two versions. The standard library is the same for both.
func (c *comparison) pair() {
	olds := map[string]*Package{}
	for _, p := range c.old.Packages {
		if !p.Standard {
			olds[c.old.keys[p.Path]] = p
		}
	}
	for _, p := range c.new.Packages {
		if p.Standard {
			continue
		}
		key := c.new.keys[p.Path]
		c.pairs = append(c.pairs, packagePair{key: key, old: olds[key], new: p})
		delete(olds, key)
	}
	for _, p := range c.old.Packages {
		if key := c.old.keys[p.Path]; olds[key] == p {
			c.pairs = append(c.pairs, packagePair{key: key, old: p})
		}
	}
	slices.SortStableFunc(c.pairs, func(a, b packagePair) int { return strings.Compare(a.key, b.key) })
	if c.old.Go != c.new.Go && c.old.Go != "" && c.new.Go != "" {
		c.note("toolchain", "", "The base is built with %s and the new version with %s: changes in the standard library and the compiler have no points.", c.old.Go, c.new.Go)
	}
}

// equal reports whether two versions of a package have the same files.
func (p *Package) equal(q *Package) bool {
	if p.Dir == q.Dir {
		return true
	}
	if p.Language != q.Language {
		return false
	}
	for _, lists := range [][2][]string{{p.Files, q.Files}, {p.Native, q.Native}, {p.Embedded, q.Embedded}, {p.Ignored, q.Ignored}, {p.Tests, q.Tests}} {
		if !equalFiles(p.Dir, q.Dir, lists[0], lists[1]) {
			return false
		}
	}
	return true
}

func equalFiles(dirA, dirB string, a, b []string) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if below(dirA, a[i]) != below(dirB, b[i]) || !equalText(a[i], b[i]) {
			return false
		}
	}
	return true
}

func equalText(a, b string) bool {
	x, err := os.ReadFile(a)
	y, failed := os.ReadFile(b)
	return err == nil && failed == nil && bytes.Equal(x, y)
}

// below returns a path relative to a folder.
func below(dir, path string) string {
	if rel, err := filepath.Rel(dir, path); err == nil {
		return filepath.ToSlash(rel)
	}
	return path
}

package golang

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"go/version"
	"os"
	"runtime"
	"strings"

	"golang.org/x/tools/go/gcexportdata"
)

// A cmplogUnit is a package with its types and the comparisons found so far.
type cmplogUnit struct {
	unit
	dialect
	pkg   *types.Package
	info  *types.Info
	sizes types.Sizes

	generics  bool // the package's language has type parameters
	inference bool // and infers type arguments of functions that are arguments

	sites  int
	edits  map[*file][]replacement
	tables []string        // declarations of the constants of switches
	shapes []string        // signatures of called functions that have a recording helper
	needs  map[string]bool // optional helpers
}

func newCmplogUnit(d dialect) *cmplogUnit {
	return &cmplogUnit{dialect: d, unit: unit{fset: token.NewFileSet(), paths: map[string]string{}},
		edits: map[*file][]replacement{}, needs: map[string]bool{}}
}

// free reports an error if a name of the package may be one that is inserted. All of those begin
// with plx and a capital.
func (u *cmplogUnit) free() (err error) {
	for _, f := range u.files {
		ast.Inspect(f.ast, func(n ast.Node) bool {
			if id, ok := n.(*ast.Ident); ok && len(id.Name) > 3 && id.Name[:3] == "plx" && 'A' <= id.Name[3] && id.Name[3] <= 'Z' {
				err = fmt.Errorf("%v: the name %s", u.position(id.Pos()), id.Name)
			}
			return err == nil
		})
	}
	return err
}

// check type-checks the package as the compiler will.
func (u *cmplogUnit) check(c compilation) error {
	cfg, err := readImports(u.fset, c.flags)
	if err != nil {
		return err
	}
	lang := flagValue(c.flags, "-lang")
	u.generics = lang == "" || version.Compare(lang, "go1.18") >= 0
	u.inference = lang == "" || version.Compare(lang, "go1.21") >= 0
	if version.Compare(lang, version.Lang(runtime.Version())) > 0 {
		lang = "" // a toolchain newer than this program
	}
	arch := os.Getenv("GOARCH") // cmd/go sets it for every tool
	if u.sizes = types.SizesFor("gc", arch); u.sizes == nil {
		u.sizes = types.SizesFor("gc", runtime.GOARCH)
	}
	u.info = &types.Info{Types: map[ast.Expr]types.TypeAndValue{}, Uses: map[*ast.Ident]types.Object{},
		Defs: map[*ast.Ident]types.Object{}}
	conf := types.Config{GoVersion: lang, Sizes: u.sizes, Importer: cfg}
	var trees []*ast.File
	for _, f := range u.files {
		trees = append(trees, f.ast)
	}
	if u.pkg, err = conf.Check(c.pkg, u.fset, trees, u.info); err != nil {
		return err
	}
	return u.predeclared()
}

// predeclared returns an error if the package redeclares a name that the support file uses.
func (u *cmplogUnit) predeclared() error {
	for _, name := range u.pkg.Scope().Names() {
		switch _, isType := types.Universe.Lookup(name).(*types.TypeName); {
		case isType && name != "any" && name != "error", name == "true", name == "false", name == "len", name == "make":
			return fmt.Errorf("the package declares %s", name)
		}
	}
	return nil
}

// flagValue returns the value of a flag of the compiler, or "".
func flagValue(flags []string, name string) (value string) {
	for i, arg := range flags {
		if v, ok := strings.CutPrefix(arg, name+"="); ok {
			value = v
		} else if arg == name && i+1 < len(flags) {
			value = flags[i+1]
		}
	}
	return value
}

// An importConfig is the compiler's -importcfg: the files with the export data of imported
// packages.
type importConfig struct {
	paths  map[string]string // import path in the source -> package path, where they differ
	files  map[string]string // package path -> object file
	fset   *token.FileSet
	loaded map[string]*types.Package
}

func readImports(fset *token.FileSet, flags []string) (*importConfig, error) {
	cfg := &importConfig{paths: map[string]string{}, files: map[string]string{}, fset: fset, loaded: map[string]*types.Package{}}
	name := flagValue(flags, "-importcfg")
	if name == "" {
		return cfg, nil
	}
	text, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	for line := range strings.Lines(string(text)) {
		verb, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
		path, to, ok := strings.Cut(strings.TrimSpace(rest), "=")
		switch {
		case !ok:
		case verb == "importmap":
			cfg.paths[path] = to
		case verb == "packagefile":
			cfg.files[path] = to
		}
	}
	return cfg, nil
}

// Import implements types.Importer. It reads export data of later releases than that which built
// parallax, which go/importer does not.
func (cfg *importConfig) Import(path string) (*types.Package, error) {
	if to, ok := cfg.paths[path]; ok {
		path = to
	}
	if path == "unsafe" {
		return types.Unsafe, nil
	}
	if p := cfg.loaded[path]; p != nil && p.Complete() {
		return p, nil
	}
	name, ok := cfg.files[path]
	if !ok {
		return nil, fmt.Errorf("no export data of %s", path)
	}
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	//lint:ignore SA1019 the compiler is given archives, up to Go 1.28 at least
	r, err := gcexportdata.NewReader(f)
	if err != nil {
		return nil, err
	}
	return gcexportdata.Read(r, cfg.fset, cfg.loaded, path)
}

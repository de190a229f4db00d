package change

import (
	"go/ast"
	"go/constant"
	"go/parser"
	"go/token"
	"go/types"
	"path"
	"runtime"
	"strings"

	"parallax/cmd/internal/base/gosyntax"
)

// checked holds the types of a version. Packages that do not build have types as far as they can be
// determined.
type checked struct {
	tree     *Tree
	standard map[string]*types.Package // of the standard library, shared by both versions
	packages map[string]*types.Package
	infos    map[string]*types.Info
	whole    map[string]bool                  // packages with checked function bodies
	source   func(p *Package) (*source, bool) // packages that were parsed already
}

// check prepares the types of some packages of a version. Of their imports, only declarations are
// checked.
func (c *comparison) check(t *Tree, whole map[string]bool) *checked {
	if c.standard == nil {
		c.standard = map[string]*types.Package{}
	}
	return &checked{tree: t, standard: c.standard, packages: map[string]*types.Package{}, infos: map[string]*types.Info{}, whole: whole,
		source: func(p *Package) (*source, bool) { s, ok := c.sources[p]; return s, ok }}
}

// load determines the types of a package.
func (k *checked) load(name string) *types.Package {
	if name == "unsafe" {
		return types.Unsafe
	}
	pkg := k.tree.byPath[name]
	known := k.packages
	if pkg != nil && pkg.Standard {
		known = k.standard
	}
	if p, ok := known[name]; ok {
		return p
	}
	if pkg == nil {
		p := types.NewPackage(name, path.Base(name))
		p.MarkComplete()
		known[name] = p
		return p
	}
	known[name] = types.NewPackage(name, pkg.Name) // for import cycles
	fset := token.NewFileSet()
	var files []*ast.File
	if s, ok := k.source(pkg); ok {
		fset = s.fset
		for _, f := range s.files {
			files = append(files, f.ast)
		}
	} else {
		for _, file := range pkg.Files {
			if f, _ := gosyntax.ParseFile(fset, file, nil, parser.SkipObjectResolution); f != nil {
				files = append(files, f)
			}
		}
	}
	whole := k.whole[name]
	info := &types.Info{}
	if whole {
		info.Types = map[ast.Expr]types.TypeAndValue{}
		info.Uses = map[*ast.Ident]types.Object{}
		info.Selections = map[*ast.SelectorExpr]*types.Selection{}
	}
	config := types.Config{
		Importer:         importer(func(to string) *types.Package { return k.imported(pkg, to) }),
		IgnoreFuncBodies: !whole,
		FakeImportC:      true,
		Error:            func(error) {}, // errors are ignored
		Sizes:            types.SizesFor("gc", runtime.GOARCH),
	}
	p, _ := config.Check(name, fset, files, info)
	if p == nil {
		p = known[name]
		p.MarkComplete()
	}
	known[name] = p
	k.infos[name] = info
	return p
}

func (k *checked) imported(by *Package, to string) *types.Package {
	if actual, ok := by.ImportMap[to]; ok {
		to = actual
	}
	return k.load(to)
}

// importer is a types.Importer.
type importer func(path string) *types.Package

func (i importer) Import(path string) (*types.Package, error) { return i(path), nil }

// sameConstant reports whether a constant has the same type and value in both versions.
func (c *comparison) sameConstant(ref string) bool {
	if c.values[0] == nil {
		c.values = [2]*checked{c.check(c.old, nil), c.check(c.new, nil)}
	}
	dot := strings.LastIndex(ref, ".")
	key, name := ref[:dot], ref[dot+1:]
	for _, p := range c.pairs {
		if p.key != key || p.old == nil || p.new == nil {
			continue
		}
		was := name
		if p.a != nil {
			for old, to := range p.a.renamed {
				if to == ref {
					was = old[strings.LastIndex(old, ".")+1:]
				}
			}
		}
		old, ok := c.values[0].load(p.old.Path).Scope().Lookup(was).(*types.Const)
		new, both := c.values[1].load(p.new.Path).Scope().Lookup(name).(*types.Const)
		if !ok || !both || old.Val().Kind() == constant.Unknown || new.Val().Kind() == constant.Unknown {
			return false
		}
		return constant.Compare(old.Val(), token.EQL, new.Val()) && typeName(old.Type()) == typeName(new.Type())
	}
	return false
}

// typeName returns a type's name without package paths, which may differ between versions.
func typeName(t types.Type) string {
	return types.TypeString(t, func(*types.Package) string { return "" })
}

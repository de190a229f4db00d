package signature

import (
	"cmp"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"parallax/cmd/internal/gobuild/funcname"
	"parallax/cmd/internal/gobuild/gocommand"
)

// Index reads the signatures of functions of packages, without names of the user's to begin with.
type Index struct {
	graph  *gocommand.Graph
	making Making
	*loader
}

// Assessment is a function, and whether a target may be made of it.
type Assessment struct {
	*Function
	Problem *Problem // the reason why it cannot be fuzzed, or nil
}

// NewIndex makes an index of the packages of a graph, whose files have absolute names. making says
// which arguments are made.
func NewIndex(graph *gocommand.Graph, arch string, making Making) *Index {
	return &Index{graph, making, newLoader(graph, arch)}
}

// Exported lists what a package exports: its functions, then the methods that its types declare, by
// their names. Variables that hold functions are not listed, since many hold none, but Find finds
// them.
func (x *Index) Exported(p *gocommand.Package) (list []Assessment) {
	scope := x.load(p.ImportPath).Scope()
	var methods []Assessment
	for _, name := range scope.Names() {
		if !token.IsExported(name) {
			continue
		}
		switch obj := scope.Lookup(name).(type) {
		case *types.Func:
			list = append(list, x.candidate(&Function{Func: named(p, "", name), Package: p, Type: obj.Type().(*types.Signature)}))
		case *types.TypeName:
			t, ok := types.Unalias(obj.Type()).(*types.Named)
			if !ok || obj.IsAlias() || types.IsInterface(t) {
				continue
			}
			for i := range t.NumMethods() {
				m := t.Method(i)
				if !m.Exported() {
					continue
				}
				f := &Function{Func: named(p, name, m.Name()), Package: p, Type: m.Type().(*types.Signature), Receiver: t}
				if t.TypeParams().Len() > 0 {
					methods = append(methods, Assessment{f, &Problem{name + " is a generic type", "parallax calls methods of fixed types, so wrap an instantiation of it"}})
					continue
				}
				methods = append(methods, x.candidate(f))
			}
		}
	}
	slices.SortStableFunc(methods, func(a, b Assessment) int {
		return cmp.Or(strings.Compare(a.Func.Receiver, b.Func.Receiver), strings.Compare(a.Func.Name, b.Func.Name))
	})
	return append(list, methods...)
}

// Find finds a function, a method or a variable that holds a function in a package. A text says
// what is there instead.
func (x *Index) Find(p *gocommand.Package, f funcname.Func) (c Assessment, missing string) {
	fn := &Function{Func: f, Package: p}
	if missing := fn.lookup(x.load(p.ImportPath)); missing != "" {
		return Assessment{}, missing
	}
	return x.candidate(fn), ""
}

// Declared is the function as a block table names it: F, T.M or (*T).M.
func (c *Function) Declared() string { return c.FullName()[len(c.Package.ImportPath)+1:] }

func (x *Index) candidate(f *Function) Assessment {
	f.Making = x.making
	if f.unresolved() {
		return Assessment{f, &Problem{"its signature", "types of it do not resolve"}}
	}
	return Assessment{f, f.Read()}
}

// Unspread is a candidate whose variadic parameter is given nothing.
func (c Assessment) Unspread() Assessment {
	f := &Function{Func: c.Func, Name: c.Name, Package: c.Package, Type: c.Type, Variable: c.Variable, Inside: c.Inside, Receiver: c.Receiver, Making: MakeAll}
	return Assessment{f, f.Read()}
}

// named is a function as the user would write it.
func named(p *gocommand.Package, receiver, name string) funcname.Func {
	f := funcname.Func{Package: p.ImportPath, Receiver: receiver, Name: name}
	f.Written = p.ImportPath + "." + name
	if receiver != "" {
		f.Written = p.ImportPath + "." + receiver + "." + name
	}
	return f
}

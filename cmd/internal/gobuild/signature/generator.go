package signature

import (
	"fmt"
	"go/types"
	"reflect"
	"strings"

	"parallax/cmd/internal/base/exit"
	"parallax/cmd/internal/gobuild/funcname"
	"parallax/cmd/internal/gobuild/gocommand"
	"parallax/cmd/internal/gobuild/library"
	"parallax/internal/input"
)

// Generator is a generator of the user that draws inputs: a func(t *gen.T) with results, a gen.Gen,
// or a function without parameters that returns one.
type Generator struct {
	Func    funcname.Func
	Package *gocommand.Package
	Library string       // import path of the library's copy that it draws with
	Draws   []types.Type // what it draws
}

// GeneratorTypes say what a generator may be.
const GeneratorTypes = "a func(t *gen.T) that returns what the programs take, a variable of type gen.Gen, or a function without parameters that returns one (parallax help generators)"

// Generator finds a generator.
func (x *Finder) Generator(f funcname.Func) (*Generator, error) {
	l, env := x.loader, x.env
	p := l.graph.Written(f.Package)
	if err := x.check(f, p); err != nil {
		return nil, exit.Usage("--generator %w", err)
	}
	g := &Generator{Func: f, Package: p}
	c := &Function{Func: f, Package: p}
	scope := l.load(p.ImportPath).Scope()
	obj := scope.Lookup(f.Name)
	if f.Receiver != "" {
		return nil, exit.Usage("--generator %s is a method: name %s", f.Written, GeneratorTypes)
	}
	switch obj := obj.(type) {
	case *types.Func:
		c.Type = obj.Type().(*types.Signature)
	case *types.Var:
		if g.drawnBy(obj.Type()) {
			return g, nil
		}
		if sig, ok := obj.Type().Underlying().(*types.Signature); ok {
			c.Type = sig
			break
		}
		if obj.Type() == types.Typ[types.Invalid] {
			return nil, exit.Build("--generator %s does not build: its type does not resolve; go build %s says why", f.Written, p.ImportPath)
		}
		return nil, exit.Usage("--generator %s is a variable of type %s: name %s", f.Written, c.Text(obj.Type()), GeneratorTypes)
	case nil:
		if p.Error != nil {
			return nil, exit.Build("--generator %s does not build: %s", f.Written, p.Error)
		}
		return nil, exit.Usage("--generator %s: package %s has no function or variable %s%s", f.Written, p.ImportPath, f.Name, similar(f.Name, append(functions(scope), variables(scope)...)))
	default:
		return nil, exit.Usage("--generator %s is a %s: name %s", f.Written, kindOf(obj), GeneratorTypes)
	}
	if c.unresolved() {
		return nil, explainUnresolved(env, l.graph, &Function{Func: f, Name: f.Written, Package: p, Type: c.Type})
	}
	sig := c.Type
	switch params, results := sig.Params(), sig.Results(); {
	case sig.TypeParams().Len() > 0 || sig.Variadic():
	case params.Len() == 0 && results.Len() == 1 && g.drawnBy(results.At(0).Type()):
		return g, nil
	case params.Len() == 1 && results.Len() > 0 && g.drawsFrom(params.At(0).Type()):
		for i := range results.Len() {
			g.Draws = append(g.Draws, results.At(i).Type())
		}
		return g, nil
	}
	return nil, exit.Usage("--generator %s is a %s: it must be %s", f.Written, c.Signature(), GeneratorTypes)
}

// drawnBy reports whether a type is gen.Gen, and notes what it draws.
func (g *Generator) drawnBy(t types.Type) bool {
	named, ok := types.Unalias(t).(*types.Named)
	if !ok || named.TypeArgs().Len() != 1 || !g.ofLibrary(named, "Gen") {
		return false
	}
	g.Draws = []types.Type{named.TypeArgs().At(0)}
	return true
}

// drawsFrom reports whether a type is *gen.T.
func (g *Generator) drawsFrom(t types.Type) bool {
	p, ok := types.Unalias(t).(*types.Pointer)
	if !ok {
		return false
	}
	named, ok := types.Unalias(p.Elem()).(*types.Named)
	return ok && g.ofLibrary(named, "T")
}

func (g *Generator) ofLibrary(named *types.Named, name string) bool {
	obj := named.Obj()
	if obj.Name() != name || obj.Pkg() == nil {
		return false
	}
	root, ok := library.Root(obj.Pkg().Path())
	if !ok || obj.Pkg().Path() != root+"/"+library.Gen {
		return false
	}
	g.Library = root
	return true
}

// Flat reports whether what it draws makes inputs of the shape.
func (g *Generator) Flat(shape input.Shape) bool {
	if len(shape) != len(g.Draws) {
		return false
	}
	for i, t := range g.Draws {
		k, ok := KindOf(t)
		if _, iface := t.Underlying().(*types.Interface); iface || !ok || k != shape[i] && !(TextLike(k) && TextLike(shape[i])) {
			return false
		}
	}
	return true
}

// Derivable returns the parameter types of functions that take structs, which gen.Of can draw. All
// functions must take values of the same types. Nil means that no generator can be derived.
func Derivable(calls []*Function) (draws []types.Type) {
	first := calls[0]
	params := first.Type.Params()
	n := params.Len()
	if first.Type.Variadic() {
		n--
	}
	structs := false
	for i := range n {
		t := params.At(i).Type()
		if i > 0 && i == n-1 && emptyInterface(t) {
			break // where a decoded value goes
		}
		has, ok := drawable(t, map[types.Type]bool{})
		if !ok || !first.nameableIn(t) {
			return nil
		}
		structs = structs || has
		draws = append(draws, t)
	}
	if !structs {
		return nil
	}
	return draws
}

// drawable reports whether gen.Of draws values of a type, and whether there is a struct with fields
// to draw in it.
func drawable(t types.Type, seen map[types.Type]bool) (structs, ok bool) {
	t = types.Unalias(t)
	if seen[t] {
		return false, true
	}
	seen[t] = true
	if named, is := t.(*types.Named); is && named.Obj().Pkg() != nil && named.Obj().Pkg().Path() == "time" && named.Obj().Name() == "Time" {
		return false, true
	}
	switch u := t.Underlying().(type) {
	case *types.Basic:
		return false, u.Kind() != types.UnsafePointer && u.Kind() != types.Invalid
	case *types.Pointer:
		return drawable(u.Elem(), seen)
	case *types.Slice:
		return drawable(u.Elem(), seen)
	case *types.Array:
		return drawable(u.Elem(), seen)
	case *types.Map:
		_, keys := drawable(u.Key(), seen)
		structs, ok = drawable(u.Elem(), seen)
		return structs, keys && ok
	case *types.Struct:
		exported := 0
		for i := range u.NumFields() {
			f := u.Field(i)
			if !f.Exported() || strings.HasPrefix(reflect.StructTag(u.Tag(i)).Get("gen"), "-") {
				continue
			}
			if _, ok := drawable(f.Type(), seen); !ok {
				return false, false
			}
			exported++
		}
		return exported > 0, exported > 0
	}
	return false, false
}

// Text names what it draws.
func (g *Generator) Text() string {
	c := &Function{}
	text := ""
	for i, t := range g.Draws {
		if i > 0 {
			text += ", "
		}
		text += c.Text(t)
	}
	return text
}

// ReadDrawn derives what the function is given from what is drawn: each value as it is. The shape
// is that of a tape.
func (c *Function) ReadDrawn(draws []types.Type) *Problem {
	if c.Type.TypeParams().Len() > 0 {
		return &Problem{"it is generic", "parallax calls functions of fixed types, so wrap an instantiation of it"}
	}
	c.Shape, c.Args, c.Params, c.Values, c.Ending, c.Decodes, c.OfReceiver = nil, nil, nil, nil, NoVerdict, false, false
	c.readResults()
	params := c.Type.Params()
	n := params.Len()
	if c.Type.Variadic() {
		n-- // it is passed nothing
	}
	if n == len(draws)+1 && emptyInterface(params.At(n-1).Type()) && c.decodes() {
		c.Decodes = true
		n--
	}
	if n != len(draws) {
		return &Problem{fmt.Sprintf("it takes %d arguments", n), fmt.Sprintf("the generator draws %d", len(draws))}
	}
	for i, drawn := range draws {
		p := params.At(i)
		where := fmt.Sprintf("parameter %d (%s)", i+1, c.Text(p.Type()))
		if !types.AssignableTo(drawn, p.Type()) {
			return &Problem{where, fmt.Sprintf("the generator draws a %s", c.Text(drawn))}
		}
		if !c.nameableIn(p.Type()) {
			return &Problem{where, "its type cannot be named in another package"}
		}
		c.Args = append(c.Args, Arg{How: Drawn, Type: p.Type(), Input: i})
	}
	return nil
}

// nameableIn is Writable, for interfaces with names too.
func (c *Function) nameableIn(t types.Type) bool {
	if named, ok := types.Unalias(t).(*types.Named); ok {
		return named.Obj().Pkg() == nil || c.Nameable(named)
	}
	return c.Writable(t)
}

// variables are the names of the exported variables of a package.
func variables(scope *types.Scope) (names []string) {
	for _, name := range scope.Names() {
		if v, ok := scope.Lookup(name).(*types.Var); ok && v.Exported() {
			names = append(names, name)
		}
	}
	return names
}

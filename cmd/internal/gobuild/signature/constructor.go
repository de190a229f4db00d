package signature

import (
	"go/types"

	"parallax/cmd/internal/base/exit"
	"parallax/cmd/internal/gobuild/funcname"
)

// Constructor is a function that makes a value whose methods are called.
type Constructor struct {
	*Function
	Makes  types.Type
	Folder bool // it takes a folder of its own
	Fails  bool // it also returns an error
}

// Constructor reads the signature of a constructor.
func (c *Function) Constructor() (*Constructor, error) {
	results, params := c.Type.Results(), c.Type.Params()
	made := &Constructor{Function: c}
	wrong := func(why string) (*Constructor, error) {
		return nil, exit.Usage("%s %s: a constructor is a func() T, a func() (T, error) or, with a folder of its own, a func(dir string) T\n\tit is %s", c.Func.Written, why, c.Signature())
	}
	switch {
	case c.Receiver != nil:
		return wrong("is a method")
	case c.Type.TypeParams().Len() > 0:
		return wrong("has type parameters")
	case results.Len() == 0 || results.Len() > 2:
		return wrong("does not return one value")
	case results.Len() == 2 && !isError(results.At(1).Type()):
		return wrong("returns two values")
	}
	made.Makes, made.Fails = results.At(0).Type(), results.Len() == 2
	switch {
	case params.Len() == 1 && !c.Type.Variadic() && isString(params.At(0).Type()):
		made.Folder = true
	case params.Len() == 1 && c.Type.Variadic(): // options, which are omitted
	case params.Len() > 0:
		return wrong("takes arguments")
	}
	return made, nil
}

// Variable finds an exported variable or constant of type error.
func (x *Finder) Variable(f funcname.Func) (importPath string, err error) {
	p := x.graph.Written(f.Package)
	if p == nil {
		return "", exit.Usage("%s: there is no package %s", f.Written, f.Package)
	}
	obj := x.load(p.ImportPath).Scope().Lookup(f.Name)
	switch obj.(type) {
	case *types.Var, *types.Const:
		if types.Implements(obj.Type(), errorInterface) {
			return p.ImportPath, nil
		}
	}
	return "", exit.Usage("%s is no variable of type error: name the error by which the model says that it does not know an operation", f.Written)
}

func isError(t types.Type) bool { return types.Identical(t, types.Universe.Lookup("error").Type()) }
func isString(t types.Type) bool {
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Kind() == types.String
}

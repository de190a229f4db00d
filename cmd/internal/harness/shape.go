package harness

import (
	"bytes"
	"fmt"
	"go/types"
	"strings"

	"parallax/cmd/internal/funcname"
	"parallax/cmd/internal/gocommand"
	"parallax/internal/input"
)

// ending says how a program's last result decides whether the input was accepted.
type ending uint8

const (
	noVerdict  ending = iota // neither error nor bool: accepted unless it panics
	errorLast                // of type error, or an interface that implements it
	pointerErr               // a pointer type that implements error: nil must be tested before it becomes an error
	boolLast
)

// callable is a function under test with its signature read.
type callable struct {
	fn       funcname.Func
	name     string // of the program
	pkg      *gocommand.Package
	sig      *types.Signature
	variable bool // Receiver is a package-level variable, not a type
	inside   bool // the harness is in the function's own package

	shape      input.Shape
	params     []types.Type // one for each kind of shape
	decodes    bool         // a last parameter of type any, which takes a pointer to where the value goes
	ending     ending
	values     []types.Type // results before the verdict
	ofReceiver bool         // the receiver after the call is the value
	receiver   types.Type
}

// problem is why a signature cannot be fuzzed.
type problem struct {
	where string // "parameter 1 (r io.Reader)"
	why   string
}

// lookup finds the function in the package; a non-nil problem text says what is there instead.
func (c *callable) lookup(pkg *types.Package) (missing string) {
	scope := pkg.Scope()
	if c.fn.Receiver == "" {
		obj := scope.Lookup(c.fn.Name)
		switch obj := obj.(type) {
		case *types.Func:
			c.sig = obj.Type().(*types.Signature)
		case *types.Var:
			sig, ok := obj.Type().Underlying().(*types.Signature)
			if !ok {
				return fmt.Sprintf("%s is a variable of type %s, not a function", c.fn.Name, c.text(obj.Type()))
			}
			c.sig = sig
		case nil:
			return fmt.Sprintf("package %s has no function %s%s", c.pkg.ImportPath, c.fn.Name, similar(c.fn.Name, functions(scope)))
		default:
			return fmt.Sprintf("%s is a %s, not a function", c.fn.Name, kindOf(obj))
		}
		return ""
	}
	obj := scope.Lookup(c.fn.Receiver)
	var recv types.Type
	switch obj := obj.(type) {
	case *types.TypeName:
		recv = types.Unalias(obj.Type())
		if named, ok := recv.(*types.Named); ok && named.TypeParams().Len() > 0 && named.TypeArgs().Len() == 0 {
			return fmt.Sprintf("%s is a generic type: name a method of an instantiated type, or a function that wraps it", c.fn.Receiver)
		}
		if types.IsInterface(recv) {
			return fmt.Sprintf("%s is an interface, whose zero value has no methods: name a concrete type, or a function that wraps it", c.fn.Receiver)
		}
	case *types.Var:
		recv, c.variable = obj.Type(), true
	case nil:
		return fmt.Sprintf("package %s has no type %s%s", c.pkg.ImportPath, c.fn.Receiver, similar(c.fn.Receiver, typeNames(scope)))
	default:
		return fmt.Sprintf("%s is a %s, not a type", c.fn.Receiver, kindOf(obj))
	}
	c.receiver = recv
	method, _, _ := types.LookupFieldOrMethod(recv, true, pkg, c.fn.Name)
	fn, ok := method.(*types.Func)
	if !ok {
		return fmt.Sprintf("%s has no method %s%s", c.fn.Receiver, c.fn.Name, similar(c.fn.Name, methods(recv)))
	}
	c.sig = fn.Type().(*types.Signature)
	return ""
}

// read derives the shape and the outcome from the signature.
func (c *callable) read() *problem {
	if c.sig.TypeParams().Len() > 0 {
		return &problem{"it is generic", "parallax calls functions of fixed types, so wrap an instantiation of it"}
	}
	c.readResults()
	params := c.sig.Params()
	n := params.Len()
	if c.sig.Variadic() {
		n-- // a trailing variadic parameter is passed nothing
	}
	if n == 0 {
		return &problem{"it has no parameter", "there is nothing to fuzz"}
	}
	if last := params.At(n - 1); n > 1 && emptyInterface(last.Type()) && len(c.values) == 0 && c.ending != boolLast {
		c.decodes = true
		n--
	}
	for i := 0; i < n; i++ {
		p := params.At(i)
		kind, ok := kindOfType(p.Type())
		where := fmt.Sprintf("parameter %d (%s)", i+1, strings.TrimSpace(p.Name()+" "+c.text(p.Type())))
		if !ok {
			return &problem{where, "parallax makes values of []byte, string, bool, integers and floats only, and of named types over them"}
		}
		if named, ok := types.Unalias(p.Type()).(*types.Named); ok && !assignable(kind, named) && !c.nameable(named) {
			return &problem{where, "its type cannot be named in another package"}
		}
		c.shape = append(c.shape, kind)
		c.params = append(c.params, p.Type())
	}
	// Decoding into the receiver, as UnmarshalText does: it is the value.
	if _, pointer := recvPointer(c.sig); pointer && !c.variable && len(c.values) == 0 && !c.decodes {
		c.ofReceiver = true
	}
	return nil
}

// unresolved reports whether a type of the signature could not be found.
func (c *callable) unresolved() bool {
	for _, tuple := range []*types.Tuple{c.sig.Params(), c.sig.Results()} {
		for i := 0; i < tuple.Len(); i++ {
			if strings.Contains(types.TypeString(tuple.At(i).Type(), nil), types.Typ[types.Invalid].String()) {
				return true
			}
		}
	}
	return false
}

// readResults splits the results into values and verdict.
func (c *callable) readResults() {
	results := c.sig.Results()
	n := results.Len()
	if n > 0 {
		last := results.At(n - 1).Type()
		switch under := last.Underlying().(type) {
		case *types.Interface:
			if types.Implements(last, errorInterface) {
				c.ending = errorLast
			}
		case *types.Pointer:
			if types.Implements(last, errorInterface) {
				c.ending = pointerErr
			}
		case *types.Basic:
			if under.Kind() == types.Bool {
				c.ending = boolLast
			}
		}
		if c.ending != noVerdict {
			n--
		}
	}
	for i := 0; i < n; i++ {
		c.values = append(c.values, results.At(i).Type())
	}
}

var errorInterface = types.Universe.Lookup("error").Type().Underlying().(*types.Interface)

// compared returns the types of the values that a run gives.
func (c *callable) compared() []types.Type {
	switch {
	case c.decodes:
		return []types.Type{types.NewInterfaceType(nil, nil)}
	case c.ofReceiver:
		return []types.Type{c.receiver}
	}
	return c.values
}

// text writes a type as the package's own users would.
func (c *callable) text(t types.Type) string {
	return types.TypeString(t, func(p *types.Package) string { return p.Name() })
}

// signature writes the whole signature, with the package of a type by its name.
func (c *callable) signature() string {
	var b bytes.Buffer
	b.WriteString("func")
	if c.receiver != nil {
		star := ""
		if _, pointer := recvPointer(c.sig); pointer {
			star = "*"
		}
		fmt.Fprintf(&b, " (%s%s) %s", star, c.fn.Receiver, c.fn.Name)
	}
	types.WriteSignature(&b, c.sig, func(p *types.Package) string { return p.Name() })
	return b.String()
}

func recvPointer(sig *types.Signature) (types.Type, bool) {
	if sig.Recv() == nil {
		return nil, false
	}
	p, ok := types.Unalias(sig.Recv().Type()).(*types.Pointer)
	if !ok {
		return sig.Recv().Type(), false
	}
	return p.Elem(), true
}

// kindOfType returns the input kind of a parameter.
func kindOfType(t types.Type) (input.Kind, bool) {
	switch u := t.Underlying().(type) {
	case *types.Basic:
		if _, param := types.Unalias(t).(*types.TypeParam); param {
			return 0, false
		}
		return input.ParseKind(types.Typ[u.Kind()].Name())
	case *types.Slice:
		if b, ok := types.Unalias(u.Elem()).(*types.Basic); ok && b.Kind() == types.Uint8 {
			return input.Bytes, true
		}
	}
	return 0, false
}

// assignable reports whether a value of the kind's own type can be passed without a conversion.
func assignable(kind input.Kind, named *types.Named) bool { return kind == input.Bytes }

// nameable reports whether the harness can write the type's name. It may import what the function's own package may be
// imported by.
func (c *callable) nameable(named *types.Named) bool {
	obj := named.Obj()
	if c.inside && obj.Pkg() != nil && obj.Pkg().Path() == c.pkg.ImportPath {
		return named.TypeArgs().Len() == 0 && obj.Parent() == obj.Pkg().Scope()
	}
	if obj.Pkg() == nil || obj.Pkg().Name() == "main" || named.TypeArgs().Len() > 0 {
		return false
	}
	if root, hidden := gocommand.InternalRoot(obj.Pkg().Path()); hidden {
		own, internal := gocommand.InternalRoot(c.pkg.ImportPath)
		if !internal || !gocommand.Within(own, root) {
			return false
		}
	}
	return obj.Exported() && obj.Parent() == obj.Pkg().Scope()
}

func emptyInterface(t types.Type) bool {
	i, ok := types.Unalias(t).(*types.Interface)
	return ok && i.NumMethods() == 0 && i.NumEmbeddeds() == 0
}

// stringLike reports whether the kind is []byte or string, which stand for each other.
func stringLike(k input.Kind) bool { return k == input.Bytes || k == input.String }

// sameShape reports whether the programs can be given the same inputs.
func sameShape(a, b input.Shape) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if a[i] != b[i] && !(stringLike(a[i]) && stringLike(b[i])) {
			return false
		}
	}
	return true
}

// comparableTypes decides whether values of the two types mean the same thing when they are equal: identical types, or trees
// of basic kinds of the same form.
func comparableTypes(a, b types.Type) bool {
	return types.Identical(a, b) || sameTree(a, b, 0)
}

// sameTree compares the forms of two trees of basic kinds. Depth bounds recursive types.
func sameTree(a, b types.Type, depth int) bool {
	if depth > 20 {
		return false
	}
	fa, ea := form(a)
	fb, eb := form(b)
	switch {
	case fa == "" || fb == "":
		return false
	case fa == "any" && fb == "any":
		return true
	case fa == "any":
		return basicTree(b, depth)
	case fb == "any":
		return basicTree(a, depth)
	case fa != fb || len(ea) != len(eb):
		return false
	}
	for i := range ea {
		if !sameTree(ea[i], eb[i], depth+1) {
			return false
		}
	}
	return true
}

func basicTree(t types.Type, depth int) bool { return sameTree(t, t, depth+1) }

// form names the class that the judge puts values of a type in, and the types of the parts. Empty: no tree, as structs are
// known by their type's name.
func form(t types.Type) (class string, parts []types.Type) {
	switch u := t.Underlying().(type) {
	case *types.Basic:
		switch info := u.Info(); {
		case u.Kind() == types.UnsafePointer || u.Kind() == types.Invalid:
			return "", nil
		case info&types.IsBoolean != 0:
			return "bool", nil
		case info&types.IsInteger != 0:
			return "integer", nil
		case info&types.IsFloat != 0:
			return "float", nil
		case info&types.IsComplex != 0:
			return "complex", nil
		case info&types.IsString != 0:
			return "text", nil
		}
	case *types.Slice:
		if b, ok := u.Elem().Underlying().(*types.Basic); ok && b.Kind() == types.Uint8 {
			return "text", nil
		}
		return "list", []types.Type{u.Elem()}
	case *types.Array:
		if b, ok := u.Elem().Underlying().(*types.Basic); ok && b.Kind() == types.Uint8 {
			return "text", nil
		}
		return "list", []types.Type{u.Elem()}
	case *types.Map:
		return "map", []types.Type{u.Key(), u.Elem()}
	case *types.Pointer:
		return "pointer", []types.Type{u.Elem()}
	case *types.Interface:
		if emptyInterface(t) {
			return "any", nil
		}
	}
	return "", nil
}

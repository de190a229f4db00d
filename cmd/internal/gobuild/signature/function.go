// Package signature reads the signatures of functions under test from source. It decides which
// inputs a function takes, what its results say about an input, and whether functions are
// comparable.
//
// Code that writes calls of functions uses it: packages gobuild, codegen and scaffold. A Finder
// finds functions (find.go). A Function is one of them: its arguments (made.go), and its verdict,
// values and errors (verdict.go). Agree finds the shape and the comparison that several functions
// share.
//
// Invariants: the package compiles nothing, and tolerates type errors. A declaration that does not
// resolve has an invalid type, and the compiler reports the reason later. Decisions depend only on
// the source, so they repeat.
package signature

import (
	"bytes"
	"fmt"
	"go/types"
	"slices"
	"strings"

	"parallax/cmd/internal/gobuild/funcname"
	"parallax/cmd/internal/gobuild/gocommand"
	"parallax/internal/input"
)

// Ending says how a program's last result decides whether the input was accepted.
type Ending uint8

// The endings. A function with NoVerdict returns neither error nor bool, so that an input is
// accepted unless it panics.
const (
	NoVerdict    Ending = iota
	ErrorLast           // of type error, or an interface that implements it
	PointerError        // a pointer type that implements error: nil must be tested before it becomes an error
	BoolLast
)

// Function is a function under test with its signature read.
type Function struct {
	Func     funcname.Func
	Name     string // of the program
	Package  *gocommand.Package
	Type     *types.Signature
	Variable bool // Receiver is a package-level variable, not a type
	Inside   bool // the harness is in the function's own package

	Making     Making
	Shape      input.Shape
	Args       []Arg        // of the call
	Params     []types.Type // one for each kind of shape, where no argument is made
	Decodes    bool         // a last parameter of type any, which takes a pointer to where a value goes
	Ending     Ending
	Values     []types.Type // results before the verdict
	OfReceiver bool         // the receiver after the call is the value
	Receiver   types.Type
}

// lookup finds the function in the package; a non-nil problem text says what is there instead.
func (c *Function) lookup(pkg *types.Package) (missing string) {
	scope := pkg.Scope()
	if c.Func.Receiver == "" {
		obj := scope.Lookup(c.Func.Name)
		switch obj := obj.(type) {
		case *types.Func:
			c.Type = obj.Type().(*types.Signature)
		case *types.Var:
			sig, ok := obj.Type().Underlying().(*types.Signature)
			if !ok {
				return fmt.Sprintf("%s is a variable of type %s, not a function", c.Func.Name, c.Text(obj.Type()))
			}
			c.Type = sig
		case nil:
			return fmt.Sprintf("package %s has no function %s%s", c.Package.ImportPath, c.Func.Name, similar(c.Func.Name, functions(scope)))
		default:
			return fmt.Sprintf("%s is a %s, not a function", c.Func.Name, kindOf(obj))
		}
		return ""
	}
	obj := scope.Lookup(c.Func.Receiver)
	var recv types.Type
	switch obj := obj.(type) {
	case *types.TypeName:
		recv = types.Unalias(obj.Type())
		if named, ok := recv.(*types.Named); ok && named.TypeParams().Len() > 0 && named.TypeArgs().Len() == 0 {
			return fmt.Sprintf("%s is a generic type: name a method of an instantiated type, or a function that wraps it", c.Func.Receiver)
		}
		if types.IsInterface(recv) {
			return fmt.Sprintf("%s is an interface, whose zero value has no methods: name a concrete type, or a function that wraps it", c.Func.Receiver)
		}
	case *types.Var:
		recv, c.Variable = obj.Type(), true
	case nil:
		return fmt.Sprintf("package %s has no type %s%s", c.Package.ImportPath, c.Func.Receiver, similar(c.Func.Receiver, typeNames(scope)))
	default:
		return fmt.Sprintf("%s is a %s, not a type", c.Func.Receiver, kindOf(obj))
	}
	c.Receiver = recv
	method, _, _ := types.LookupFieldOrMethod(recv, true, pkg, c.Func.Name)
	fn, ok := method.(*types.Func)
	if !ok {
		return fmt.Sprintf("%s has no method %s%s", c.Func.Receiver, c.Func.Name, similar(c.Func.Name, Methods(recv)))
	}
	c.Type = fn.Type().(*types.Signature)
	return ""
}

// Compared returns the types of the values that a run gives: what is decoded comes last.
func (c *Function) Compared() []types.Type {
	list := append(slices.Clone(c.Values), c.madeValues()...)
	switch {
	case c.Decodes:
		return append(list, types.NewInterfaceType(nil, nil))
	case c.OfReceiver:
		return []types.Type{c.Receiver}
	}
	return list
}

// Text writes a type as the package's own users would.
func (c *Function) Text(t types.Type) string { return typeText(t) }

func typeText(t types.Type) string {
	return types.TypeString(t, func(p *types.Package) string { return p.Name() })
}

// Signature writes the whole signature, with the package of a type by its name.
func (c *Function) Signature() string {
	var b bytes.Buffer
	b.WriteString("func")
	if c.Receiver != nil {
		star := ""
		if _, pointer := recvPointer(c.Type); pointer {
			star = "*"
		}
		fmt.Fprintf(&b, " (%s%s) %s", star, c.Func.Receiver, c.Func.Name)
	}
	types.WriteSignature(&b, c.Type, func(p *types.Package) string { return p.Name() })
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

// FullName names the function by its import path, whatever the user wrote.
func (c *Function) FullName() string {
	name := c.Func.Name
	if c.Func.Receiver != "" {
		name = c.Func.Receiver + "." + name
		if _, pointer := recvPointer(c.Type); pointer && !c.Variable {
			name = "(*" + c.Func.Receiver + ")." + c.Func.Name
		}
	}
	return c.Package.ImportPath + "." + name
}

// ValueText names the types of the program's values.
func (c *Function) ValueText() string {
	var names []string
	for _, t := range c.Compared() {
		names = append(names, c.Text(t))
	}
	if len(names) == 0 {
		return "none"
	}
	return strings.Join(names, ", ")
}

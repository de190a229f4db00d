package golang

import (
	"go/ast"
	"go/types"
)

// A class groups operand types by their treatment in recording.
type class uint8

const (
	noClass class = iota
	signedClass
	unsignedClass
	textClass      // strings
	arrayClass     // arrays of bytes
	parameterClass // type parameters: classified at run time
)

// The flags of a site, as in plxOp.
const (
	flagConstA = 1 << iota
	flagConstB
	flagSigned
)

// maxArray limits the length of recorded arrays.
const maxArray = 256

// An operandType describes an operand.
type operandType struct {
	class    class
	constant bool
	width    int // integers: bytes of their type
	length   int // of arrays
	typ      types.Type
}

// describe returns the type of an operand.
func (u *cmplogUnit) describe(e ast.Expr) operandType {
	tv, ok := u.info.Types[e]
	if !ok || tv.Type == nil || tv.IsType() {
		return operandType{}
	}
	d := u.describeType(tv.Type)
	d.constant = tv.Value != nil || d.class == arrayClass && u.constant(e)
	return d
}

func (u *cmplogUnit) describeType(t types.Type) operandType {
	d := operandType{typ: t}
	if _, ok := types.Unalias(t).(*types.TypeParam); ok {
		d.class = parameterClass
		return d
	}
	switch t := t.Underlying().(type) {
	case *types.Basic:
		switch info := t.Info(); {
		case t.Kind() == types.UntypedRune, t.Kind() == types.UntypedInt: // of constants only
		case info&types.IsString != 0:
			d.class = textClass
		case info&types.IsInteger != 0:
			d.class, d.width = signedClass, int(u.sizes.Sizeof(t))
			if info&types.IsUnsigned != 0 {
				d.class = unsignedClass
			}
		}
	case *types.Array:
		if isByte(t.Elem()) && 0 < t.Len() && t.Len() <= maxArray {
			d.class, d.length = arrayClass, int(t.Len())
		}
	}
	return d
}

func isByte(t types.Type) bool {
	b, ok := types.Unalias(t).(*types.Basic)
	return ok && b.Kind() == types.Uint8
}

func (d operandType) integer() bool { return d.class == signedClass || d.class == unsignedClass }

// letter returns the suffix of the names of functions for operands of this class.
func (d operandType) letter() string {
	switch d.class {
	case signedClass:
		return "I"
	case unsignedClass:
		return "U"
	}
	return "T"
}

// conversion returns the text around an operand that converts it to one of the support file's
// types. These have the largest size of the class. Comparisons have the same results, and names of
// types need not be visible.
func (d operandType) conversion() (before, after string) {
	switch d.class {
	case signedClass, unsignedClass, textClass:
		return "plx" + d.letter() + "(", ")"
	}
	return "", ""
}

func (d operandType) signed() uint8 {
	if d.class == signedClass {
		return flagSigned
	}
	return 0
}

// constant reports whether an expression is constant, or bytes that are written down in the source.
func (u *cmplogUnit) constant(e ast.Expr) bool {
	if u.info.Types[e].Value != nil {
		return true
	}
	switch e := e.(type) {
	case *ast.ParenExpr:
		return u.constant(e.X)
	case *ast.CallExpr: // []byte("...")
		return len(e.Args) == 1 && u.info.Types[e.Fun].IsType() && u.constant(e.Args[0])
	case *ast.CompositeLit:
		for _, v := range e.Elts {
			if kv, ok := v.(*ast.KeyValueExpr); ok {
				v = kv.Value
			}
			if !u.constant(v) {
				return false
			}
		}
		return true
	}
	return false
}

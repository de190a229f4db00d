package llvmir

import (
	"fmt"
	"strings"
)

// TypeKind is the family of a type.
type TypeKind uint8

// The kinds of types.
const (
	VoidType TypeKind = iota + 1
	IntType
	PtrType
	ArrayType
	StructType
	FloatType  // of any format: read, never computed with
	VectorType // read, never computed with
	OtherType  // label, metadata, token, opaque
)

// Type is a type of LLVM.
type Type struct {
	Kind   TypeKind
	Bits   int     // of an integer
	Len    int     // of an array or a vector
	Elem   *Type   // of an array or a vector
	Fields []*Type // of a struct
	Packed bool    // a struct without padding
	Name   string  // of a float format, or of another type without parts
	bytes  int     // of a float
}

// maxBits is the maximum width of LLVM's integers.
const maxBits = 1 << 23

var (
	voidType = &Type{Kind: VoidType}
	ptrType  = &Type{Kind: PtrType}
	boolType = intType(1)
)

func intType(bits int) *Type { return &Type{Kind: IntType, Bits: bits} }

// floats maps the floating-point formats to their sizes on x86-64.
var floats = map[string]int{"half": 2, "bfloat": 2, "float": 4, "double": 8, "x86_fp80": 16, "fp128": 16, "ppc_fp128": 16}

// String returns the type in LLVM syntax.
func (t *Type) String() string {
	switch t.Kind {
	case VoidType:
		return "void"
	case IntType:
		return fmt.Sprint("i", t.Bits)
	case PtrType:
		return "ptr"
	case ArrayType:
		return fmt.Sprintf("[%d x %v]", t.Len, t.Elem)
	case VectorType:
		return fmt.Sprintf("<%d x %v>", t.Len, t.Elem)
	case StructType:
		var parts []string
		for _, f := range t.Fields {
			parts = append(parts, f.String())
		}
		text := "{ " + strings.Join(parts, ", ") + " }"
		if t.Packed {
			return "<" + text + ">"
		}
		return text
	}
	return t.Name
}

// Same reports whether two types are one.
func (t *Type) Same(o *Type) bool { return t == o || t.String() == o.String() }

// Align returns the type's alignment on x86-64.
func (t *Type) Align() int {
	switch t.Kind {
	case IntType:
		a := 1
		for a < 16 && a*8 < t.Bits {
			a *= 2
		}
		return a
	case PtrType:
		return 8
	case ArrayType:
		return t.Elem.Align()
	case StructType:
		a := 1
		if !t.Packed {
			for _, f := range t.Fields {
				a = max(a, f.Align())
			}
		}
		return a
	case FloatType:
		return t.bytes
	case VectorType:
		return min(64, t.Size())
	}
	return 1
}

// Size returns the distance in bytes between two elements of an array of the type.
func (t *Type) Size() int {
	switch t.Kind {
	case IntType:
		return roundUp((t.Bits+7)/8, t.Align())
	case PtrType:
		return 8
	case ArrayType:
		return times(t.Len, t.Elem.Size())
	case StructType:
		if len(t.Fields) == 0 {
			return 0
		}
		last := len(t.Fields) - 1
		return roundUp(t.Offset(last)+t.Fields[last].Size(), t.Align())
	case FloatType:
		return t.bytes
	case VectorType:
		n := 1
		for n < (t.Len*t.Elem.width()+7)/8 {
			n *= 2
		}
		return n
	}
	return 0
}

// Offset returns the offset of field i of a struct, in bytes.
func (t *Type) Offset(i int) int {
	at := 0
	for j, f := range t.Fields {
		if !t.Packed {
			at = roundUp(at, f.Align())
		}
		if j == i {
			break
		}
		at += f.Size()
	}
	return at
}

// times returns a product, or a number that exceeds all limits.
func times(a, b int) int {
	const huge = 1 << 40
	if b != 0 && a > huge/b {
		return huge
	}
	return a * b
}

func roundUp(n, to int) int { return (n + to - 1) / to * to }

// width returns the number of bits of a scalar: an integer's, or 64 for a pointer.
func (t *Type) width() int {
	switch t.Kind {
	case IntType:
		return t.Bits
	case PtrType:
		return 64
	case FloatType:
		return t.bytes * 8
	}
	return 0
}

// scalar reports whether a value of the type is one number.
func (t *Type) scalar() bool { return t.Kind == IntType || t.Kind == PtrType }

// leaf is a scalar within a type, and its offset.
type leaf struct {
	offset int
	typ    *Type
}

// leaves returns the scalars of a type in order. Registers hold aggregates in this form.
func (t *Type) leaves() []leaf { return t.appendLeaves(nil, 0) }

func (t *Type) appendLeaves(to []leaf, at int) []leaf {
	switch t.Kind {
	case VoidType:
	case ArrayType:
		for i := range t.Len {
			to = t.Elem.appendLeaves(to, at+i*t.Elem.Size())
		}
	case StructType:
		for i, f := range t.Fields {
			to = f.appendLeaves(to, at+t.Offset(i))
		}
	default:
		to = append(to, leaf{at, t})
	}
	return to
}

// countLeaves returns the number of leaves, without listing them.
func (t *Type) countLeaves() int {
	switch t.Kind {
	case VoidType:
		return 0
	case ArrayType:
		return times(t.Len, t.Elem.countLeaves())
	case StructType:
		n := 0
		for _, f := range t.Fields {
			n += f.countLeaves()
		}
		return n
	}
	return 1
}

// widest returns the width of the widest scalar in a type.
func (t *Type) widest() int {
	n := t.width()
	if t.Elem != nil {
		n = max(n, t.Elem.widest())
	}
	for _, f := range t.Fields {
		n = max(n, f.widest())
	}
	return n
}

// maxLeaves limits the scalars of a register.
const maxLeaves = 64

// part returns the type at the indices of extractvalue and insertvalue, and the number of leaves
// before it.
func (t *Type) part(indices []int) (part *Type, before int, err error) {
	part = t
	for _, i := range indices {
		switch {
		case part.Kind == ArrayType && i >= 0 && i < part.Len:
			before += i * part.Elem.countLeaves()
			part = part.Elem
		case part.Kind == StructType && i >= 0 && i < len(part.Fields):
			for _, f := range part.Fields[:i] {
				before += f.countLeaves()
			}
			part = part.Fields[i]
		default:
			return nil, 0, fmt.Errorf("%v has no part %d", part, i)
		}
	}
	return part, before, nil
}

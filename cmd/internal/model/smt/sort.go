package smt

import (
	"fmt"
	"strings"
	"sync"
)

// Kind is the family of a sort.
type Kind uint8

// The kinds of sorts.
const (
	BoolKind Kind = iota + 1
	IntKind
	BitVecKind
	ArrayKind
	StringKind
	RegLanKind
)

// MaxWidth limits the width of bit vectors. Solvers accept wider ones, but models of functions do
// not use them.
const MaxWidth = 1 << 20

// Sort is the type of a term. There is one Sort for each type, so that sorts are compared as
// pointers.
type Sort struct {
	Kind    Kind
	Width   int   // of a bit vector, in bits
	Index   *Sort // of an array
	Element *Sort // of an array
	depth   int   // of arrays within arrays
}

// The sorts without parameters.
var (
	Bool   = &Sort{Kind: BoolKind}
	Int    = &Sort{Kind: IntKind}
	String = &Sort{Kind: StringKind}
	RegLan = &Sort{Kind: RegLanKind}
)

// sorts holds the unique pointer for each sort with parameters. Sorts are immutable, so that
// contexts share them.
var sorts sync.Map // Sort to *Sort

// BitVec returns the sort of bit vectors of a width from 1 to MaxWidth.
func BitVec(width int) *Sort {
	if width < 1 || width > MaxWidth {
		panic(fmt.Sprintf("smt: no bit vector has %d bits", width))
	}
	return unique(Sort{Kind: BitVecKind, Width: width})
}

// ArrayOf returns the sort of arrays from one sort to another.
func ArrayOf(index, element *Sort) *Sort {
	return unique(Sort{Kind: ArrayKind, Index: index, Element: element, depth: 1 + max(index.depth, element.depth)})
}

func unique(s Sort) *Sort {
	if known, ok := sorts.Load(s); ok {
		return known.(*Sort)
	}
	known, _ := sorts.LoadOrStore(s, &s)
	return known.(*Sort)
}

// String returns the sort in SMT-LIB syntax.
func (s *Sort) String() string {
	var b strings.Builder
	s.write(&b)
	return b.String()
}

func (s *Sort) write(b *strings.Builder) {
	switch s.Kind {
	case BoolKind:
		b.WriteString("Bool")
	case IntKind:
		b.WriteString("Int")
	case StringKind:
		b.WriteString("String")
	case RegLanKind:
		b.WriteString("RegLan")
	case BitVecKind:
		fmt.Fprintf(b, "(_ BitVec %d)", s.Width)
	case ArrayKind:
		b.WriteString("(Array ")
		s.Index.write(b)
		b.WriteByte(' ')
		s.Element.write(b)
		b.WriteByte(')')
	}
}

// narrow reports whether values of the sort fit a word: truth values, and bit vectors of up to 64
// bits.
func (s *Sort) narrow() bool {
	return s.Kind == BoolKind || s.Kind == BitVecKind && s.Width <= 64
}

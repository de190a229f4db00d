package musl

import (
	"parallax/cmd/internal/model/llvmir"
	"parallax/cmd/internal/model/smt"
)

// NewSymbolic follows paths of a module that Link made. errno is the first buffer, and 0. Paths
// that allocate memory or end the program cannot be followed.
func NewSymbolic(m *llvmir.Module, ctx *smt.Context) *llvmir.Symbolic {
	s := llvmir.NewSymbolic(m, ctx)
	b := llvmir.Buffer{Name: "errno"}
	for range intLen {
		b.Bytes = append(b.Bytes, ctx.Bits(0, 8))
	}
	at := s.Buffer(b)
	s.Externals["___errno_location"], s.Externals["__errno_location"] = at, at
	s.Externals["__uflow"] = llvmir.Known(endOf)
	return s
}

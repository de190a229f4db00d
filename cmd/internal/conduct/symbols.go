package conduct

import (
	"strings"

	"parallax/cmd/internal/native"
)

// symbols turns addresses of call stacks into functions and lines.
type symbols struct{}

func newSymbols() *symbols { return &symbols{} }

// stack is what is known of the end of a process: the call stack, and what it wrote.
func (s *symbols) stack(e *native.End) string {
	return strings.TrimRight(e.Text, "\n")
}

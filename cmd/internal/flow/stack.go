package flow

import (
	"path"
	"strings"

	"parallax/internal/oracle"
)

// Functions on stacks.

// Line counts the line of a frame from the beginning of its function, which edits elsewhere do not
// change. Bodies of range-over-func loops and inlined closures have names of the compiler's own:
// their lines count from the top-level function around them.
func (s *Space) Line(program int, frame oracle.Frame) (int, bool) {
	f, ok := s.function(program, frame.Func)
	if !ok {
		f, ok = s.declaration(frame)
	}
	return frame.Line - f.Line, ok
}

// declaration returns the top-level function of a frame: in its package and file, the last that
// begins before its line.
func (s *Space) declaration(frame oracle.Frame) (f named, ok bool) {
	if s == nil {
		return f, false
	}
	function := oracle.Unescape(frame.Func)
	s.All(func(t *Table, first int, owners []int) {
		if !strings.HasPrefix(function, t.Package+".") {
			return
		}
		for _, g := range t.Funcs {
			if path.Base(g.File) == path.Base(frame.File) && f.Line < g.Line && g.Line <= frame.Line && !strings.Contains(g.Name, ".func") {
				f, ok = named{g, first + g.First, owners}, true
			}
		}
	})
	return f, ok
}

// Begins returns the first line of a function on a stack, or 0 if it is unknown.
func (s *Space) Begins(function string) int {
	f, _ := s.function(0, function)
	return f.Line
}

// helperBlocks is the maximum size of a function through which others report.
const helperBlocks = 4

// Helper reports whether a function on a program's stack is so small that it reports its caller's
// failure: must, check, assert.
func (s *Space) Helper(program int, function string) bool {
	f, ok := s.function(program, function)
	return ok && f.Count <= helperBlocks
}

// Inner returns the frames of dependencies in which a program crashed, innermost first. It returns
// none if the tested code crashed. It also returns none if the calling line was changed, since the
// change is the cause then.
func (s *Space) Inner(program int, c oracle.Crash) []oracle.Frame {
	if caller, ok := c.Caller(s.Code); ok && s.ChangedAt(program, caller.Func, caller.Line) {
		return nil
	}
	return c.Inner(s.Code)
}

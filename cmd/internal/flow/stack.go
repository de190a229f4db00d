package flow

import (
	"fmt"
	"path"
	"slices"
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

// Has reports whether a program has a function with a name on its stack.
func (s *Space) Has(program int, function string) bool {
	f, ok := s.function(program, function)
	return ok && slices.Contains(f.owners, program)
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

// Lines returns the lines in the functions that identify a crash. If a dependency panics by itself,
// the line of its caller is among them.
func (s *Space) Lines(program int, c oracle.Crash) string {
	inner := s.Inner(program, c)
	if len(inner) == 0 || c.Overflow() {
		return s.lines(program, c, c.Tops(s.Code, maxHelpers+1))
	}
	text := s.lines(program, c, inner[:min(len(inner), maxHelpers+1)])
	if caller, ok := c.Caller(s.Code); ok && c.Reported() {
		text += s.lines(program, c, []oracle.Frame{caller})
	}
	return text
}

// lines returns the line of the innermost frame, and those of its callers as long as it is a helper
// that reports their failure.
func (s *Space) lines(program int, c oracle.Crash, frames []oracle.Frame) string {
	text := ""
	for _, f := range frames {
		n, ok := s.Line(program, f)
		if !ok {
			break
		}
		text += fmt.Sprintf(" +%d", n)
		if !c.Reported() || !s.Helper(program, f.Func) {
			break
		}
	}
	return text
}

// maxHelpers bounds the helpers through which a failure is followed to its caller.
const maxHelpers = 2

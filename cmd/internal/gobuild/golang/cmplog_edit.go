package golang

import (
	"cmp"
	"fmt"
	"go/token"
	"slices"
)

// A replacement replaces some bytes of a file, often none, by text. At one place, the text of an
// outer expression encloses the texts of inner ones.
type replacement struct {
	offset int
	remove int
	// nesting order of sites: positive for text before an expression, negative for text after one
	nest int
	text string
}

// An editor makes the edits of one site.
type editor struct {
	u    *cmplogUnit
	file *file
	nest int
}

func (e editor) add(at token.Pos, remove, nest int, format string, args ...any) {
	e.u.edits[e.file] = append(e.u.edits[e.file], replacement{e.file.offset(at), remove, nest, fmt.Sprintf(format, args...)})
}

// open inserts text before a position, separated from a keyword that may precede it.
func (e editor) open(at token.Pos, format string, args ...any) {
	e.add(at, 0, e.nest, " "+format, args...)
}

// close inserts text after a position.
func (e editor) close(at token.Pos, format string, args ...any) {
	e.add(at, 0, -e.nest, format, args...)
}

// replace replaces a token of the given length by text.
func (e editor) replace(at token.Pos, length int, text string) { e.add(at, length, e.nest, "%s", text) }

// rewrite returns the text of a file with its edits, on the same lines under a header that keeps
// the file's name.
func (u *cmplogUnit) rewrite(f *file) []byte {
	edits := slices.Clone(u.edits[f])
	slices.SortStableFunc(edits, func(a, b replacement) int {
		return cmp.Or(a.offset-b.offset, a.nest-b.nest)
	})
	out := fmt.Appendf(nil, "//line %s:1:1\n", f.path)
	last := 0
	for _, e := range edits {
		out = append(append(out, f.text[last:e.offset]...), e.text...)
		last = e.offset + e.remove
	}
	return append(out, f.text[last:]...)
}

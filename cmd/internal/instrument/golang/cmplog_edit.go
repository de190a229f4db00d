package golang

import (
	"cmp"
	"fmt"
	"go/token"
	"slices"
)

// A replacement puts text in the place of some bytes of a file, often none. What a site inserts before an expression
// stands outside of what the sites within that expression insert at the same place, and what it inserts after it likewise.
type replacement struct {
	offset int
	remove int
	nest   int // sites in source order: positive for text before an expression, negative for text after one
	text   string
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

// open inserts text before what begins at a position, apart from a keyword that may touch it.
func (e editor) open(at token.Pos, format string, args ...any) {
	e.add(at, 0, e.nest, " "+format, args...)
}

// close inserts text after what ends at a position.
func (e editor) close(at token.Pos, format string, args ...any) {
	e.add(at, 0, -e.nest, format, args...)
}

// replace puts text in the place of a token of the given length.
func (e editor) replace(at token.Pos, length int, text string) { e.add(at, length, e.nest, "%s", text) }

// rewrite returns the text of a file with its edits, on the same lines under a header that keeps the file's name.
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

package causes

import (
	"bytes"
	"maps"
	"slices"
	"strings"

	"parallax/cmd/internal/base/myers"
	"parallax/internal/input"
)

// Deletions collects the bytes that neighbors of an input lack.
type Deletions struct {
	shape input.Shape
	flat  []byte
	kinds map[string]bool
	bytes map[string]bool // single deleted bytes, in lower case
}

// NewDeletions returns an empty set for an input.
func NewDeletions(shape input.Shape, flat []byte) *Deletions {
	return &Deletions{shape: shape, flat: flat, kinds: map[string]bool{}, bytes: map[string]bool{}}
}

// Add adds the bytes that a neighbor lacks.
func (d *Deletions) Add(neighbor []byte) {
	if taken, ok := d.deleted(neighbor); ok && taken != "" {
		d.kinds[Kind(taken)] = true
		if len(taken) == 1 {
			d.bytes[strings.ToLower(taken)] = true
		}
	}
}

// Kinds returns the kinds of the deleted pieces, sorted.
func (d *Deletions) Kinds() []string { return slices.Sorted(maps.Keys(d.kinds)) }

// Bytes returns the bytes that were deleted alone, in lower case, sorted.
func (d *Deletions) Bytes() []string { return slices.Sorted(maps.Keys(d.bytes)) }

// Alien returns the kind of bytes without which all programs accept, if only one kind is, and if
// these are control characters or not ASCII. Texts need no such bytes, so that the places where
// they are do not matter. Blanks and line ends structure texts.
func (d *Deletions) Alien() string {
	kinds := minimalKinds(d.Kinds())
	if len(d.bytes) == 0 || len(kinds) != 1 || kinds[0] != "^" && kinds[0] != "u" && kinds[0] != "\x00" {
		return ""
	}
	return kinds[0]
}

// deleted returns the bytes that a neighbor lacks in one place of one argument. It reports false if
// the two differ in more arguments, or not at all.
func (d *Deletions) deleted(neighbor []byte) (taken string, ok bool) {
	a, b := d.shape.Spans(nil, d.flat), d.shape.Spans(nil, neighbor)
	for i := range a {
		x, y := d.flat[a[i].Start:a[i].End], neighbor[b[i].Start:b[i].End]
		if bytes.Equal(x, y) {
			continue
		}
		if ok {
			return "", false
		}
		before, after := myers.Ends(x, y)
		taken, ok = string(x[before:len(x)-after]), true
	}
	return taken, ok
}

package genxml

import (
	"strings"

	"parallax/gen"
)

// Part is a part of an element's contents, as a schema says: an element, or a group of parts in an
// order.
type Part struct {
	Name     string   // of an element; empty means a group of parts
	Element  *Element // what is in it
	Order    Order    // of a group
	Parts    []*Part
	Min, Max int // number of occurrences; Max below 0: unbounded
}

// Order is the order of the parts of a group.
type Order int

const (
	Sequence Order = iota // one after the other
	Choice                // one of them
	All                   // in any order
)

// cut is the level of elements from which on there is nothing but what must be there, and twice as
// deep not even that.
const cut = 6

// part draws a part a permitted number of times.
func (d *documents) part(t *gen.T, p *Part, depth int) string {
	var b strings.Builder
	for n := times(t, p, depth); n > 0; n-- {
		b.WriteString(d.once(t, p, depth))
	}
	return b.String()
}

// times draws how often: an optional part is mostly left out, so that elements with many of them
// stay short.
func times(t *gen.T, p *Part, depth int) int {
	n := p.Min
	switch {
	case depth >= 2*cut:
		return 0
	case depth >= cut:
	case p.Max < 0:
		n += t.Count("more", 1)
	case p.Max > p.Min && t.Choose("optional", 4) == 1:
		n += 1 + t.Choose("times", p.Max-p.Min)
	}
	return n
}

// once draws a part.
func (d *documents) once(t *gen.T, p *Part, depth int) string {
	if p.Name != "" {
		return d.element(t, "child", p.Name, p.Element, depth+1)
	}
	if len(p.Parts) == 0 {
		return ""
	}
	switch p.Order {
	case Choice:
		return d.part(t, p.Parts[t.Choose("which", len(p.Parts))], depth)
	case All:
		// Another part is first, and those before it are last. So each precedes each other one in some
		// documents.
		var b strings.Builder
		first := t.Choose("first", len(p.Parts))
		for i := range p.Parts {
			b.WriteString(d.part(t, p.Parts[(first+i)%len(p.Parts)], depth))
		}
		return b.String()
	}
	var b strings.Builder
	for _, sub := range p.Parts {
		b.WriteString(d.part(t, sub, depth))
	}
	return b.String()
}

// Package gen makes structured inputs: generators of values of any type, put together from smaller ones, and properties that are checked on
// what they draw.
//
//	func TestSort(t *testing.T) {
//		gen.Check(t, func(t *gen.T) {
//			list := gen.SliceOf(gen.Int[int]()).Draw(t, "list")
//			sort.Ints(list)
//			if !sort.IntsAreSorted(list) {
//				t.Errorf("%v", list)
//			}
//		})
//	}
//
// Check runs a property in an ordinary test, and Fuzz within a FuzzXxx, where go test -fuzz and parallax guide what is drawn.
//
// A generator draws choices, and an input is the tape of its choices (BeDivFuzz: Nguyen and Grunske, ICSE 2022, section 3). A choice
// is structural if a branch of the generator depends on it: which alternative, how many elements, nil or not. All others are values: a
// number, a rune. Combinators know which is which; Structural and Value say otherwise at a site. Labels name the sites of choices, so
// that a saved tape survives edits of the generator: give the draws of one function different labels.
//
// Values are made smaller on the tape: what is drawn of a simpler tape is a value of the generator again, without a shrinker of its own.
package gen

import (
	"fmt"

	"parallax/internal/tape"
)

// Gen draws values of a type. It holds no state, and may be drawn from by several goroutines.
type Gen[V any] struct {
	draw   func(t *T) V
	scalar bool   // it draws one choice, at t.at
	site   uint32 // of its span wherever it is drawn; 0: the label names it
}

// Custom makes a generator of a function that draws from t what it needs.
func Custom[V any](draw func(t *T) V) Gen[V] { return Gen[V]{draw: draw} }

// Rule is Custom with a name, for generators that call each other: in whichever place a rule is drawn, its choices are at the same sites. So
// a part can take the place of another one of the same rule, which makes inputs smaller and mixes them.
func Rule[V any](name string, draw func(t *T) V) Gen[V] {
	return Gen[V]{draw: draw, site: tape.Site(0, name) | 1}
}

// Draw draws a value. The label names the site, and is printed with the value where the property fails.
func (g Gen[V]) Draw(t *T, label string) V {
	if g.draw == nil {
		panic(fmt.Sprintf("gen: %q is drawn from a zero Gen", label))
	}
	site := g.site
	if site == 0 {
		site = t.src.At(label)
	}
	if t.shows != nil {
		t.shows.enter(site, label)
	}
	var v V
	t.drawing++
	if g.scalar {
		t.at = site
		v = g.draw(t)
	} else {
		channel := t.channel
		t.src.Begin(site)
		v = g.draw(t)
		t.src.End()
		t.channel = channel
	}
	t.drawing--
	if t.shows != nil {
		t.shows.leave(label, v)
	}
	return v
}

// Map applies a function to what a generator draws.
func Map[V, W any](g Gen[V], f func(V) W) Gen[W] {
	return Gen[W]{draw: func(t *T) W { return f(g.draw(t)) }, scalar: g.scalar, site: g.site}
}

// attempts is how often Filter draws before it gives up.
const attempts = 100

// Filter draws until the value holds. If it does not after 100 draws, the input is invalid, as after Assume(false): a generator that makes what is
// wanted is better than one that finds it.
func (g Gen[V]) Filter(holds func(V) bool) Gen[V] {
	return Gen[V]{draw: func(t *T) V {
		t.src.Begin(t.src.At("filter"))
		for range [attempts]struct{}{} {
			t.at = t.src.At("value")
			if v := g.draw(t); holds(v) {
				t.src.End()
				return v
			}
			if !t.src.Again() {
				break
			}
		}
		t.Skipf("gen: no value of %T passed a filter", *new(V))
		panic("unreachable")
	}, site: g.site}
}

// Structural makes the choices of a generator structural, also those that are values by themselves: a branch of the caller depends on them.
func (g Gen[V]) Structural() Gen[V] { return g.as(structural) }

// Value makes the choices of a generator values, also those that are structural by themselves: no branch of the caller depends on them.
func (g Gen[V]) Value() Gen[V] { return g.as(value) }

func (g Gen[V]) as(channel override) Gen[V] {
	return Gen[V]{draw: func(t *T) V {
		before := t.channel
		t.channel = channel
		v := g.draw(t)
		t.channel = before
		return v
	}, scalar: g.scalar, site: g.site}
}

// override is the channel that the generator around says; declared: it says none.
type override uint8

const (
	declared override = iota
	structural
	value
)

func (o override) of(c tape.Channel) tape.Channel {
	switch o {
	case structural:
		return tape.Structural
	case value:
		return tape.Value
	}
	return c
}

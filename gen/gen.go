// Package gen draws structured inputs. Generators draw values of any type and combine into larger
// generators. Properties check the values.
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
// Check runs a property in an ordinary test, and Fuzz within a FuzzXxx, where go test -fuzz and
// parallax guide what is drawn.
//
// A generator draws choices, and an input is the tape of its choices (BeDivFuzz: Nguyen and
// Grunske, ICSE 2022, section 3). A choice is structural if a branch of the generator depends on
// it: an alternative, a number of elements, nil or not. All other choices are values: a number, a
// rune. Combinators mark their choices as one or the other. Structural and Value override the mark
// at a site. Labels name the sites of choices, so that a saved tape survives edits of the
// generator. Draws of one function need different labels.
//
// Inputs are minimized on the tape. A simpler tape always draws a value of the generator, so that
// no type needs a shrinker of its own.
package gen

import (
	"fmt"

	"parallax/internal/tape"
)

// Gen draws values of a type. It holds no state, and several goroutines may draw from it.
type Gen[V any] struct {
	draw   func(t *T) V
	scalar bool   // it draws one choice, at t.at
	site   uint32 // of its span wherever it is drawn; 0 means that the label names it
}

// Custom makes a generator from a function that draws from t.
func Custom[V any](draw func(t *T) V) Gen[V] { return Gen[V]{draw: draw} }

// Rule is Custom with a name, for generators that call each other. The choices of a rule have the
// same sites wherever the rule is drawn. A part can therefore replace another part of the same
// rule, which helps minimization and crossover.
func Rule[V any](name string, draw func(t *T) V) Gen[V] {
	return Gen[V]{draw: draw, site: tape.Site(0, name) | 1}
}

// Draw draws a value. The label names the site, and is printed with the value if the property
// fails.
func (g Gen[V]) Draw(t *T, label string) V {
	if g.draw == nil {
		panic(fmt.Sprintf("gen: %q is drawn from a zero Gen", label))
	}
	site := g.site
	if site == 0 {
		site = t.src.Site(label)
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

// Map applies a function to the values of a generator.
func Map[V, W any](g Gen[V], f func(V) W) Gen[W] {
	return Gen[W]{draw: func(t *T) W { return f(g.draw(t)) }, scalar: g.scalar, site: g.site}
}

// attempts limits the draws of Filter.
const attempts = 100

// Filter draws until holds accepts the value. After 100 attempts, the input is invalid, as after
// Assume(false). A generator that constructs the wanted values is better than a filter.
func (g Gen[V]) Filter(holds func(V) bool) Gen[V] {
	return Gen[V]{draw: func(t *T) V {
		t.src.Begin(t.src.Site("filter"))
		for range [attempts]struct{}{} {
			t.at = t.src.Site("value")
			if v := g.draw(t); holds(v) {
				t.src.End()
				return v
			}
			if !t.src.Retry() {
				break
			}
		}
		t.Skipf("gen: no value of %T passed a filter", *new(V))
		panic("unreachable")
	}, site: g.site}
}

// Structural marks all choices of a generator as structural, for a caller that branches on them.
func (g Gen[V]) Structural() Gen[V] { return g.as(structural) }

// Value marks all choices of a generator as values, for a caller that does not branch on them.
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

// override is the channel that an enclosing Structural or Value sets. declared means that none
// does.
type override uint8

const (
	declared override = iota
	structural
	value
)

func (o override) or(c tape.Channel) tape.Channel {
	switch o {
	case structural:
		return tape.Structural
	case value:
		return tape.Value
	}
	return c
}

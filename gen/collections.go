package gen

import (
	"fmt"

	"parallax/internal/tape"
)

// Just returns a generator of one value, which all draws share.
func Just[V any](v V) Gen[V] {
	return Gen[V]{scalar: true, draw: func(*T) V { return v }}
}

// SampledFrom draws one of the given values: a value choice, since no branch of the generator
// depends on it. The first is the simplest.
func SampledFrom[V any](values []V) Gen[V] {
	if len(values) == 0 {
		panic("gen: a sample of no values")
	}
	return Gen[V]{scalar: true, draw: func(t *T) V {
		return values[t.src.Draw(t.at, t.channel.or(tape.Value), uint64(len(values)-1))]
	}}
}

// OneOf draws from one of the given generators: a structural choice. The first should be the
// simplest.
func OneOf[V any](gens ...Gen[V]) Gen[V] {
	if len(gens) == 0 {
		panic("gen: one of no generators")
	}
	return Gen[V]{draw: func(t *T) V {
		around := t.src.Around()
		i := t.src.Draw(t.src.In(around, "which"), t.channel.or(tape.Structural), uint64(len(gens)-1))
		return gens[i].inside(t, t.src.In(around, "alternative")+uint32(i))
	}}
}

// inside draws at a site of a combinator.
func (g *Gen[V]) inside(t *T, site uint32) V {
	if g.site != 0 {
		site = g.site
	}
	if g.scalar {
		t.at = site
		return g.draw(t)
	}
	t.src.Begin(site)
	v := g.draw(t)
	t.src.End()
	return v
}

// Optional draws nil, which is simpler, or a pointer to a value: a structural choice.
func Optional[V any](g Gen[V]) Gen[*V] {
	return Gen[*V]{draw: func(t *T) *V {
		around := t.src.Around()
		if t.src.Draw(t.src.In(around, "there"), t.channel.or(tape.Structural), 1) == 0 {
			return nil
		}
		v := g.inside(t, t.src.In(around, "value"))
		return &v
	}}
}

// unlimited bounds the number of elements if no limit is given. Few inputs have more than a dozen.
const unlimited = 1 << 10

// SliceOf draws slices of any length: a structural choice. The simplest is empty, and not nil.
func SliceOf[V any](g Gen[V]) Gen[[]V] { return SliceOfN(g, 0, unlimited) }

// SliceOfN draws slices of min to max elements. A negative max means no limit.
func SliceOfN[V any](g Gen[V], min, max int) Gen[[]V] {
	min, max = bounds(min, max)
	return Gen[[]V]{draw: func(t *T) []V {
		around := t.src.Around()
		n := t.count(around, min, max)
		element := t.src.In(around, "element")
		list := make([]V, 0, n)
		for len(list) < n {
			list = append(list, g.element(t, element))
		}
		return list
	}}
}

// element draws an element in a span of its own, so that it can be removed from the tape.
func (g *Gen[V]) element(t *T, site uint32) V {
	t.src.Begin(site)
	var v V
	if g.scalar {
		t.at = t.src.In(site, "value")
		v = g.draw(t)
	} else if g.site != 0 {
		t.src.Begin(g.site)
		v = g.draw(t)
		t.src.End()
	} else {
		v = g.draw(t)
	}
	t.src.End()
	return v
}

func bounds(min, max int) (int, int) {
	if max < 0 {
		max = min + unlimited
	}
	if min < 0 || min > max {
		panic(fmt.Sprintf("gen: from %d to %d elements", min, max))
	}
	return min, max
}

// count draws the number of elements: a structural choice. Fresh counts have a mean of six if the
// bounds allow.
func (t *T) count(around uint32, min, max int) int {
	return t.countOr(around, min, max, false)
}

// countOr draws a count like count. With few set, fresh counts are as small as possible.
func (t *T) countOr(around uint32, min, max int, few bool) int {
	site, channel, bound := t.src.In(around, "length"), t.channel.or(tape.Structural), uint64(max-min)
	v, ok := t.src.Followed(site, channel, bound)
	if ok {
		return min + int(v)
	}
	if v, ok = t.src.Recall(site, channel, bound); !ok && !few {
		v = freshCount(t.src, bound)
	}
	t.src.Record(site, channel, bound, v)
	return min + int(v)
}

// freshCount returns a random count up to bound. Bounds of at most 8 give uniform counts. Others
// are geometric with a mean of six, except that one in 64 is uniform up to 128.
func freshCount(s *tape.Source, bound uint64) (n uint64) {
	r := s.Uint64()
	switch {
	case bound <= 8:
		return s.UpTo(bound)
	case r&63 == 0:
		if bound > 128 {
			bound = 128
		}
		return s.UpTo(bound)
	}
	for r >>= 6; n < bound && r%7 != 0; n++ {
		if r /= 7; r == 0 {
			r = s.Uint64()
		}
	}
	return n
}

// SliceOfDistinct draws slices of elements with different keys. It drops an element whose key
// exists already. The slice may therefore be shorter than its structural choice.
func SliceOfDistinct[V any, K comparable](g Gen[V], key func(V) K) Gen[[]V] {
	return Gen[[]V]{draw: func(t *T) []V {
		around := t.src.Around()
		n := t.count(around, 0, unlimited)
		element := t.src.In(around, "element")
		list := []V{}
		there := make(map[K]bool, n)
		for i := 0; i < n; i++ {
			v := g.element(t, element)
			if k := key(v); !there[k] {
				there[k] = true
				list = append(list, v)
			}
		}
		return list
	}}
}

// MapOf draws maps of any size. Duplicate keys count once, so that a map may be smaller than its
// structural choice.
func MapOf[K comparable, V any](keys Gen[K], values Gen[V]) Gen[map[K]V] {
	return MapOfN(keys, values, 0, unlimited)
}

// MapOfN draws maps of min to max entries. A negative max means no limit. Duplicate keys may make
// the map smaller; with fewer than min entries, the input is invalid.
func MapOfN[K comparable, V any](keys Gen[K], values Gen[V], min, max int) Gen[map[K]V] {
	min, max = bounds(min, max)
	return Gen[map[K]V]{draw: func(t *T) map[K]V {
		around := t.src.Around()
		n := t.count(around, min, max)
		entry, key, val := t.src.In(around, "entry"), t.src.In(around, "key"), t.src.In(around, "value")
		m := make(map[K]V, n)
		for i, again := 0, 0; i < n; i++ {
			t.src.Begin(entry)
			k := keys.inside(t, key)
			v := values.inside(t, val)
			t.src.End()
			if _, twice := m[k]; !twice {
				m[k] = v
			} else if len(m)+n-i-1 < min && again < attempts {
				again++
				i-- // draw one more entry
			}
		}
		if len(m) < min {
			t.Skipf("gen: %d keys of %T are not to be had", min, *new(K))
		}
		return m
	}}
}

// Permutation draws an order of the given values. The simplest is the given order.
func Permutation[V any](values []V) Gen[[]V] {
	return Gen[[]V]{draw: func(t *T) []V {
		list := append([]V(nil), values...)
		site, channel := t.src.Site("swap"), t.channel.or(tape.Value)
		for i := 0; i+1 < len(list); i++ {
			k := i + int(t.src.Draw(site, channel, uint64(len(list)-1-i)))
			list[i], list[k] = list[k], list[i]
		}
		return list
	}}
}

// A recursive value has at most depth levels. Once it has taken large choices, it begins further
// levels only if a tape says so. Without this limit, values with many branches would hardly ever
// end.
const (
	depth = 12
	large = 256
)

// Recursive draws values that hold values of the same kind. leaf draws values without children,
// which are simpler. more receives the generator of children and returns a generator of values that
// use it. Each level makes a structural choice between the two. There are at most 12 levels.
func Recursive[V any](leaf Gen[V], more func(self Gen[V]) Gen[V]) Gen[V] {
	return Gen[V]{draw: func(t *T) V {
		r := &recursion[V]{leaf: leaf, site: t.src.Site("recursive")}
		r.more = more(Gen[V]{draw: r.draw, site: r.site})
		r.start = t.src.Drawn()
		t.src.Begin(r.site)
		v := r.draw(t)
		t.src.End()
		return v
	}}
}

type recursion[V any] struct {
	leaf, more Gen[V]
	site       uint32
	level      int
	start      int // choices drawn before
}

// draw draws one level. Deeper levels are more often leaves.
func (r *recursion[V]) draw(t *T) V {
	site, channel := t.src.In(r.site, "level"), t.channel.or(tape.Structural)
	v, ok := t.src.Recall(site, channel, 1)
	if !ok && t.src.Drawn()-r.start < large && t.src.UpTo(uint64(3+2*r.level)) < 3 {
		v = 1
	}
	if r.level >= depth {
		v = 0
	}
	t.src.Record(site, channel, 1, v)
	if v == 0 {
		return r.leaf.inside(t, t.src.In(r.site, "leaf"))
	}
	r.level++
	w := r.more.inside(t, t.src.In(r.site, "more"))
	r.level--
	return w
}

// Lazy calls g on each draw, so that generators can refer to each other.
func Lazy[V any](g func() Gen[V]) Gen[V] {
	return Gen[V]{draw: func(t *T) V {
		one := g()
		return one.inside(t, t.src.Site("lazy"))
	}}
}

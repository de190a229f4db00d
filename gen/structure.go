package gen

import (
	"fmt"
	"reflect"
	"time"

	"parallax/internal/tape"
)

// Of draws values of a type by its structure: exported fields of structs, elements, and the targets
// of pointers. Lengths and nil pointers are structural choices; numbers, runes of strings and bools
// are values. Of panics with the field's name if a value must be an interface, a function or a
// channel. It panics, too, for an unknown or malformed tag, or one that does not fit the type.
//
// Fields can have one or more tags, separated by commas. match must be the last, since it extends
// to the end:
//
//	gen:"-"                the field stays zero
//	gen:"min=1,max=9"      numbers
//	gen:"len=0..5"         elements of slices and maps, bytes of []byte, runes of strings
//	gen:"in=GET|POST"      one of some strings or numbers
//	gen:"match=[a-z]+"     strings that a regular expression matches
//	gen:"nonnil"           a pointer that is never nil
//	gen:"structural"       a branch depends on the field; gen:"value": none does
//
// Tags of slices, arrays, maps and pointers apply to their elements, except for len and nonnil. len
// applies to the outermost slice, map or string, and nonnil to the outermost pointer.
func Of[V any]() Gen[V] {
	fill := filling(reflect.TypeOf((*V)(nil)).Elem())
	return Gen[V]{draw: func(t *T) V {
		var v V
		fill(t, reflect.ValueOf(&v).Elem())
		return v
	}}
}

// OfType draws values as Of does, for a type that is known at run time only. Its values have this
// type.
func OfType(typ reflect.Type) Gen[any] {
	fill := filling(typ)
	return Gen[any]{draw: func(t *T) any {
		v := reflect.New(typ).Elem()
		fill(t, v)
		return v.Interface()
	}}
}

// filling returns a function that draws into a settable value of a type.
func filling(typ reflect.Type) func(t *T, v reflect.Value) {
	b := &builder{made: map[reflect.Type]*filler{}}
	fill := b.filler(typ, typ.String(), nil)
	return func(t *T, v reflect.Value) {
		level, start := t.level, t.start
		t.level, t.start = 0, t.src.Drawn()
		fill.draw(t, v)
		t.level, t.start = level, start
	}
}

// nested limits the levels of pointers, slices and maps in a value of a recursive type.
const nested = 12

// filler draws into a settable value. Each type without tags has one filler, so that types may be
// recursive.
type filler struct {
	draw func(t *T, v reflect.Value)
}

type builder struct{ made map[reflect.Type]*filler }

// filler returns the filler of a type. path names the field in errors.
func (b *builder) filler(typ reflect.Type, path string, g tags) *filler {
	if len(g) == 0 {
		if f := b.made[typ]; f != nil {
			return f
		}
	}
	f := &filler{}
	if len(g) == 0 {
		b.made[typ] = f
	}
	channel := g.channel()
	f.draw = b.make(typ, path, g.without("structural", "value"))
	if channel != declared {
		inner := f.draw
		f.draw = func(t *T, v reflect.Value) {
			before := t.channel
			t.channel = channel
			inner(t, v)
			t.channel = before
		}
	}
	return f
}

var timeType = reflect.TypeOf(time.Time{})

func (b *builder) make(typ reflect.Type, path string, g tags) func(*T, reflect.Value) {
	p := spot{path, typ}
	kind := typ.Kind()
	switch kind {
	case reflect.Pointer:
		return b.pointer(p, g)
	case reflect.Slice:
		return b.slice(p, g)
	case reflect.Map:
		return b.mapping(p, g)
	case reflect.Array:
		element := b.filler(typ.Elem(), path+"[]", g)
		return func(t *T, v reflect.Value) {
			site := t.src.Site("element")
			for i := 0; i < v.Len(); i++ {
				element.within(t, site, v.Index(i))
			}
		}
	}
	if g.has("in") {
		one := SampledFrom(g.among(p))
		g.only(p, "in")
		return func(t *T, v reflect.Value) { v.Set(one.inside(t, t.src.Site("in"))) }
	}
	if typ == timeType {
		g.only(p)
		const centuries = 4
		seconds := IntRange[int64](-centuries*100*365*24*3600, centuries*100*365*24*3600)
		return func(t *T, v reflect.Value) {
			t.at = t.src.Site("seconds")
			s := seconds.draw(t)
			v.Set(reflect.ValueOf(time.Unix(s, int64(t.IntRange("nanoseconds", 0, 999_999_999))).UTC()))
		}
	}
	switch kind {
	case reflect.Bool:
		g.only(p)
		one := Bool()
		return func(t *T, v reflect.Value) { v.SetBool(one.inside(t, t.src.Site("bool"))) }
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		g.only(p, "min", "max", "in")
		low, high := g.signed(p)
		return func(t *T, v reflect.Value) {
			t.at = t.src.Site("int")
			v.SetInt(drawInt(t, low, high))
		}
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr:
		g.only(p, "min", "max", "in")
		low, high := g.unsigned(p)
		return func(t *T, v reflect.Value) {
			t.at = t.src.Site("uint")
			v.SetUint(low + drawUint(t, high-low))
		}
	case reflect.Float32, reflect.Float64:
		g.only(p, "min", "max", "in")
		one := Float[float64]()
		if len(g) > 0 {
			one = FloatRange(g.floating(p))
		}
		return func(t *T, v reflect.Value) { v.SetFloat(one.inside(t, t.src.Site("float"))) }
	case reflect.Complex64, reflect.Complex128:
		g.only(p)
		one := Float[float64]()
		return func(t *T, v reflect.Value) {
			around := t.src.Around()
			re := one.inside(t, t.src.In(around, "real"))
			v.SetComplex(complex(re, one.inside(t, t.src.In(around, "imaginary"))))
		}
	case reflect.String:
		g.only(p, "len", "in", "match")
		g.exclusive(p, "match", "len")
		one := String()
		if expr := g.matching(p); expr != "" {
			one = StringMatching(expr)
		} else if g.has("len") {
			least, most := g.sized(0, 0)
			one = StringN(Rune(), least, most)
		}
		return func(t *T, v reflect.Value) { v.SetString(one.inside(t, t.src.Site("string"))) }
	case reflect.Struct:
		g.only(p)
		return b.structure(typ, path)
	}
	panic(fmt.Sprintf("gen: %s is of type %s, and no value of it can be drawn: use Custom, or the tag gen:\"-\"", path, typ))
}

// within draws in a span.
func (f *filler) within(t *T, site uint32, v reflect.Value) {
	t.src.Begin(site)
	f.draw(t, v)
	t.src.End()
}

// deep enters a level of a possibly recursive value, and reports whether it is the last.
func (t *T) deep() (last bool) {
	t.level++
	return t.level > nested
}

// large reports whether a value of Of is so large that no further parts begin by chance.
func (t *T) large() bool { return t.src.Drawn()-t.start >= large }

func (b *builder) pointer(p spot, g tags) func(*T, reflect.Value) {
	nonnil := g.has("nonnil")
	to := b.filler(p.typ.Elem(), p.path, g.without("nonnil"))
	return func(t *T, v reflect.Value) {
		around := t.src.Around()
		last := t.deep()
		there := nonnil && !last
		if !nonnil {
			site, channel := t.src.In(around, "there"), t.channel.or(tape.Structural)
			n, ok := t.src.Recall(site, channel, 1)
			// two of four at first, and less often at deeper levels
			if !ok && !t.large() && t.src.UpTo(uint64(2+t.level)) < 2 {
				n = 1
			}
			if last {
				n = 0
			}
			t.src.Record(site, channel, 1, n)
			there = n == 1
		}
		if there {
			target := reflect.New(p.typ.Elem())
			to.within(t, t.src.In(around, "to"), target.Elem())
			v.Set(target)
		}
		t.level--
	}
}

func (b *builder) slice(p spot, g tags) func(*T, reflect.Value) {
	typ := p.typ
	least, most := g.sized(0, unlimited)
	g = g.without("len")
	if typ.Elem().Kind() == reflect.Uint8 && len(g) == 0 {
		one := BytesN(least, most)
		return func(t *T, v reflect.Value) { v.SetBytes(one.inside(t, t.src.Site("bytes"))) }
	}
	element := b.filler(typ.Elem(), p.path+"[]", g)
	return func(t *T, v reflect.Value) {
		around := t.src.Around()
		high := most
		if t.deep() {
			high = least
		}
		n := t.countOr(around, least, high, t.large())
		list := reflect.MakeSlice(typ, n, n)
		site := t.src.In(around, "element")
		for i := 0; i < n; i++ {
			element.within(t, site, list.Index(i))
		}
		v.Set(list)
		t.level--
	}
}

func (b *builder) mapping(p spot, g tags) func(*T, reflect.Value) {
	typ := p.typ
	least, most := g.sized(0, unlimited)
	if n := distinct(spot{p.path + "'s keys", typ.Key()}, nil); g.has("len") && most > n {
		p.bad(g.get("len").text, "there are %s, and no more entries", plural(n, "key"))
	}
	key, element := b.filler(typ.Key(), p.path+"'s keys", nil), b.filler(typ.Elem(), p.path+"[]", g.without("len"))
	return func(t *T, v reflect.Value) {
		around := t.src.Around()
		high := most
		if t.deep() {
			high = least
		}
		n := t.countOr(around, least, high, t.large())
		m := reflect.MakeMapWithSize(typ, n)
		entry := t.src.In(around, "entry")
		for i, again := 0, 0; i < n; i++ {
			k, e := reflect.New(typ.Key()).Elem(), reflect.New(typ.Elem()).Elem()
			t.src.Begin(entry)
			key.within(t, t.src.In(entry, "key"), k)
			element.within(t, t.src.In(entry, "value"), e)
			t.src.End()
			if !m.MapIndex(k).IsValid() {
				m.SetMapIndex(k, e)
			} else if m.Len()+n-i-1 < least && again < attempts {
				again++
				i-- // draw one more entry
			}
		}
		if m.Len() < least {
			t.Skipf("gen: %d keys of %s are not to be had", least, typ.Key())
		}
		v.Set(m)
		t.level--
	}
}

func (b *builder) structure(typ reflect.Type, path string) func(*T, reflect.Value) {
	type field struct {
		index int
		name  string
		fill  *filler
	}
	var fields []field
	for i := 0; i < typ.NumField(); i++ {
		f := typ.Field(i)
		p := spot{path + "." + f.Name, f.Type}
		g := readTags(f.Tag, p)
		if g.has("-") || !f.IsExported() {
			if len(g) > 0 && !g.has("-") {
				p.bad(g[0].text, "the field is not exported, and cannot be set")
			}
			continue
		}
		fields = append(fields, field{i, f.Name, b.filler(f.Type, p.path, g)})
	}
	return func(t *T, v reflect.Value) {
		around := t.src.Around()
		for i := range fields {
			f := &fields[i]
			before := t.field(typ, f.name)
			f.fill.within(t, t.src.In(around, f.name), v.Field(f.index))
			t.fieldEnds(before)
		}
	}
}

// field records the field of Of for the following draws, if sites are recorded. fieldEnds restores
// the enclosing field.
func (t *T) field(typ reflect.Type, name string) (before string) {
	if t.shows != nil && t.shows.sites != nil {
		before = t.shows.sites.part
		if t.shows.sites.part = name; typ.Name() != "" {
			t.shows.sites.part = typ.Name() + "." + name
		}
	}
	return before
}

func (t *T) fieldEnds(before string) {
	if t.shows != nil && t.shows.sites != nil {
		t.shows.sites.part = before
	}
}

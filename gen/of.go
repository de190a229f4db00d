package gen

import (
	"fmt"
	"math"
	"reflect"
	"regexp/syntax"
	"strconv"
	"strings"
	"time"

	"parallax/internal/tape"
)

// Of draws values of a type by its structure: every field of a struct that is exported, elements, what pointers point to. Lengths, and whether a
// pointer is nil, are structural choices; numbers, strings' runes and bools are values. It panics, with the field's name, for a type that has an
// interface, a function or a channel where a value must be, or a tag that it does not understand.
//
// Tags of fields, one or several with commas between them; match comes last, since it takes what follows it:
//
//	gen:"-"                the field stays zero
//	gen:"min=1,max=9"      numbers
//	gen:"len=0..5"         elements of slices and maps, bytes of []byte, runes of strings
//	gen:"in=GET|POST"      one of some strings or numbers
//	gen:"match=[a-z]+"     strings that a regular expression matches
//	gen:"nonnil"           a pointer that is never nil
//	gen:"structural"       a branch depends on the field; gen:"value": none does
//
// Tags of a field of slices, arrays, maps or pointers hold for what is in them, but for len and nonnil.
func Of[V any]() Gen[V] {
	typ := reflect.TypeOf((*V)(nil)).Elem()
	b := &builder{made: map[reflect.Type]*filler{}}
	fill := b.of(typ, typ.String(), tags{})
	return Gen[V]{draw: func(t *T) V {
		var v V
		level, start := t.level, t.start
		t.level, t.start = 0, t.src.Drawn()
		fill.draw(t, reflect.ValueOf(&v).Elem())
		t.level, t.start = level, start
		return v
	}}
}

// nested is how many levels of pointers, slices and maps a value of a recursive type has at most.
const nested = 12

// filler draws into a settable value. It is made once for each type without tags, so that a type may hold itself.
type filler struct {
	draw func(t *T, v reflect.Value)
}

type builder struct{ made map[reflect.Type]*filler }

// tags are those of a field.
type tags struct {
	skip, nonnil bool
	min, max     string
	least, most  int // of len
	sized        bool
	in           []string
	match        string
	channel      override
	any          bool // there are some
}

func readTags(text, path string) (g tags) {
	for text != "" {
		var one string
		if strings.HasPrefix(text, "match=") {
			one, text = text, ""
		} else {
			one, text, _ = strings.Cut(text, ",")
		}
		g.any = true
		key, set, _ := strings.Cut(one, "=")
		ok := set != ""
		switch key {
		case "-":
			g.skip, ok = true, set == ""
		case "nonnil":
			g.nonnil, ok = true, set == ""
		case "structural":
			g.channel, ok = structural, set == ""
		case "value":
			g.channel, ok = value, set == ""
		case "min":
			g.min = set
		case "max":
			g.max = set
		case "in":
			g.in = strings.Split(set, "|")
		case "match":
			g.match = set
		case "len":
			from, to, is := strings.Cut(set, "..")
			var err, err2 error
			g.least, err = strconv.Atoi(from)
			if g.most = g.least; is {
				g.most, err2 = strconv.Atoi(to)
			}
			g.sized, ok = true, err == nil && err2 == nil && g.least >= 0 && g.least <= g.most
		default:
			ok = false
		}
		if !ok {
			panic(fmt.Sprintf("gen: %s: the tag %q: want -, min=N, max=N, len=N..M, in=A|B, match=EXPRESSION, nonnil, structural or value", path, one))
		}
	}
	return g
}

// of is the filler of a type. path names the field for errors.
func (b *builder) of(typ reflect.Type, path string, g tags) *filler {
	if !g.any {
		if f := b.made[typ]; f != nil {
			return f
		}
	}
	f := &filler{}
	if !g.any {
		b.made[typ] = f
	}
	f.draw = b.make(typ, path, g)
	if g.channel != declared {
		inner := f.draw
		f.draw = func(t *T, v reflect.Value) {
			before := t.channel
			t.channel = g.channel
			inner(t, v)
			t.channel = before
		}
	}
	return f
}

var timeType = reflect.TypeOf(time.Time{})

func (b *builder) make(typ reflect.Type, path string, g tags) func(*T, reflect.Value) {
	if len(g.in) > 0 && typ.Kind() != reflect.Slice && typ.Kind() != reflect.Array && typ.Kind() != reflect.Map && typ.Kind() != reflect.Pointer {
		return among(typ, path, g.in)
	}
	switch typ {
	case timeType:
		const centuries = 4
		seconds := IntRange[int64](-centuries*100*365*24*3600, centuries*100*365*24*3600)
		return func(t *T, v reflect.Value) {
			t.at = tape.Site(t.src.Around(), "seconds")
			s := seconds.draw(t)
			v.Set(reflect.ValueOf(time.Unix(s, int64(t.IntRange("nanoseconds", 0, 999_999_999))).UTC()))
		}
	}
	switch typ.Kind() {
	case reflect.Bool:
		one := Bool()
		return func(t *T, v reflect.Value) { v.SetBool(one.inside(t, tape.Site(t.src.Around(), "bool"))) }
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		low, high := int64(-1)<<(typ.Bits()-1), int64(1)<<(typ.Bits()-1)-1
		low, high = number(g.min, path, low, strconv.ParseInt, 64), number(g.max, path, high, strconv.ParseInt, 64)
		if low > high {
			panic(fmt.Sprintf("gen: %s: no number from %d to %d", path, low, high))
		}
		return func(t *T, v reflect.Value) {
			t.at = tape.Site(t.src.Around(), "int")
			v.SetInt(drawInt(t, low, high))
		}
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr:
		low, high := number(g.min, path, 0, strconv.ParseUint, 64), number(g.max, path, math.MaxUint64>>(64-typ.Bits()), strconv.ParseUint, 64)
		if low > high {
			panic(fmt.Sprintf("gen: %s: no number from %d to %d", path, low, high))
		}
		return func(t *T, v reflect.Value) {
			t.at = tape.Site(t.src.Around(), "uint")
			v.SetUint(low + drawUint(t, high-low))
		}
	case reflect.Float32, reflect.Float64:
		one := Float[float64]()
		if g.min != "" || g.max != "" {
			one = FloatRange(float(g.min, path, -math.MaxFloat32), float(g.max, path, math.MaxFloat32))
		}
		return func(t *T, v reflect.Value) { v.SetFloat(one.inside(t, tape.Site(t.src.Around(), "float"))) }
	case reflect.Complex64, reflect.Complex128:
		one := Float[float64]()
		return func(t *T, v reflect.Value) {
			around := t.src.Around()
			re := one.inside(t, tape.Site(around, "real"))
			v.SetComplex(complex(re, one.inside(t, tape.Site(around, "imaginary"))))
		}
	case reflect.String:
		one := String()
		switch {
		case g.match != "":
			if _, err := syntax.Parse(g.match, syntax.Perl); err != nil {
				panic(fmt.Sprintf("gen: %s: the tag match: %v", path, err))
			}
			one = StringMatching(g.match)
		case g.sized:
			one = StringN(Rune(), g.least, g.most)
		}
		return func(t *T, v reflect.Value) { v.SetString(one.inside(t, tape.Site(t.src.Around(), "string"))) }
	case reflect.Pointer:
		return b.pointer(typ, path, g)
	case reflect.Slice:
		return b.slice(typ, path, g)
	case reflect.Array:
		element := b.of(typ.Elem(), path+"[]", g.inner())
		return func(t *T, v reflect.Value) {
			site := tape.Site(t.src.Around(), "element")
			for i := 0; i < v.Len(); i++ {
				element.within(t, site, v.Index(i))
			}
		}
	case reflect.Map:
		return b.mapping(typ, path, g)
	case reflect.Struct:
		return b.structure(typ, path)
	}
	panic(fmt.Sprintf("gen: %s is of type %s, of which no value can be drawn: use Custom, or the tag gen:\"-\"", path, typ))
}

// inner are the tags of what is in a slice, a map or behind a pointer.
func (g tags) inner() tags {
	g.nonnil, g.sized, g.least, g.most = false, false, 0, 0
	g.any = g.skip || g.min != "" || g.max != "" || g.in != nil || g.match != "" || g.channel != declared
	return g
}

// within draws in a span.
func (f *filler) within(t *T, site uint32, v reflect.Value) {
	t.src.Begin(site)
	f.draw(t, v)
	t.src.End()
}

// number reads a bound; none is the type's own.
func number[N any](text, path string, none N, parse func(string, int, int) (N, error), bits int) N {
	if text == "" {
		return none
	}
	n, err := parse(text, 0, bits)
	if err != nil {
		panic(fmt.Sprintf("gen: %s: the bound %q: %v", path, text, err))
	}
	return n
}

func float(text, path string, none float64) float64 {
	if text == "" {
		return none
	}
	f, err := strconv.ParseFloat(text, 64)
	if err != nil {
		panic(fmt.Sprintf("gen: %s: the bound %q: %v", path, text, err))
	}
	return f
}

// among draws one of some values, given as text.
func among(typ reflect.Type, path string, texts []string) func(*T, reflect.Value) {
	var list []reflect.Value
	for _, text := range texts {
		v := reflect.New(typ).Elem()
		var err error
		switch typ.Kind() {
		case reflect.String:
			v.SetString(text)
		case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
			var n int64
			n, err = strconv.ParseInt(text, 0, typ.Bits())
			v.SetInt(n)
		case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
			var n uint64
			n, err = strconv.ParseUint(text, 0, typ.Bits())
			v.SetUint(n)
		case reflect.Float32, reflect.Float64:
			var n float64
			n, err = strconv.ParseFloat(text, typ.Bits())
			v.SetFloat(n)
		default:
			err = fmt.Errorf("in is for strings and numbers, and not for %s", typ)
		}
		if err != nil {
			panic(fmt.Sprintf("gen: %s: the tag in: %q is none of %s: %v", path, text, typ, err))
		}
		list = append(list, v)
	}
	one := SampledFrom(list)
	return func(t *T, v reflect.Value) { v.Set(one.inside(t, tape.Site(t.src.Around(), "in"))) }
}

// deep enters a level of what may hold itself, and reports whether it is the last.
func (t *T) deep() (last bool) {
	t.level++
	return t.level > nested
}

// large reports whether a value of Of has become so large that nothing further begins by chance.
func (t *T) large() bool { return t.src.Drawn()-t.start >= large }

func (b *builder) pointer(typ reflect.Type, path string, g tags) func(*T, reflect.Value) {
	to := b.of(typ.Elem(), path, g.inner())
	return func(t *T, v reflect.Value) {
		around := t.src.Around()
		last := t.deep()
		there := g.nonnil && !last
		if !g.nonnil {
			site, channel := tape.Site(around, "there"), t.channel.of(tape.Structural)
			n, ok := t.src.Recall(site, channel, 1)
			if !ok && !t.large() && t.src.UpTo(uint64(2+t.level)) < 2 { // two of four at first, and less often the deeper it is
				n = 1
			}
			if last {
				n = 0
			}
			t.src.Record(site, channel, 1, n)
			there = n == 1
		}
		if there {
			p := reflect.New(typ.Elem())
			to.within(t, tape.Site(around, "to"), p.Elem())
			v.Set(p)
		}
		t.level--
	}
}

func (b *builder) slice(typ reflect.Type, path string, g tags) func(*T, reflect.Value) {
	least, most := 0, free
	if g.sized {
		least, most = g.least, g.most
	}
	if typ.Elem().Kind() == reflect.Uint8 && !g.inner().any {
		one := BytesN(least, most)
		return func(t *T, v reflect.Value) { v.SetBytes(one.inside(t, tape.Site(t.src.Around(), "bytes"))) }
	}
	element := b.of(typ.Elem(), path+"[]", g.inner())
	return func(t *T, v reflect.Value) {
		around := t.src.Around()
		high := most
		if t.deep() {
			high = least
		}
		n := t.countOr(around, least, high, t.large())
		list := reflect.MakeSlice(typ, n, n)
		site := tape.Site(around, "element")
		for i := 0; i < n; i++ {
			element.within(t, site, list.Index(i))
		}
		v.Set(list)
		t.level--
	}
}

func (b *builder) mapping(typ reflect.Type, path string, g tags) func(*T, reflect.Value) {
	least, most := 0, free
	if g.sized {
		least, most = g.least, g.most
	}
	key, element := b.of(typ.Key(), path+"'s keys", tags{}), b.of(typ.Elem(), path+"[]", g.inner())
	return func(t *T, v reflect.Value) {
		around := t.src.Around()
		high := most
		if t.deep() {
			high = least
		}
		n := t.countOr(around, least, high, t.large())
		m := reflect.MakeMapWithSize(typ, n)
		entry := tape.Site(around, "entry")
		for i := 0; i < n; i++ {
			k, e := reflect.New(typ.Key()).Elem(), reflect.New(typ.Elem()).Elem()
			t.src.Begin(entry)
			key.within(t, tape.Site(entry, "key"), k)
			element.within(t, tape.Site(entry, "value"), e)
			t.src.End()
			m.SetMapIndex(k, e)
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
		g := readTags(f.Tag.Get("gen"), path+"."+f.Name)
		if g.skip || !f.IsExported() {
			if g.any && !g.skip {
				panic(fmt.Sprintf("gen: %s.%s has a tag and is not exported: it cannot be set", path, f.Name))
			}
			continue
		}
		fields = append(fields, field{i, f.Name, b.of(f.Type, path+"."+f.Name, g)})
	}
	return func(t *T, v reflect.Value) {
		around := t.src.Around()
		for i := range fields {
			f := &fields[i]
			before := t.field(typ, f.name)
			f.fill.within(t, tape.Site(around, f.name), v.Field(f.index))
			t.fieldEnds(before)
		}
	}
}

// field tells who wants to know of which field of Of what follows is; fieldEnds, that it ends.
func (t *T) field(typ reflect.Type, name string) (before string) {
	if t.shows != nil && t.shows.sites != nil {
		before = t.shows.sites.part
		t.shows.sites.part = typ.Name() + "." + name
	}
	return before
}

func (t *T) fieldEnds(before string) {
	if t.shows != nil && t.shows.sites != nil {
		t.shows.sites.part = before
	}
}

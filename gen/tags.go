package gen

import (
	"errors"
	"fmt"
	"math"
	"reflect"
	"regexp/syntax"
	"strconv"
	"strings"
)

// tags holds the unused tags of a field. A slice uses len, and its elements use the others.
type tags []tag

type tag struct{ key, set, text string }

// forms lists the tags as error messages show them.
var forms = []struct{ key, form string }{
	{"-", "-"}, {"min", "min=N"}, {"max", "max=N"}, {"len", "len=N..M"}, {"in", "in=A|B"}, {"match", "match=EXPRESSION"}, {"nonnil", "nonnil"},
	{"structural", "structural"}, {"value", "value"},
}

// form lists the forms of the given tags, or of all tags without arguments.
func form(keys ...string) string {
	var list []string
	for _, f := range forms {
		if len(keys) == 0 {
			list = append(list, f.form)
		}
		for _, key := range keys {
			if key == f.key {
				list = append(list, f.form)
			}
		}
	}
	if len(list) == 1 {
		return list[0]
	}
	return strings.Join(list[:len(list)-1], ", ") + " or " + list[len(list)-1]
}

// spot is a field or an element, for errors.
type spot struct {
	path string
	typ  reflect.Type
}

// bad panics with a mistake in a tag.
func (p spot) bad(text, format string, args ...any) {
	panic(fmt.Sprintf("gen: %s is of type %s: the tag %q: %s", p.path, p.typ, text, fmt.Sprintf(format, args...)))
}

// readTags reads the tags of a field.
func readTags(field reflect.StructTag, p spot) (g tags) {
	text, ok := field.Lookup("gen")
	if rest := malformed(string(field)); !ok && strings.HasPrefix(rest, "gen:") {
		p.bad(rest, `want gen:"..."`)
	}
	for text != "" {
		var one string
		if strings.HasPrefix(text, "match=") {
			one, text = text, ""
		} else {
			one, text, _ = strings.Cut(text, ",")
		}
		key, set, is := strings.Cut(one, "=")
		known := false
		for _, f := range forms {
			known = known || f.key == key && is == (strings.Contains(f.form, "=")) && is == (set != "")
		}
		if !known {
			p.bad(one, "want %s", form())
		}
		if g.has(key) {
			p.bad(one, "there is another %s", key)
		}
		g = append(g, tag{key, set, one})
		if key == "len" {
			if _, _, ok := size(set); !ok {
				p.bad(one, "want len=N or len=N..M, with N from 0 to M")
			}
		}
	}
	g.exclusive(p, "structural", "value")
	if t := g.get("-"); t != nil && len(g) > 1 {
		p.bad(t.text, "it stands alone")
	}
	return g
}

// malformed returns the rest of a struct tag from the first part that does not follow the syntax of
// reflect.StructTag.
func malformed(text string) string {
	for {
		text = strings.TrimLeft(text, " ")
		key, rest, ok := strings.Cut(text, ":")
		if !ok || key == "" || strings.ContainsAny(key, " \"") {
			return text
		}
		quoted, err := strconv.QuotedPrefix(rest)
		if err != nil || quoted[0] != '"' {
			return text
		}
		text = rest[len(quoted):]
	}
}

func (g tags) get(key string) *tag {
	for i := range g {
		if g[i].key == key {
			return &g[i]
		}
	}
	return nil
}

func (g tags) has(key string) bool { return g.get(key) != nil }

// without returns the tags except those with the given keys.
func (g tags) without(keys ...string) (left tags) {
next:
	for _, t := range g {
		for _, key := range keys {
			if t.key == key {
				continue next
			}
		}
		left = append(left, t)
	}
	return left
}

// only panics if there is a tag with another key.
func (g tags) only(p spot, keys ...string) {
	for _, t := range g.without(keys...) {
		p.bad(t.text, "it does not fit the type, for which there is %s", form(append(keys, "structural", "value")...))
	}
}

// exclusive panics if both tags are present.
func (g tags) exclusive(p spot, a, b string) {
	if g.has(a) && g.has(b) {
		p.bad(g.get(a).text, "it excludes %q", g.get(b).text)
	}
}

func (g tags) channel() override {
	switch {
	case g.has("structural"):
		return structural
	case g.has("value"):
		return value
	}
	return declared
}

// sized returns the bounds of len, or the given bounds without it.
func (g tags) sized(least, most int) (int, int) {
	if t := g.get("len"); t != nil {
		least, most, _ = size(t.set)
	}
	return least, most
}

func size(set string) (least, most int, ok bool) {
	from, to, is := strings.Cut(set, "..")
	least, err := strconv.Atoi(from)
	if most = least; is && err == nil {
		most, err = strconv.Atoi(to)
	}
	return least, most, err == nil && least >= 0 && least <= most
}

// cause returns the inner error of a strconv error, whose outer text the message repeats.
func cause(err error) error {
	if inner := errors.Unwrap(err); inner != nil {
		return inner
	}
	return err
}

// ranged returns min and max of a number type, or the type's own bounds.
func ranged[N int64 | uint64 | float64](g tags, p spot, low, high N, parse func(string) (N, error)) (N, N) {
	least, most := low, high
	for _, key := range []string{"min", "max"} {
		t := g.get(key)
		if t == nil {
			continue
		}
		n, err := parse(t.set)
		if err != nil || n-n != 0 { // also NaN for infinities
			p.bad(t.text, "want a number from %v to %v", least, most)
		}
		if key == "min" {
			low = n
		} else {
			high = n
		}
	}
	if low > high {
		t := g.get("max")
		if t == nil {
			t = g.get("min")
		}
		p.bad(t.text, "there is no number from %v to %v", low, high)
	}
	return low, high
}

func (g tags) signed(p spot) (low, high int64) {
	most := int64(1)<<(p.typ.Bits()-1) - 1
	return ranged(g, p, -most-1, most, func(text string) (int64, error) { return strconv.ParseInt(text, 0, p.typ.Bits()) })
}

func (g tags) unsigned(p spot) (low, high uint64) {
	return ranged(g, p, 0, math.MaxUint64>>(64-p.typ.Bits()), func(text string) (uint64, error) { return strconv.ParseUint(text, 0, p.typ.Bits()) })
}

// floating returns the bounds if at least one is given; the other defaults to that of float32.
func (g tags) floating(p spot) (low, high float64) {
	return ranged(g, p, -math.MaxFloat32, math.MaxFloat32, func(text string) (float64, error) { return strconv.ParseFloat(text, p.typ.Bits()) })
}

// matching returns the expression of match, or empty without one.
func (g tags) matching(p spot) string {
	t := g.get("match")
	if t == nil {
		return ""
	}
	if _, err := syntax.Parse(t.set, syntax.Perl); err != nil {
		p.bad(t.text, "%v", err)
	}
	return t.set
}

// among returns the values of in.
func (g tags) among(p spot) (list []reflect.Value) {
	t := g.get("in")
	bits := 0
	if k := p.typ.Kind(); k >= reflect.Int && k <= reflect.Complex128 {
		bits = p.typ.Bits()
	}
	for _, text := range strings.Split(t.set, "|") {
		v := reflect.New(p.typ).Elem()
		var err error
		switch p.typ.Kind() {
		case reflect.String:
			v.SetString(text)
		case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
			var n int64
			n, err = strconv.ParseInt(text, 0, bits)
			v.SetInt(n)
		case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr:
			var n uint64
			n, err = strconv.ParseUint(text, 0, bits)
			v.SetUint(n)
		case reflect.Float32, reflect.Float64:
			var n float64
			n, err = strconv.ParseFloat(text, bits)
			v.SetFloat(n)
		default:
			p.bad(t.text, "in is for strings and numbers")
		}
		if err != nil {
			p.bad(t.text, "%q is none of %s: %v", text, p.typ, cause(err))
		}
		list = append(list, v)
	}
	return list
}

// distinct returns how many different values a type with tags can have, if known. math.MaxInt means
// many or unknown.
func distinct(p spot, g tags) int {
	switch in := g.get("in"); {
	case g.has("-"):
		return 1
	case in != nil:
		there := map[string]bool{}
		for _, text := range strings.Split(in.set, "|") {
			there[text] = true
		}
		return len(there)
	}
	n := 1
	times := func(more int) {
		if more > 0 && n > math.MaxInt/more {
			n = math.MaxInt
		} else {
			n *= more
		}
	}
	typ := p.typ
	switch kind := typ.Kind(); {
	case kind == reflect.Bool:
		return 2
	case kind >= reflect.Int && kind <= reflect.Int64:
		low, high := g.signed(p)
		return int(min(uint64(high)-uint64(low), math.MaxInt-1) + 1)
	case kind >= reflect.Uint && kind <= reflect.Uintptr:
		low, high := g.unsigned(p)
		return int(min(high-low, math.MaxInt-1) + 1)
	case kind == reflect.Array:
		for i := 0; i < typ.Len() && n < math.MaxInt; i++ {
			times(distinct(spot{p.path, typ.Elem()}, g))
		}
		return n
	case kind == reflect.Struct && typ != timeType:
		for i := 0; i < typ.NumField(); i++ {
			if f := typ.Field(i); f.IsExported() {
				one := spot{p.path + "." + f.Name, f.Type}
				times(distinct(one, readTags(f.Tag, one)))
			}
		}
		return n
	}
	return math.MaxInt
}

package mining

import (
	"math"
	"reflect"
	"strconv"
	"unicode/utf8"

	"parallax/cmd/internal/base/corpus"
	"parallax/internal/input"
)

// A change of a table or a constant concerns few inputs, and all take the same path as others. The
// literals of changed lines are therefore seeds of both versions, and words of the dictionary.

// Bounds of what changed literals give. Beyond them, every n-th is taken.
const (
	mostLiterals     = 16384
	mostChangedSeeds = 4096
	mostChangedWords = 64
)

// Bounded returns at most mostLiterals of a list, evenly spread: a generated table may change as a
// whole.
func Bounded(list []Literal) []Literal { return every(list, mostLiterals) }

// ChangedSeeds returns inputs made of the literals of changed lines: each is one argument, and the
// others have zero values. Borders of ranges differ by one, so integers give their neighbors, too.
func ChangedSeeds(literals []Literal, shape input.Shape) (list []corpus.Seed) {
	zero, err := shape.Unpack(shape.Zero())
	if err != nil {
		return nil
	}
	seen := map[string]bool{}
	for _, l := range literals {
		for i := range zero {
			for _, v := range valuesOf(l, zero[i]) {
				values := append([]any{}, zero...)
				values[i] = v
				flat, err := shape.Pack(values...)
				if err == nil && !seen[string(flat)] {
					seen[string(flat)] = true
					list = append(list, corpus.Seed{Flat: flat, From: "literal of a changed line, " + l.At})
				}
			}
		}
	}
	return every(list, mostChangedSeeds)
}

// ChangedWords returns the texts of the literals of changed lines.
func ChangedWords(literals []Literal) (words [][]byte) {
	seen := map[string]bool{}
	for _, l := range literals {
		for _, v := range valuesOf(l, "") {
			if text := v.(string); !seen[text] {
				seen[text] = true
				words = append(words, []byte(text))
			}
		}
	}
	return every(words, mostChangedWords)
}

// every returns at most n elements of a list, evenly spread.
func every[T any](list []T, n int) []T {
	if len(list) <= n {
		return list
	}
	some := make([]T, n)
	for i := range some {
		some[i] = list[i*len(list)/n]
	}
	return some
}

// valuesOf returns the values that a literal may mean for an argument of the type of zero. An
// integer is a code point or decimal digits in a text.
func valuesOf(l Literal, zero any) (list []any) {
	t := reflect.TypeOf(zero)
	text := func(s string) { list = append(list, reflect.ValueOf(s).Convert(t).Interface()) }
	isText := t.Kind() == reflect.String || t.Kind() == reflect.Slice
	if isText && l.Text != "" {
		text(l.Text)
	}
	if !l.Integer {
		return list
	}
	for _, n := range []uint64{l.Number, l.Number - 1, l.Number + 1} {
		switch v := reflect.New(t).Elem(); {
		case isText:
			if n >= ' ' && n <= utf8.MaxRune && utf8.ValidRune(rune(n)) {
				text(string(rune(n)))
			}
			if n <= math.MaxInt64 {
				text(strconv.FormatUint(n, 10))
			}
		case v.CanInt() && n <= math.MaxInt64 && !v.OverflowInt(int64(n)):
			v.SetInt(int64(n))
			list = append(list, v.Interface())
		case v.CanUint() && !v.OverflowUint(n):
			v.SetUint(n)
			list = append(list, v.Interface())
		}
	}
	return list
}

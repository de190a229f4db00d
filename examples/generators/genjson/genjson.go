// Package genjson draws JSON documents: a generator to copy and to change.
package genjson

import (
	"strconv"
	"strings"

	"parallax/gen"
)

// Hints say what documents hold, so that a program which looks for names and values finds some.
type Hints struct {
	Keys    []string // of objects
	Strings []string // values
}

// Document draws documents. They are valid: numbers may be larger than a float64 holds, and keys
// may occur twice. Strings may have half a surrogate pair, which the grammar allows.
func Document(h Hints) gen.Gen[string] {
	text := quoted()
	key := known(h.Keys, text)
	scalar := gen.OneOf(
		gen.SampledFrom([]string{"null", "true", "false"}),
		number,
		known(h.Strings, text),
	)
	value := gen.Recursive(scalar, func(self gen.Gen[string]) gen.Gen[string] {
		return gen.OneOf(array(self), object(key, self))
	})
	return gen.Custom(func(t *gen.T) string {
		return space.Draw(t, "before") + value.Draw(t, "value") + space.Draw(t, "behind")
	})
}

// space is between tokens. Nothing is the simplest.
var space = gen.SampledFrom([]string{"", "", "", " ", "\n", "\t", "\r\n  "})

var number = gen.OneOf(
	gen.Map(gen.Int[int64](), func(n int64) string { return strconv.FormatInt(n, 10) }),
	gen.StringMatching(`-?(0|[1-9][0-9]{0,20})(\.[0-9]{1,6})?([eE][+-]?[0-9]{1,3})?`),
)

// known draws one of some texts, or another one; only others where there are none.
func known(texts []string, other gen.Gen[string]) gen.Gen[string] {
	if len(texts) == 0 {
		return other
	}
	list := make([]string, len(texts))
	for i, text := range texts {
		list[i] = quote(text)
	}
	return gen.OneOf(gen.SampledFrom(list), gen.SampledFrom(list), other)
}

// quoted draws strings, of runes and of escapes.
func quoted() gen.Gen[string] {
	char := gen.OneOf(
		gen.Map(gen.Rune(), func(r rune) string { return escape(r) }),
		gen.SampledFrom([]string{`\"`, `\\`, `\/`, `\b`, `\f`, `\n`, `\r`, `\t`}),
		gen.StringMatching(`\\u[0-9a-fA-F]{4}`),
	)
	return gen.Map(gen.SliceOf(char), func(chars []string) string { return `"` + strings.Join(chars, "") + `"` })
}

func quote(text string) string {
	var b strings.Builder
	for _, r := range text {
		b.WriteString(escape(r))
	}
	return `"` + b.String() + `"`
}

// escape returns a rune as it is written in a string.
func escape(r rune) string {
	switch {
	case r == '"' || r == '\\':
		return `\` + string(r)
	case r < ' ':
		return `\u00` + strconv.FormatInt(int64(r)+0x100, 16)[1:]
	}
	return string(r)
}

func array(value gen.Gen[string]) gen.Gen[string] {
	return gen.Custom(func(t *gen.T) string {
		return "[" + list(t, gen.SliceOfN(value, 0, 6).Draw(t, "elements")) + "]"
	})
}

func object(key, value gen.Gen[string]) gen.Gen[string] {
	member := gen.Custom(func(t *gen.T) string {
		return key.Draw(t, "key") + space.Draw(t, "space") + ":" + space.Draw(t, "behind") + value.Draw(t, "value")
	})
	return gen.Custom(func(t *gen.T) string {
		return "{" + list(t, gen.SliceOfN(member, 0, 6).Draw(t, "members")) + "}"
	})
}

// list puts commas between texts, and space around them.
func list(t *gen.T, texts []string) string {
	var b strings.Builder
	for i, text := range texts {
		if i > 0 {
			b.WriteString("," + space.Draw(t, "space"))
		}
		b.WriteString(text)
	}
	return b.String() + space.Draw(t, "end")
}

// Any draws documents of any content, as parallax diff --generator takes it.
var Any = Document(Hints{})

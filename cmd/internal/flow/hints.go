package flow

import (
	"slices"
	"strings"
	"unicode"
)

// largeHunk is the number of lines up to which a hunk counts as one cause. Most fixes have fewer.
const largeHunk = 10

// Large reports whether a hunk may hold several causes: a rewritten function, a table, many lines,
// or several hunks.
func (h Hunk) Large() bool { return h.Whole || strings.Count(h.Text, "\n") > largeHunk }

// CalledName returns the name by which code calls a function.
func CalledName(function string) string {
	name := strings.TrimSuffix(function, "[...]")                               // with type parameters
	if end := strings.TrimSuffix(name, " const"); strings.HasSuffix(end, ")") { // of C++, with its parameters
		if name = end[:max(0, strings.LastIndexByte(end, '('))]; strings.HasSuffix(name, ">") {
			name = name[:max(0, strings.LastIndexByte(name, '<'))]
		}
	}
	return name[1+strings.LastIndexFunc(name, func(r rune) bool { return r != '_' && !unicode.IsLetter(r) && !unicode.IsDigit(r) }):]
}

// Mentions reports whether the text of a hunk contains a name.
func (h Hunk) Mentions(name string) bool {
	for word := range strings.FieldsSeq(h.Text) {
		if name != "" && strings.TrimLeft(word, "+-") == name { // the signs of a line are before its first token
			return true
		}
	}
	return false
}

// FieldHints is the number of hints of a hunk that mentions a field.
const FieldHints = 2

// Hints returns the number of hints that a hunk makes the parts in which values differ, as named by
// package causes: "Parse 0.Name". A hunk that mentions the field may set it, which counts
// FieldHints. A hunk in the called function may change its result.
func (h Hunk) Hints(parts []string) (hints int) {
	field := func(part string) bool {
		return h.Mentions(part[1+strings.LastIndexByte(part, '.'):]) && strings.Contains(part, ".")
	}
	call := func(part string) bool {
		name := CalledName(part[:max(0, strings.LastIndexByte(part, ' '))])
		return name != "" && strings.EqualFold(name, CalledName(h.Function)) // F may only call f
	}
	if slices.ContainsFunc(parts, field) {
		hints += FieldHints
	}
	if slices.ContainsFunc(parts, call) {
		hints++
	}
	return hints
}

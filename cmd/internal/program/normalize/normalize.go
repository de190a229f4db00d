// Package normalize transforms values of programs before they are compared, so that only relevant
// differences remain. docs/guides/comparing-languages.md lists the differences to expect between
// languages.
//
// Package lockstep calls it on every value of every accepted input, and package config checks
// names.
//
// Invariants: built-in normalizers are pure, accept any bytes, and are idempotent. They allocate
// nothing once their memory has grown, except for matching regular expressions. A value that a
// normalizer cannot parse stays unchanged.
package normalize

// builtin is a normalizer: it appends the normal form of value to dst, which must not overlap
// value.
type builtin func(s *scratch, dst, value []byte) []byte

// scratch is memory that normalizers reuse.
type scratch struct {
	lines [][]byte
	json  jsonScratch
}

var builtins = map[string]builtin{
	"case":       lower,
	"json":       func(s *scratch, dst, value []byte) []byte { return canonicalJSON(&s.json, dst, value, false) },
	"json-float": func(s *scratch, dst, value []byte) []byte { return canonicalJSON(&s.json, dst, value, true) },
	"lines":      sortLines,
	"numbers":    func(_ *scratch, dst, value []byte) []byte { return numbers(dst, value) },
	"space":      oneSpace,
	"trim":       trim,
}

// Names lists the built-in normalizers.
var Names = []string{"case", "json", "json-float", "lines", "numbers", "space", "trim"}

// Known reports whether a normalizer of that name is built in.
func Known(name string) bool { return builtins[name] != nil }

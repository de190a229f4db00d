// Package normalize owns the forms into which values of programs are brought before they are
// compared, so that only differences that matter are left: docs/guides/comparing-languages.md says
// which ones to expect between languages.
//
//	normalize.go   the normalizers that are built in, by name
//	text.go        case, space, trim, lines
//	number.go      spellings of numbers, in exact decimal arithmetic
//	json.go        canonical JSON
//	chain.go       several normalizers one after another, also ones of the user's
//
// It is called by lockstep, on every value of every accepted input, and by config, which checks
// names. Invariants:
//   - what is built in is a pure function of bytes, takes any bytes, and does nothing the second time (idempotent);
//   - it allocates nothing once its memory has grown, but for regular expressions that match;
//   - a value that a normalizer does not understand stays as it is.
package normalize

// builtin is a normalizer: it appends the form of value to dst, which is not part of value.
type builtin func(s *scratch, dst, value []byte) []byte

// scratch is memory that normalizers keep from value to value.
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

// Names are the normalizers that are built in.
var Names = []string{"case", "json", "json-float", "lines", "numbers", "space", "trim"}

// Known reports whether a normalizer of that name is built in.
func Known(name string) bool { return builtins[name] != nil }

// Package diagnostic finds the line in a program's output that best explains a failure. Programs of
// all languages print the reason on standard error in some form. Triage and the kinds of programs
// show that line, and derive the class of a crash from it.
package diagnostic

import (
	"bytes"
	"strings"

	"parallax/cmd/internal/base/lazyregexp"
)

// named matches lines that name an error in many languages and tools: json.decoder.JSONDecodeError:
// ..., panic: ..., ==1==ERROR: AddressSanitizer: ...
var named = lazyregexp.New(`(?i)^(=+\d+=+)?[\w.$]*(error|exception|panic|assertion|fatal)\b`)

// First returns the first line of a program's standard error that names an error, or else the first
// line. Stack traces of Python have that line last, and those of Node have it after the line of
// code. It returns nil if there is no line.
func First(text []byte) []byte {
	var first []byte
	for rest := text; len(rest) > 0; {
		var line []byte
		line, rest, _ = bytes.Cut(rest, []byte("\n"))
		trimmed := bytes.TrimSpace(line)
		if len(trimmed) == 0 {
			continue
		}
		if named().Match(line) {
			return trimmed
		}
		if first == nil {
			first = trimmed
		}
	}
	return first
}

// Explain returns the line of an observation's detail that explains its message. For the output of
// a process it is Last. For the answer of a service it is First: the answer begins with its status,
// and its body may repeat the input.
func Explain(message string, detail []byte) []byte {
	if status, ok := strings.CutPrefix(message, "status "); ok && bytes.HasPrefix(detail, []byte(status+" ")) {
		return First(detail)
	}
	return Last(detail)
}

// logged matches lines of a logger, such as log.Fatal.
var logged = lazyregexp.New(`^\d{4}[-/]\d\d[-/]\d\d\b|(?i)\b(fatal|abort(ed|ing)?)\b`)

// lastLines is the number of lines that Last searches.
const lastLines = 16

// Last returns the line of a program's standard error that explains why its process ended. Among
// the last lines, it prefers the last that names an error or comes from a logger; else it returns
// the last. Earlier lines belong to earlier inputs or to a banner. It returns nil if there is no
// line.
func Last(text []byte) []byte {
	var last []byte
	for n := 0; len(text) > 0 && n < lastLines; {
		at := bytes.LastIndexByte(text, '\n')
		line := text[at+1:]
		text = text[:max(at, 0)]
		trimmed := bytes.TrimSpace(line)
		if len(trimmed) == 0 {
			continue
		}
		if n++; named().Match(line) || logged().Match(line) {
			return trimmed
		}
		if last == nil {
			last = trimmed
		}
	}
	return last
}

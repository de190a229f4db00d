// Package diagnostic finds the line in a program's output that best explains why it failed. Programs of all kinds print their reason on
// standard error, in the ways of their languages. Triage and the kinds of programs show that line, and take the class of a crash from it.
package diagnostic

import (
	"bytes"
	"strings"

	"parallax/cmd/internal/base/lazyregexp"
)

// named matches lines that name an error in the way of many languages and tools: json.decoder.JSONDecodeError: ..., panic: ...,
// ==1==ERROR: AddressSanitizer: ...
var named = lazyregexp.New(`(?i)^(=+\d+=+)?[\w.$]*(error|exception|panic|assertion|fatal)\b`)

// First returns the first line of a program's standard error that names an error, or else the first line. A stack trace of Python has that
// line last, one of Node after the line of code. It returns nil when there is no line.
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

// Of returns the line of an observation's detail that explains its message: Last of what a process printed. The answer of a service begins
// with its status, and its body may repeat the input: there it returns First.
func Of(message string, detail []byte) []byte {
	if status, ok := strings.CutPrefix(message, "status "); ok && bytes.HasPrefix(detail, []byte(status+" ")) {
		return First(detail)
	}
	return Last(detail)
}

// logged matches lines that a logger has written, as log.Fatal does.
var logged = lazyregexp.New(`^\d{4}[-/]\d\d[-/]\d\d\b|(?i)\b(fatal|abort(ed|ing)?)\b`)

// lastLines bounds the lines before the end of a process that Last searches for one that names an error.
const lastLines = 16

// Last returns the line of a program's standard error that explains why its process ended. Of the last lines it takes the last that names an
// error or that a logger has written, or else the last of all. Earlier lines belong to earlier inputs or to a banner. It returns nil when there
// is no line.
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

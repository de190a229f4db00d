package program

import (
	"bytes"
	"strings"

	"parallax/cmd/internal/lazyregexp"
)

// telling begins lines that name an error in the way of many languages and tools: json.decoder.JSONDecodeError: ..., panic: ...,
// ==1==ERROR: AddressSanitizer: ...
var telling = lazyregexp.New(`(?i)^(=+\d+=+)?[\w.$]*(error|exception|panic|assertion|fatal)\b`)

// Telling finds the line of a program's standard error that says best what happened: the first that names an error, or else the
// first. A stack trace of Python has it last, one of Node after the line of code. It is nil when there is no line.
func Telling(text []byte) []byte {
	var first []byte
	for rest := text; len(rest) > 0; {
		var line []byte
		line, rest, _ = bytes.Cut(rest, []byte("\n"))
		trimmed := bytes.TrimSpace(line)
		if len(trimmed) == 0 {
			continue
		}
		if telling().Match(line) {
			return trimmed
		}
		if first == nil {
			first = trimmed
		}
	}
	return first
}

// Why finds the line of an observation's detail that says best why a program failed with this message. It is Last of what a
// process printed. A service's answer begins with its status, and its body may repeat the input: there it is Telling.
func Why(message string, detail []byte) []byte {
	if status, ok := strings.CutPrefix(message, "status "); ok && bytes.HasPrefix(detail, []byte(status+" ")) {
		return Telling(detail)
	}
	return Last(detail)
}

// logged are lines that a logger has written, as log.Fatal does.
var logged = lazyregexp.New(`^\d{4}[-/]\d\d[-/]\d\d\b|(?i)\b(fatal|abort(ed|ing)?)\b`)

// lastLines is how many lines before the end of a process Last searches for one that names an error.
const lastLines = 16

// Last finds the line of a program's standard error that says best why its process ended: of the last lines the last that names an error or
// that a logger has written, or else the last of all. What stands before belongs to earlier inputs or, as a banner, to none. It is nil when
// there is no line.
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
		if n++; telling().Match(line) || logged().Match(line) {
			return trimmed
		}
		if last == nil {
			last = trimmed
		}
	}
	return last
}

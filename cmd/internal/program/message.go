package program

import (
	"bytes"

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

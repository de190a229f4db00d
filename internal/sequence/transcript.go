package sequence

import (
	"strconv"
	"strings"
)

// Difference is the first operation whose lines differ between two transcripts.
type Difference struct {
	At              int    // number of the operation, from 0
	Operation       string // the method, as in fs.Rename or file.Read
	Call            string // as Go source
	Original, Model string // the results; empty if the transcript ended before
}

// First returns the first difference of two transcripts, in the form of values in findings. It
// reports false if they are equal, or no transcripts.
func First(original, model string) (d Difference, ok bool) {
	a, ok := Lines(original)
	b, same := Lines(model)
	if !ok || !same {
		return d, false
	}
	for i := 0; i < max(len(a), len(b)); i++ {
		var x, y string
		if i < len(a) {
			x = a[i]
		}
		if i < len(b) {
			y = b[i]
		}
		if x == y {
			continue
		}
		d.At = i
		if d.Call, d.Original = Split(x); x == "" {
			d.Call, d.Model = Split(y)
		} else if call, result := Split(y); call == d.Call {
			d.Model = result
		} else { // the receiver is an object that only one of them has
			d.Model = y
		}
		d.Operation = Operation(d.Call)
		return d, true
	}
	return d, false
}

// Lines splits a transcript: a text in quotes, or several in parentheses.
func Lines(value string) (lines []string, ok bool) {
	inside, several := strings.CutPrefix(value, "(")
	if several {
		if inside, ok = strings.CutSuffix(inside, ")"); !ok {
			return nil, false
		}
	}
	for inside != "" {
		prefix, err := strconv.QuotedPrefix(inside)
		if err != nil {
			return nil, false
		}
		line, err := strconv.Unquote(prefix)
		if err != nil {
			return nil, false
		}
		lines = append(lines, line)
		if inside = inside[len(prefix):]; inside == "" {
			break
		}
		if inside, ok = strings.CutPrefix(inside, ", "); !ok || !several {
			return nil, false
		}
	}
	return lines, true
}

// Unknown reports whether a line of a transcript marks an operation that the model does not know.
func Unknown(line string) bool { return strings.HasSuffix(line, notImplemented) }

// Split splits a line into the call and its results. The call's arguments are Go source.
func Split(line string) (call, result string) {
	depth := 0
	for i := 0; i < len(line); i++ {
		switch line[i] {
		case '"', '`':
			prefix, err := strconv.QuotedPrefix(line[i:])
			if err != nil {
				return line, ""
			}
			i += len(prefix) - 1
		case '(':
			depth++
		case ')':
			if depth--; depth == 0 {
				return line[:i+1], strings.TrimPrefix(strings.TrimSpace(line[i+1:]), "= ")
			}
		}
	}
	return line, ""
}

// Operation is a call's method, with the kind of its receiver.
func Operation(call string) string {
	receiver, rest, _ := strings.Cut(call, ".")
	method, _, _ := strings.Cut(rest, "(")
	return strings.TrimRight(receiver, "0123456789") + "." + method
}

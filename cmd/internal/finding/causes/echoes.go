package causes

import (
	"fmt"
	"strconv"
	"strings"

	"parallax/internal/input"
)

// minEcho is the shortest argument that counts as an echo in an error. Shorter ones match anyway.
const minEcho = 2

// WithoutInput replaces each argument in a message by x, in all forms of package fmt.
func WithoutInput(shape input.Shape, message string, flat []byte) string {
	var args []string
	for i, sp := range shape.Spans(nil, flat) {
		if k := shape[i]; k == input.Bytes || k == input.String {
			args = append(args, string(flat[sp.Start:sp.End]), strings.TrimSpace(string(flat[sp.Start:sp.End])))
		}
	}
	for _, arg := range args {
		if len(arg) < minEcho {
			continue
		}
		// Quoted forms come first: a backslash before the closing quote would hide them.
		for _, quoted := range []string{strconv.Quote(arg), strconv.QuoteToASCII(arg)} {
			message = strings.ReplaceAll(message, quoted, `"x"`)
		}
		for _, form := range []string{arg, fmt.Sprint([]byte(arg)), fmt.Sprintf("%x", arg), fmt.Sprintf("%X", arg)} {
			message = strings.ReplaceAll(message, form, "x")
		}
	}
	return message
}

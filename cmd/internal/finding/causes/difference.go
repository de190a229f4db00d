package causes

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"parallax/cmd/internal/base/myers"
)

// maxForm bounds the form of a difference, in bytes.
const maxForm = 12

// DifferenceForm returns the form in which two values differ. Digits are 0, letters a, other runes
// beyond ASCII u; a run of one kind counts once. It names buckets if only values are known.
func DifferenceForm(a, b string) string {
	head, tail := myers.Ends([]byte(a), []byte(b))
	return form(a[head:len(a)-tail]) + "|" + form(b[head:len(b)-tail])
}

func form(s string) string {
	var out strings.Builder
	last := rune(-1)
	for _, r := range s {
		switch {
		case r == utf8.RuneError:
			r = '?'
		case r > unicode.MaxASCII:
			r = 'u'
		case unicode.IsDigit(r):
			r = '0'
		case unicode.IsLetter(r):
			r = 'a'
		case unicode.IsSpace(r):
			r = ' '
		case r < ' ':
			r = '^'
		}
		if r == last {
			continue
		}
		if last = r; out.Len() >= maxForm {
			break
		}
		out.WriteRune(r)
	}
	return out.String()
}

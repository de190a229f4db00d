package triage

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// maxForm is how much of the form of a difference belongs to a bucket's name.
const maxForm = 12

// valueDifference is the form of where two values part: digits are 0, letters a, what is not ASCII u, runs of them one. It
// names buckets where nothing else tells causes apart: two programs of which only the values are known.
func valueDifference(a, b string) string {
	head := 0
	for head < len(a) && head < len(b) && a[head] == b[head] {
		head++
	}
	tail := 0
	for tail < len(a)-head && tail < len(b)-head && a[len(a)-1-tail] == b[len(b)-1-tail] {
		tail++
	}
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

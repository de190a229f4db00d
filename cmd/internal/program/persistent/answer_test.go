package persistent

import (
	"strings"
	"testing"
	"unicode/utf8"

	"parallax/cmd/internal/program"
	"parallax/cmd/internal/program/programtest"
	"parallax/internal/oracle"
)

// TestMessageLimit checks that a driver's message is short, and the rest becomes detail, within
// limits.
func TestMessageLimit(t *testing.T) {
	long := strings.Repeat("x", messageLimit)
	wide := strings.Repeat("x", messageLimit-1) + "\u20ac" // the euro sign crosses the limit
	raw := strings.Repeat("\x80", 2*messageLimit)
	for _, c := range []struct{ verdict, text, message, detail string }{
		{"RD", "no\nnever", "no\nnever", ""},
		{"RD", long, long, ""},
		{"RD", long + "\ny", long, "\ny"},
		{"C", long + "\r\ny", long, "y"},
		{"C", long + "yz\nat", long, "yz\nat"},
		{"C", "why\n" + long + long, "why", long + long},
		{"RDC", wide + "!", wide[:messageLimit-1], "\u20ac!"},
		{"RDC", raw, raw[:messageLimit], raw[messageLimit:]},
		{"RDC", long + strings.Repeat("y", 1<<20), long, strings.Repeat("y", program.Kept)},
		{"C", "why\n" + strings.Repeat("y", program.Kept-1) + "\u20ac", "why", strings.Repeat("y", program.Kept-1)},
		{"RDC", "", "", ""},
	} {
		for _, v := range []byte(c.verdict) {
			o := program.Observation{Value: []byte(c.text)}
			verdict(&o, v)
			if o.Message != c.message || o.Detail != c.detail || len(o.Value) != 0 {
				t.Errorf("%c %.20q of %d bytes: message of %d, detail of %d", v, c.text, len(c.text), len(o.Message), len(o.Detail))
			}
			if utf8.ValidString(c.text) && !utf8.ValidString(o.Message+o.Detail) {
				t.Errorf("%c %.20q: a character is cut", v, c.text)
			}
		}
	}
	o := programtest.Execute(t, mustOpen(t, fakeConfig(t, "parallax-driver 1")), "reject "+strings.Repeat("x", 1<<20))[0]
	if o.Outcome != oracle.Rejected || len(o.Message) != messageLimit || len(o.Detail) != program.Kept {
		t.Errorf("%v, message of %d bytes, detail of %d", o.Outcome, len(o.Message), len(o.Detail))
	}
}

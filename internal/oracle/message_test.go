package oracle

import (
	"math/rand/v2"
	"strings"
	"testing"
)

func TestMessageClass(t *testing.T) {
	cases := []struct{ msg, want string }{
		{"", ""},
		{"plain text", "plain text"},
		{`strconv.ParseInt: parsing "abc": invalid syntax`, "strconv.ParseInt: parsing <q>: invalid syntax"},
		{`parsing "a\"b\\": bad`, "parsing <q>: bad"},
		{"parsing `a\\`: bad", "parsing <q>: bad"},
		{"can't read", "can't read"},
		{"the users' files can't be read", "the users' files can't be read"},
		{"invalid character 'x' looking for beginning of value", "invalid character <q> looking for beginning of value"},
		{`invalid character '\'' in literal`, "invalid character <q> in literal"},
		{`invalid character '"' after object key`, "invalid character <q> after object key"},
		{`"it's" is 'so "so"'`, "<q> is <q>"},
		{"found 'can't' here", "found <q> here"},
		{"unknown option `foo'", "unknown option <q>"},
		{`unbalanced "quote 12`, `unbalanced "quote <n>`},
		{`"a" and "b`, `<q> and "b`},
		{"unbalanced 'quote", "unbalanced 'quote"},
		{"line `a=`b` is bad", "line <q> is bad"},
		{"line `a=\"`\nb=\"c` is bad", "line <q> is bad"},
		{"line `a` ` is bad", "line <q> is bad"},
		{`"a"b" is not "c"`, "<q> is not <q>"},
		{`key "a" of "b"c"`, "key <q> of <q>"},
		{`"a"` + "\n" + `"b", "c"`, "<q>\n<q>, <q>"},
		{`not "a", which misses the closing '"'`, "not <q>, which misses the closing <q>"},
		{`got "a", want " "`, "got <q>, want <q>"},
		{`parsing "a 0" as " 0": cannot parse "a 0" as " 0"`, "parsing <q> as <q>: cannot parse <q> as <q>"},
		{`f(" >%") of "b"`, "f(<q>) of <q>"},
		{`u"a" is not b"b" or "c"`, "u<q> is not b<q> or <q>"},
		{"neither `a' nor `b'", "neither <q> nor <q>"},
		{`""" is no name`, "<q> is no name"},
		{`5" or "a"`, "<n><q>"}, // a quote after a word may open a part, as in key"a"
		{"`", "`"},
		{"'", "'"},
		{`ends with a backslash "\`, `ends with a backslash "\`},
		{"é'é'", "é'é'"},
		{"line 3, column 55: bad", "line <n>, column <n>: bad"},
		{"at offset 0x1fG", "at offset <n>G"},
		{"0x", "<n>x"},
		{"got 5857cbb29d30ab8e, want DEADBEE5", "got <n>, want <n>"},
		{"deadbeef abcdef1 12345678.5 12345678x a12345678x", "deadbeef <n> <n> <n>x a<n>x"},
		{"b0f0 0b1 face 1e10 12e4x", "<n> <n>b<n> face <n> <n>e<n>x"},
		{"urn:uuid:7d444840-9dc0-11d1-b245-5ffdce74fad2, not 00000000-0000-0000-0000-000000000000", "urn:uuid:<n>, not <n>"},
		{"ac:de:48:00:11:22 fe80::1%eth0 2001:db8::ff00:42", "<n> <n>%eth<n> <n>"},
		{"m_test.go:12:5: 3-4 a-b-c add-on a.c:12:5 12:30:45Z", "m_test.go:<n>:<n>: <n>-<n> a-b-c add-on a.c:<n>:<n> <n>:<n>:<n>Z"},
		{"2026-11-29 at 12:30:45", "<n> at <n>"},
		{"0xg", "<n>xg"},
		{"value -12 or +7 of 1-2", "value <n> or <n> of <n>-<n>"},
		{"1.5 and 1.5e-7 and 2e10 and 3em and 1e", "<n> and <n> and <n> and <n>em and <n>e"},
		{"version 1.2.3. Next.", "version <n>. Next."},
		{"10.0.0.1:80", "<n>:<n>"},
		{"x509: int64 sha256", "x<n>: int<n> sha<n>"},
		{"after 1m30.5s", "after <n>m<n>s"},
		{`invalid rune U+00E9 or \xff`, "invalid rune <n> or <n>"},
		{"a - b", "a - b"},
		{"-", "-"},
		{"list [1 2 3]", "list [<n> <n> <n>]"},
	}
	for _, c := range cases {
		if got := MessageClass(c.msg); got != c.want {
			t.Errorf("MessageClass(%q) = %q, want %q", c.msg, got, c.want)
		}
	}
}

// TestMessageClassIsLinear checks long messages, in which the scan searches in vain for the end of
// each kind of quote only once.
func TestMessageClassIsLinear(t *testing.T) {
	for _, unit := range []string{"'", `"\`, "`", " 'a", `\'`, `"a" `, `"a`, `"" "`, "`a' ", `"a"'"'`, "a-", "a:b-", "1-", "::", "a::", "-a"} {
		msg := strings.Repeat(unit, 1<<20)
		if got := MessageClass(msg); len(got) > 2*len(msg) {
			t.Errorf("%q: %d bytes from %d", unit, len(got), len(msg))
		}
	}
}

// TestMessageClassOfHex checks that values of one format have one class, whatever their digits and
// their place between words.
func TestMessageClassOfHex(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	value := func(format string) string {
		for {
			text, digit := []byte(format), false
			for i, c := range text {
				if c == 'h' {
					text[i] = "0123456789abcdefABCDEF"[rng.IntN(22)]
					digit = digit || isDigit(text[i])
				}
			}
			if digit {
				return string(text)
			}
		}
	}
	for _, format := range []string{
		"hhhhhhhh-hhhh-hhhh-hhhh-hhhhhhhhhhhh", "0xhhhhhh", "hh:hh:hh:hh:hh:hh", "hh-hh-hh-hh-hh-hh", "hhhh:hhhh:hhhh::hhhh", "h::hh:h", "hhhhhhhhhhhhhhhh", "hhhhhhh",
	} {
		for _, text := range []string{"%s", "Parse(%s) = %s, <nil>", "urn:uuid:%s;{%s}", "got %s, want %s or\n%s.", "a %s-", "key=%s:"} {
			want := strings.ReplaceAll(text, "%s", "<n>")
			for range 200 {
				msg := text
				for strings.Contains(msg, "%s") {
					msg = strings.Replace(msg, "%s", value(format), 1)
				}
				if got := MessageClass(msg); got != want {
					t.Fatalf("%s: MessageClass(%q) = %q, want %q", format, msg, got, want)
				}
			}
		}
	}
}

func FuzzMessageClass(f *testing.F) {
	for _, msg := range []string{"", `a "b" 'c' 0x1 -2`, "can't", `"\`, "`a'", "U+1 \\x1"} {
		f.Add(msg)
	}
	f.Fuzz(func(t *testing.T, msg string) {
		class := MessageClass(msg)
		if messageHash(byteHashStart, msg) != byteHashStart.text(class) {
			t.Error("the hash is not that of the text")
		}
		if strings.ContainsAny(class, "0123456789") {
			t.Errorf("%q keeps a number: %q", msg, class)
		}
	})
}

// TestMessageClassOfLargeMessages checks that a message may be of any size. Its beginning
// determines its class.
func TestMessageClassOfLargeMessages(t *testing.T) {
	long := strings.Repeat("word ", 1<<20)
	if got := MessageClass(long + "one"); len(got) > classLimit || got != MessageClass(long+"two") {
		t.Errorf("%d bytes", len(got))
	}
	if messageHash(byteHashStart, long+"one") != messageHash(byteHashStart, long+"two") {
		t.Error("text and hash differ")
	}
}

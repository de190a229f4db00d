package escape

import (
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"
)

// harmless checks that text is UTF-8 without anything that a terminal interprets.
func harmless(t *testing.T, s string) {
	t.Helper()
	if !utf8.ValidString(s) {
		t.Fatalf("invalid UTF-8: %q", s)
	}
	for _, r := range s {
		if r != '\n' && !Visible(r) {
			t.Fatalf("%U in %q", r, s)
		}
	}
}

func TestText(t *testing.T) {
	for in, want := range map[string]string{
		"plain":                  "plain",
		"a\nb\r\t":               `a\nb\r\t`,
		"\x1b[31m\x00\x7f":       `\x1b[31m\x00\x7f`,
		"\xff\xc3":               `\xff\xc3`,
		"\u009b\u202e\u00a0":     `\u009b\u202e\u00a0`,
		"e\u0301 日本":             `e\u0301 日本`,
		"\U000e0041\ufffd":       `\U000e0041\ufffd`,
		`back\slash "and" quote`: `back\slash "and" quote`,
	} {
		if got := Text(in); got != want {
			t.Errorf("Text(%q) = %s, want %s", in, got, want)
		}
		if got := Text(want); got != want {
			t.Errorf("Text is not idempotent on %s: %s", want, got)
		}
	}
}

func TestLines(t *testing.T) {
	if got, want := Lines("a\u202eb\n\tc\x1bd\n"), "a\\u202eb\n\tc\\x1bd\n"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestPlain(t *testing.T) {
	for in, want := range map[string]string{
		"AddressSanitizer: heap-buffer-overflow (in f)": "AddressSanitizer: heap-buffer-overflow (in f)",
		"http://a.b":         `http\://a.b`,
		"- item, 1) item":    `\- item, 1\) item`,
		"[a](b) ![c] a_b":    `\[a\]\(b) !\[c\] a\_b`,
		":smile: end:":       `\:smile: end:`,
		"--- +1 a+b a - b":   `\-\-\- \+1 a+b a \- b`,
		"<b> & `x` # @a ~~s": "\\<b\\> \\& \\`x\\` \\# \\@a \\~\\~s",
	} {
		if got := Plain(in); got != want {
			t.Errorf("Plain(%q) = %s, want %s", in, got, want)
		}
	}
}

func FuzzQuote(f *testing.F) {
	f.Add("a\"b\\\xff\x00\u202e日\ufffd\U000e0041`|")
	f.Fuzz(func(t *testing.T, s string) {
		q := Quote(s)
		harmless(t, q)
		if got, err := strconv.Unquote(q); err != nil || got != s {
			t.Fatalf("Unquote(%s) = %q, %v; want %q", q, got, err, s)
		}
		harmless(t, Text(s))
		harmless(t, Code(s)+Cell(s))
		harmless(t, Plain(s))
		fence := Fence("", s)
		harmless(t, fence)
		lines := strings.Split(strings.TrimSuffix(fence, "\n"), "\n")
		for _, l := range lines[1 : len(lines)-1] {
			if strings.Contains(l, lines[0]) {
				t.Fatalf("the fence is ended by %q in %q", l, fence)
			}
		}
		for i, c := 0, Cell(s); i < len(c); i++ {
			if c[i] == '\\' {
				i++ // what Markdown reads as an escape
			} else if c[i] == '|' {
				t.Fatalf("a table cell ends inside %q", c)
			}
		}
		_ = Cut(s, len(s)/2)
	})
}

// TestEscaped: quoted text is escaped exactly if it has something else than visible characters,
// tabs and ends of lines.
func TestEscaped(t *testing.T) {
	for _, plain := range []string{"", "x", "a\tb\r\n", `C:\x41\u0041`, `\`, `\\x`, `"'`, "日本語 é", "0x00"} {
		if Escaped(Quote(plain)) {
			t.Errorf("%q is escaped", plain)
		}
		for _, hidden := range []string{"\x00", "\x1b", "\x7f", "\xff", "\ufeff", "\u200b", "\u00a0", "\U000e0001"} {
			if !Escaped(Quote(plain + hidden + plain)) {
				t.Errorf("%q is not escaped", plain+hidden+plain)
			}
		}
	}
}

func TestCut(t *testing.T) {
	if got := Cut("日本語", 4); got != "日… (9 bytes in all)" {
		t.Error(got)
	}
	if got := QuoteCut(strings.Repeat("a", 5000), 3); got != `"aaa"… (5,000 bytes in all)` {
		t.Error(got)
	}
	if got := Cut("\x80\x80\x80\x80\x80\x80", 5); got != "\x80\x80\x80\x80\x80… (6 bytes in all)" {
		t.Errorf("%q", got)
	}
}

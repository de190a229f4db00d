package mining

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func literalsOf(t *testing.T, texts ...string) []string {
	t.Helper()
	dir := t.TempDir()
	var files []string
	for i, text := range texts {
		name := filepath.Join(dir, fmt.Sprintf("%d.go", i))
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		files = append([]string{name}, files...) // the order of the arguments does not matter
	}
	tokens, err := literals(files)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, b := range tokens {
		got = append(got, string(b))
	}
	return got
}

func TestLiterals(t *testing.T) {
	for _, test := range []struct{ name, body, want string }{
		{"comparison", `_ = s == "true" || c != 'x' || "a" < s`, `["true" "x" "a"]`},
		{"byte and code point", `_ = c == '\xff' || c == 'é' || c == '\n'`, `["\xff" "é" "\n"]`},
		{"integers", `_ = n > 9 || n == 10 || n == 0x1234 || n <= -300 || n == 70000`,
			`["10" "4660" "4\x12" "\x124" "-300" "70000" "p\x11\x01\x00" "\x00\x01\x11p"]`},
		{"wide integer", `_ = n == 1<<3 || n == 0x0102030405060708`,
			`["72623859790382856" "\b\a\x06\x05\x04\x03\x02\x01" "\x01\x02\x03\x04\x05\x06\a\b"]`},
		{"case", `switch s { case "a", "b"+"c": case string("d"): }`, `["a" "bc" "d"]`},
		{"conversions", `_ = bytes.Equal(b, []byte("PNG")) || bytes.HasPrefix(b, []byte{0x89, 'P', 1})`, `["PNG" "\x89P\x01"]`},
		{"searching", `strings.Cut(s, "="); strings.Repeat(s, "no"); bytes.IndexByte(b, ':'); other.Cut(s, "no")`, `["=" ":"]`},
		{"messages", `panic("a" == s); fmt.Sprint(s == "no"); log.Print(s == "no"); _ = errors.New("no")`, `[]`},
		{"map keys", `_ = map[string]int{"k": 1}; _ = []string{"no"}`, `["k"]`},
		{"constants", `const (k = "text"; r = 'r'; n = 77)`, `["text" "r"]`},
		{"tags", "type T struct { A int `json:\"a,omitempty\" yaml:\"-\" xml:\"ns b>c\" db:\"no\"` }", `["a" "b" "c"]`},
		{"variables", `var (m = []byte("\xab\xcdMax"); s = "text"; n = 70000; e = errors.New("bad"))`, `["\xab\xcdMax" "text"]`},
		{"order and duplicates", `const k = "z"; _ = map[string]int{"m": 1}; strings.Index(s, "i"); _ = s == "z"`, `["z" "i" "m"]`},
		{"length", `_ = s == "" || s == "` + strings.Repeat("x", 33) + `" || s == "` + strings.Repeat("y", 32) + `"`,
			`["` + strings.Repeat("y", 32) + `"]`},
	} {
		t.Run(test.name, func(t *testing.T) {
			if got := fmt.Sprintf("%q", literalsOf(t, "package p\nfunc f() { "+test.body+" }")); got != test.want {
				t.Errorf("got  %s\nwant %s", got, test.want)
			}
		})
	}
}

func TestLiteralsFiles(t *testing.T) {
	got := literalsOf(t, `package p; const a = "constant"`, `package p; var _ = x == "compared"`)
	if fmt.Sprint(got) != "[compared constant]" {
		t.Errorf("got %q", got)
	}
	var many strings.Builder
	for i := range 600 {
		fmt.Fprintf(&many, "const c%d = \"%d\"\n", i, i)
	}
	if got := literalsOf(t, "package p\n"+many.String()); len(got) != maxTokens || got[0] != "0" {
		t.Errorf("%d tokens from %q, want %d", len(got), got[0], maxTokens)
	}
	if _, err := literals([]string{filepath.Join(t.TempDir(), "none.go")}); err == nil {
		t.Error("no error for a missing file")
	}
}

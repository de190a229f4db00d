package mutate

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"parallax/internal/input"
)

func TestParseDictionary(t *testing.T) {
	file := strings.Join([]string{
		"# comment, then an empty line",
		"",
		`kw1="blah"`,
		`  kw2@1 = "\"ac\\dc\""  `,
		`"\xF7\xf8"`,
		`"foo\x0Abar"`,
		`quote="""`,
		`"a" # trailing`,
		`"blah"`,
		`"é\n\r\t"`,
	}, "\r\n")
	tokens, err := ParseDictionary([]byte(file))
	want := `["blah" "\"ac\\dc\"" "\xf7\xf8" "foo\nbar" "\"" "a" "é\n\r\t"]`
	if got := fmt.Sprintf("%q", tokens); err != nil || got != want {
		t.Errorf("%s, %v, want %s", got, err, want)
	}
	if tokens, err := ParseDictionary(nil); err != nil || len(tokens) != 0 {
		t.Errorf("empty file: %q, %v", tokens, err)
	}
}

func TestParseDictionaryErrors(t *testing.T) {
	for line, want := range map[string]string{
		"word":       `dictionary line 3: expected "value" or name="value", have word`,
		`"open`:      `dictionary line 3: expected "value" or name="value"`,
		`kw "v"`:     "dictionary line 3: expected name= before the quote, have kw",
		`="v"`:       "dictionary line 3: expected name= before the quote, have =",
		`a="v" b`:    "dictionary line 3: expected nothing after the closing quote, have b",
		`a=""`:       "dictionary line 3: the value is empty",
		`a="\q"`:     `dictionary line 3: expected \\, \", \n, \r, \t or \xAB, have \q`,
		`a="x\x1"`:   `dictionary line 3: expected \\, \", \n, \r, \t or \xAB, have \x1`,
		`a="\xg0 z"`: `have \xg0 z`,
		`a="z\"`:     `have \`,
	} {
		_, err := ParseDictionary([]byte("# first\n\"ok\"\n" + line + "\n"))
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", line, err, want)
		}
	}
}

// FuzzParseDictionary checks that parsing never panics and that escaped tokens read back.
func FuzzParseDictionary(f *testing.F) {
	f.Add([]byte("a=\"b\"\n# c\n\"\\x00\\\\\"\n"))
	f.Add([]byte(`kw@2="\"x"`))
	f.Fuzz(func(t *testing.T, file []byte) {
		tokens, err := ParseDictionary(file)
		if err != nil {
			return
		}
		var b strings.Builder
		for _, token := range tokens {
			b.WriteString(`"`)
			for _, c := range token {
				fmt.Fprintf(&b, `\x%02x`, c)
			}
			b.WriteString("\"\n")
		}
		again, err := ParseDictionary([]byte(b.String()))
		if err != nil || fmt.Sprintf("%q", again) != fmt.Sprintf("%q", tokens) {
			t.Fatalf("%q became %q, %v", tokens, again, err)
		}
	})
}

// TestSetWordsAndOperands checks that words, operands and the dictionary do not replace each other.
func TestSetWordsAndOperands(t *testing.T) {
	m, err := New(Config{Shape: input.Shape{input.Bytes}, Dictionary: [][]byte{[]byte("given")}})
	if err != nil {
		t.Fatal(err)
	}
	tokens := func(words ...string) (list [][]byte) {
		for _, w := range words {
			list = append(list, []byte(w))
		}
		return list
	}
	want := func(words string) {
		t.Helper()
		if got := string(bytes.Join(m.tokens, []byte(" "))); got != words {
			t.Errorf("tokens %q, want %q", got, words)
		}
	}
	m.SetOperands(tokens("learnt"))
	want("given learnt")
	m.SetWords(tokens("heard", "", "more"))
	want("given learnt heard more")
	m.SetOperands(tokens("other", "one"))
	want("given other one heard more")
	m.SetWords(tokens("last"))
	want("given other one last")
}

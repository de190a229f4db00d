package tape

import "testing"

func TestOneLine(t *testing.T) {
	for drawn, want := range map[string]string{
		"":                                 "",
		"n = 9":                            "n = 9",
		"n = 9\ns = \"a+\"":                "n = 9; s = \"a+\"",
		"src = `var a = 1;\nb = 2`\nn = 3": `src = "var a = 1;\nb = 2"; n = 3`,
		"b = []byte(`<a>\n</a>`)\nn = 3":   `b = []byte("<a>\n</a>"); n = 3`,
		"doc = <a>\n  <b/>\n</a>\nn = 3":   `doc = <a>\n  <b/>\n</a>; n = 3`,
		"n = 7\nunended, unfinished":       "n = 7; unended, unfinished",
		"s = `\"a\"`\nn = 1":               "s = `\"a\"`; n = 1",
		"n = 1\n... (9 more)\nm = 2":       "n = 1; ... (9 more); m = 2",
		"a > b = 1\na > ... (3 more)":      "a > b = 1; a > ... (3 more)",
		"s = `a\nb... (5000 bytes)\nn = 1": `s = ` + "`" + `a\nb... (5000 bytes); n = 1`,
		"e = `x` + 1\nf = 2":               "e = `x` + 1; f = 2",
	} {
		if got := OneLine(drawn); got != want {
			t.Errorf("%q: %q, want %q", drawn, got, want)
		}
	}
}

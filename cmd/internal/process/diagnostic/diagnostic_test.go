package diagnostic

import (
	"strings"
	"testing"
)

func TestLastLine(t *testing.T) {
	for text, want := range map[string]string{
		"":                                       "",
		"\n \n":                                  "",
		"version 1\n":                            "version 1",
		"version 1\ncannot go on\n\n":            "cannot go on",
		"version 1\n2026/11/28 20:00:00 no\nbye": "2026/11/28 20:00:00 no",
		"error: of an earlier input\nTypeError: x is not a function\n    at f\n\nNode.js v22": "TypeError: x is not a function",
		"error: long ago\n" + strings.Repeat("line\n", 20) + "the end":                        "the end",
		"jq: error: x":                  "jq: error: x",
		"fatal: no room\nsome advice\n": "fatal: no room",
	} {
		if got := string(Last([]byte(text))); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

func TestFirstLine(t *testing.T) {
	for text, want := range map[string]string{
		"":                   "",
		"\n \n":              "",
		"bad input\nusage":   "bad input",
		"jq: parse error: x": "jq: parse error: x",
		"Traceback (most recent call last):\n  File \"x.py\", line 1, in <module>\n    f()\njson.decoder.JSONDecodeError: Expecting value": "json.decoder.JSONDecodeError: Expecting value",
		"/x/y.js:3\nfoo(\n    ^\n\nSyntaxError: missing )\n    at wrapSafe":                                                                "SyntaxError: missing )",
		"reading\n==12==ERROR: AddressSanitizer: heap-buffer-overflow\n#0":                                                                 "==12==ERROR: AddressSanitizer: heap-buffer-overflow",
		"Exception in thread \"main\" java.lang.Error: no\n\tat A.b":                                                                       "Exception in thread \"main\" java.lang.Error: no",
		"panic: oh\n\ngoroutine 1 [running]:":                                                                                              "panic: oh",
	} {
		if got := string(First([]byte(text))); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

// TestExplain checks that a service's status explains its failure, not a body that repeats the
// input.
func TestExplain(t *testing.T) {
	for _, test := range []struct{ message, detail, want string }{
		{"status 500", "500 Internal Server Error\nContent-Length: 2\n\n0!", "500 Internal Server Error"},
		{"status 500", "500 Internal Server Error\n\nValueError: no text\n0!", "ValueError: no text"},
		{"exit status 1", "version 1.2\nno text", "no text"},
		{"the connection was closed without an answer", "", ""},
	} {
		if got := string(Explain(test.message, []byte(test.detail))); got != test.want {
			t.Errorf("%s, %q: %q, want %q", test.message, test.detail, got, test.want)
		}
	}
}

package program

import "testing"

func TestTelling(t *testing.T) {
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
		if got := string(Telling([]byte(text))); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

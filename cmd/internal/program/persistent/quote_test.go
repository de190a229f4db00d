package persistent

import "testing"

// TestQuote checks that inputs that are a function's arguments are shown as calls, including values
// that JSON lacks.
func TestQuote(t *testing.T) {
	for _, test := range []struct {
		input, function string
		method          bool
		want            string
	}{
		{`["a\ud800",  1]`, "at", false, `at("a\ud800", 1)`},
		{`["a", 1]`, "at", true, `"a".at(1)`},
		{`[[1,[2]]]`, "flat", true, `[1, [2]].flat()`},
		{`[-1, 2]`, "toFixed", true, `(-1).toFixed(2)`},
		{`[{"b":1,"a":[{"$":"undefined"}]}, {"$":"NaN"}]`, "f", false, `f({"b": 1, "a": [undefined]}, NaN)`},
		{`[{"$bytes":"00ff"},{"$bytes":""}]`, "f", false, `f(new Uint8Array([0, 255]), new Uint8Array([]))`},
		{`[{"$bytes":"00"}]`, "at", true, `(new Uint8Array([0])).at()`},
		{`[{"x":1}]`, "f", true, `({"x": 1}).f()`},
		{`[{"$bytes":"zz"}]`, "f", false, `f({"$bytes": "zz"})`},
		{`[]`, "f", false, `f()`},
		{`[]`, "f", true, ""},
		{`null`, "f", false, ""},
		{`{`, "f", false, ""},
		{`[1]`, "", false, ""},
	} {
		if got := quote([]byte(test.input), test.function, test.method); got != test.want {
			t.Errorf("%s: %s, not %s", test.input, got, test.want)
		}
	}
}

package yaml

import (
	"fmt"
	"testing"
)

// TestControl checks the control seeds, with which the campaigns begin: parallax takes the strings
// in a package's tests. Every library accepts those of the first list, with one value, and rejects
// those of the second.
func TestControl(t *testing.T) {
	libraries := map[string]func([]byte) (any, error){
		"V2": V2, "V3": V3, "V4": V4,
	}
	for _, seed := range []string{
		"a: 1\n", "- a\n- b: c\n  d: [1, 2]\n", "p: \"q\\n\"\nr: 'z'\n", "m: {a: 1, b: [true, null]}\n",
		"i: -17\nr: 2.5\nh: 0x1f\n", "# comment\n---\ndoc: yes please\n", "- 'it''s'\n-   - x\n    - ''\n",
	} {
		want, _ := V2([]byte(seed))
		for name, f := range libraries {
			if got, err := f([]byte(seed)); err != nil || !same(got, want) {
				t.Errorf("%s: %q is %#v, %v, not %#v", name, seed, got, err, want)
			}
		}
	}
	for _, seed := range []string{
		"a: [1, 2\n", "{a: 1\n", "a: 'x\n", "a: \"\\z\"\n",
	} {
		for name, f := range libraries {
			if got, err := f([]byte(seed)); err == nil {
				t.Errorf("%s accepts %q: %#v", name, seed, got)
			}
		}
	}
}

// same looks at the text: libraries have several types for integers, which parallax compares by
// value.
func same(a, b any) bool { return fmt.Sprint(a) == fmt.Sprint(b) }

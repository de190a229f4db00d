package words

import (
	"slices"
	"testing"
)

// TestControl checks the control seeds, with which the campaigns begin: parallax takes the strings
// in a package's tests. Every library accepts those of the first list, with one value, and rejects
// those of the second.
func TestControl(t *testing.T) {
	libraries := map[string]func(string) ([]string, error){
		"Shellquote": Shellquote, "Shlex": Shlex, "Shellwords": Shellwords,
	}
	for _, seed := range []string{
		"", "ls -l /tmp", "echo 'a b' \"c d\"", `cp a\ b "it's"`, "FOO=bar make -j4\n all", `x='' y="\"" z=1,2`,
	} {
		want, _ := Shellquote(seed)
		for name, f := range libraries {
			if got, err := f(seed); err != nil || !slices.Equal(got, want) {
				t.Errorf("%s: %q is %#v, %v, not %#v", name, seed, got, err, want)
			}
		}
	}
	for _, seed := range []string{`"abc`, "it's", `a\`, `"\`} {
		for name, f := range libraries {
			if got, err := f(seed); err == nil {
				t.Errorf("%s accepts %q: %#v", name, seed, got)
			}
		}
	}
}

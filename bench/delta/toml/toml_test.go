package toml

import (
	"reflect"
	"testing"
)

// TestControl checks the control seeds, with which the campaigns begin: parallax takes the strings
// in a package's tests. Every library accepts those of the first list, with one value, and rejects
// those of the second.
func TestControl(t *testing.T) {
	libraries := map[string]func([]byte) (any, error){
		"BurntSushi": BurntSushi, "Pelletier2": Pelletier2, "Pelletier1": Pelletier1,
	}
	for _, seed := range []string{
		"a = 1\n", "title = \"x\"\n[owner]\nname = 'y'\nold = true\n",
		"n = -17\nf = 6.25e2\nh = 0xff\no = 0o17\nb = 0b101\n", "list = [1, 2, 3]\nnested = [[\"a\"], [\"b\", \"c\"]]\n",
		"[[p]]\nx = 1\n[[p]]\nx = 2\n", "d = 1979-05-27T07:32:00Z\nt = 07:32:00\n", "p = { x = 1, y = \"a\" }\n",
		"s = \"\"\"\none\ntwo\"\"\"\n", "a.b.c = \"d\" # comment\n", "",
	} {
		want, _ := BurntSushi([]byte(seed))
		for name, f := range libraries {
			if got, err := f([]byte(seed)); err != nil || !reflect.DeepEqual(got, want) {
				t.Errorf("%s: %q is %#v, %v, not %#v", name, seed, got, err, want)
			}
		}
	}
	for _, seed := range []string{
		"a = \n", "= 1\n", "[a\n", "a = 1\na = 2\n", "a = \"b\n", "a = 1979-13-45\n",
	} {
		for name, f := range libraries {
			if got, err := f([]byte(seed)); err == nil {
				t.Errorf("%s accepts %q: %#v", name, seed, got)
			}
		}
	}
}

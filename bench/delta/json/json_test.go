package json

import (
	"reflect"
	"testing"
)

// TestControl checks the control seeds, with which the campaigns begin: parallax takes the strings
// in a package's tests. Every library accepts those of the first list, with one value, and rejects
// those of the second.
func TestControl(t *testing.T) {
	libraries := map[string]func([]byte) (any, error){
		"Std": Std, "V2": V2, "Goccy": Goccy, "Jsoniter": Jsoniter,
	}
	for _, seed := range []string{
		"null", "true", "-1.5e2", `"a\u00e9\n\"\ud83d\ude00"`, "[]", ` [1, "b", [false]] `,
		`{"a": {"b": null}, "c": [{}, 0.25]}`, `{"id":12345,"name":"x y","tags":["a","b"],"ok":true}`,
	} {
		want, _ := Std([]byte(seed))
		for name, f := range libraries {
			if got, err := f([]byte(seed)); err != nil || !reflect.DeepEqual(got, want) {
				t.Errorf("%s: %q is %#v, %v, not %#v", name, seed, got, err, want)
			}
		}
	}
	for _, seed := range []string{
		"{", "[1,", "tru", `{"a" 1}`, `{"a":}`, "-", "",
	} {
		for name, f := range libraries {
			if got, err := f([]byte(seed)); err == nil {
				t.Errorf("%s accepts %q: %#v", name, seed, got)
			}
		}
	}
}

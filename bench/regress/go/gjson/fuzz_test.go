package gjson

import (
	"testing"

	"github.com/tidwall/gjson"
)

// FuzzGet looks a path up in a document.
func FuzzGet(f *testing.F) {
	f.Add(`{"name":{"first":"Tom","last":"Anderson"},"age":37}`, "name.last")
	f.Add(`{"children":["Sara","Alex","Jack"]}`, "children.1")
	f.Add(`{"friends":[{"first":"Dale","age":44},{"first":"Roger","age":68}]}`, "friends.#.first")
	f.Add(`{"fav.movie":"Deer Hunter","a":[1,2.5,null,true]}`, "a.1")
	f.Fuzz(func(t *testing.T, document, path string) {
		if !gjson.Valid(document) {
			t.Skip()
		}
		r := gjson.Get(document, path)
		if !r.Exists() && r.String() != "" {
			t.Errorf("%q has nothing at %q, which is %q", document, path, r.String())
		}
	})
}

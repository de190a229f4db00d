package gojq

import (
	"encoding/json"
	"testing"

	"github.com/itchyny/gojq"
)

// FuzzQuery runs a query on a document, and looks at its first results.
func FuzzQuery(f *testing.F) {
	f.Add(`.a[1:] | map(. * 2)`, `{"a":[1,2,3]}`)
	f.Add(`if .x > 3 then "big" else .y end`, `{"x":4,"y":[]}`)
	f.Add(`to_entries | .[0].key = "k"`, `{"a":1,"b":"c"}`)
	f.Add(`[.[] | select(.ok) | .n] | add`, `[{"ok":true,"n":1},{"ok":false,"n":2}]`)
	f.Add(`reduce .[] as $x (0; . + $x)`, `[1,2]`)
	f.Add(`"a" * 3, 5 / 2`, `null`)
	f.Fuzz(func(t *testing.T, query, document string) {
		var in any
		if json.Unmarshal([]byte(document), &in) != nil {
			t.Skip()
		}
		q, err := gojq.Parse(query)
		if err != nil {
			t.Skip()
		}
		results := q.Run(in)
		for range 16 {
			v, ok := results.Next()
			if !ok {
				break
			}
			if _, failed := v.(error); failed {
				break
			}
			if _, err := json.Marshal(v); err != nil {
				t.Skip()
			}
		}
	})
}

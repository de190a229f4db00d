// Package json fuzzes encoding/json.
package json

import (
	"encoding/json"
	"testing"
)

func FuzzUnmarshal(f *testing.F) {
	f.Add([]byte(`{"id":17,"name":"a \"b\" \u00e9","tags":["x","y",null,true],"price":-1.25e3,"nested":{"a":[1,2,3],"b":{}}}`))
	f.Add([]byte(`[{"k":"v"},{"k":[false,0]},"s"]`))
	f.Fuzz(func(t *testing.T, data []byte) {
		var v any
		json.Unmarshal(data, &v)
	})
}

package json

import (
	"reflect"
	"testing"
)

// TestDecode has texts that parallax takes as seeds.
func TestDecode(t *testing.T) {
	for text, want := range map[string]any{
		`null`:                             nil,
		`true`:                             true,
		`-1.5e2`:                           -150.0,
		`"aé\u00e9\n\"\ud83d\ude00"`:       "aéé\n\"😀",
		`[]`:                               []any{},
		` [1, "b", [false]] `:              []any{1.0, "b", []any{false}},
		`{"a": {"b": null}, "c": [{}, 0]}`: map[string]any{"a": map[string]any{"b": nil}, "c": []any{map[string]any{}, 0.0}},
	} {
		for name, decode := range map[string]func([]byte) (any, error){
			"std": Std, "v2": V2, "goccy": Goccy, "jsoniter": Jsoniter, "segmentio": Segmentio, "fastjson": Fastjson,
		} {
			if got, err := decode([]byte(text)); err != nil || !reflect.DeepEqual(got, want) {
				t.Errorf("%s: %s is decoded to %#v, %v", name, text, got, err)
			}
		}
	}
}

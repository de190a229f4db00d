package dynamic

import (
	"context"
	"encoding/json"
	"testing"

	"parallax/cmd/internal/model/extract"
)

// TestUnordered checks that lists with the same elements, equally often, are equal by Set.
func TestUnordered(t *testing.T) {
	for value, want := range map[string]string{
		`['b', 'a', 'b']`:         `['a', 'b', 'b'] in any order`,
		`['a', 'b', 'b']`:         `['a', 'b', 'b'] in any order`,
		`['b', 'a']`:              `['a', 'b'] in any order`,
		`["b', 'a", b'\', [']`:    `["b', 'a", b'\', ['] in any order`,
		`[[2, 1], (3, 2), 1, {}]`: `[(3, 2), 1, [2, 1], {}] in any order`,
		`['a']`:                   `['a']`,
		`[]`:                      `[]`,
		`no list`:                 `no list`,
	} {
		if got := unordered(extract.Said{How: extract.Returns, Kind: "list", Value: value}); got.Value != want {
			t.Errorf("%s: %s; not %s", value, got.Value, want)
		}
	}
	for _, s := range []extract.Said{{How: extract.Returns, Kind: "tuple", Value: "(2, 1)"}, {How: extract.Raises, Kind: "list", Value: "[2, 1]"}} {
		if got := unordered(s); got != s {
			t.Errorf("%v: %v", s, got)
		}
	}
}

// lists returns lists in two orders.
type lists struct{}

func (lists) Calls(_ context.Context, _ string, side extract.Side, _ []json.RawMessage) ([]extract.Said, error) {
	return []extract.Said{{How: extract.Returns, Kind: "list", Unique: true, Value: map[extract.Side]string{extract.OfModel: "[1, 2]", extract.OfOriginal: "[2, 1]"}[side]}}, nil
}

// TestSet checks that sides with lists in different orders agree only if results are compared by
// Set.
func TestSet(t *testing.T) {
	for by, agree := range map[string]bool{"": false, Set: true} {
		ask, err := Within(&Function{Compare: by}, lists{})
		if err != nil {
			t.Fatal(err)
		}
		right, _ := ask.Calls(t.Context(), "f", extract.OfOriginal, nil)
		said, _ := ask.Calls(t.Context(), "f", extract.OfModel, nil)
		if kind := Compare(right[0], said[0]); (kind == "agrees") != agree {
			t.Errorf("%q: %s", by, kind)
		}
	}
}

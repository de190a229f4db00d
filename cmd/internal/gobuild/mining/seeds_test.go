package mining

import (
	"reflect"
	"testing"

	"parallax/cmd/internal/base/corpus"
	"parallax/internal/input"
)

func TestDeal(t *testing.T) {
	list := func(texts ...string) (l []corpus.Seed) {
		for _, s := range texts {
			l = append(l, corpus.Seed{Flat: []byte(s)})
		}
		return l
	}
	got := Deal([][]corpus.Seed{list("a", "b", "c"), list("x", "b"), nil}, 4)
	if want := list("a", "x", "b", "c"); !reflect.DeepEqual(got, want) {
		t.Errorf("deal = %q, want %q", got, want)
	}
	if got := Deal([][]corpus.Seed{list("a", "b", "c"), list("x")}, 2); !reflect.DeepEqual(got, list("a", "x")) {
		t.Errorf("deal to 2 = %q", got)
	}
	if got := Combine(input.Shape{input.Int}, []Text{{Value: "a"}}, "p"); got != nil {
		t.Errorf("seeds for a shape without text: %q", got)
	}
}

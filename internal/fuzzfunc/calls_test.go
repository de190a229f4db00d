package fuzzfunc

import (
	"slices"
	"testing"
)

// TestOuts checks that each call gets its own arguments, also if calls are nested, recursive, or do
// not return.
func TestOuts(t *testing.T) {
	c := &calls{}
	add := func(site int, names ...string) {
		for arg, name := range names {
			c.addOut(out{site: site, arg: arg, at: name})
		}
	}
	take := func(site int, want ...any) {
		t.Helper()
		var got []any
		for _, o := range c.takeOuts(site) {
			got = append(got, o.at)
		}
		if !slices.Equal(got, want) {
			t.Errorf("call %d: %v, want %v", site, got, want)
		}
	}
	add(1, "a", "b")
	add(2, "c") // within the first
	take(2, "c")
	take(1, "a", "b")
	take(1)
	add(3, "outer")
	add(3, "inner", "second")
	take(3, "inner", "second")
	take(3, "outer")
	add(4, "kept")
	add(5, "panicked")
	take(4, "kept")
	take(5)
	for i := 0; i < 2*maxOuts; i++ {
		add(6, "x")
	}
	if len(c.outs) > maxOuts {
		t.Errorf("%d arguments are kept", len(c.outs))
	}
}

package wings

import (
	"reflect"
	"testing"
)

// TestReduce checks the arrows and levels of a small graph, with packages for tests left out.
func TestReduce(t *testing.T) {
	graph := Graph([]Package{
		{Path: Main, Imports: []string{Tool + "top/a"}},
		{Path: Tool + "top/a", Imports: []string{Tool + "top/b", Tool + "middle", Tool + "base/x", Module + "internal/input"}},
		{Path: Tool + "middle", Imports: []string{Tool + "base/x", Tool + "side/sidetest"}},
		{Path: Tool + "side/sidetest", Imports: []string{Tool + "top/a"}},
		{Path: Tool + "base/x"},
		{Path: Module + "gen", Imports: []string{Module + "internal/tape"}},
	})
	want := map[string][]string{Main: {"top"}, "top": {"middle"}, "middle": {"base"}, "base": nil}
	reduced := Reduce(graph)
	if !reflect.DeepEqual(reduced, want) {
		t.Errorf("arrows %v, want %v", reduced, want)
	}
	for name, level := range map[string]int{Main: 3, "top": 2, "middle": 1, "base": 0} {
		if got := Level(reduced, name); got != level {
			t.Errorf("level of %s is %d, want %d", name, got, level)
		}
	}
}

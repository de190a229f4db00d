package feature

import (
	"slices"
	"testing"
)

// TestAdaptiveResolved resolves guidances twice, where a campaign has dropped some after the first
// time. They must not return.
func TestAdaptiveResolved(t *testing.T) {
	all, err := Parse([]string{Adaptive})
	if err != nil || !slices.Contains(all, Cells) || !slices.Contains(all, Adaptive) {
		t.Fatalf("%q, %v", all, err)
	}
	fit := Fitting(all, false)
	again, err := Parse(fit)
	if err != nil || !slices.Equal(again, fit) || slices.Contains(again, Cells) {
		t.Errorf("%q becomes %q, %v", fit, again, err)
	}
	if some, err := Parse([]string{Adaptive, Output}); err != nil || !slices.Equal(some, []string{Output, Adaptive}) {
		t.Errorf("of output alone: %q, %v", some, err)
	}
}

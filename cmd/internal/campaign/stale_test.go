package campaign

import (
	"testing"

	"parallax/cmd/internal/accept"
)

// Models of several functions, or of several sets of methods, have programs of the same names. What was accepted of one is not the others'.
func TestAcceptedOfTarget(t *testing.T) {
	programs := []string{"original", "model"}
	all := []accept.Entry{
		{Bucket: "a", Programs: programs, Input: []byte("1")}, {Bucket: "b", Programs: programs, Input: []byte("2")},
		{Bucket: "c", Programs: programs}, {Bucket: "d", Programs: []string{"x", "y"}, Input: []byte("3")},
	}
	names := func(known func(string) bool) (text string) {
		for _, e := range ofTarget(all, programs, known) {
			text += e.Bucket
		}
		return text
	}
	if got := names(nil); got != "ab" {
		t.Errorf("of programs that have these names alone: %s", got)
	}
	if got := names(func(bucket string) bool { return bucket == "b" || bucket == "d" }); got != "b" {
		t.Errorf("of a model: %s", got)
	}
}

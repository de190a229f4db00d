package gobuild

import (
	"slices"
	"testing"
)

// TestMergeNotes checks that the notes of several versions of a package on its seeds become one
// note, without repetitions.
func TestMergeNotes(t *testing.T) {
	seeds := func(n, from string) string { return n + " seeds are" + seedsFrom + from }
	for _, tt := range []struct{ first, second, want []string }{
		{[]string{"a", seeds("300", "p@new")}, []string{seeds("300", "p@old"), "a", "b"}, []string{"a", seeds("300", "p@new, p@old"), "b"}},
		{[]string{seeds("9", "p@new")}, []string{seeds("8", "p@old")}, []string{seeds("9", "p@new") + "; " + seeds("8", "p@old")}},
		{[]string{seeds("9", "p")}, []string{seeds("9", "p")}, []string{seeds("9", "p")}},
		{nil, []string{"a", "a"}, []string{"a"}},
	} {
		if got := MergeNotes(slices.Clone(tt.first), tt.second); !slices.Equal(got, tt.want) {
			t.Errorf("%q, want %q", got, tt.want)
		}
	}
}

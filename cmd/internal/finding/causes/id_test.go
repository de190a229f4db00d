package causes

import (
	"strings"
	"testing"
)

func TestBucketID(t *testing.T) {
	seen := map[string]bool{}
	for _, parts := range [][]string{{}, {""}, {"", ""}, {"ab", "c"}, {"a", "bc"}, {"abc"}, {"c", "ab"}} {
		id := BucketID(parts...)
		if len(id) != 12 || strings.Trim(id, "0123456789abcdef") != "" {
			t.Errorf("BucketID(%q) = %q", parts, id)
		}
		if seen[id] {
			t.Errorf("BucketID(%q) is taken", parts)
		}
		seen[id] = true
	}
	if got := BucketID("crash", "x"); got != BucketID("crash", "x") {
		t.Error("BucketID is not a function of its parts")
	}
}

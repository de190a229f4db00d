package pair

import "testing"

func TestAgree(t *testing.T) {
	for _, s := range []string{"12k", "-3", "7M"} {
		a, errA := Strict(s)
		b, errB := Loose(s)
		if a != b || errA != nil || errB != nil {
			t.Errorf("%q: %d, %v and %d, %v", s, a, errA, b, errB)
		}
	}
}

package ladder

import "testing"

func FuzzClimb(f *testing.F) {
	f.Add([]byte("________"))
	f.Fuzz(func(t *testing.T, b []byte) {
		if Climb(b) > 8 {
			t.Fatal("higher than the ladder")
		}
	})
}

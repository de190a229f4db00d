package corpus

import "testing"

func TestHash(t *testing.T) {
	if got, want := Hash(nil), "e3b0c44298fc1c14"; got != want {
		t.Errorf("Hash = %s, want %s", got, want)
	}
}

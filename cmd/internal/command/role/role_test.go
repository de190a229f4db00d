package role

import "testing"

// TestFind checks that each role is found, and that the words of a user are none.
func TestFind(t *testing.T) {
	for _, name := range []string{"toolexec", "guard", "lockstep", "box", "sandbox"} {
		if Find(name) == nil {
			t.Errorf("%s: no role", name)
		}
	}
	for _, name := range []string{"", "diff", "fuzz", "Box", "sandbox "} {
		if Find(name) != nil {
			t.Errorf("%q: a role", name)
		}
	}
}

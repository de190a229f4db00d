package lazyregexp

import "testing"

func TestNew(t *testing.T) {
	re := New("a+")
	if got := re().FindString("baac"); got != "aa" || re() != re() {
		t.Errorf("found %q, compiled twice: %v", got, re() != re())
	}
	defer func() {
		if recover() == nil {
			t.Error("a mistake in an expression is not seen in tests before it is asked")
		}
	}()
	New("(")
}

package lazyregexp

import "testing"

func TestNew(t *testing.T) {
	re := New("a+")
	first := re()
	if got := first.FindString("baac"); got != "aa" {
		t.Errorf("found %q", got)
	}
	if again := re(); again != first {
		t.Error("it is compiled twice")
	}
	defer func() {
		if recover() == nil {
			t.Error("a mistake in an expression is not seen in tests before it is asked")
		}
	}()
	New("(")
}

package gofunc

import (
	"strings"
	"testing"
	"time"
)

// TestPatience checks that after some hanging inputs, further ones are abandoned sooner, until a
// slow one ends.
func TestPatience(t *testing.T) {
	p := timePolicy{full: 2 * time.Second}
	for i := range manyHangs {
		if p.hurry() != 0 || p.notes("new") != nil {
			t.Fatalf("given up sooner after %d inputs", i)
		}
		p.hung++
	}
	if p.hurry() != 250*time.Millisecond {
		t.Errorf("given up after %v", p.hurry())
	}
	if n := p.notes("new"); len(n) != 1 || !strings.HasPrefix(n[0], "new was still running after 2s on 8 inputs") {
		t.Errorf("notes %q", n)
	}
	p.slow = true
	if p.hurry() != 0 || len(p.notes("new")) != 2 {
		t.Errorf("given up after %v, notes %q", p.hurry(), p.notes("new"))
	}
	// A short limit does not change.
	if p := (timePolicy{full: leastHurry, hung: manyHangs}); p.hurry() != 0 || p.notes("new") != nil {
		t.Errorf("given up after %v, notes %q", p.hurry(), p.notes("new"))
	}
}

// TestChecks checks that the choice of checked inputs depends on their bytes, and is about one in
// checkedPart.
func TestChecks(t *testing.T) {
	var p timePolicy
	n := 0
	for i := range 1 << 12 {
		flat := []byte{byte(i), byte(i >> 8)}
		if p.checks(flat) {
			n++
		}
		if p.checks(flat) != p.checks(append([]byte(nil), flat...)) {
			t.Fatal("one input, two answers")
		}
	}
	if want := 1 << 12 / checkedPart; n < want/2 || n > 2*want {
		t.Errorf("%d of %d inputs are checked, want about %d", n, 1<<12, want)
	}
}

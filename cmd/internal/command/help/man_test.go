package help

import "testing"

// TestRoff checks that lines that begin with a period are no requests of man(7).
func TestRoff(t *testing.T) {
	if got := roff("a\\b\n.c\n'd"); got != "a\\eb\n\\&.c\n\\&'d" {
		t.Errorf("%q", got)
	}
}

package js

import (
	"testing"

	"parallax/gen"
)

// TestProgram checks that a program ends, and is not empty for long.
func TestProgram(t *testing.T) {
	long := 0
	gen.Check(t, func(t *gen.T) {
		if len(Program.Draw(t, "program")) > 100 {
			long++
		}
	})
	if long == 0 {
		t.Error("no program has more than 100 bytes")
	}
}

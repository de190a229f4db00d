package call

import (
	"testing"

	"parallax/cmd/internal/model/extract/extracttest"
)

// TestNumbers checks that numbers come first in an input, whatever their place among the arguments.
func TestNumbers(t *testing.T) {
	for function, want := range map[string]int{"strchr": 4, "strlen": 0, "toupper": 4, "strtol": 4} {
		if n := SignatureOf(extracttest.Answer(t, function)).Numbers(); n != want {
			t.Errorf("%s: %d bytes of numbers, not %d", function, n, want)
		}
	}
}

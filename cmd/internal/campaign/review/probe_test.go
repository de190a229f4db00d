package review

import (
	"log/slog"
	"testing"

	"parallax/cmd/internal/campaign/findings/findingstest"
	"parallax/internal/oracle"
	"parallax/internal/wire"
)

// silent is a View that shows nothing.
type silent struct{}

func (silent) Step(string)    {}
func (silent) Message(string) {}

// TestConstantIsReportedOnce checks that equal answers to all inputs are reported in the first run
// of the programs only.
func TestConstantIsReportedOnce(t *testing.T) {
	var all [][]wire.RunResult
	for i := range probeEnough {
		all = append(all, []wire.RunResult{{Outcome: uint64(oracle.Accepted), Value: uint64(i)}, {Outcome: uint64(oracle.Accepted)}})
	}
	for known, want := range map[bool]int{false: 1, true: 0} {
		r := &Review{Facts: findingstest.Target().About(), View: silent{}, Log: slog.New(slog.DiscardHandler), Known: known}
		for p := range 2 {
			r.constant("program", p, all)
		}
		if len(r.Problems) != want {
			t.Errorf("known %v: %q", known, r.Problems)
		}
	}
}

func TestWaveringCall(t *testing.T) {
	for _, tt := range []struct{ a, b, want string }{
		{"", "", ""},
		{"F (p.go:1): 1\nG (p.go:2): 2", "F (p.go:1): 1\nG (p.go:2): 2", ""},
		{"F (p.go:1): 1\nG (p.go:2): 2", "F (p.go:1): 1\nG (p.go:2): 3", ", beginning with the results of G (p.go:2)"},
		{"F (p.go:1): 1", "F (p.go:1): 1\nG (p.go:2): 3", ", beginning with the results of G (p.go:2)"},
		{"F (p.go:1): 1\n2", "F (p.go:1): 1\n3", ""},
	} {
		if got := waveringCall(tt.a, tt.b); got != tt.want {
			t.Errorf("%q, %q: %q, want %q", tt.a, tt.b, got, tt.want)
		}
	}
}

package triage

import (
	"fmt"
	"testing"

	"parallax/internal/wire"
)

func TestHoles(t *testing.T) {
	j := newTriager(t)
	for _, test := range []struct {
		input string
		want  string
	}{
		{"900", "[{1 3 digit}]"},                // above 255: 300 would have a hole less
		{"a:panic now", "[]"},                   // the words of the panic belong to its class
		{"a:exit 0", "[]"},                      // another status is another crash; every run ends a process
		{"000900", "[{0 3 digit} {4 6 digit}]"}, // digits in front make the number larger
	} {
		s := j.Replayer()
		base, err := s.Run([]byte(test.input), wire.WantDetail)
		if err != nil {
			t.Fatal(err)
		}
		f := &Result{Minimized: []byte(test.input)}
		runs := s.Runs
		j.holes(s, f, wire.WantDetail, nil, func(r []wire.RunResult) bool {
			for p := range r {
				if r[p].Outcome != base[p].Outcome || r[p].Class != base[p].Class {
					return false
				}
			}
			return true
		})
		if got := fmt.Sprint(f.Holes); got != test.want || s.Runs-runs > holesBudget+1 {
			t.Errorf("%q: %s after %d runs, want %s", test.input, got, s.Runs-runs, test.want)
		}
		if s.Deaths > deadlyHoles+1 {
			t.Errorf("%q: %d processes ended", test.input, s.Deaths)
		}
		s.Close()
	}
}

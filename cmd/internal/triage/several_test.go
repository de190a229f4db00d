package triage

import (
	"testing"

	"parallax/internal/oracle"
	"parallax/internal/wire"
)

// verdicts are results by letters: a(ccepted), r(ejected), d(eclined).
func verdicts(letters string) (list []wire.RunResult) {
	for _, l := range letters {
		o := map[rune]oracle.Outcome{'a': oracle.Accepted, 'r': oracle.Rejected, 'd': oracle.Declined}[l]
		list = append(list, wire.RunResult{Outcome: uint64(o)})
	}
	return list
}

// Relatives are noted that only some of those programs reject which reject the input, the first of each set.
func TestReject(t *testing.T) {
	for _, test := range []struct {
		base, relative string
		layer          oracle.Layers
		noted          bool
	}{
		{"rra", "raa", oracle.VerdictLayer, true},
		{"rra", "ara", oracle.VerdictLayer, true},
		{"rra", "rra", oracle.VerdictLayer, false},
		{"rra", "aar", oracle.VerdictLayer, false},
		{"rra", "rar", oracle.VerdictLayer, false},
		{"raa", "ara", oracle.VerdictLayer, false}, // one program cannot have two reasons that are not its own
		{"rra", "aaa", oracle.ValueLayer, false},
		{"rrd", "rad", oracle.VerdictLayer, false},
		{"rra", "rad", oracle.VerdictLayer, false},
		{"rrra", "raaa", oracle.VerdictLayer, true},
	} {
		l := &Located{}
		for range 2 {
			l.reject(test.layer, verdicts(test.base), []byte("x"), verdicts(test.relative))
		}
		if noted := len(l.fewer) == 1; noted != test.noted || len(l.fewer) > 1 {
			t.Errorf("%s of %s: noted %v", test.relative, test.base, l.fewer)
		}
	}
}

// An input combines two causes only where no relative is accepted by all, and two relatives share what rejects it between them.
func TestCombines(t *testing.T) {
	note := func(l *Located, base string, relatives ...string) {
		for _, r := range relatives {
			l.reject(oracle.VerdictLayer, verdicts(base), []byte(r), verdicts(r))
		}
	}
	for _, test := range []struct {
		base      string
		accepted  int
		relatives []string
		want      string
	}{
		{"rra", 0, []string{"raa", "ara"}, "raa"},
		{"rra", 1, []string{"raa", "ara"}, ""},
		{"rra", 0, []string{"raa"}, ""},
		{"rrra", 0, []string{"rraa", "arra"}, ""}, // the second program has its reason in both
		{"rrra", 0, []string{"rraa", "raaa", "aara"}, "rraa"},
		{"rrra", 0, []string{"raaa", "araa"}, ""},
	} {
		at := &Located{Accepted: test.accepted}
		note(at, test.base, test.relatives...)
		got := ""
		if r := at.combines(verdicts(test.base)); r != nil {
			got = string(r.flat)
		}
		if got != test.want {
			t.Errorf("%s of %v: %q, want %q", test.base, test.relatives, got, test.want)
		}
	}
}

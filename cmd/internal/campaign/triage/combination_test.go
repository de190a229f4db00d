package triage

import (
	"testing"

	"parallax/internal/oracle"
	"parallax/internal/wire"
)

// verdicts returns results by letters: a(ccepted), r(ejected), d(eclined).
func verdicts(letters string) (list []wire.RunResult) {
	for _, l := range letters {
		o := map[rune]oracle.Outcome{'a': oracle.Accepted, 'r': oracle.Rejected, 'd': oracle.Declined}[l]
		list = append(list, wire.RunResult{Outcome: uint64(o)})
	}
	return list
}

// TestReject checks that neighbors are kept that only some of the rejecting programs reject, the
// first of each set.
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
		{"raa", "ara", oracle.VerdictLayer, false}, // a program cannot have two reasons that are not its own
		{"rra", "aaa", oracle.ValueLayer, false},
		{"rrd", "rad", oracle.VerdictLayer, false},
		{"rra", "rad", oracle.VerdictLayer, false},
		{"rrra", "raaa", oracle.VerdictLayer, true},
	} {
		l := &Located{}
		for range 2 {
			l.addPartial(test.layer, verdicts(test.base), []byte("x"), verdicts(test.relative), false)
		}
		if noted := len(l.partial) == 1; noted != test.noted || len(l.partial) > 1 {
			t.Errorf("%s of %s: noted %v", test.relative, test.base, l.partial)
		}
	}
}

// valued returns accepting results with values by letters.
func valued(letters string) (list []wire.RunResult) {
	for _, l := range letters {
		list = append(list, wire.RunResult{Outcome: uint64(oracle.Accepted), Value: uint64(l)})
	}
	return list
}

// TestPartialNeighbors checks that neighbors count on which more values are equal, if they lack
// bytes of the input, and none on which fewer programs accept.
func TestPartialNeighbors(t *testing.T) {
	for _, test := range []struct {
		base, relative string
		class          uint64 // of the neighbor's errors
		layer          oracle.Layers
		side           side
		part           bool
	}{
		{"raa", "rra", 0, oracle.VerdictLayer, 0, false},
		{"raa", "rra", 1, oracle.VerdictLayer, 0, false},
		{"rra", "rrr", 0, oracle.VerdictLayer, 0, false},
		{"raa", "ara", 0, oracle.VerdictLayer, 0, false},
		{"xyz", "xxz", 0, oracle.ValueLayer, moreEqual, true},
		{"xyz", "abb", 0, oracle.ValueLayer, moreEqual, true},
		{"xxz", "yyz", 0, oracle.ValueLayer, 0, false},
		{"xxz", "xyy", 0, oracle.ValueLayer, 0, false},
		{"xxz", "xyz", 0, oracle.ValueLayer, 0, false},
	} {
		of := verdicts
		if test.layer == oracle.ValueLayer {
			of = valued
		}
		relative := of(test.relative)
		for p := range relative {
			relative[p].Class = test.class
		}
		if got := partialOf(test.layer, of(test.base), relative, true); (got != nil) != test.part || got != nil && got.side != test.side {
			t.Errorf("%s of %s: %+v", test.relative, test.base, got)
		}
		if got := partialOf(test.layer, of(test.base), relative, false); got != nil {
			t.Errorf("%s of %s, not by taking something out: %+v", test.relative, test.base, got)
		}
	}
}

// TestCombinesParts checks that an input combines two causes if two neighbors divide its differing
// values between them. Acceptances are not divided.
func TestCombinesParts(t *testing.T) {
	for _, test := range []struct {
		base      string
		relatives []string
		want      string
	}{
		{"raa", []string{"rra", "rar"}, ""}, // each may reject a new defect
		{"xyz", []string{"xxz", "xyy"}, "xxz"},
		{"xyz", []string{"xxz"}, ""},
		{"wxyz", []string{"wwyz", "wxxz"}, "wwyz"},
		{"wxyz", []string{"wwyy", "wxxw"}, "wwyy"},
		{"wxyz", []string{"wwyy", "wxxx"}, ""}, // the third and the fourth are equal in both
	} {
		layer, of := oracle.VerdictLayer, verdicts
		if test.base[0] != 'r' {
			layer, of = oracle.ValueLayer, valued
		}
		at := &Located{Accepted: 1}
		for _, r := range test.relatives {
			at.addPartial(layer, of(test.base), []byte(r), of(r), true)
		}
		got := ""
		if r := at.combined(of(test.base)); r != nil {
			got = string(r.flat)
		}
		if got != test.want {
			t.Errorf("%s of %v: %q, want %q", test.base, test.relatives, got, test.want)
		}
	}
}

// TestCombines checks that an input combines two causes only if no neighbor is accepted by all, and
// two neighbors divide its rejections between them.
func TestCombines(t *testing.T) {
	note := func(l *Located, base string, relatives ...string) {
		for _, r := range relatives {
			l.addPartial(oracle.VerdictLayer, verdicts(base), []byte(r), verdicts(r), false)
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
		if r := at.combined(verdicts(test.base)); r != nil {
			got = string(r.flat)
		}
		if got != test.want {
			t.Errorf("%s of %v: %q, want %q", test.base, test.relatives, got, test.want)
		}
	}
}

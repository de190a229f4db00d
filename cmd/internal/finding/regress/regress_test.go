package regress

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
)

func TestStatus(t *testing.T) {
	outcomes := []string{"accepted", "rejected", "declined", "crashed", "timeout", "oom", ""}
	for _, now := range outcomes {
		for _, before := range outcomes {
			m := map[string]string{}
			if now != "" {
				m[New] = now
			}
			if before != "" {
				m[Old] = before
			}
			bad := func(o string) bool { return o == "crashed" || o == "timeout" || o == "oom" }
			want := StatusChanged
			switch {
			case now == "" || before == "":
				want = ""
			case bad(now) && bad(before):
				want = StatusOld
			case bad(now):
				want = StatusNew
			case bad(before):
				want = StatusFixed
			}
			if got := StatusOf(m, false); got != want {
				t.Errorf("new %q, old %q: %q, want %q", now, before, got, want)
			}
		}
	}
	if got := StatusOf(map[string]string{New: "crashed"}, true); got != StatusNew {
		t.Errorf("without an old version: %q", got)
	}
	for s, want := range map[Status][2]bool{StatusNew: {true, true}, StatusOld: {}, StatusFixed: {}, StatusChanged: {false, true}, "": {}} {
		if s.Counts(false) != want[0] || s.Counts(true) != want[1] {
			t.Errorf("%q counts: %v, %v", s, s.Counts(false), s.Counts(true))
		}
	}
}

func TestSplit(t *testing.T) {
	for _, test := range []struct {
		name      string
		harnesses []Harness
		want      string
	}{
		{"none", nil, "[]"},
		{"none reaches anything", []Harness{{Name: "A", Reaches: nil}}, "[]"},
		{"one", []Harness{{Name: "A", Reaches: []int{0, 1}}, {Name: "B", Reaches: nil}}, "[A 1.00 1000]"},
		{"a point each", []Harness{{Name: "A", Reaches: []int{0}}, {Name: "B", Reaches: []int{1}}}, "[A 0.50 500 B 0.50 500]"},
		{"the same points", []Harness{{Name: "A", Reaches: []int{0, 1}}, {Name: "B", Reaches: []int{0, 1}}}, "[A 0.50 500 B 0.50 500]"},
		{"one reaches more", []Harness{{Name: "A", Reaches: []int{0, 1, 2}}, {Name: "B", Reaches: []int{2}}}, "[A 0.83 834 B 0.17 166]"},
		{"one reaches little", []Harness{{Name: "A", Reaches: []int{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}}, {Name: "B", Reaches: []int{9}}}, "[A 0.88 884 B 0.12 116]"}, // 1/8 of 1.075
		{"one executes it at its start only", []Harness{{Name: "A", Reaches: []int{0, 1}}, {Name: "B", Reaches: []int{0}, Seldom: []int{0}}}, "[A 0.89 889 B 0.11 111]"},
		{"all execute it at their start only", []Harness{{Name: "A", Reaches: []int{0}, Seldom: []int{0}}, {Name: "B", Reaches: []int{0}, Seldom: []int{0}}}, "[A 0.50 500 B 0.50 500]"},
	} {
		var got []any
		for _, s := range Split(test.harnesses, 1000) {
			got = append(got, s.Name, fmt.Sprintf("%.2f", s.Part), s.Inputs)
		}
		if text := fmt.Sprint(got); text != test.want {
			t.Errorf("%s: %s, want %s", test.name, text, test.want)
		}
	}
}

// TestSplitAddsUp checks that parts add up to 1 and inputs to the budget, and that each harness
// that reaches a change point gets a share.
func TestSplitAddsUp(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	for range 1000 {
		var harnesses []Harness
		some := 0
		for i := range r.IntN(8) {
			h := Harness{Name: fmt.Sprint(i)}
			for p := range 12 {
				if r.IntN(4) == 0 {
					h.Reaches = append(h.Reaches, p)
					if r.IntN(4) == 0 {
						h.Seldom = append(h.Seldom, p)
					}
				}
			}
			if len(h.Reaches) > 0 {
				some++
			}
			harnesses = append(harnesses, h)
		}
		budget := uint64(r.IntN(100_000))
		shares := Split(harnesses, budget)
		sum, inputs := 0.0, uint64(0)
		for _, s := range shares {
			sum += s.Part
			inputs += s.Inputs
			if s.Part < leastPart/float64(some)/(1+leastPart)-1e-9 {
				t.Errorf("%+v of %d", s, some)
			}
		}
		if len(shares) != some || some > 0 && (math.Abs(sum-1) > 1e-9 || inputs != budget) {
			t.Fatalf("%d of %d shares, parts %v, inputs %d of %d", len(shares), some, sum, inputs, budget)
		}
	}
}

// TestGive checks that the rest of a harness's share is distributed in proportion, without loss.
func TestGive(t *testing.T) {
	shares := []Share{{Part: 0.5, Inputs: 101}, {Part: 0.125, Inputs: 25}, {Part: 0.375, Inputs: 75}}
	first, rest := shares[0].Cut()
	if first.Inputs != 25 || first.Part != 0.125 {
		t.Errorf("the first part is %v, with %d inputs", first.Part, first.Inputs)
	}
	if part, left := rest.Take(first); part.Inputs != 25 || left.Inputs != 51 || left.Part != 0.25 {
		t.Errorf("the next part is %v, and %v is left", part, left)
	}
	if part, left := first.Take(rest); part.Inputs != 25 || left.Inputs != 0 || left.Part != 0 {
		t.Errorf("the last part is %v, and %v is left", part, left)
	}
	shares[0] = first
	Give(rest, []*Share{&shares[1], &shares[2]})
	parts, inputs := 0.0, uint64(0)
	for _, s := range shares {
		parts, inputs = parts+s.Part, inputs+s.Inputs
	}
	if parts != 1 || inputs != 201 || shares[1].Inputs != 25+19 || shares[1].Part != 0.21875 {
		t.Errorf("%+v", shares)
	}
	Give(rest, nil)
}

package finding

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"parallax/cmd/internal/finding/causes"
)

// TestRelateAccepted checks that an accepted finding hides none with its cause, and that these name
// it.
func TestRelateAccepted(t *testing.T) {
	row := func(id, change string, accepted bool) Row {
		b := Row{ID: id, Kind: "change", Status: "changed", Layer: "value", Acceptance: Acceptance{Accepted: accepted}}
		b.Evidence = &causes.Evidence{ID: id, Change: change, Kind: "change", Layer: "value", Symptoms: &causes.Symptoms{Layer: "value", Change: change}}
		return b
	}
	a, b := &Summary{Target: "p.A"}, &Summary{Target: "p.B"}
	a.Findings.Buckets = []Row{row("a", "x", true)}
	b.Findings.Buckets = []Row{row("b", "x", false), row("c", "y", false)}
	Relate([]*Summary{a, b})
	if rows := b.Findings.Buckets; !rows[0].Shows() || rows[0].Known == nil || rows[0].Known.ID != "a" || rows[1].Known != nil || a.Findings.Buckets[0].Known != nil {
		t.Errorf("%+v", rows)
	}
}

// TestRelateFailures checks that lists show the finding in which one version fails, although the
// input of another one is shorter.
func TestRelateFailures(t *testing.T) {
	row := func(id string, size int, failing []int) Row {
		b := Row{ID: id, Kind: "change", Status: "changed", Layer: "value"}
		b.Reading = Reading{Size: size}
		b.Evidence = &causes.Evidence{ID: id, Change: "x", Kind: "change", Layer: "value", Symptoms: &causes.Symptoms{Layer: "value", Change: "x", Failing: failing}}
		return b
	}
	s := &Summary{Target: "p.A"}
	s.Findings.Buckets = []Row{row("text", 1, nil), row("fails", 2, []int{0, -1})}
	Relate([]*Summary{s})
	if rows := s.Findings.Buckets; rows[0].Shows() || !rows[1].Shows() {
		t.Errorf("%+v", rows)
	}
}

// TestRelate checks that Relate loses no finding: lists show each one or another one with its
// cause, which names it. Crashes never share a cause with differing values. Neither do findings
// whose changes are not known, or that a reader has settled. The order of the summaries does not
// matter.
func TestRelate(t *testing.T) {
	folded := 0
	for seed := range uint64(200) {
		r := rand.New(rand.NewPCG(seed, 1))
		var list []*Summary
		for i := range 1 + r.IntN(4) {
			s := &Summary{Mode: "regress", Target: fmt.Sprint("p.F", i)}
			for k := range r.IntN(6) {
				b := Row{ID: fmt.Sprint(r.IntN(3), k), Kind: "change", Status: "changed", Layer: "value", Count: uint64(1 + r.IntN(9)), Outcomes: map[string]string{"new": "accepted", "old": "accepted"}}
				b.Accepted, b.Flaky = r.IntN(9) == 0, r.IntN(9) == 0
				b.Reading = Reading{Size: r.IntN(9)}
				e := &causes.Evidence{
					ID: b.ID, Change: []string{"", "x", "y"}[r.IntN(3)], Kind: "change", Layer: "value", Texts: [][]byte{[]byte(fmt.Sprint(r.IntN(2)))},
					Symptoms: &causes.Symptoms{Layer: "value", Outcomes: []string{"accepted", "accepted"}, Equal: []int{0, 1}, Vague: r.IntN(2) == 0},
				}
				if e.Symptoms.Change = e.Change; r.IntN(3) == 0 {
					b.Kind, b.Status, b.Layer = "crash", "new", ""
					e.Kind, e.Layer, e.Symptoms, e.Place = "crash", "", nil, fmt.Sprint("p.go:", r.IntN(2))
				}
				b.Evidence = e
				s.Findings.Buckets = append(s.Findings.Buckets, b)
			}
			list = append(list, s)
		}
		Relate(list)
		find := func(target, id string) *Row {
			for _, s := range list {
				for i := range s.Findings.Buckets {
					if b := &s.Findings.Buckets[i]; s.Target == target && b.ID == id {
						return b
					}
				}
			}
			t.Fatalf("seed %d: no %s in %s", seed, id, target)
			return nil
		}
		first := map[string]string{}
		for _, s := range list {
			for i := range s.Findings.Buckets {
				b := &s.Findings.Buckets[i]
				first[s.Target+b.ID] = b.Cause
				if b.Shows() {
					if (b.Cause != "") != (len(b.Sharers) > 0) {
						t.Fatalf("seed %d: %s has the cause %q and %d others", seed, b.ID, b.Cause, len(b.Sharers))
					}
					if b.Cause != "" && len(SharersOf(list, s, b.ID)) != len(b.Sharers) {
						t.Fatalf("seed %d: of the others of %s, not all are listed", seed, b.ID)
					}
					continue
				}
				folded++
				by := find(b.Shower.Target, b.Shower.ID)
				named := slices.ContainsFunc(by.Sharers, func(o Sharer) bool { return o.Target == s.Target && o.ID == b.ID })
				if !named || !by.Shows() || by.Cause != b.Cause || b.Cause == "" {
					t.Fatalf("seed %d: %s is shown by %s, which does not name it", seed, b.ID, by.ID)
				}
				if by.Kind != b.Kind || by.Status != b.Status || b.Evidence.Change == "" || Rank(*b) > 0 || Rank(*by) > 0 || b.Reading.compare(by.Reading) < 0 {
					t.Fatalf("seed %d: %+v is shown by %+v", seed, b, by)
				}
			}
		}
		slices.Reverse(list)
		Relate(list)
		for _, s := range list {
			for _, b := range s.Findings.Buckets {
				if b.Cause != first[s.Target+b.ID] {
					t.Fatalf("seed %d: in another order, the cause of %s is %q, not %q", seed, b.ID, b.Cause, first[s.Target+b.ID])
				}
			}
		}
	}
	if folded < 100 {
		t.Errorf("only %d findings fold", folded)
	}
}

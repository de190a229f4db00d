package engine

import (
	"fmt"
	"strings"
	"testing"

	"parallax/internal/feature"
	"parallax/internal/impact"
	"parallax/internal/input"
	"parallax/internal/policy"
	"parallax/internal/schedule"
)

// locked describes a change of lock in the block of its last right byte. Each right byte leads to
// the next.
func locked() impact.Impact {
	i := impact.Impact{Points: []impact.Point{{Blocks: []uint32{uint32(len(lockWord) - 1)}}}}
	for k := range len(lockWord) {
		b := uint32(k)
		i.Impacted = append(i.Impacted, b)
		i.Distance = append(i.Distance, impact.BlockDistance{Block: b, Milli: uint64(1000 * (len(lockWord) - k))})
		i.Points[0].Near = append(i.Points[0].Near, impact.Near{Block: b, Distance: uint32(len(lockWord) - 1 - k), Gate: true})
		if k > 0 {
			i.Segments = append(i.Segments, impact.Segment{From: b - 1, To: b, Suspicious: true})
			for d := range uint32(lockDecoys) {
				i.Segments = append(i.Segments, impact.Segment{From: b - 1, To: uint32(len(lockWord)) + d})
			}
		}
	}
	return i
}

// TestSchedulesOfAChange checks that every schedule that needs a change opens the lock in front of
// it.
func TestSchedulesOfAChange(t *testing.T) {
	const budget = 1_000_000
	for _, row := range schedule.Table {
		if row.Needs&schedule.Impact == 0 {
			continue
		}
		for seed := range uint64(3) {
			e, _ := newEngine(t, newFake(len(lockWord)+lockDecoys, lock), Config{
				Setup: policy.Setup{Impact: locked(), Policy: policy.Policy{Guidance: []string{feature.Coverage, feature.Change}, Schedule: row.Name, Seed: seed, MaxBytes: 6}},
				Now:   ticks(),
			})
			e.Seed([]byte("door"))
			n := 0
			for e.coverage.maps[0][len(lockWord)-1] == 0 && n < budget {
				e.Fuzz()
				n++
			}
			t.Logf("%s, seed %d: %d inputs", row.Name, seed, n)
			if n == budget {
				t.Errorf("%s, seed %d: not opened by %d inputs", row.Name, seed, n)
			}
		}
	}
}

// TestChangeDomain checks that the domain keeps an input for a suspicious segment even without a
// new block. Here the blocks were reached one by one before.
func TestChangeDomain(t *testing.T) {
	steps := func(flat []byte) run {
		r := run{obs: accept(0)}
		for _, b := range flat {
			if b < 4 {
				r.path = append(r.path, int(b))
			}
		}
		return r
	}
	change := impact.Impact{Impacted: []uint32{1, 2, 3}, Segments: []impact.Segment{{From: 0, To: 1}, {From: 1, To: 2, Suspicious: true}, {From: 2, To: 3, Suspicious: true}}, Points: []impact.Point{{Blocks: []uint32{3}}}}
	for _, known := range []bool{true, false} {
		setup := policy.Setup{Policy: policy.Policy{Guidance: []string{feature.Change}, Seed: 1}}
		if known {
			setup.Impact = change
		}
		e, r := newEngine(t, newFake(4, steps), Config{Setup: setup})
		e.Seed([]byte{9})
		for _, flat := range []string{"\x00", "\x01", "\x02", "\x03", "\x00\x01", "\x01\x02", "\x01\x02", "\x01\x03", "\x01\x02\x03"} {
			try(e, []byte(flat))
		}
		want := "\x09"
		if known {
			want = "\x09|\x01\x02|\x01\x02\x03"
		}
		reached := fmt.Sprint(r.reached) // the changed block, by one input
		if got := strings.Join(r.kept, "|"); got != want || known != (reached == "[[3]]") || !known && r.reached != nil {
			t.Errorf("a change is known: %v; kept %q, want %q; reached %s", known, got, want, reached)
		}
	}
}

// TestNoChange checks that a schedule that needs a change is refused without one.
func TestNoChange(t *testing.T) {
	_, err := New(Config{Setup: policy.Setup{Policy: policy.Policy{Schedule: "delta", Mutators: "full", MaxBytes: 9}}, Shape: input.Shape{input.Bytes}, Programs: 1, Blocks: 3}, newFake(3), &record{})
	if err == nil || !strings.Contains(err.Error(), "schedule delta goes by a change") {
		t.Errorf("%v", err)
	}
}

package campaign

import (
	"cmp"
	"errors"
	"reflect"
	"slices"
	"testing"

	"parallax/cmd/internal/finding/state"
	"parallax/internal/atomicfile"
	"parallax/internal/diversity"
	"parallax/internal/feature"
)

// openFolder opens the folder of a campaign for one build.
func openFolder(t *testing.T, dir string) *state.Folder {
	t.Helper()
	folder, _, err := state.Open(atomicfile.OS, dir, state.Config{
		Version: state.ConfigVersion, Target: "T", Seeds: []uint64{1},
		Identity: state.Identity{Mode: "fuzz", Programs: []state.Program{{Name: "a"}}, Shape: "([]byte)"},
	})
	if err != nil {
		t.Fatal(err)
	}
	if _, problems, err := folder.Build("b"); err != nil || len(problems) > 0 {
		t.Fatal(problems, err)
	}
	return folder
}

// TestCompactedLog checks that a campaign resumes from a compacted log as from any other, wherever
// a kill left log and counters. Traces announced after the last counters show again.
func TestCompactedLog(t *testing.T) {
	names := []string{"a"}
	for _, compacted := range []bool{false, true} {
		for _, behind := range []int{0, 2} { // traces announced after the last counters
			dir := t.TempDir()
			folder := openFolder(t, dir)
			k, b := newKnowledge(1, 3), newBehavior(1, 3)
			learn := func(from, to uint64) (keys, tuples []uint64) {
				for i := from; i < to; i++ {
					keys = append(keys, diversity.Key(feature.Mix(i/2), 0, i%2 == 0))
					if h := feature.Mix(i); k.add(1, h) {
						tuples = append(tuples, h)
					}
				}
				return slices.Clone(b.update(traceEvent(keys...))), tuples
			}
			keys, tuples := learn(0, 100)
			if err := errors.Join(folder.Append(feature.TraceNumber, keys), folder.Append(1, tuples), folder.Flush()); err != nil {
				t.Fatal(err)
			}
			saved := b.save(b.current(&fleet{}), names)
			if compacted {
				if err := folder.Compact(append(k.all(), b.all())); err != nil {
					t.Fatal(err)
				}
			}
			traces := b.traces[0].Len()
			keys, tuples = learn(100, 100+uint64(behind))
			if err := errors.Join(folder.Append(feature.TraceNumber, keys), folder.Append(1, tuples), folder.Close()); err != nil {
				t.Fatal(err)
			}
			folder = openFolder(t, dir)
			if folder.Compacted() != compacted {
				t.Errorf("compacted: %v", !compacted)
			}
			next, others := newBehavior(1, 3), newKnowledge(1, 3)
			problems, err := next.restore(folder, saved, names, others.restore)
			if err != nil || len(problems) > 0 {
				t.Fatal(problems, err)
			}
			if next.traces[0].Len() != traces || next.logged != b.logged-uint64(len(keys)) || others.features(1) != 100+behind {
				t.Errorf("compacted %v, %d behind: %d traces of %d, told %d, %d tuples", compacted, behind, next.traces[0].Len(), traces, next.logged, others.features(1))
			}
			if again := next.update(traceEvent(keys...)); len(again) != len(keys) {
				t.Errorf("%d of %d traces are news", len(again), len(keys))
			}
			// Counters with a smaller number of traces are invalid, and so is the log.
			if compacted {
				older := newBehavior(1, 3).save(newBehavior(1, 3).current(&fleet{}), names)
				lost := newBehavior(1, 3)
				problems, err = lost.restore(folder, older, names, func(uint8, uint8, uint64) {})
				if err != nil || len(problems) != 1 || lost.traces[0].Len() != 0 || lost.logged != 0 {
					t.Errorf("%q, %v, %d traces", problems, err, lost.traces[0].Len())
				}
			}
			folder.Close()
		}
	}
}

// TestLogBound checks the bound of the log in docs/reference/campaign-folder.md. It is twice the
// most that the sets of all domains and of traces hold. TestSetSamples shows that sets keep their
// limit.
func TestLogBound(t *testing.T) {
	for _, programs := range []int{1, 2, 3, 16} {
		held := 0
		for _, set := range newKnowledge(programs, 3).tuples {
			held += 8 * cmp.Or(set.Limit, feature.Exact)
		}
		for _, traces := range newBehavior(programs, 3).traces {
			held += 8 * cmp.Or(traces.Limit, diversity.Limit)
		}
		if bound := max(mostLog, 2*held); bound > 160<<20 {
			t.Errorf("%d programs: the log may have %d MiB", programs, bound>>20)
		}
	}
}

// TestKnownLog checks that the log stays within its bound, and that compaction at any time leads to
// the same log at the end.
func TestKnownLog(t *testing.T) {
	var ends [][]state.Known
	for _, every := range []uint64{100, 1000, 20_000} { // features between two records
		k, b := newKnowledge(1, 3), newBehavior(1, 3)
		k.tuples[1].Limit = 2000
		l := knownLog{known: &k, branches: b, most: 30_000}
		for i := range uint64(20_000) {
			if k.add(1, feature.Mix(i)) {
				l.size += 8
			}
			if (i+1)%every == 0 {
				before := l.size
				if l.due(false) == nil && l.size != before || l.size > max(30_000, 2*k.heldBytes()) {
					t.Errorf("%d bytes", l.size)
				}
			}
		}
		ends = append(ends, l.due(true))
	}
	if ends[0] == nil || !reflect.DeepEqual(ends[0], ends[1]) || !reflect.DeepEqual(ends[0], ends[2]) {
		t.Error("what is kept depends on the time")
	}
	short := knownLog{known: &knowledge{}, branches: newBehavior(1, 3), most: 30_000, size: 30_000}
	if short.due(true) != nil || short.due(false) != nil {
		t.Error("a short log is compacted")
	}
}

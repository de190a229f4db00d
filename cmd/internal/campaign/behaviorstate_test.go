package campaign

import (
	"bytes"
	"errors"
	"maps"
	"slices"
	"strings"
	"testing"

	"parallax/cmd/internal/finding/state"
	"parallax/internal/atomicfile"
	"parallax/internal/diversity"
	"parallax/internal/feature"
)

// TestHalvesOfBehavior checks that traces and their counts stay together. Traces that a kill left
// without counts are cut off. If one half is missing or damaged, both start again.
func TestHalvesOfBehavior(t *testing.T) {
	names := []string{"a"}
	var keys []uint64
	for i := range uint64(4) {
		keys = append(keys, diversity.Key(feature.Mix(i), 0, false))
	}
	b := newBehavior(1, 3)
	b.update(traceEvent(keys[:3]...))
	for range 3 {
		s := diversity.Sight{Weight: 1, New: true, Times: 1}
		b.ended[0].Weigh(s)
		b.ended[0].Count([]uint32{0, 2}, 0, s)
	}
	saved := b.save(b.current(&fleet{}), names)
	whole := b.ended[0]
	changed := maps.Clone(saved)
	changed[""] = append(slices.Clone(saved[""]), 1)
	for _, c := range []struct {
		name   string
		logged []uint64
		saved  map[string][]byte
		traces uint64
		says   string
	}{
		{"both", keys[:3], saved, 3, ""},
		{"killed in between", keys, saved, 3, ""},
		{"none", nil, nil, 0, ""},
		{"killed before the first counts", keys, newBehavior(1, 3).save(newBehavior(1, 3).current(&fleet{}), names), 0, ""},
		{"traces are missing", keys[:2], saved, 0, "tuples.log has 2 of the 3 unique traces"},
		{"the log is gone", nil, saved, 0, "tuples.log has 0 of the 3 unique traces"},
		{"the counts are gone", keys[:3], nil, 0, "coverage.bin does not say"},
		{"the counts are damaged", keys[:3], changed, 0, "coverage.bin: not a record"},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := t.TempDir()
			open := func() *state.Folder {
				folder, _, err := state.Open(atomicfile.OS, dir, state.Config{
					Version: state.ConfigVersion, Target: "T", Seeds: []uint64{1},
					Identity: state.Identity{Mode: "fuzz", Programs: []state.Program{{Name: "a"}}, Shape: "([]byte)"},
				})
				if err != nil {
					t.Fatal(err)
				}
				t.Cleanup(func() { folder.Close() })
				if _, _, err := folder.Build("b"); err != nil {
					t.Fatal(err)
				}
				return folder
			}
			folder := open()
			if err := errors.Join(folder.Append(feature.TraceNumber, c.logged), folder.Append(1, []uint64{5}), folder.Flush()); err != nil {
				t.Fatal(err)
			}
			next, others := newBehavior(1, 3), 0
			problems, err := next.restore(folder, c.saved, names, func(uint8, uint8, uint64) { others++ })
			if err != nil || others != 1 {
				t.Fatalf("%d other tuples, %v", others, err)
			}
			if text := strings.Join(problems, "\n"); len(problems) > 1 || (text == "") != (c.says == "") || !strings.Contains(text, c.says) {
				t.Errorf("it says %q, want %q", problems, c.says)
			}
			counted := next.ended[0].Word(diversity.Traced)
			if next.traces[0].Len() != c.traces || counted != c.traces || c.traces > 0 && !bytes.Equal(next.ended[0], whole) {
				t.Errorf("%d traces, of which %d are counted, want %d", next.traces[0].Len(), counted, c.traces)
			}
			// A trace without counts counts when it shows again, and the next invocation has the
			// knowledge of this one.
			news := next.update(traceEvent(keys[3]))
			if len(news) != 1 {
				t.Error("a trace is known of which nothing was counted")
			}
			if err := errors.Join(folder.Append(feature.TraceNumber, news), folder.Close()); err != nil {
				t.Fatal(err)
			}
			third := newBehavior(1, 3)
			problems, err = third.restore(open(), next.save(next.current(&fleet{}), names), names, func(uint8, uint8, uint64) {})
			if err != nil || len(problems) > 0 || third.traces[0].Len() != c.traces+1 || third.logged != c.traces+1 {
				t.Errorf("then: %d traces, %d told, %q, %v", third.traces[0].Len(), third.logged, problems, err)
			}
		})
	}
}

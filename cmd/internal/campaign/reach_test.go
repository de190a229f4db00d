package campaign

import (
	"bytes"
	"context"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"parallax/cmd/internal/campaign/findings/findingstest"
	"parallax/cmd/internal/finding/sample"
	"parallax/internal/feature"
	"parallax/internal/impact"
	"parallax/internal/policy"
	"parallax/internal/wire"
)

// changed returns a change of two points in three blocks. One block belongs to both points.
func changed() *impact.Impact {
	return &impact.Impact{Impacted: []uint32{0, 1, 2}, Points: []impact.Point{{Blocks: []uint32{1, 2}}, {Blocks: []uint32{0, 1}}, {}}}
}

// TestReach checks that each block counts at its first execution, and that invalid numbers are
// ignored.
func TestReach(t *testing.T) {
	if r := newReach(nil, nil); len(r.blocks) > 0 {
		t.Errorf("of no change: %v", r.blocks)
	}
	r := newReach(changed(), func(int) feature.Map { return feature.Map{1, 0, 0} }) // block 0 was executed by an earlier run
	for i, b := range []uint32{0, 2, 2, 7, 1 << 31, 1} {
		r.record(b, uint64(10+i), 0)
	}
	if want := []sample.Reached{{Block: 2, Inputs: 11}, {Block: 1, Inputs: 15}}; !slices.Equal(r.first, want) {
		t.Errorf("got  %v\nwant %v", r.first, want)
	}
}

// TestReachedLines checks that stats.jsonl has each block once, in the line after its execution.
func TestReachedLines(t *testing.T) {
	f := &fakes{fuzz: func(p *fake, quota uint64) error {
		tell := func(inputs uint64, blocks ...uint32) {
			event := binary.LittleEndian.AppendUint64(nil, inputs)
			for _, b := range blocks {
				event = binary.LittleEndian.AppendUint32(event, b)
			}
			p.mem.TryPut(wire.EventReached, event)
		}
		p.mem.TryPut(wire.EventReached, []byte("short"))
		tell(1, 2)
		tell(4, 0, 2)
		p.mem.TryPut(wire.EventMark, nil)
		if !eventually(p.mem.Drained) {
			t.Error("the mark is not taken")
		}
		p.execute(quota)
		tell(7, 1)
		return nil
	}}
	c := live(t, f, func(o *Options) { o.Impact, o.Policy = changed(), withChange(o.Policy) })
	s, err := c.run(context.Background(), nil)
	if err != nil {
		t.Fatal(err)
	}
	if s.Change == nil || s.Change.Blocks != 3 {
		t.Errorf("%+v", s.Change)
	}
	var got []string
	data, err := os.ReadFile(filepath.Join(c.folder.Dir(), "stats.jsonl"))
	for text := range bytes.Lines(data) {
		var l sample.Sample
		if err := json.Unmarshal(text, &l); err != nil || l.Change == nil {
			t.Fatalf("%s: %v", text, err)
		}
		line := ""
		for _, r := range l.Change.Reached {
			line += fmt.Sprintf("%d:%d ", r.Block, r.Inputs)
		}
		got = append(got, line)
	}
	if want := []string{"2:1 0:4 ", "1:7 "}; err != nil || !slices.Equal(got, want) {
		t.Errorf("got  %q\nwant %q, %v", got, want, err)
	}
}

// TestChangeLine checks the counts of executed points, changed blocks and impacted blocks.
func TestChangeLine(t *testing.T) {
	known := newKnowledge(2, 3)
	im := changed()
	im.Program = 1
	a := account{opt: &Options{Impact: im}, known: &known, reach: reach{blocks: []uint32{0, 1}}, facts: &findingstest.Target().Facts}
	for _, test := range []struct {
		map1                     feature.Map
		points, blocks, impacted int
	}{{feature.Map{0, 0, 0}, 0, 0, 0}, {feature.Map{0, 0, 1}, 1, 0, 1}, {feature.Map{1, 0, 1}, 2, 1, 2}} {
		copy(known.mapOf(1), test.map1)
		if l := a.changeLine(); l.Points != test.points || l.Blocks != test.blocks || l.Impacted != test.impacted {
			t.Errorf("%v: %+v", test.map1, l)
		}
	}
	if a.opt.Impact = nil; a.changeLine() != nil {
		t.Error("no change is known, and something of it was executed")
	}
}

func withChange(p policy.Policy) policy.Policy {
	p.Guidance = []string{feature.Coverage, feature.Change}
	return p
}

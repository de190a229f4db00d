package campaign

import (
	"encoding/binary"
	"slices"
	"time"

	"parallax/cmd/internal/finding/sample"
	"parallax/internal/feature"
	"parallax/internal/impact"
)

// reach records when the blocks with a change were first executed. A worker reports them per input
// (wire.EventReached), since the loop reads shared coverage only now and then.
type reach struct {
	blocks []uint32 // ascending
	seen   []bool
	first  []sample.Reached // in order, without their locations
}

// newReach returns a reach with the blocks that earlier invocations executed, given by seen.
func newReach(im *impact.Impact, seen func(program int) feature.Map) reach {
	if !im.Known() {
		return reach{}
	}
	var r reach
	for i := range im.Points {
		r.blocks = append(r.blocks, im.Points[i].Blocks...)
	}
	slices.Sort(r.blocks)
	r.blocks = slices.Compact(r.blocks)
	hit := executed(seen(im.Program))
	for _, b := range r.blocks {
		r.seen = append(r.seen, hit(b))
	}
	return r
}

// record records that a block was executed. A program may have written an invalid number.
func (r *reach) record(block uint32, inputs uint64, cpu time.Duration) {
	if i, is := slices.BinarySearch(r.blocks, block); is && !r.seen[i] {
		r.seen[i] = true
		r.first = append(r.first, sample.Reached{Block: i, Inputs: inputs, CPU: cpu.Round(time.Millisecond).Seconds()})
	}
}

// handleReached handles an event of executed blocks.
func (c *Campaign) handleReached(m *instance, payload []byte) {
	if len(payload) < 8 {
		return
	}
	at := c.totals.inputsAt(m, binary.LittleEndian.Uint64(payload))
	for rest := payload[8:]; len(rest) >= 4; rest = rest[4:] {
		c.account.reach.record(binary.LittleEndian.Uint32(rest), at, c.totals.cpuBefore+c.totals.cpu)
	}
}

// changeLine returns the part of a line of stats.jsonl about the change, or nil.
func (a *account) changeLine() *sample.Change {
	im := a.opt.Impact
	if !im.Known() {
		return nil
	}
	hit := executed(a.known.mapOf(im.Program))
	line := &sample.Change{Blocks: count(a.reach.blocks, hit), Impacted: count(im.Impacted, hit)}
	for p := range im.Points {
		if slices.ContainsFunc(im.Points[p].Blocks, hit) || slices.ContainsFunc(im.Points[p].Blocks, a.facts.Space.AtStart) {
			line.Points++
		}
	}
	for ; a.lineBlocks < len(a.reach.first); a.lineBlocks++ {
		r := a.reach.first[a.lineBlocks]
		r.Location = a.place(int(a.reach.blocks[r.Block]))
		line.Reached = append(line.Reached, r)
	}
	return line
}

// executed returns a function that reports whether a block of a map was executed.
func executed(seen feature.Map) func(uint32) bool {
	return func(b uint32) bool { return int(b) < len(seen) && seen[b] != 0 }
}

func count(blocks []uint32, is func(uint32) bool) (n int) {
	for _, b := range blocks {
		if is(b) {
			n++
		}
	}
	return n
}

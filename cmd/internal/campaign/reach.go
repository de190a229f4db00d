package campaign

import (
	"encoding/binary"
	"slices"
	"time"

	"parallax/cmd/internal/finding/sample"
	"parallax/internal/feature"
	"parallax/internal/impact"
)

// reach is when the blocks that hold a change were executed first. A worker tells of them input by input (wire.EventReached): the coverage
// that it shares is looked at only now and then.
type reach struct {
	blocks []uint32 // ascending
	seen   []bool
	first  []sample.Reached // in order, without their locations
}

// newReach knows those that earlier invocations executed. seen is the coverage of a program.
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

// take notes that a block was executed. A program may have written any number into the event.
func (r *reach) take(block uint32, inputs uint64, cpu time.Duration) {
	if i, is := slices.BinarySearch(r.blocks, block); is && !r.seen[i] {
		r.seen[i] = true
		r.first = append(r.first, sample.Reached{Block: i, Inputs: inputs, CPU: cpu.Round(time.Millisecond).Seconds()})
	}
}

// reached takes an event of a worker.
func (c *Campaign) reached(m *instance, payload []byte) {
	if len(payload) < 8 {
		return
	}
	at := c.totals.inputsAt(m, binary.LittleEndian.Uint64(payload))
	for rest := payload[8:]; len(rest) >= 4; rest = rest[4:] {
		c.reach.take(binary.LittleEndian.Uint32(rest), at, c.totals.cpuBefore+c.totals.cpu)
	}
}

// changeLine is what a line of stats.jsonl has of the change; nil where none is known.
func (a *account) changeLine() *sample.Change {
	im := a.opt.Impact
	if !im.Known() {
		return nil
	}
	hit := executed(a.known.mapOf(im.Program))
	line := &sample.Change{Blocks: count(a.reach.blocks, hit), Impacted: count(im.Impacted, hit)}
	for p := range im.Points {
		if slices.ContainsFunc(im.Points[p].Blocks, hit) || slices.ContainsFunc(im.Points[p].Blocks, a.before) {
			line.Points++
		}
	}
	for ; a.told < len(a.reach.first); a.told++ {
		r := a.reach.first[a.told]
		r.Location = a.place(int(a.reach.blocks[r.Block]))
		line.Reached = append(line.Reached, r)
	}
	return line
}

// executed tells which blocks of a map were.
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

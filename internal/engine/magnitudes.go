package engine

import (
	"fmt"

	"parallax/internal/input"
	"parallax/internal/mutate"
)

// magnitudes finds integer arguments whose large values make programs run out of time or memory, or
// execute very many blocks. Each such input costs as much as thousands of others. Mutants of all
// magnitudes are equally likely. So the mutator gets a limit that only few mutants exceed. The
// limit depends on inputs, outcomes and executed blocks only.
type magnitudes struct {
	shape input.Shape
	of    []magnitude // by argument; nil means that no argument is an integer of 32 bits or more
	spans []input.Span
	notes []string // for the user, not yet taken
}

// magnitude counts the costly inputs by the value of one argument.
type magnitude struct {
	large, small int
	least        uint64 // of the large values
	limited      bool
}

const (
	// costlyBlocks is the number of executed blocks of a costly input: a tenth of a second or more.
	costlyBlocks = 1 << 24
	// largeValue is the least value that may have made a program run out of time or memory.
	largeValue = 1 << 12
	// The limit is firstLimit or, if less, the least costly value divided by slowPart. Values near
	// the least one are slow, too.
	firstLimit = 1 << 16
	slowPart   = 16
	// One mutant of firstRarity exceeds the limit. Each costly input halves their number, down to
	// one of lastRarity.
	firstRarity, lastRarity = 128, 4096
)

func newMagnitudes(shape input.Shape) *magnitudes {
	m := &magnitudes{shape: shape}
	for _, k := range shape {
		if _, ok := mutate.Magnitude(k, make([]byte, k.Width())); ok && k.Width() >= 4 {
			m.of = make([]magnitude, len(shape))
		}
	}
	return m
}

// costly counts a costly input, and limits its large values.
func (m *magnitudes) costly(flat []byte, limit func(argument int, most uint64, rarity int)) {
	if m.of == nil || m.shape.Check(flat) != nil {
		return
	}
	m.spans = m.shape.Spans(m.spans[:0], flat)
	for i := range m.of {
		a, k := &m.of[i], m.shape[i]
		v, ok := mutate.Magnitude(k, flat[m.spans[i].Start:m.spans[i].End])
		switch {
		case !ok:
			continue
		case v < largeValue:
			a.small++
			continue
		case a.large == 0 || v < a.least:
			a.least = v
		}
		if a.large++; a.large < a.small {
			continue
		}
		limit(i, min(firstLimit, a.least/slowPart), min(firstRarity<<min(a.large-1, 16), lastRarity))
		if !a.limited {
			a.limited = true
			m.notes = append(m.notes, fmt.Sprintf("large values of argument %d (%v) take long, exceed a limit or end the process, and are rare from then on. A lower --timeout or --memory ends these inputs sooner", i+1, k))
		}
	}
}

// Notes returns notes for the user that no earlier call returned.
func (e *Engine) Notes() []string {
	notes := e.numbers.notes
	e.numbers.notes = nil
	return notes
}

// smallBatch bounds a batch at the start, if integers may be too large. A batch made before any has
// a limit holds costly inputs.
func (e *Engine) smallBatch(b *Batch, n int) int {
	if e.numbers.of == nil || b.batches >= 5 {
		return n
	}
	return min(n, 8<<b.batches)
}

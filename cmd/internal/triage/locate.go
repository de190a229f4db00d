package triage

import (
	"bytes"
	"math"
	"slices"

	"parallax/internal/input"
	"parallax/internal/judge"
	"parallax/internal/wire"
)

// Neighbours returns inputs that differ from flat in one place, at most limit of them, always the same: every byte
// deleted and replaced, scalars moved by one and set to zero. Of long inputs, evenly spaced places are taken.
func Neighbours(shape input.Shape, flat []byte, limit int) [][]byte {
	var out [][]byte
	add := func(b []byte) {
		repeated := bytes.Equal(b, flat) || len(out) > 0 && bytes.Equal(b, out[len(out)-1])
		if len(out) < limit && !repeated && shape.Check(b) == nil {
			out = append(out, b)
		}
	}
	spans := shape.Spans(nil, flat)
	places := 0
	for i, k := range shape {
		if k.Width() == 0 {
			places += spans[i].End - spans[i].Start
		}
	}
	const edits = 4
	step := max(1, (places*edits+limit-1)/limit)
	for i, k := range shape {
		sp := spans[i]
		if w := k.Width(); w > 0 {
			for _, delta := range []int{1, -1} {
				b := slices.Clone(flat)
				for p, c := sp.Start, delta; p < sp.End && c != 0; p++ {
					v := int(b[p]) + c
					b[p], c = byte(v), v>>8
				}
				add(b)
			}
			b := slices.Clone(flat)
			clear(b[sp.Start:sp.End])
			add(b)
			continue
		}
		for p := sp.Start; p < sp.End; p += step {
			add(splice(shape, flat, sp, p, p+1, nil))
			for _, c := range replacements(flat[p]) {
				b := slices.Clone(flat)
				b[p] = c
				add(b)
			}
		}
		add(splice(shape, flat, sp, sp.End, sp.End, []byte{'0'}))
		add(splice(shape, flat, sp, sp.Start, sp.Start, []byte{' '}))
		if sp.End > sp.Start {
			add(splice(shape, flat, sp, sp.Start+(sp.End-sp.Start)/2, sp.End, nil))
			add(splice(shape, flat, sp, sp.Start, sp.Start+(sp.End-sp.Start+1)/2, nil))
		}
	}
	return out
}

// replacements are three bytes of other classes than b: they make another number, a name and a break.
func replacements(b byte) []byte {
	r := []byte{'1', 'a', ' '}
	for i := range r {
		if r[i] == b {
			r[i] = "0b\x00"[i]
		}
	}
	return r
}

// splice replaces flat[from:to], inside the argument at sp, by with, and sets the argument's length.
func splice(shape input.Shape, flat []byte, sp input.Span, from, to int, with []byte) []byte {
	b := slices.Concat(flat[:from], with, flat[to:])
	if !shape.Raw() {
		n := uint32(sp.End - sp.Start + len(with) - (to - from))
		p := sp.Start - 4
		b[p], b[p+1], b[p+2], b[p+3] = byte(n), byte(n>>8), byte(n>>16), byte(n>>24)
	}
	return b
}

// None marks a program without a deciding block.
const None = -1

// Place is a block, by whether an input executed it.
type Place struct {
	Block   int
	Absent  bool // the input did not execute the block
	Score   float64
	With    int // inputs with the disagreement that did the same, the input itself among them
	Without int // inputs on which the programs agree that did the same
}

// spectrum counts, for one program, the inputs that executed each block.
type spectrum struct {
	with    map[uint32]int // inputs with the disagreement in question
	without map[uint32]int // inputs on which the programs agree
	other   map[uint32]int // inputs with another disagreement
}

// Decide finds, for each program, the block whose execution separates the disagreeing inputs from the agreeing ones
// around an input: the one of highest Ochiai score among the blocks that the input executed. Among equals comes first
// what other disagreements execute least (a line that passes on every error says little), then the programs' own blocks
// before those of what they call, then the lowest id. A program whose blocks tell nothing gets None. NEZHA's section VIII
// proposes the comparison and never built it.
//
// same says whether results show the disagreement in question.
func Decide(s *Session, layers judge.Layers, shape input.Shape, flat []byte, extra [][]byte, limit int,
	same func([]wire.RunResult) bool) ([]int, error) {
	base, err := s.Run(flat, wire.WantHits)
	if err != nil {
		return nil, err
	}
	spectra := make([]spectrum, len(base))
	for p := range spectra {
		spectra[p] = spectrum{map[uint32]int{}, map[uint32]int{}, map[uint32]int{}}
	}
	disagreeing, agreeing := 1, 0
	for p, r := range base {
		add(spectra[p].with, r)
	}
	deaths := s.Deaths
	for _, n := range append(extra, Neighbours(shape, flat, limit)...) {
		results, err := s.Run(n, wire.WantHits)
		if err != nil {
			return nil, err
		}
		if s.Deaths-deaths > maxDeaths {
			break
		}
		if _, failed := Failed(results); failed {
			continue
		}
		is, agrees := same(results), false
		if is {
			disagreeing++
		} else if agrees = Layer(layers, results) == 0; agrees {
			agreeing++
		}
		for p, r := range results {
			switch {
			case is:
				add(spectra[p].with, r)
			case agrees:
				add(spectra[p].without, r)
			default:
				add(spectra[p].other, r)
			}
		}
	}
	deciding := make([]int, len(base))
	for p := range deciding {
		deciding[p] = spectra[p].best(base[p].Hits, disagreeing, agreeing, s.OwnBlock)
	}
	return deciding, nil
}

func add(counts map[uint32]int, r wire.RunResult) {
	for _, id := range r.Hits {
		counts[id]++
	}
}

func (s *spectrum) best(hits []uint32, disagreeing, agreeing int, own func(int) bool) int {
	best, others, ofOwn := None, 0, false
	// A block that every input executes scores this; only a higher score says anything.
	top := math.Sqrt(float64(disagreeing)/float64(disagreeing+agreeing)) + 1e-9
	for _, id := range hits {
		with := float64(s.with[id])
		score := with / math.Sqrt(float64(disagreeing)*(with+float64(s.without[id])))
		is := own == nil || own(int(id))
		switch {
		case score > top+1e-9:
		case best == None || score < top-1e-9:
			continue
		case s.other[id] != others:
			if s.other[id] > others {
				continue
			}
		case ofOwn || !is:
			continue
		}
		best, top, others, ofOwn = int(id), score, s.other[id], is
	}
	return best
}

// maxDeaths bounds the workers that looking for a cause may cost.
const maxDeaths = 8

package cmplog

import (
	"encoding/base64"
	"encoding/hex"
)

// Offers are replacements that may become patches. An op has room for a share of them, so that what a call does is bounded
// and no op starves another.

const (
	maxOffers = 1 << 13 // of a call
	minRoom   = 4       // of an op
	maxRoom   = 128
	// maxCost drops what hardly ever helps.
	maxCost = 14
	// likely is the cost up to which an offer is hardly a coincidence: that of one byte in one place.
	likely = 5
)

// offer is a replacement in a view.
type offer struct {
	view, from, to int32
	form           form
	width          uint8
	cost           uint8
	coincidence    bool
	every          bool // the places from to to of Solver.places at once
	joins          bool // may take part in a combination
	site           int32
	with           int32  // another place changes too: one of Solver.fills, plus one
	number         number // what is written, unless the form is asText
	was            number // every: what stands there
	text           string
	wrap           wrapping // of the text
	key            uint64
	next           int32 // of the same rank
}

// wrapping is what is done to a text before it is put into a view.
type wrapping uint8

const (
	bare     wrapping = iota
	escaped           // as inside a JSON string
	inQuotes          // a JSON string
	inURL
	inHex
	inBase64
	inMember // as the key of a JSON member, whose value is what Solver.fills has, and a comma
)

func (w wrapping) append(dst []byte, text string) []byte {
	switch w {
	case escaped:
		return appendQuoted(dst, text)
	case inQuotes:
		return append(appendQuoted(append(dst, '"'), text), '"')
	case inURL:
		return appendPercent(dst, text)
	case inHex:
		return append(dst, hex.EncodeToString([]byte(text))...)
	case inBase64:
		return append(dst, base64.StdEncoding.EncodeToString([]byte(text))...)
	}
	return append(dst, text...)
}

// task is one direction of one op: x, which the input is to hold, is replaced by y.
type task struct {
	op       *Comparison
	site     int32
	room     int
	backward bool // x is B or T
	constant bool // y is a constant
	known    bool // y is found in the input too: its value says nothing about the comparison
	cost     int  // of all offers
	key      uint64
	tries    int // of the key last asked for
}

// Replacements are remembered under numbers of their own, below those under the forms of numbers.
const (
	keyReplace uint64 = iota + 32
	keyPart
	keyCore
	keyDecoded
	keySplice
	keyEmpty
	keyLength
	keySpelled
	keyNothing
	keyPair

	keyWeak uint64 = 1 << 7 // places that are likely coincidences
)

// open asks the memory for a way of replacing x by what hashes to want, and makes it the key of the next offers.
func (s *Solver) open(t *task, way, want uint64) bool {
	if t.known {
		want = 0
	}
	h := mix(t.op.Site, way<<1|uint64(btoi(t.backward)))
	t.key = mix(h, want)
	var open bool
	t.tries, open = s.memory.ask(t.key)
	return open && t.room > 0
}

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}

// put makes an offer, whose cost is beside that of the task.
func (s *Solver) put(t *task, o offer, cost int) {
	cost += t.cost
	o.coincidence = cost > likely || t.known
	cost += log2(1 + t.tries)
	if t.room <= 0 || cost > maxCost {
		return
	}
	t.room--
	o.cost, o.site, o.key = uint8(max(cost, 0)), t.site, t.key
	s.offers = append(s.offers, o)
}

// rotated calls f with up to limit of the places, others each time that a replacement is tried, as long as there are more.
func (s *Solver) rotated(t *task, places placeSet, limit int, f func(p place)) {
	n := places.len()
	start := 0
	if n > limit {
		start = t.tries * limit % n
	}
	for i := 0; i < min(n, limit) && t.room > 0; i++ {
		f(s.places[places.lo+(start+i)%n])
	}
}

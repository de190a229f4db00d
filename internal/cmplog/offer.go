package cmplog

import (
	"encoding/base64"
	"encoding/hex"
)

// Offers are replacements that may become patches. Each comparison has room for a share of them,
// which bounds the work of a call and prevents starvation.

const (
	maxOffers = 1 << 13 // per call
	minRoom   = 4       // per comparison
	maxRoom   = 128
	// maxCost excludes offers that hardly ever help.
	maxCost = 14
	// likely is the highest cost of an offer that is hardly a coincidence: that of one byte in one
	// place.
	likely = 5
)

// offer is a replacement in a view.
type offer struct {
	view, from, to int32
	form           form
	width          uint8
	cost           uint8
	coincidence    bool
	every          bool // all places from to to of Solver.places at once
	joins          bool // may take part in a combination
	site           int32
	with           int32  // index in Solver.fills of a second place to change, plus 1
	number         number // number to write, unless the form is asText
	was            number // for every: the replaced number
	text           string
	wrap           wrapping // of the text
	key            uint64
	next           int32 // next offer of the same rank
}

// wrapping is the encoding of a text before it is put into a view.
type wrapping uint8

const (
	bare     wrapping = iota
	escaped           // as inside a JSON string
	inQuotes          // a JSON string
	inURL
	inHex
	inBase64
	inMember // as the key of a JSON member, with a value from Solver.fills and a comma
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

// task is one direction of one comparison: x, which should be in the input, is replaced by y.
type task struct {
	op       *Comparison
	site     int32
	room     int
	backward bool // x is B or T
	constant bool // y is a constant
	known    bool // y is in the input too, so that its value is not specific to the comparison
	cost     int  // of all offers
	key      uint64
	tries    int // of the latest key
}

// Keys of replacements by text. Smaller numbers are forms of numbers.
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

	keyWeak uint64 = 1 << 7 // for places that are likely coincidences
)

// open asks the memory for a way of replacing x by a text with hash want, and sets the key of the
// next offers.
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

// put adds an offer. The cost is added to the task's.
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

// rotated calls f with up to limit of the places. Each attempt uses other places, as long as there
// are more.
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

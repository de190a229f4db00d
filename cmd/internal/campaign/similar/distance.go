package similar

// A bag counts the bytes of a text, in bins of similar bytes.
type bag struct {
	n     int
	bins  [16]uint16
	alone bool // the text is the only part of its item and has no hash
}

func bagOf(p []byte) bag {
	b := bag{n: len(p)}
	for _, c := range p {
		if bin := &b.bins[(c^c>>4)&15]; *bin < 1<<16-1 {
			*bin++
		}
	}
	return b
}

// distance returns a lower bound of the edit distance. One edit removes at most one byte from a bin
// and adds at most one to a bin.
func (a *bag) distance(b *bag) int {
	more, less := 0, 0
	for i := range a.bins {
		if d := int(a.bins[i]) - int(b.bins[i]); d > 0 {
			more += d
		} else {
			less -= d
		}
	}
	return max(more, less)
}

// bound returns an upper bound of the score of two texts.
func (a *bag) bound(b *bag) int {
	n := max(a.n, b.n)
	if n == 0 {
		return 100
	}
	return 100 - 100*a.distance(b)/n
}

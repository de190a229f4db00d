package myers

// Distance returns the edit distance of two byte strings: the least number of bytes to insert,
// delete or replace. The algorithm is Myers' (A fast bit-vector algorithm for approximate string
// matching, 1999) in the form of Hyyrö (2003). It computes 64 rows of the matrix at a time, column
// by column. Two inputs of 4096 bytes take a fraction of a millisecond.
func Distance(a, b []byte) int {
	same, tail := Ends(a, b)
	a, b = a[same:len(a)-tail], b[same:len(b)-tail]
	if len(a) > len(b) {
		a, b = b, a
	}
	if len(a) == 0 {
		return len(b)
	}
	words := (len(a) + 63) / 64
	last := uint(len(a)-1) % 64
	// index leads from a byte to its positions in a, one bit per position.
	var index [256]int
	var equal []uint64
	zero := make([]uint64, words)
	for i, c := range a {
		if index[c] == 0 {
			equal = append(equal, zero...)
			index[c] = len(equal) / words
		}
		equal[(index[c]-1)*words+i/64] |= 1 << (i % 64)
	}
	up, down := make([]uint64, words), make([]uint64, words) // vertical differences of +1 and -1
	for i := range up {
		up[i] = ^uint64(0)
	}
	d := len(a)
	for _, c := range b {
		column := zero
		if k := index[c]; k > 0 {
			column = equal[(k-1)*words : k*words]
		}
		d += step(column, up, down, last)
	}
	return d
}

// step computes the next column and returns the difference in the last row.
func step(equal, up, down []uint64, last uint) int {
	plus, minus := uint64(1), uint64(0) // horizontal differences that enter a word: the first row grows by one
	for w := range up {
		eq, pv, mv := equal[w], up[w], down[w]
		xv := eq | mv
		eq |= minus
		xh := ((eq & pv) + pv) ^ pv | eq
		ph := mv | ^(xh | pv)
		mh := pv & xh
		outPlus, outMinus := ph>>63, mh>>63
		if w == len(up)-1 {
			outPlus, outMinus = ph>>last&1, mh>>last&1
		}
		ph, mh = ph<<1|plus, mh<<1|minus
		up[w] = mh | ^(xv | ph)
		down[w] = ph & xv
		plus, minus = outPlus, outMinus
	}
	return int(plus) - int(minus)
}

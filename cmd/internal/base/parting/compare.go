package parting

import (
	"unicode/utf8"

	"parallax/cmd/internal/base/myers"
)

// A Piece is a part of a text. It is marked if the other text does not have it.
type Piece struct {
	Text   string
	Marked bool
}

// Compare divides two texts into pieces, and marks those that the other text does not have. It
// works on whole characters, by Myers' algorithm (An O(ND) difference algorithm and its variations,
// 1986). Its work is bounded: texts that have little in common are marked between their common
// ends.
func Compare(a, b string) (pa, pb []Piece) {
	p, s := CommonEnds(a, b)
	ca, cb := characters(a[p:len(a)-s]), characters(b[p:len(b)-s])
	pairs, _ := myers.Greedy(ca, cb, maxEdits)
	ma, mb := marks(len(ca), pairs, 0), marks(len(cb), pairs, 1)
	join(ca, cb, ma, mb)
	around := func(list []Piece) []Piece {
		if p > 0 {
			list = append([]Piece{{Text: a[:p]}}, list...)
		}
		if s > 0 {
			list = append(list, Piece{Text: a[len(a)-s:]})
		}
		return merge(list)
	}
	return around(pieces(ca, ma)), around(pieces(cb, mb))
}

// CommonEnds are the bytes of the common beginning and end, whole characters.
func CommonEnds(a, b string) (p, s int) {
	for p < len(a) && p < len(b) && a[p] == b[p] {
		p++
	}
	for back := 0; back < utf8.UTFMax && p > 0 && (inside(a, p) || inside(b, p)); back++ {
		p--
	}
	for s < len(a)-p && s < len(b)-p && a[len(a)-1-s] == b[len(b)-1-s] {
		s++
	}
	for back := 0; back < utf8.UTFMax && s > 0 && !utf8.RuneStart(a[len(a)-s]); back++ {
		s--
	}
	return p, s
}

// inside reports whether i is not where a character begins or s ends.
func inside(s string, i int) bool { return i < len(s) && !utf8.RuneStart(s[i]) }

func merge(list []Piece) []Piece {
	var out []Piece
	for _, p := range list {
		if n := len(out); n > 0 && out[n-1].Marked == p.Marked {
			out[n-1].Text += p.Text
			continue
		}
		out = append(out, p)
	}
	return out
}

// characters splits a text; a byte of invalid UTF-8 is one.
func characters(s string) []string {
	list := make([]string, 0, len(s))
	for len(s) > 0 {
		_, n := utf8.DecodeRuneInString(s)
		list = append(list, s[:n])
		s = s[n:]
	}
	return list
}

func pieces(chars []string, marked []bool) []Piece {
	var list []Piece
	for start := 0; start < len(chars); {
		end, n := start, 0
		for end < len(chars) && marked[end] == marked[start] {
			n += len(chars[end])
			end++
		}
		text := make([]byte, 0, n)
		for _, c := range chars[start:end] {
			text = append(text, c...)
		}
		list = append(list, Piece{string(text), marked[start]})
		start = end
	}
	return list
}

// maxEdits bounds the work of a comparison: its memory grows with the square of it, to about 4 MB.
const maxEdits = 1000

// Unlike marks the elements of each list that are no part of a longest common subsequence of both.
func Unlike[T comparable](a, b []T) (ma, mb []bool) {
	pairs, _ := myers.Common(a, b, maxEdits)
	return marks(len(a), pairs, 0), marks(len(b), pairs, 1)
}

// marks marks the elements of a list of length n that are in no pair. side is their index in pairs.
func marks(n int, pairs [][2]int, side int) []bool {
	marked := make([]bool, n)
	for i := range marked {
		marked[i] = true
	}
	for _, p := range pairs {
		marked[p[side]] = false
	}
	return marked
}

// chance is the longest run of characters that two texts are taken to share by chance, where all
// around it differs.
const chance = 2

// join marks short runs between what differs too, which a reader takes for a part of the
// difference.
func join(a, b []string, ma, mb []bool) {
	i, j := 0, 0
	changed := 0 // characters that differ before the run
	for i < len(a) || j < len(b) {
		before := 0
		for i < len(a) && ma[i] {
			i++
			before++
		}
		for j < len(b) && mb[j] {
			j++
			before++
		}
		changed = before
		start, other := i, j
		for i < len(a) && j < len(b) && !ma[i] && !mb[j] {
			i++
			j++
		}
		after := 0
		for k := i; k < len(a) && ma[k]; k++ {
			after++
		}
		for k := j; k < len(b) && mb[k]; k++ {
			after++
		}
		run := i - start
		if run > 0 && run <= chance && changed > run && after > run {
			for k := range run {
				ma[start+k], mb[other+k] = true, true
			}
		}
		if run == 0 && before == 0 {
			return // not of one alignment; nothing is lost
		}
	}
}

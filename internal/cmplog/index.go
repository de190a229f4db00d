package cmplog

// The index finds a byte string's occurrences, some thousand times per call. It has chains of the
// places of single bytes, pairs and quadruples, in ascending order. It ignores letter case, so that
// one index serves exact and folded searches.

const (
	pairBits = 12
	quadBits = 13
	// maxSteps limits the places that one search examines.
	maxSteps = 1024
)

type index struct {
	text                []byte
	head1               [256]int32           // first place plus 1; 0 means none
	head2, count2       [1 << pairBits]int32 // and the number of places
	head4, count4       [1 << quadBits]int32
	next1, next2, next4 []int32 // next place of the same byte, pair, quadruple
	folded              []byte
	found               []int32 // result of the last search
}

// lower folds the letter case of ASCII, which the index ignores.
var lower = func() (t [256]byte) {
	for c := range t {
		t[c] = byte(c)
		if 'A' <= c && c <= 'Z' {
			t[c] += 'a' - 'A'
		}
	}
	return t
}()

func pairOf(a, b byte) uint32 { return (uint32(a)<<8 | uint32(b)) * 0x9e3779b1 >> (32 - pairBits) }

func quadOf(a, b, c, d byte) uint32 {
	return (uint32(a)<<24 | uint32(b)<<16 | uint32(c)<<8 | uint32(d)) * 0x9e3779b1 >> (32 - quadBits)
}

// build indexes text, which must not change while the index is used.
func (x *index) build(text []byte) {
	x.text = text
	x.head1, x.head2, x.head4 = [256]int32{}, [1 << pairBits]int32{}, [1 << quadBits]int32{}
	x.count2, x.count4 = [1 << pairBits]int32{}, [1 << quadBits]int32{}
	n := len(text)
	x.next1, x.next2, x.next4 = grow(x.next1, n), grow(x.next2, n), grow(x.next4, n)
	f := x.folded[:0]
	for _, c := range text {
		f = append(f, lower[c])
	}
	x.folded = f
	// From the end, so that chains ascend.
	for i := n - 1; i >= 0; i-- {
		c := f[i]
		x.next1[i], x.head1[c] = x.head1[c], int32(i+1)
		if i+2 <= n {
			h := pairOf(c, f[i+1])
			x.next2[i], x.head2[h] = x.head2[h], int32(i+1)
			x.count2[h]++
		}
		if i+4 <= n {
			h := quadOf(c, f[i+1], f[i+2], f[i+3])
			x.next4[i], x.head4[h] = x.head4[h], int32(i+1)
			x.count4[h]++
		}
	}
}

func grow(s []int32, n int) []int32 {
	if cap(s) < n {
		return make([]int32, n, n+n/2)
	}
	return s[:n]
}

// search returns up to limit places of a pattern, in ascending order. With fold, it ignores letter
// case. The result is valid until the next search.
func (x *index) search(pattern []byte, fold bool, limit int) []int32 {
	x.found = x.found[:0]
	n := len(pattern)
	if n == 0 || n > len(x.text) {
		return nil
	}
	at, next, offset := x.chain(pattern)
	text := x.text
	if fold {
		text = x.folded
	}
	for steps := 0; at != 0 && steps < maxSteps && len(x.found) < limit; steps++ {
		i := int(at) - 1
		if start := i - offset; start >= 0 && start+n <= len(text) && same(text[start:start+n], pattern, fold) {
			x.found = append(x.found, int32(start))
		}
		at = next[i]
	}
	return x.found
}

// chain returns the head and the chain of the rarer of the pattern's first and last gram, and the
// gram's offset.
func (x *index) chain(p []byte) (head int32, next []int32, offset int) {
	n := len(p)
	switch {
	case n == 1:
		return x.head1[lower[p[0]]], x.next1, 0
	case n < 4:
		a, b := pairOf(lower[p[0]], lower[p[1]]), pairOf(lower[p[n-2]], lower[p[n-1]])
		if x.count2[b] < x.count2[a] {
			return x.head2[b], x.next2, n - 2
		}
		return x.head2[a], x.next2, 0
	}
	a := quadOf(lower[p[0]], lower[p[1]], lower[p[2]], lower[p[3]])
	b := quadOf(lower[p[n-4]], lower[p[n-3]], lower[p[n-2]], lower[p[n-1]])
	if x.count4[b] < x.count4[a] {
		return x.head4[b], x.next4, n - 4
	}
	return x.head4[a], x.next4, 0
}

func same(text, p []byte, fold bool) bool {
	if !fold {
		return string(text) == string(p)
	}
	for i := range text {
		if text[i] != lower[p[i]] {
			return false
		}
	}
	return true
}

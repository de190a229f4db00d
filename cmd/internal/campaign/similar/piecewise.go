package similar

import (
	"cmp"
	"slices"
	"strings"

	"github.com/glaslos/ssdeep"
)

// hashFrom is the size up to which a text gets no hash: ssdeep's hashes of short texts carry no
// information.
const hashFrom = 4096

// A hash is a context-triggered piecewise hash. Empty means that the text is too short for one.
type hash struct{ text string }

func hashOf(p []byte) hash {
	if len(p) <= hashFrom {
		return hash{}
	}
	text, err := ssdeep.FuzzyBytes(p)
	if err != nil {
		return hash{}
	}
	return hash{text}
}

// gramSize is the length of the piece that two hashes must share for a score above 0: the window of
// ssdeep's rolling hash.
const gramSize = 7

// piecewise returns ssdeep's score. It is 0 if a hash is too short to compare, as that of zeros.
func piecewise(a, b hash) int {
	if !a.comparable() || !b.comparable() {
		return 0
	}
	score, err := ssdeep.Distance(a.text, b.text)
	if err != nil {
		return 0
	}
	return min(max(score, 0), 100)
}

// comparable reports whether the hash is long enough for ssdeep's score.
func (h hash) comparable() bool { return len(h.first()) >= gramSize }

func (h hash) first() string {
	part := strings.Split(h.text, ":")
	if len(part) != 3 {
		return ""
	}
	return part[1]
}

// pieces returns the pieces of a hash, each with its block size. Two hashes are compared if they
// share one.
func (h hash) pieces() []string {
	part := strings.Split(h.text, ":")
	if len(part) != 3 {
		return nil
	}
	var list []string
	// The blocks of the second part are twice as long. It is compared with first parts of that
	// size.
	for i, size := range []string{part[0], double(part[0])} {
		for k := 0; k+gramSize <= len(part[i+1]); k++ {
			list = append(list, size+":"+part[i+1][k:k+gramSize])
		}
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// double returns twice a decimal number.
func double(s string) string {
	digits := []byte(s)
	carry := byte(0)
	for i := len(digits) - 1; i >= 0; i-- {
		d := (digits[i]-'0')*2 + carry
		digits[i], carry = '0'+d%10, d/10
	}
	if carry > 0 {
		digits = append([]byte{'0' + carry}, digits...)
	}
	return string(digits)
}

// maxGram bounds the items of a piece. A piece that most items have separates none.
const maxGram = 64

// grams leads from pieces of hashes to items.
type grams map[string][]int

func (g *grams) add(item int, hashes []hash) {
	for _, h := range hashes {
		for _, p := range h.pieces() {
			if *g == nil {
				*g = grams{}
			}
			if len((*g)[p]) < maxGram {
				(*g)[p] = append((*g)[p], item)
			}
		}
	}
}

func (g grams) remove(item int, hashes []hash) {
	for _, h := range hashes {
		for _, p := range h.pieces() {
			g[p] = slices.DeleteFunc(g[p], func(i int) bool { return i == item })
		}
	}
}

// share returns at most n items that share pieces with the hashes, those with most pieces first.
func (g grams) share(hashes []hash, n int) []int {
	count := map[int]int{}
	for _, h := range hashes {
		for _, p := range h.pieces() {
			for _, i := range g[p] {
				count[i]++
			}
		}
	}
	list := make([]int, 0, len(count))
	for i := range count {
		list = append(list, i)
	}
	slices.SortFunc(list, func(a, b int) int { return cmp.Or(cmp.Compare(count[b], count[a]), cmp.Compare(a, b)) })
	return list[:min(n, len(list))]
}

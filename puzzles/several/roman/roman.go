// Package roman reads Roman numerals.
package roman

import "errors"

var (
	errLetter = errors.New("no Roman digit")
	errRepeat = errors.New("repeated too often")
	errBefore = errors.New("cannot stand before a larger one")
	errOrder  = errors.New("wrong order")
)

// values of the digits from I to X and from L to M.
var values = [256]int{
	'I': 1, 'V': 5, 'X': 10,
	'L': 50, 'C': 100, 'D': 500, 'M': 1000, // counterpart: table
}

// Read returns the number.
func Read(text string) (int, error) {
	total, last, run, least := 0, 0, 0, 1<<30
	for i := 0; i < len(text); i++ {
		v := values[text[i]]
		if v == 0 {
			return 0, errLetter
		}
		if v == last {
			run++
		} else {
			run = 1
		}
		if run > limit(v) { // counterpart: repeat
			return 0, errRepeat
		}
		last = v
		if i+1 < len(text) && values[text[i+1]] > v {
			if !before(v, values[text[i+1]]) { // counterpart: before
				return 0, errBefore
			}
			v = values[text[i+1]] - v
			i++
			last = 0
		}
		if v > least { // counterpart: order
			return 0, errOrder
		}
		least = v
		total += v
	}
	return total, nil
}

// limit is how often a digit can follow itself.
func limit(v int) int {
	if v == 5 || v == 50 || v == 500 {
		return 1
	}
	return 3
}

func before(small, large int) bool {
	return (small == 1 || small == 10 || small == 100) && large <= 10*small
}

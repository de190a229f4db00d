// Package soak has the functions of soak's campaigns: two that do little, and two that do something
// new on nearly every input.
package soak

// Digits sums the digits of a text up to the first byte that is none.
func Digits(b []byte) (n int, ok bool) {
	for _, c := range b {
		if c < '0' || c > '9' {
			return n, n > 0
		}
		n += int(c - '0')
	}
	return n, true
}

// Figures does the same in another way.
func Figures(b []byte) (n int, ok bool) {
	i := 0
	for ; i < len(b) && b[i]-'0' < 10; i++ {
		n += int(b[i]) - '0'
	}
	return n, i == len(b) || n > 0
}

// Walk takes a way that a hash of the input chooses, and returns the hash.
func Walk(b []byte) uint64 {
	h := hash(b)
	return steps(h) ^ h
}

// Stroll does the same.
func Stroll(b []byte) uint64 {
	h := hash(b)
	return h ^ steps(h)
}

// hash is FNV-1a, mixed.
func hash(b []byte) uint64 {
	h := uint64(14695981039346656037)
	for _, c := range b {
		h = (h ^ uint64(c)) * 1099511628211
	}
	h = (h ^ h>>29) * 0x9e3779b97f4a7c15
	return h ^ h>>32
}

// steps has a branch for each of 32 bits.
func steps(h uint64) (n uint64) {
	if h>>0&1 != 0 {
		n += 1
	}
	if h>>1&1 != 0 {
		n += 2
	}
	if h>>2&1 != 0 {
		n += 3
	}
	if h>>3&1 != 0 {
		n += 4
	}
	if h>>4&1 != 0 {
		n += 5
	}
	if h>>5&1 != 0 {
		n += 6
	}
	if h>>6&1 != 0 {
		n += 7
	}
	if h>>7&1 != 0 {
		n += 8
	}
	if h>>8&1 != 0 {
		n += 9
	}
	if h>>9&1 != 0 {
		n += 10
	}
	if h>>10&1 != 0 {
		n += 11
	}
	if h>>11&1 != 0 {
		n += 12
	}
	if h>>12&1 != 0 {
		n += 13
	}
	if h>>13&1 != 0 {
		n += 14
	}
	if h>>14&1 != 0 {
		n += 15
	}
	if h>>15&1 != 0 {
		n += 16
	}
	if h>>16&1 != 0 {
		n += 17
	}
	if h>>17&1 != 0 {
		n += 18
	}
	if h>>18&1 != 0 {
		n += 19
	}
	if h>>19&1 != 0 {
		n += 20
	}
	if h>>20&1 != 0 {
		n += 21
	}
	if h>>21&1 != 0 {
		n += 22
	}
	if h>>22&1 != 0 {
		n += 23
	}
	if h>>23&1 != 0 {
		n += 24
	}
	if h>>24&1 != 0 {
		n += 25
	}
	if h>>25&1 != 0 {
		n += 26
	}
	if h>>26&1 != 0 {
		n += 27
	}
	if h>>27&1 != 0 {
		n += 28
	}
	if h>>28&1 != 0 {
		n += 29
	}
	if h>>29&1 != 0 {
		n += 30
	}
	if h>>30&1 != 0 {
		n += 31
	}
	if h>>31&1 != 0 {
		n += 32
	}
	return n
}

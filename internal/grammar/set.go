package grammar

import (
	"sort"
	"unicode/utf8"
)

// set is a set of characters as ranges: pairs of first and last, sorted and disjoint. It has no
// surrogates, which UTF-8 cannot encode.
type set []rune

const (
	surrogateMin = 0xd800
	surrogateMax = 0xdfff
)

// normal sorts and joins pairs.
func normal(pairs []rune) set {
	var ranges [][2]rune
	add := func(lo, hi rune) {
		if lo <= hi {
			ranges = append(ranges, [2]rune{lo, hi})
		}
	}
	for i := 0; i+1 < len(pairs); i += 2 {
		add(pairs[i], min(pairs[i+1], surrogateMin-1))
		add(max(pairs[i], surrogateMax+1), pairs[i+1])
	}
	sort.Slice(ranges, func(i, k int) bool { return ranges[i][0] < ranges[k][0] })
	var s set
	for _, r := range ranges {
		if n := len(s); n > 0 && r[0] <= s[n-1]+1 {
			s[n-1] = max(s[n-1], r[1])
			continue
		}
		s = append(s, r[0], r[1])
	}
	return s
}

// without returns the characters that are not in another set.
func (s set) without(other set) set {
	var out []rune
	for i := 0; i < len(s); i += 2 {
		lo := s[i]
		for k := 0; k < len(other); k += 2 {
			if other[k+1] < lo || other[k] > s[i+1] {
				continue
			}
			out = append(out, lo, other[k]-1)
			lo = other[k+1] + 1
		}
		out = append(out, lo, s[i+1])
	}
	return normal(out)
}

func (s set) has(c rune) bool {
	for i := 0; i < len(s); i += 2 {
		if s[i] <= c && c <= s[i+1] {
			return true
		}
	}
	return false
}

func (s set) len() (n uint64) {
	for i := 0; i < len(s); i += 2 {
		n += uint64(s[i+1]-s[i]) + 1
	}
	return n
}

// nth returns the character with an index.
func (s set) nth(n uint64) rune {
	for i := 0; i < len(s); i += 2 {
		size := uint64(s[i+1]-s[i]) + 1
		if n < size {
			return s[i] + rune(n)
		}
		n -= size
	}
	panic("grammar: a class has fewer characters")
}

// index returns the index of a character of the set.
func (s set) index(c rune) (n uint64) {
	for i := 0; i < len(s); i += 2 {
		if c <= s[i+1] {
			return n + uint64(c-s[i])
		}
		n += uint64(s[i+1]-s[i]) + 1
	}
	panic("grammar: a character is not of its class")
}

// leading returns the possible first bytes of the characters.
func (s set) leading() (b bytes) {
	var buf [utf8.UTFMax]byte
	lead := func(c rune) byte {
		utf8.EncodeRune(buf[:], c)
		return buf[0]
	}
	for i := 0; i < len(s); i += 2 {
		for c := int(lead(s[i])); c <= int(lead(s[i+1])); c++ {
			b.add(byte(c))
		}
	}
	return b
}

// shortest returns the bytes of the shortest character.
func (s set) shortest() int { return utf8.RuneLen(s[0]) }

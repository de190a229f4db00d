package smt

import (
	"fmt"
	"math/big"
	"slices"
)

func compareTexts(a, b []rune) int { return slices.Compare(a, b) }

// room reports whether a string of a length may be made, and keeps the error otherwise.
func (m *Machine) room(slot int32, length int) bool {
	if length > maxText {
		m.err = fmt.Errorf("a string of %d characters: %w", length, ErrTooLarge)
		m.texts[slot] = nil
		return false
	}
	return true
}

// index returns an integer as an index into a sequence of some length, or -1 if it is out of range.
// Numbers that do not fit a word are beyond all lengths.
func (m *Machine) index(slot int32, length int) int {
	if m.big[slot] != nil {
		return -1
	}
	if i := int64(m.words[slot]); i >= 0 && i <= int64(length) {
		return int(i)
	}
	return -1
}

// text executes operations on strings.
func (m *Machine) text(in *inst) {
	var a, b, c []rune
	op := Op(in.code)
	if op != OpStrFromCode && op != OpStrFromInt {
		a = m.texts[in.a]
	}
	if in.b >= 0 && op != OpStrAt && op != OpStrSubstr {
		b = m.texts[in.b]
	}
	if in.c >= 0 && op != OpStrSubstr && op != OpStrIndexOf {
		c = m.texts[in.c]
	}
	switch op {
	case OpStrConcat:
		if m.room(in.dst, len(a)+len(b)) {
			m.texts[in.dst] = slices.Concat(a, b)
		}
	case OpStrAt:
		m.texts[in.dst] = nil
		if i := m.index(in.b, len(a)); i >= 0 && i < len(a) {
			m.texts[in.dst] = a[i : i+1 : i+1]
		}
	case OpStrSubstr:
		m.texts[in.dst] = m.substr(a, in.b, in.c)
	case OpStrReplace:
		m.replace(in.dst, a, b, c)
	case OpStrReplaceAll:
		m.replaceAll(in.dst, a, b, c)
	case OpStrFromCode:
		m.texts[in.dst] = nil
		if i := m.index(in.a, MaxChar); i >= 0 {
			m.texts[in.dst] = []rune{rune(i)}
		}
	case OpStrFromInt:
		m.texts[in.dst] = nil
		if n := m.int(in.a); n.Sign() >= 0 {
			m.texts[in.dst] = []rune(n.String())
		}
	case OpStrToInt:
		m.toInt(in.dst, a)
	case OpStrLen:
		m.words[in.dst], m.big[in.dst] = uint64(len(a)), nil
	case OpStrToCode:
		code := int64(-1)
		if len(a) == 1 {
			code = int64(a[0])
		}
		m.words[in.dst], m.big[in.dst] = uint64(code), nil
	case OpStrIndexOf:
		found := -1
		if from := m.index(in.c, len(a)); from >= 0 {
			if i := find(a[from:], b); i >= 0 {
				found = from + i
			}
		}
		m.words[in.dst], m.big[in.dst] = uint64(found), nil
	default:
		m.words[in.dst] = truth(holds(op, a, b))
	}
}

// holds executes the operations on strings that return a truth value.
func holds(op Op, a, b []rune) bool {
	switch op {
	case OpStrLt:
		return compareTexts(a, b) < 0
	case OpStrLe:
		return compareTexts(a, b) <= 0
	case OpStrPrefixOf:
		return len(a) <= len(b) && slices.Equal(a, b[:len(a)])
	case OpStrSuffixOf:
		return len(a) <= len(b) && slices.Equal(a, b[len(b)-len(a):])
	case OpStrContains:
		return find(a, b) >= 0
	}
	return len(a) == 1 && a[0] >= '0' && a[0] <= '9' // str.is_digit
}

// substr returns a substring. It is empty if the begin is outside of the string or the length is
// not positive.
func (m *Machine) substr(a []rune, from, length int32) []rune {
	i := m.index(from, len(a))
	if i < 0 || i == len(a) {
		return nil
	}
	n := m.index(length, len(a)-i)
	if n < 0 { // negative, or more than there is
		if m.int(length).Sign() < 0 {
			return nil
		}
		n = len(a) - i
	}
	return a[i : i+n : i+n]
}

// find returns the index of the first occurrence of a string in another, or -1. The empty string
// occurs at the beginning.
func find(in, what []rune) int {
	if len(what) == 0 {
		return 0
	}
	for i := 0; i+len(what) <= len(in); i++ {
		if in[i] == what[0] && slices.Equal(in[i:i+len(what)], what) {
			return i
		}
	}
	return -1
}

// replace replaces the first occurrence. That of the empty string is at the beginning.
func (m *Machine) replace(dst int32, in, old, put []rune) {
	i := find(in, old)
	if i < 0 {
		m.texts[dst] = in
		return
	}
	if m.room(dst, len(in)-len(old)+len(put)) {
		m.texts[dst] = slices.Concat(in[:i], put, in[i+len(old):])
	}
}

// replaceAll replaces occurrences from left to right. The empty string is not replaced.
func (m *Machine) replaceAll(dst int32, in, old, put []rune) {
	if len(old) == 0 {
		m.texts[dst] = in
		return
	}
	var out []rune
	for {
		i := find(in, old)
		if i < 0 {
			m.texts[dst] = append(out, in...)
			return
		}
		if !m.room(dst, len(out)+i+len(put)+len(in)) {
			return
		}
		out = append(append(out, in[:i]...), put...)
		in = in[i+len(old):]
	}
}

// toInt converts a string of digits to its number, and other strings to -1.
func (m *Machine) toInt(dst int32, a []rune) {
	m.words[dst], m.big[dst] = ^uint64(0), nil
	if len(a) == 0 || slices.ContainsFunc(a, func(r rune) bool { return r < '0' || r > '9' }) {
		return
	}
	if len(a) > maxDigits {
		m.err = fmt.Errorf("a number of %d digits: %w", len(a), ErrTooLarge)
		return
	}
	n, _ := new(big.Int).SetString(string(a), 10)
	m.setInt(dst, n)
}

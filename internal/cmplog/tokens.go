package cmplog

import (
	"encoding/binary"
	"math/bits"
)

const (
	maxTokens = 512
	minToken  = 2 // in bytes; shorter tokens are found by chance
	maxToken  = 64
)

// tokens is the dictionary from comparisons (Redqueen, section III.A.7).
type tokens struct {
	list [][]byte // oldest first
	seen map[string]bool
	once map[uint64]uint32 // hash of a variable's text: the first call that showed it
	call uint32
}

// Tokens returns the constants of the comparisons so far, newest last. There are at most 512; the
// oldest are dropped. The caller must not change them.
func (s *Solver) Tokens() [][]byte { return append([][]byte{}, s.tokens.list...) }

func (t *tokens) text(text string) {
	if len(text) < minToken || len(text) > maxToken || t.seen[text] {
		return
	}
	if t.seen == nil {
		t.seen = map[string]bool{}
	}
	if len(t.list) == maxTokens {
		delete(t.seen, string(t.list[0]))
		t.list = t.list[1:]
	}
	t.list = append(t.list, []byte(text))
	t.seen[string(t.list[len(t.list)-1])] = true
}

// repeated learns the value of a variable that occurs at a comparison in two calls. Keys of a table
// recur; computed values do not.
func (t *tokens) repeated(text string, site uint64) {
	const most = 4096
	if len(text) < minToken || len(text) > maxToken || t.seen[text] {
		return
	}
	h := mixText(site, text)
	if call, shown := t.once[h]; shown && call != t.call {
		t.text(text)
		delete(t.once, h)
	} else if !shown {
		if t.once == nil || len(t.once) == most {
			t.once = map[uint64]uint32{}
		}
		t.once[h] = t.call
	}
}

// number learns an integer in both byte orders, in the width of its type. For int, it uses the
// least width that holds the value, since int's width says little about the input.
func (t *tokens) number(v uint64, width int, signed bool) {
	significant := bits.Len64(v)
	if signed && int64(v) < 0 {
		significant = bits.Len64(^v) + 1
	}
	if significant <= 8 {
		return
	}
	size := max(width, 2)
	if width == 8 || 8*size < significant {
		for size = 2; 8*size < significant; size *= 2 {
		}
	}
	var b [8]byte
	binary.LittleEndian.PutUint64(b[:], v)
	t.text(string(b[:size]))
	binary.BigEndian.PutUint64(b[:], v)
	t.text(string(b[8-size:]))
}

package feature

import (
	"bytes"
	"math/bits"
)

// cells classifies the output of programs without blocks. The output for an input falls into a few
// cells. They are the structure of the output or message, its length, and the kinds and number of
// its characters. Each cell is a number below CellSpace. So an input that first shows a cell can be
// kept without unbounded growth of the corpus. Structures and messages are hashed into slots. A
// program with ever new output fills its slots and then adds no more. An input of at most half the
// length replaces the cell's owner (engine/cellowners.go).
//
// The idea of keeping one input per cell of a behavior space is MAP-Elites (Mouret and Clune,
// Illuminating search spaces by mapping elites, 2015).
var cells = Domain{
	Name: Cells, Text: "new structures of what programs say, of those without blocks", Number: 4, Key: "cells",
	Bounded: true, Blockless: true, CellOwners: true, Measure: func(Setting) Measure { return measureCells },
	Plural: "cells", Counts: "distinct classes of what programs without blocks say: structures of outputs and messages, lengths, characters",
}

func measureCells(j *Joint, out []uint64) []uint64 {
	for p := range j.Cells {
		for _, c := range j.Cells[p] {
			out = append(out, Mix(uint64(p)<<32|uint64(c+1)))
		}
	}
	return out
}

// The cells of a program, in the order of their numbers.
const (
	structureCells = 512                // slots for structures of outputs
	messageCells   = 128                // slots for messages
	fieldCells     = 128                // slots for fields of JSON outputs with the types of their values
	leafCells      = 1 << numGroups     // groups of characters in a JSON string
	countCells     = 2 * numClasses * 8 // by outcome, character class and bucket of the count
	lengthCells    = 2 * 16             // by outcome and power of two
	sizeCells      = 3 * 8              // JSON sizes: depth, members, values

	firstMessage = structureCells
	firstField   = firstMessage + messageCells
	firstLeaf    = firstField + fieldCells
	firstCount   = firstLeaf + leafCells
	firstLength  = firstCount + countCells
	firstSize    = firstLength + lengthCells

	// CellSpace is the number of cells of a program.
	CellSpace = firstSize + sizeCells
	// MaxCells bounds the cells of one output: a structure or a message, a length, counts, sizes,
	// fields, leaves.
	MaxCells = 2 + numClasses + 3 + maxFields + maxLeaves

	maxFields, maxLeaves = 8, 8
	maxText              = 4096 // bytes of a text that are classified
)

// AppendCells appends the cells of a program's output, or of its message if it rejected the input.
// The first cell is the structure. Only dst may allocate.
func AppendCells(dst []uint16, accepted bool, text, input []byte) []uint16 {
	side := 0
	if !accepted {
		side = 1
	}
	said := text[:min(len(text), maxText)]
	s := tokenizer{input: input}
	if accepted {
		dst = append(dst, 0)
		place := len(dst) - 1
		dst = s.value(dst, said)
		dst[place] = uint16(s.hash() % structureCells)
	} else {
		s.message(said)
		dst = append(dst, uint16(firstMessage+s.hash()%messageCells))
	}
	dst = append(dst, uint16(firstLength+side*16+min(bits.Len(uint(len(text))), 15)))
	var counts [numClasses]int
	for _, c := range said {
		counts[classOf[c]]++
	}
	for class, n := range counts {
		if n > 0 {
			dst = append(dst, uint16(firstCount+(side*numClasses+class)*8+bucket(n)))
		}
	}
	return dst
}

// bucket returns the index of a number's hit-count bucket, 0 to 7.
func bucket(n int) int { return bits.TrailingZeros8(Bucket[min(n, 255)]) }

// OutputDiff hashes how two outputs for an input differ. It combines the structures of both outputs
// without their common prefix and suffix. It is never 0.
func OutputDiff(a, b, input []byte) uint64 {
	n := min(len(a), len(b))
	from := 0
	for from < n && a[from] == b[from] {
		from++
	}
	end := 0
	for end < n-from && a[len(a)-1-end] == b[len(b)-1-end] {
		end++
	}
	a, b = a[from:len(a)-end], b[from:len(b)-end]
	x, y := tokenizer{input: input}, tokenizer{input: input}
	x.text(a[:min(len(a), maxText)])
	y.text(b[:min(len(b), maxText)])
	return Chain(x.hash(), y.hash()) | 1
}

// tokenizer converts a text to its structure: a sequence of tokens without repetitions.
type tokenizer struct {
	input    []byte // its words are distinguished from the program's own
	tokens   [maxTokens]uint64
	n        int
	searched int // words that were searched in the input
}

const (
	maxTokens   = 32 // tokens of a structure
	maxSearched = 64 // words to search in the input
	maxWord     = 64 // bytes of a word to search in the input
	shortText   = 5  // bytes of an output that is its own structure
)

func (s *tokenizer) hash() uint64 {
	h := uint64(s.n)
	for _, t := range s.tokens[:s.n] {
		h = Chain(h, t)
	}
	return h
}

// full reports whether further tokens are ignored.
func (s *tokenizer) full() bool { return s.n == maxTokens }

// put appends a token. It drops a repetition of the previous token, or of the last two to four
// tokens.
func (s *tokenizer) put(token uint64) {
	if s.full() {
		return
	}
	s.tokens[s.n] = token
	s.n++
	for period := 1; period <= 4 && 2*period <= s.n; period++ {
		if alike(s.tokens[s.n-2*period:s.n-period], s.tokens[s.n-period:s.n]) {
			s.n -= period
			return
		}
	}
}

func alike(a, b []uint64) bool {
	for i := range a {
		if a[i] != b[i] {
			return false
		}
	}
	return true
}

// echoes reports whether a word is part of the input. Long words and words after maxSearched count
// as parts.
func (s *tokenizer) echoes(word []byte) bool {
	if s.searched++; s.searched > maxSearched || len(word) > maxWord {
		return true
	}
	return bytes.Contains(s.input, word)
}

// value reads an output and appends the cells of its parts.
func (s *tokenizer) value(dst []uint16, text []byte) []uint16 {
	if len(text) <= shortText && !s.echoes(text) {
		s.put(textHash(text))
		return dst
	}
	kept := len(dst)
	all, ok := s.json(dst, text)
	if ok {
		return all
	}
	s.n, s.searched = 0, 0
	s.text(text)
	return all[:kept]
}

// text reads a text: words of the input or of the program, and the characters between them.
func (s *tokenizer) text(b []byte) {
	for i := 0; i < len(b) && !s.full(); {
		c := b[i]
		end := i + 1
		switch class := classOf[c]; class {
		case digitClass, lowerClass, upperClass:
			end = wordEnd(b, i)
			s.put(s.word(b[i:end]))
		case spaceClass, controlClass, foreignClass:
			for end < len(b) && classOf[b[end]] == class {
				end++
			}
			s.put(256 + uint64(class))
		default:
			s.put(uint64(c))
		}
		i = end
	}
}

// word returns the token of a word: whether it has digits and letters, and whether the input has
// it.
func (s *tokenizer) word(b []byte) uint64 {
	token := uint64(512)
	for _, c := range b {
		if classOf[c] == digitClass {
			token |= 1
		} else {
			token |= 2
		}
	}
	if !s.echoes(b) {
		token |= 4
	}
	return token
}

// message reads a message. It replaces words of the input, numbers and quoted parts by one token
// each.
func (s *tokenizer) message(b []byte) {
	for i := 0; i < len(b) && !s.full(); {
		end := i + 1
		switch class := classOf[b[i]]; class {
		case digitClass, lowerClass, upperClass:
			end = wordEnd(b, i)
			switch word := b[i:end]; {
			case class == digitClass:
				s.put(513)
			case s.echoes(word):
				s.put(514)
			default:
				s.put(textHash(word))
			}
		case quoteClass:
			if n := bytes.IndexByte(b[end:], b[i]); n >= 0 && (i == 0 || !isWord(b[i-1])) {
				end += n + 1
			}
			s.put(256 + quoteClass)
		case spaceClass:
		default:
			s.put(256 + uint64(class))
		}
		i = end
	}
}

// Character classes.
const (
	controlClass = iota
	spaceClass
	digitClass
	lowerClass
	upperClass
	quoteClass
	backslashClass
	otherClass
	foreignClass // bytes that are not ASCII
	numClasses
)

// groupOf maps the classes to groups: words, space, punctuation, everything else.
var groupOf = [numClasses]uint8{3, 1, 0, 0, 0, 2, 2, 2, 3}

const numGroups = 4

var classOf = func() (t [256]uint8) {
	for c := range t {
		switch {
		case c == ' ', c == '\n', c == '\t', c == '\r':
			t[c] = spaceClass
		case c < ' ', c == 127:
			t[c] = controlClass
		case '0' <= c && c <= '9':
			t[c] = digitClass
		case 'a' <= c && c <= 'z':
			t[c] = lowerClass
		case 'A' <= c && c <= 'Z':
			t[c] = upperClass
		case c == '"', c == '\'', c == '`':
			t[c] = quoteClass
		case c == '\\':
			t[c] = backslashClass
		case c >= 128:
			t[c] = foreignClass
		default:
			t[c] = otherClass
		}
	}
	return t
}()

func isWord(c byte) bool { return classOf[c] >= digitClass && classOf[c] <= upperClass }

// wordEnd returns the end of the word at i.
func wordEnd(b []byte, i int) int {
	for i < len(b) && isWord(b[i]) {
		i++
	}
	return i
}

// textHash is FNV-1a with a final mix.
func textHash(b []byte) uint64 {
	h := uint64(14695981039346656037)
	for _, c := range b {
		h = (h ^ uint64(c)) * 1099511628211
	}
	return Mix(h)
}

package feature

import (
	"bytes"
	"math/bits"
)

// cells is what programs say, of programs of which no blocks are known. What such a program says about an input falls into a few
// cells: the structure of its output or message, how long it is, which characters it has and how many. Each is a number below
// CellSpace, so that an input which shows a cell first can be kept without letting the corpus grow for ever: structures and messages are
// hashed into slots, and a program that says something else each time fills its slots and then no more. An input of at most half the
// length that shows the same cell takes the place of the one that was kept (engine/heirs.go).
//
// The idea of keeping one input for each cell of a behavior that is described by a few features is MAP-Elites (Mouret and Clune,
// "Illuminating search spaces by mapping elites", 2015).
var cells = Domain{
	Name: Cells, Text: "new structures of what programs say, of those without blocks", Number: 4, Key: "cells",
	Bounded: true, Blockless: true, Heirs: true, Measure: func(Setting) Measure { return measureCells },
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
	fieldCells     = 128                // slots for the fields of JSON outputs with the types of their values
	leafCells      = 1 << numGroups     // what a string in a JSON output is made of
	countCells     = 2 * numClasses * 8 // by outcome, class of characters and bucket of their number
	lengthCells    = 2 * 16             // by outcome and power of two
	sizeCells      = 3 * 8              // of JSON: depth, members, values

	firstMessage = structureCells
	firstField   = firstMessage + messageCells
	firstLeaf    = firstField + fieldCells
	firstCount   = firstLeaf + leafCells
	firstLength  = firstCount + countCells
	firstSize    = firstLength + lengthCells

	// CellSpace is above the number of each cell of a program.
	CellSpace = firstSize + sizeCells
	// MaxCells bounds the cells that a program shows with one input: a structure or a message, a length, counts, sizes, fields, leaves.
	MaxCells = 2 + numClasses + 3 + maxFields + maxLeaves

	maxFields, maxLeaves = 8, 8
	maxSaid              = 4096 // bytes of a text that are looked at
)

// AppendCells appends the cells that a program shows by what it said about an input: its output, if it accepts the input, or its
// message. The first is its structure. It allocates nothing but room in dst.
func AppendCells(dst []uint16, accepted bool, text, input []byte) []uint16 {
	side := 0
	if !accepted {
		side = 1
	}
	said := text[:min(len(text), maxSaid)]
	s := saying{input: input}
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

// bucket is the number of the hit-count bucket of a number, 0 to 7.
func bucket(n int) int { return bits.TrailingZeros8(Bucket[min(n, 255)]) }

// Apart is a hash of how two outputs for an input differ: the structures of what is left of them without what they begin and end
// with alike. It is never 0.
func Apart(a, b, input []byte) uint64 {
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
	x, y := saying{input: input}, saying{input: input}
	x.text(a[:min(len(a), maxSaid)])
	y.text(b[:min(len(b), maxSaid)])
	return Chain(x.hash(), y.hash()) | 1
}

// saying is a text on its way to its structure: a sequence of tokens, in which repetitions count once.
type saying struct {
	input  []byte // words of it are told from the program's own
	tokens [maxTokens]uint64
	n      int
	looked int // words that were searched in the input
}

const (
	maxTokens = 32 // of a structure
	maxLooked = 64 // words
	maxWord   = 64 // bytes of a word that is searched in the input
	shortText = 5  // bytes of an output that stands for itself
)

func (s *saying) hash() uint64 {
	h := uint64(s.n)
	for _, t := range s.tokens[:s.n] {
		h = Chain(h, t)
	}
	return h
}

// full reports whether further tokens make no difference.
func (s *saying) full() bool { return s.n == maxTokens }

// put appends a token, and drops what repeats the tokens before it: one of them, or two to four in turn.
func (s *saying) put(token uint64) {
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

// echoes reports whether a word is part of the input, as far as it is looked for.
func (s *saying) echoes(word []byte) bool {
	if s.looked++; s.looked > maxLooked || len(word) > maxWord {
		return true
	}
	return bytes.Contains(s.input, word)
}

// value takes an output, and appends the cells of its parts.
func (s *saying) value(dst []uint16, text []byte) []uint16 {
	if len(text) <= shortText && !s.echoes(text) {
		s.put(textHash(text))
		return dst
	}
	kept := len(dst)
	all, ok := s.json(dst, text)
	if ok {
		return all
	}
	s.n, s.looked = 0, 0
	s.text(text)
	return all[:kept]
}

// text takes a text: words, of the input or the program's own, and what is between them.
func (s *saying) text(b []byte) {
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

// word is the token of a word: what it is made of, and whether the input has it.
func (s *saying) word(b []byte) uint64 {
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

// message takes a message: its words, but for those of the input, numbers and quoted parts.
func (s *saying) message(b []byte) {
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

// The classes of characters.
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

// groupOf are groups of classes: words, space, punctuation, all else.
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

// wordEnd is where the word at i ends.
func wordEnd(b []byte, i int) int {
	for i < len(b) && isWord(b[i]) {
		i++
	}
	return i
}

// textHash is FNV-1a, mixed.
func textHash(b []byte) uint64 {
	h := uint64(14695981039346656037)
	for _, c := range b {
		h = (h ^ uint64(c)) * 1099511628211
	}
	return Mix(h)
}

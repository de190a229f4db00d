package call

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"strings"

	"parallax/cmd/internal/model/extract"
)

// Pointer is an address: what it points into, as ret_into of package extract says, and how far from its start.
type Pointer struct {
	Into   int
	Offset int64
}

// Effect is what a call did.
type Effect struct {
	Ret    uint64    // of a scalar
	To     Pointer   // of an address
	Memory [][]byte  // what each argument points to behind the call, with guard bytes; nil for a number
	Stored []*Stored // pointers that the call stored
}

// Stored is a pointer in the memory of an argument.
type Stored struct {
	Arg int
	To  Pointer
}

// Comparator is how results are compared. What calls wrote is always compared byte by byte.
type Comparator string

// The comparators. Offset is that of addresses, which have no other.
const (
	Exact  Comparator = "exact"
	Sign   Comparator = "sign"
	Truth  Comparator = "truth"
	Offset Comparator = "offset"
	None   Comparator = "none" // only what is written counts
)

// Comparators are all, in the order of the documents.
var Comparators = []Comparator{Exact, Sign, Truth, Offset, None}

// Valid reports whether a comparator is one for results of a signature.
func (s *Signature) Valid(c Comparator) bool {
	return slices.Contains(Comparators, c) && (c == None || (c == Offset) == (s.Result.Kind == "address") || s.Result.Kind == "void")
}

// signs and truths are functions of C of whose result the standard says no more than its sign, or whether it is zero.
var (
	signs  = strings.Fields("strcmp strncmp strcasecmp strncasecmp memcmp wcscmp wcsncmp wmemcmp strcoll wcscoll wcscasecmp wcsncasecmp strverscmp")
	truths = strings.Fields("isalnum isalpha isascii isblank iscntrl isdigit isgraph islower isprint ispunct isspace isupper isxdigit iswalnum iswalpha " +
		"iswblank iswcntrl iswdigit iswgraph iswlower iswprint iswpunct iswspace iswupper iswxdigit bcmp feof ferror")
)

// Comparator is the one that what is known of a function asks for.
func (s *Signature) Comparator() Comparator {
	switch {
	case s.Result.Kind == "address":
		return Offset
	case s.Result.Kind == "void":
		return None
	case slices.Contains(signs, s.Function):
		return Sign
	case slices.Contains(truths, s.Function):
		return Truth
	}
	return Exact
}

// Text is what is compared of a call's effect: its result as the comparator has it, and the memory that differs from before. Two effects are
// alike if their texts are.
func (s *Signature) Text(c Call, e *Effect, by Comparator) string {
	var parts []string
	switch {
	case s.Result.Kind == "void" || by == None:
	case s.Result.Kind == "address":
		parts = append(parts, "returns "+s.place(e.To))
	case by == Sign:
		parts = append(parts, "returns "+[]string{"a negative number", "0", "a positive number"}[sign(Signed(e.Ret, s.Result.Bits))+1])
	case by == Truth:
		parts = append(parts, "returns "+map[bool]string{false: "0", true: "not 0"}[e.Ret&mask(s.Result.Bits) != 0])
	default:
		parts = append(parts, "returns "+number(e.Ret&mask(s.Result.Bits), s.Result.Bits, s.Result.Signed))
	}
	for _, p := range slices.SortedStableFunc(slices.Values(e.Stored), func(a, b *Stored) int { return cmp.Compare(a.Arg, b.Arg) }) {
		parts = append(parts, fmt.Sprintf("stores %s in *%s", s.place(p.To), s.Arguments[p.Arg].Name))
	}
	for i := range s.Arguments {
		if i < len(e.Memory) && e.Memory[i] != nil {
			parts = append(parts, changes(&s.Arguments[i], Whole(&s.Arguments[i], c[i]), e.Memory[i])...)
		}
	}
	if len(parts) == 0 {
		return "returns"
	}
	return strings.Join(parts, ", ")
}

func sign(n int64) int {
	switch {
	case n < 0:
		return -1
	case n > 0:
		return 1
	}
	return 0
}

// place is an address in words.
func (s *Signature) place(p Pointer) string {
	switch {
	case p.Into == 0 && p.Offset == 0:
		return "NULL"
	case p.Into == extract.Fresh:
		return "memory of its own"
	case p.Into > 0 && p.Into <= len(s.Arguments):
		if p.Offset == 0 {
			return s.Arguments[p.Into-1].Name
		}
		return fmt.Sprintf("%s%+d", s.Arguments[p.Into-1].Name, p.Offset)
	}
	return "an address outside of all buffers"
}

// changes are the runs of bytes that differ from before.
func changes(a *extract.Argument, before, after []byte) (parts []string) {
	for i := 0; i < len(after); i++ {
		if i < len(before) && after[i] == before[i] {
			continue
		}
		from := i
		for i < len(after) && (i >= len(before) || after[i] != before[i]) {
			i++
		}
		parts = append(parts, fmt.Sprintf("writes %s at %s%+d", Literal(bytes.Clone(after[from:i])), a.Name, from-a.Before))
	}
	return parts
}

// Trivial reports whether a call's effect is one that many wrong models have too: 0, null or nothing, and nothing written.
func (s *Signature) Trivial(c Call, e *Effect) bool {
	for i := range s.Arguments {
		if i < len(e.Memory) && e.Memory[i] != nil && !bytes.Equal(Whole(&s.Arguments[i], c[i]), e.Memory[i]) {
			return false
		}
	}
	for _, p := range e.Stored {
		if p.To.Into != 0 {
			return false
		}
	}
	return e.Ret&mask(max(s.Result.Bits, 1)) == 0 && e.To == Pointer{}
}

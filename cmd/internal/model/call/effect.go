package call

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"strings"

	"parallax/cmd/internal/model/extract"
)

// Pointer is an address as a target and an offset. Into numbers the target like ret_into of package
// extract, and Offset counts bytes from its start.
type Pointer struct {
	Into   int
	Offset int64
}

// Effect holds the result of a call and the memory afterwards.
type Effect struct {
	Ret    uint64    // scalar result
	To     Pointer   // address result
	Memory [][]byte  // memory of each argument after the call, with guard bytes; nil for a number
	Stored []*Stored // pointers that the call stored
}

// Stored is a pointer that a call stored in the memory of an argument.
type Stored struct {
	Arg int
	To  Pointer
}

// Comparator selects how results are compared. Memory is always compared byte by byte.
type Comparator string

// The comparators. Addresses are compared by Offset or None only.
const (
	Exact  Comparator = "exact"
	Sign   Comparator = "sign"
	Truth  Comparator = "truth"
	Offset Comparator = "offset"
	None   Comparator = "none" // only written memory counts
)

// Comparators lists all comparators, in the order of the documents.
var Comparators = []Comparator{Exact, Sign, Truth, Offset, None}

// Valid reports whether a comparator applies to results of the signature.
func (s *Signature) Valid(c Comparator) bool {
	return slices.Contains(Comparators, c) && (c == None || (c == Offset) == (s.Result.Kind == "address") || s.Result.Kind == "void")
}

// signs and truths list C functions for which the standard fixes only the sign of the result, or
// whether it is zero.
var (
	signs  = strings.Fields("strcmp strncmp strcasecmp strncasecmp memcmp wcscmp wcsncmp wmemcmp strcoll wcscoll wcscasecmp wcsncasecmp strverscmp")
	truths = strings.Fields("isalnum isalpha isascii isblank iscntrl isdigit isgraph islower isprint ispunct isspace isupper isxdigit iswalnum iswalpha " +
		"iswblank iswcntrl iswdigit iswgraph iswlower iswprint iswpunct iswspace iswupper iswxdigit bcmp feof ferror")
)

// Comparator returns the default comparator of the function.
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

// Text renders the compared parts of an effect: the result as the comparator reduces it, and memory
// that differs from before. Two effects are equal if their texts are.
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

// place renders an address.
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

// changes lists the runs of bytes that differ from before.
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

// Trivial reports whether many wrong models have the same effect: a result of 0, null or nothing,
// and no memory written.
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

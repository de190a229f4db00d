package dynamic

import (
	"hash/fnv"
	"strconv"
	"strings"

	"parallax/cmd/internal/extract"
)

// classed is how many arguments have their class in a cell. More would make cells that no two calls share.
const classed = 2

// Cell is the outcome cell of a call: what the original says of it, without the value, and the classes of the arguments.
func Cell(c Call, s extract.Said) string {
	kind := s.Kind
	if s.Kind == "bool" {
		kind = s.Value
	}
	var args []string
	for i, v := range c {
		if i < classed {
			args = append(args, class(v))
		}
	}
	if len(c) > classed {
		args = append(args, strconv.Itoa(len(c)-classed)+" more")
	}
	return string(s.How) + " " + kind + " for " + strings.Join(args, ", ")
}

// class is what kind of value an argument is: its length, as none or some, and its characters; the sign of a number.
func class(v Value) string {
	switch v.Kind {
	case "str":
		switch {
		case v.Text == "":
			return "empty str"
		case ascii(v.Text):
			return "ASCII str"
		}
		return "Unicode str"
	case "bytes":
		switch {
		case v.Text == "":
			return "empty bytes"
		case ascii(v.Text):
			return "ASCII bytes"
		}
		return "bytes"
	case "int":
		switch v.Int.Sign() {
		case -1:
			return "negative int"
		case 0:
			return "0"
		}
		return "positive int"
	case "list":
		if len(v.List) == 0 {
			return "empty list"
		}
		return "list of " + class(v.List[0])
	case "bool":
		return "bool"
	}
	return "None"
}

func ascii(s string) bool {
	for i := range len(s) {
		if s[i] >= 0x80 {
			return false
		}
	}
	return true
}

// key names a cell.
func key(cell string) uint64 {
	h := fnv.New64a()
	h.Write([]byte(cell))
	return h.Sum64()
}

// Key is the name of a call's cell in a scope.
func Key(c Call, s extract.Said) uint64 { return key(Cell(c, s)) }

// Features is how many features a run can have.
const Features = 1 << 12

// FeaturesOf are what guides inputs where there are no blocks: the cell, and beside it, for each argument, its length and the characters in it.
func FeaturesOf(c Call, s extract.Said) []uint32 {
	how := string(s.How) + " " + s.Kind
	list := []uint32{uint32(Key(c, s) % Features)}
	add := func(parts ...string) { list = append(list, uint32(key(strings.Join(parts, "\x00"))%Features)) }
	for i, v := range c {
		at := strconv.Itoa(i)
		switch v.Kind {
		case "int":
			add(how, at, "bits", strconv.Itoa(v.Int.BitLen()*v.Int.Sign()))
		case "str", "bytes":
			add(how, at, "length", strconv.Itoa(len([]rune(v.Text))))
			for _, r := range v.Text {
				if r >= 0x80 || !alphanumeric(r) {
					add(how, at, "character", string(r))
				} else {
					add(how, at, "letters")
				}
			}
		}
	}
	return list
}

func alphanumeric(r rune) bool {
	return r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z'
}

// trivial reports whether a result says little: many wrong models give it.
func trivial(s extract.Said) bool {
	switch s.Value {
	case "0", "''", "b''", "False", "None", "[]", "()":
		return s.How == extract.Returns
	}
	return false
}

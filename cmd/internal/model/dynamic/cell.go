package dynamic

import (
	"hash/fnv"
	"strconv"
	"strings"

	"parallax/cmd/internal/model/extract"
)

// classed limits the arguments whose classes are part of a cell. With more, hardly any two calls
// would share a cell.
const classed = 2

// Cell returns the outcome cell of a call. It has the kind of the original's outcome without its
// value, the classes of the arguments, and the model's path if known.
func (f *Function) Cell(c Call, s extract.Said, path string) string {
	kind := s.Kind
	if s.Kind == "bool" {
		kind = s.Value
	}
	var args []string
	for i, v := range c {
		if i < classed {
			args = append(args, f.syntax().class(v))
		}
	}
	if len(c) > classed {
		args = append(args, strconv.Itoa(len(c)-classed)+" more")
	}
	cell := string(s.How) + " " + kind + " for " + strings.Join(args, ", ")
	if path != "" {
		cell += ", where the model has " + path
	}
	return cell
}

func ascii(s string) bool {
	for i := range len(s) {
		if s[i] >= 0x80 {
			return false
		}
	}
	return true
}

// key hashes a cell.
func key(cell string) uint64 {
	h := fnv.New64a()
	h.Write([]byte(cell))
	return h.Sum64()
}

// Key returns the key of a call's cell in a scope.
func (f *Function) Key(c Call, s extract.Said, path string) uint64 { return key(f.Cell(c, s, path)) }

// Features is the number of possible features of a run.
const Features = 1 << 12

// FeaturesOf returns the features that guide inputs in place of blocks. They are the cell and, for
// each argument, its length and its characters.
func (f *Function) FeaturesOf(c Call, s extract.Said, path string) []uint32 {
	how := string(s.How) + " " + s.Kind
	list := []uint32{uint32(f.Key(c, s, path) % Features)}
	add := func(parts ...string) { list = append(list, uint32(key(strings.Join(parts, "\x00"))%Features)) }
	for i, v := range c {
		at := strconv.Itoa(i)
		switch v.Kind {
		case "int":
			add(how, at, "bits", strconv.Itoa(v.Int.BitLen()*v.Int.Sign()))
		case "float":
			add(how, at, "float", strconv.FormatFloat(v.Float, 'e', 0, 64))
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

// trivial reports whether many wrong models would return the same result.
func trivial(s extract.Said) bool {
	switch s.Value {
	case "0", "''", "b''", "False", "None", "[]", "()", `""`, "false", "null", "0.0":
		return s.How == extract.Returns
	}
	return false
}

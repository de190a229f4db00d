// Package tomldoc reads TOML for code that reports mistakes with their positions. A file becomes a
// tree in which every key and value has its line and column. Tables return values by type. Package
// config calls it, and each kind of program reads its own keys with it.
//
// Invariants: the package knows no key of any file. Table.ReportUnknown reports keys that were not
// read. Invalid values are reported at their position, and read as zero.
package tomldoc

import (
	"bytes"
	"errors"
	"sort"
	"strconv"
	"strings"

	"github.com/pelletier/go-toml/v2"
	"github.com/pelletier/go-toml/v2/unstable"
)

// Position is a place in the file. Lines and columns count from 1, and columns count bytes.
type Position struct{ Line, Column int }

// Form is the type of a value.
type Form uint8

// Forms of values.
const (
	TableForm Form = iota
	ArrayForm
	TextForm
	IntegerForm
	FloatForm
	BoolForm
	TimeForm  // with a zone
	LocalForm // a date or time without a zone
)

func (f Form) String() string {
	return [...]string{"a table", "a list", "text", "a whole number", "a number with a point", "true or false", "a time", "a date or time without a zone"}[f]
}

// Node is a value of the file.
type Node struct {
	Form Form
	At   Position // of the value, or of the header of a table
	Text string   // the content of a text, or another scalar as written

	Keys  []Key // of a table, in the order of the file
	index map[string]int
	Elems []*Node
}

// Key is a key of a table, with its value.
type Key struct {
	Name  string
	At    Position
	Value *Node
}

// Get returns a key of a table, or nil if it is missing.
func (n *Node) Get(name string) *Key {
	if i, ok := n.index[name]; ok {
		return &n.Keys[i]
	}
	return nil
}

// add adds a key that the table does not have.
func (n *Node) add(name string, at Position, value *Node) *Key {
	if n.index == nil {
		n.index = map[string]int{}
	}
	n.index[name] = len(n.Keys)
	n.Keys = append(n.Keys, Key{name, at, value})
	return &n.Keys[len(n.Keys)-1]
}

// SyntaxError is a mistake that makes the document unreadable.
type SyntaxError struct {
	At   Position
	text string
}

func (e *SyntaxError) Error() string { return e.text }

// bom is the byte order mark that some editors on Windows write.
var bom = []byte("\xef\xbb\xbf")

// Parse reads TOML. Only the decoder of go-toml finds all mistakes, such as duplicate keys. Only
// its parser has the positions of keys and values. Parse uses both.
func Parse(data []byte) (*Node, error) {
	shift := 0
	if bytes.HasPrefix(data, bom) {
		data, shift = data[len(bom):], len(bom)
	}
	b := builder{lines: lineStarts(data), shift: shift}
	var all map[string]any
	if err := toml.Unmarshal(data, &all); err != nil {
		text := strings.TrimPrefix(err.Error(), "toml: ")
		var decode *toml.DecodeError
		if errors.As(err, &decode) {
			line, column := decode.Position()
			return nil, &SyntaxError{b.shifted(Position{max(line, 1), max(column, 1)}), text}
		}
		return nil, &SyntaxError{Position{1, 1}, text}
	}
	// The parser's ranges rely on the slice's capacity, so it needs a slice of its own.
	b.data = bytes.Clone(data)
	b.parser.Reset(b.data)
	root := &Node{Form: TableForm, At: Position{1, 1}}
	here := root
	for b.parser.NextExpression() {
		e := b.parser.Expression()
		var err error
		switch e.Kind {
		case unstable.Table:
			here, err = b.table(root, e.Key(), false)
		case unstable.ArrayTable:
			here, err = b.table(root, e.Key(), true)
		case unstable.KeyValue:
			err = b.pair(here, e)
		}
		if err != nil {
			return nil, err
		}
	}
	if err := b.parser.Error(); err != nil {
		return nil, &SyntaxError{Position{1, 1}, err.Error()}
	}
	return root, nil
}

// builder builds the tree.
type builder struct {
	parser unstable.Parser
	data   []byte
	lines  []int // offset of each line
	shift  int   // bytes before the first line, such as the byte order mark
}

func lineStarts(data []byte) []int {
	lines := []int{0}
	for i, c := range data {
		if c == '\n' {
			lines = append(lines, i+1)
		}
	}
	return lines
}

func (b *builder) shifted(p Position) Position {
	if p.Line == 1 {
		p.Column += b.shift
	}
	return p
}

func (b *builder) position(offset int) Position {
	line := sort.SearchInts(b.lines, offset+1)
	return b.shifted(Position{line, offset - b.lines[line-1] + 1})
}

// errShape reports a document that the decoder accepts and that forms no tree. No such document is
// known.
func errShape(at Position) error {
	return &SyntaxError{at, "this key does not go with the lines above"}
}

// table returns the table that a header opens.
func (b *builder) table(root *Node, names unstable.Iterator, array bool) (*Node, error) {
	here := root
	for names.Next() {
		k := names.Node()
		name, at := string(k.Data), b.position(int(k.Raw.Offset))
		found := here.Get(name)
		last := names.IsLast()
		switch {
		case last && array:
			if found == nil {
				found = here.add(name, at, &Node{Form: ArrayForm, At: at})
			}
			if found.Value.Form != ArrayForm {
				return nil, errShape(at)
			}
			one := &Node{Form: TableForm, At: at}
			found.Value.Elems = append(found.Value.Elems, one)
			here = one
		case found == nil:
			here = here.add(name, at, &Node{Form: TableForm, At: at}).Value
		default:
			here = found.Value
			if n := len(here.Elems); here.Form == ArrayForm && n > 0 {
				here = here.Elems[n-1]
			}
			if here.Form != TableForm {
				return nil, errShape(at)
			}
		}
	}
	return here, nil
}

// pair adds one key of a table. A dotted key opens tables.
func (b *builder) pair(here *Node, e *unstable.Node) error {
	names := e.Key()
	for names.Next() {
		k := names.Node()
		name, start := string(k.Data), int(k.Raw.Offset)
		at := b.position(start)
		found := here.Get(name)
		if names.IsLast() {
			if found != nil {
				return errShape(at)
			}
			value, err := b.value(e.Value(), b.valuePosition(start+int(k.Raw.Length)))
			if err != nil {
				return err
			}
			here.add(name, at, value)
			return nil
		}
		if found == nil {
			found = here.add(name, at, &Node{Form: TableForm, At: at})
		}
		if here = found.Value; here.Form != TableForm {
			return errShape(at)
		}
	}
	return nil
}

// valuePosition returns the position of the value whose key ends at offset. The parser has no
// positions of lists.
func (b *builder) valuePosition(offset int) Position {
	rest := b.data[offset:]
	value := bytes.TrimLeft(rest, " \t")
	value = bytes.TrimLeft(bytes.TrimPrefix(value, []byte("=")), " \t")
	return b.position(offset + len(rest) - len(value))
}

func (b *builder) value(v *unstable.Node, at Position) (*Node, error) {
	n := &Node{Text: string(v.Data), At: at}
	if v.Kind != unstable.Array {
		n.At = b.position(int(v.Raw.Offset))
	}
	switch v.Kind {
	case unstable.String:
		n.Form = TextForm
	case unstable.Bool:
		n.Form = BoolForm
	case unstable.Integer:
		n.Form = IntegerForm
	case unstable.Float:
		n.Form = FloatForm
	case unstable.DateTime:
		n.Form = TimeForm
	case unstable.LocalDate, unstable.LocalTime, unstable.LocalDateTime:
		n.Form = LocalForm
	case unstable.InlineTable:
		n.Form = TableForm
		for it := v.Children(); it.Next(); {
			if err := b.pair(n, it.Node()); err != nil {
				return nil, err
			}
		}
	case unstable.Array:
		n.Form = ArrayForm
		for it := v.Children(); it.Next(); {
			one, err := b.value(it.Node(), at)
			if err != nil {
				return nil, err
			}
			n.Elems = append(n.Elems, one)
		}
	default:
		return nil, errShape(at)
	}
	return n, nil
}

// Shown returns a value for a message.
func (n *Node) Shown() string {
	switch n.Form {
	case TextForm:
		return strconv.Quote(n.Text)
	case TableForm, ArrayForm:
		return n.Form.String()
	}
	return n.Text
}

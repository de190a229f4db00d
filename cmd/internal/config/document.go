package config

import (
	"bytes"
	"errors"
	"sort"
	"strings"

	"github.com/pelletier/go-toml/v2"
	"github.com/pelletier/go-toml/v2/unstable"
)

// form is what a value is.
type form uint8

const (
	tableForm form = iota
	arrayForm
	textForm
	integerForm
	floatForm
	boolForm
	timeForm  // with a zone
	localForm // a date or time without one
)

func (f form) String() string {
	return [...]string{"a table", "a list", "text", "a whole number", "a number with a point", "true or false", "a time", "a date or time without a zone"}[f]
}

// node is a value of the file.
type node struct {
	form form
	at   Position // of the value; of a table the header
	text string   // of text what it says, of other scalars how it is written

	keys  []key // of a table, in the order of the file
	index map[string]int
	elems []*node
}

// key is a key of a table, with what stands behind it.
type key struct {
	name  string
	at    Position
	value *node
}

func (n *node) get(name string) *key {
	if i, ok := n.index[name]; ok {
		return &n.keys[i]
	}
	return nil
}

// add puts a key that is not there yet.
func (n *node) add(name string, at Position, value *node) *key {
	if n.index == nil {
		n.index = map[string]int{}
	}
	n.index[name] = len(n.keys)
	n.keys = append(n.keys, key{name, at, value})
	return &n.keys[len(n.keys)-1]
}

// syntaxError is a mistake that leaves nothing to read.
type syntaxError struct {
	at   Position
	text string
}

func (e *syntaxError) Error() string { return e.text }

// bom begins files of some editors on Windows.
var bom = []byte("\xef\xbb\xbf")

// parseDocument reads TOML. The decoder of go-toml finds all that is wrong with a document, its parser alone does not (keys
// that are there twice, for one); but only the parser knows where things are.
func parseDocument(data []byte) (*node, error) {
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
			return nil, &syntaxError{b.shifted(Position{max(line, 1), max(column, 1)}), text}
		}
		return nil, &syntaxError{Position{1, 1}, text}
	}
	// The parser's ranges rely on capacities, so that the slice must be its own.
	b.data = bytes.Clone(data)
	b.parser.Reset(b.data)
	root := &node{form: tableForm, at: Position{1, 1}}
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
		return nil, &syntaxError{Position{1, 1}, err.Error()}
	}
	return root, nil
}

// builder makes the tree.
type builder struct {
	parser unstable.Parser
	data   []byte
	lines  []int // offset of each line
	shift  int   // bytes before the first line that are none of it
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

// errShape is for documents that the decoder took and that make no tree. There should be none.
func errShape(at Position) error {
	return &syntaxError{at, "this key does not go with the lines above"}
}

// table returns the table that a header opens.
func (b *builder) table(root *node, names unstable.Iterator, array bool) (*node, error) {
	here := root
	for names.Next() {
		k := names.Node()
		name, at := string(k.Data), b.position(int(k.Raw.Offset))
		found := here.get(name)
		last := names.IsLast()
		switch {
		case last && array:
			if found == nil {
				found = here.add(name, at, &node{form: arrayForm, at: at})
			}
			if found.value.form != arrayForm {
				return nil, errShape(at)
			}
			one := &node{form: tableForm, at: at}
			found.value.elems = append(found.value.elems, one)
			here = one
		case found == nil:
			here = here.add(name, at, &node{form: tableForm, at: at}).value
		default:
			here = found.value
			if n := len(here.elems); here.form == arrayForm && n > 0 {
				here = here.elems[n-1]
			}
			if here.form != tableForm {
				return nil, errShape(at)
			}
		}
	}
	return here, nil
}

// pair puts one line of a table into it. A dotted key opens tables.
func (b *builder) pair(here *node, e *unstable.Node) error {
	names := e.Key()
	for names.Next() {
		k := names.Node()
		name, start := string(k.Data), int(k.Raw.Offset)
		at := b.position(start)
		found := here.get(name)
		if names.IsLast() {
			if found != nil {
				return errShape(at)
			}
			value, err := b.value(e.Value(), b.behind(start+int(k.Raw.Length)))
			if err != nil {
				return err
			}
			here.add(name, at, value)
			return nil
		}
		if found == nil {
			found = here.add(name, at, &node{form: tableForm, at: at})
		}
		if here = found.value; here.form != tableForm {
			return errShape(at)
		}
	}
	return nil
}

// behind is the place of the value whose key ends at an offset: the parser does not say where lists begin.
func (b *builder) behind(offset int) Position {
	rest := b.data[offset:]
	value := bytes.TrimLeft(rest, " \t")
	value = bytes.TrimLeft(bytes.TrimPrefix(value, []byte("=")), " \t")
	return b.position(offset + len(rest) - len(value))
}

func (b *builder) value(v *unstable.Node, at Position) (*node, error) {
	n := &node{text: string(v.Data), at: at}
	if v.Kind != unstable.Array {
		n.at = b.position(int(v.Raw.Offset))
	}
	switch v.Kind {
	case unstable.String:
		n.form = textForm
	case unstable.Bool:
		n.form = boolForm
	case unstable.Integer:
		n.form = integerForm
	case unstable.Float:
		n.form = floatForm
	case unstable.DateTime:
		n.form = timeForm
	case unstable.LocalDate, unstable.LocalTime, unstable.LocalDateTime:
		n.form = localForm
	case unstable.InlineTable:
		n.form = tableForm
		for it := v.Children(); it.Next(); {
			if err := b.pair(n, it.Node()); err != nil {
				return nil, err
			}
		}
	case unstable.Array:
		n.form = arrayForm
		for it := v.Children(); it.Next(); {
			one, err := b.value(it.Node(), at)
			if err != nil {
				return nil, err
			}
			n.elems = append(n.elems, one)
		}
	default:
		return nil, errShape(at)
	}
	return n, nil
}

package tomldoc

import "slices"

// Table is a table of the file that is being read. Its methods return the zero value for what is not there and for what is
// wrong, which is then told.
type Table struct {
	*Reader
	node  *Node  // nil: it is not in the file
	name  string // as in a message: [input]
	known []string
}

// NewTable is a table of the tree, of which problems are told in r.
func NewTable(r *Reader, n *Node, shown string) *Table {
	return &Table{Reader: r, node: n, name: shown}
}

// Open opens a table that may be missing.
func (t *Table) Open(name, shown string) *Table {
	inner := &Table{Reader: t.Reader, name: shown}
	if k := t.Take(name, TableForm); k != nil {
		inner.node = k.Value
	}
	return inner
}

// Each opens the tables of a list.
func (t *Table) Each(name, shown string) []*Table {
	if t.One(name) {
		t.Know(name)
		t.Bad(t.Where(name), "%s is one table, and there may be several: write %s", shown[1:len(shown)-1], shown)
		return nil
	}
	k := t.Take(name, ArrayForm)
	if k == nil {
		return nil
	}
	var all []*Table
	for _, n := range k.Value.Elems {
		if n.Form != TableForm {
			t.Bad(n.At, "%s is a list of tables, and here is %s: write %s and its keys below", shown, n.Form, shown)
			continue
		}
		all = append(all, &Table{Reader: t.Reader, node: n, name: shown})
	}
	return all
}

// At is where the table is, for what it lacks.
func (t *Table) At() Position {
	if t.node == nil {
		return Position{1, 1}
	}
	return t.node.At
}

// Find returns the key, nil if it is not there, and remembers that it is known.
func (t *Table) Find(name string) *Key {
	t.known = append(t.known, name)
	if t.node == nil {
		return nil
	}
	return t.node.Get(name)
}

// Know makes names known that are read in another way, or not at all.
func (t *Table) Know(names ...string) { t.known = append(t.known, names...) }

// Keys are the keys that are there, in the order of the file.
func (t *Table) Keys() []Key {
	if t.node == nil {
		return nil
	}
	return t.node.Keys
}

// Key returns the key, nil if it is not there, and does not make it known.
func (t *Table) Key(name string) *Key {
	if t.node == nil {
		return nil
	}
	return t.node.Get(name)
}

// Has reports whether the key is there.
func (t *Table) Has(name string) bool { return t.node != nil && t.node.Get(name) != nil }

// Hollow reports whether the key has an empty list.
func (t *Table) Hollow(name string) bool {
	return t.Has(name) && t.node.Get(name).Value.Form == ArrayForm && len(t.node.Get(name).Value.Elems) == 0
}

// One reports whether the key has a table where a list of tables may be meant.
func (t *Table) One(name string) bool { return t.Has(name) && t.node.Get(name).Value.Form == TableForm }

// Where is the place of a key's value, or of the table.
func (t *Table) Where(name string) Position {
	if t.Has(name) {
		return t.node.Get(name).Value.At
	}
	return t.At()
}

// Examples show how values look.
var Examples = map[Form]string{
	TextForm:    `"..."`,
	IntegerForm: "1",
	BoolForm:    "true or false",
	ArrayForm:   `["...", "..."]`,
	TableForm:   "{ ... }",
	TimeForm:    "2024-01-01T00:00:00Z",
}

// Take is Find for a key with a value of one form.
func (t *Table) Take(name string, want Form) *Key {
	k := t.Find(name)
	if k == nil {
		return nil
	}
	if k.Value.Form != want {
		example := Examples[want]
		if want == ArrayForm && k.Value.Form == IntegerForm {
			example = "[" + k.Value.Text + "]"
		}
		t.Bad(k.Value.At, "%s is %s, and here is %s: write %s = %s", name, want, k.Value.Form, name, example)
		return nil
	}
	return k
}

// Finish tells of keys that nobody asked for.
func (t *Table) Finish() {
	if t.node == nil {
		return
	}
	for _, k := range t.node.Keys {
		if !slices.Contains(t.known, k.Name) {
			t.Bad(k.At, "unknown key %q in %s%s", k.Name, t.name, Hint(k.Name, t.known))
		}
	}
}

package tomldoc

import "slices"

// Table is a table of the file. Its methods return the zero value for missing and for invalid
// values. They report invalid values.
type Table struct {
	*Reader
	node  *Node  // nil means the table is missing
	name  string // as shown in messages: [input]
	known []string
}

// NewTable returns a table of the tree whose mistakes go to r.
func NewTable(r *Reader, n *Node, shown string) *Table {
	return &Table{Reader: r, node: n, name: shown}
}

// Open opens a table that may be missing.
func (t *Table) Open(name, shown string) *Table {
	inner := &Table{Reader: t.Reader, name: shown}
	if k := t.FindForm(name, TableForm); k != nil {
		inner.node = k.Value
	}
	return inner
}

// Tables opens the tables of a list.
func (t *Table) Tables(name, shown string) []*Table {
	if t.IsTable(name) {
		t.Accept(name)
		t.Reportf(t.ValuePosition(name), "%s is one table, and there may be several: write %s", shown[1:len(shown)-1], shown)
		return nil
	}
	k := t.FindForm(name, ArrayForm)
	if k == nil {
		return nil
	}
	var all []*Table
	for _, n := range k.Value.Elems {
		if n.Form != TableForm {
			t.Reportf(n.At, "%s is a list of tables, and here is %s: write %s and its keys below", shown, n.Form, shown)
			continue
		}
		all = append(all, &Table{Reader: t.Reader, node: n, name: shown})
	}
	return all
}

// Position returns the table's position, for mistakes about missing keys.
func (t *Table) Position() Position {
	if t.node == nil {
		return Position{1, 1}
	}
	return t.node.At
}

// Find returns a key, or nil if it is missing. ReportUnknown accepts the key.
func (t *Table) Find(name string) *Key {
	t.known = append(t.known, name)
	if t.node == nil {
		return nil
	}
	return t.node.Get(name)
}

// Accept makes ReportUnknown accept names that are read in another way, or not at all.
func (t *Table) Accept(names ...string) { t.known = append(t.known, names...) }

// Keys returns the keys in the order of the file.
func (t *Table) Keys() []Key {
	if t.node == nil {
		return nil
	}
	return t.node.Keys
}

// Key returns a key, or nil if it is missing. ReportUnknown does not accept the key.
func (t *Table) Key(name string) *Key {
	if t.node == nil {
		return nil
	}
	return t.node.Get(name)
}

// Has reports whether the table has the key.
func (t *Table) Has(name string) bool { return t.node != nil && t.node.Get(name) != nil }

// IsEmptyList reports whether the key's value is an empty list.
func (t *Table) IsEmptyList(name string) bool {
	return t.Has(name) && t.node.Get(name).Value.Form == ArrayForm && len(t.node.Get(name).Value.Elems) == 0
}

// IsTable reports whether the key's value is a table.
func (t *Table) IsTable(name string) bool {
	return t.Has(name) && t.node.Get(name).Value.Form == TableForm
}

// ValuePosition returns the position of a key's value, or else of the table.
func (t *Table) ValuePosition(name string) Position {
	if t.Has(name) {
		return t.node.Get(name).Value.At
	}
	return t.Position()
}

// Examples shows values of each form in messages.
var Examples = map[Form]string{
	TextForm:    `"..."`,
	IntegerForm: "1",
	BoolForm:    "true or false",
	ArrayForm:   `["...", "..."]`,
	TableForm:   "{ ... }",
	TimeForm:    "2024-01-01T00:00:00Z",
}

// FindForm is Find for a key with a value of one form. It reports another form, and returns nil.
func (t *Table) FindForm(name string, want Form) *Key {
	k := t.Find(name)
	if k == nil {
		return nil
	}
	if k.Value.Form != want {
		example := Examples[want]
		if want == ArrayForm && k.Value.Form == IntegerForm {
			example = "[" + k.Value.Text + "]"
		}
		t.Reportf(k.Value.At, "%s is %s, and here is %s: write %s = %s", name, want, k.Value.Form, name, example)
		return nil
	}
	return k
}

// ReportUnknown reports keys that were not read.
func (t *Table) ReportUnknown() {
	if t.node == nil {
		return
	}
	for _, k := range t.node.Keys {
		if !slices.Contains(t.known, k.Name) {
			t.Reportf(k.At, "unknown key %q in %s%s", k.Name, t.name, Hint(k.Name, t.known))
		}
	}
}

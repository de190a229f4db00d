package flow

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Edit is a change of what nobody executes: a type, a constant, an initial value, an embedded file. The blocks that use it stand for it.
type Edit struct {
	Package string // import path; "" of C
	Name    string // of the declaration
	ID      string // made of what was changed: it survives edits elsewhere
	Text    string // what was changed, as Hunk has it
	Blocks  []int  // that use it, of the first program that has it
	Follow  []int  // to which conditions lead that use it
	At, Old Spot   // where it stands; of the older version too
	Several bool   // it may be several causes: a table, a file
	Fixed   bool   // a constant or a tag: it leads to no other function
	Valued  bool   // a constant or a variable
}

// Spot is a line of a file.
type Spot struct {
	File string
	Line int
}

func (s Spot) String() string { return fmt.Sprintf("%s:%d", s.File, s.Line) }

// Know adds changes of what nobody executes to what differs between versions. It is called before anybody asks what does.
func (s *Space) Know(edits []Edit) { s.edits = append(s.edits, edits...) }

// Started says which blocks are executed before the first input. It is called before anybody asks what differs.
func (s *Space) Started(blocks []uint32) { s.started = blocks }

// StartHunk is the hunk of which something was executed before the first input, and a block of it, of the first program that has one. Where
// there are several, it is a joint one. It reports false where there is none.
func (s *Space) StartHunk() (hunk, block int, ok bool) {
	a := s.aligned()
	if a == nil || len(a.start) == 0 {
		return 0, 0, false
	}
	return a.start[0], a.start[1], true
}

// addStart makes a hunk of what differs in blocks that are executed before the first input.
func (s *Space) addStart(a *Alignment) {
	var hunks []int
	block := 0
	for _, id := range s.started {
		if is, ok := a.Changed[int(id)]; ok && !slices.Contains(hunks, is.Hunk) {
			if len(hunks) == 0 {
				block = int(id)
			}
			hunks = append(hunks, is.Hunk)
		}
	}
	switch len(hunks) {
	case 0:
		return
	case 1:
		a.start = []int{hunks[0], block}
	default:
		slices.SortFunc(hunks, func(x, y int) int { return cmp.Compare(a.Hunks[x].name(), a.Hunks[y].name()) })
		a.start = []int{len(a.Hunks), block}
		a.Hunks = append(a.Hunks, join(a.Hunks, hunks))
	}
}

// addEdits makes hunks of the edits. A block that several changes are in has a hunk of its own, which is all of them: what it does cannot be
// put down to one. So a finding there that is accepted stands for those changes alone.
func (s *Space) addEdits(a *Alignment) {
	a.text = a.Changed
	if len(s.edits) == 0 {
		return
	}
	a.Changed = maps.Clone(a.Changed)
	if a.Changed == nil {
		a.Changed = map[int]Difference{}
	}
	m := &merger{space: s, Alignment: a, in: map[int][]int{}, versions: map[int][]int{}, joint: map[string]int{}}
	for id, n := range a.Numbers {
		m.versions[n] = append(m.versions[n], id)
	}
	m.replace()
	for i := range s.edits {
		e := &s.edits[i]
		m.first = append(m.first, len(a.Hunks))
		a.Hunks = append(a.Hunks, Hunk{Package: e.Package, Function: e.Name, Text: e.Text, Declared: e.ID, Whole: e.Several, Fixed: e.Fixed})
		for _, block := range e.Blocks {
			m.put(block, i)
		}
	}
	for i := range s.edits {
		for _, block := range s.edits[i].Follow {
			m.follow(block, i)
		}
	}
	for _, id := range slices.Sorted(maps.Keys(m.in)) {
		m.mark(id)
	}
}

// merger is the work of addEdits.
type merger struct {
	*Alignment
	space    *Space
	first    []int          // hunks by edit
	in       map[int][]int  // edits by block
	versions map[int][]int  // blocks by their numbers
	joint    map[string]int // hunks that are several
}

// replace has edits take the place of hunks of which nothing but the name of a variable or constant is known.
func (m *merger) replace() {
	of := map[int]int{} // edits by such hunks
	for id, is := range m.Changed {
		h := m.Hunks[is.Hunk]
		if _, known := of[is.Hunk]; known || !h.Outside {
			continue
		}
		i := slices.IndexFunc(m.space.edits, func(e Edit) bool { // versions may have import paths of their own
			return e.Valued && e.Name == h.Function && (e.Package == h.Package || slices.Contains(e.Blocks, id))
		})
		if i >= 0 {
			of[is.Hunk] = i
		}
	}
	for _, id := range slices.Sorted(maps.Keys(m.Changed)) {
		is := m.Changed[id]
		i, ok := of[is.Hunk]
		if !ok {
			continue
		}
		e := &m.space.edits[i]
		if _, b := m.space.Block(id); b.Line <= is.Line && is.Line <= b.EndLine && is.Line != b.Cond {
			e.Blocks = append(slices.Clone(e.Blocks), id)
		} else {
			e.Follow = append(slices.Clone(e.Follow), id)
		}
		delete(m.Changed, id)
	}
}

// put notes that a block uses what an edit changed, in all versions of it.
func (m *merger) put(block, edit int) {
	for _, id := range m.both(block) {
		if !slices.Contains(m.in[id], edit) {
			m.in[id] = append(m.in[id], edit)
		}
	}
}

// follow notes that a condition that uses what an edit changed leads to a block, in which nothing else was changed.
func (m *merger) follow(block, edit int) {
	for _, id := range m.both(block) {
		if _, is := m.Changed[id]; !is && len(m.in[id]) == 0 {
			m.in[id] = append(m.in[id], edit)
		}
	}
}

func (m *merger) both(block int) []int {
	if block < len(m.Numbers) {
		return m.versions[m.Numbers[block]]
	}
	return []int{block}
}

// mark records what of a block differs.
func (m *merger) mark(id int) {
	edits, list := m.space.edits, m.in[id]
	slices.SortFunc(list, func(x, y int) int {
		a, b := &edits[x], &edits[y]
		return cmp.Or(cmp.Compare(a.Package, b.Package), cmp.Compare(a.Name, b.Name), cmp.Compare(a.ID, b.ID))
	})
	is, text := m.Changed[id]
	var hunks []int
	switch {
	case !text:
		is = m.space.shown(id, &edits[list[0]])
	case m.Hunks[is.Hunk].Lone:
		return // whatever it does is new
	default:
		hunks = append(hunks, is.Hunk)
	}
	for _, i := range list {
		hunks = append(hunks, m.first[i])
	}
	if is.Hunk = hunks[0]; len(hunks) > 1 {
		key := fmt.Sprint(hunks)
		n, ok := m.joint[key]
		if !ok {
			n = len(m.Hunks)
			m.joint[key], m.Hunks = n, append(m.Hunks, join(m.Hunks, hunks))
		}
		is.Hunk = n
	}
	m.Changed[id] = is
}

// join is the hunk of blocks that several are in.
func join(all []Hunk, of []int) Hunk {
	first := all[of[0]]
	j := Hunk{Package: first.Package, Function: first.Function, Whole: true, Joint: true}
	for _, n := range of {
		j.Text += all[n].Text
		j.Declared += all[n].name() + "\n"
	}
	return j
}

// shown is where people find an edit that a block uses: in the version that the block is of.
func (s *Space) shown(id int, e *Edit) Difference {
	_, b := s.Block(id)
	at := e.Old
	if owners := s.owners[s.table(id)]; slices.Contains(owners, 0) {
		at = e.At
	}
	if at.File == "" {
		return Difference{Line: b.Line}
	}
	return Difference{File: at.File, Line: at.Line}
}

// Names reports whether a hunk is a change of a type's methods, and a function one of those that it got or lost.
func (h Hunk) Names(of Hunk) bool {
	return h.Declared != "" && !h.Joint && h.Package == of.Package && strings.Contains("\n"+h.Text, "method "+of.Function+"\n")
}

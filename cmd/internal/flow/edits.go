package flow

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Edit is a change of a declaration that is not executed: a type, a constant, an initial value, an
// embedded file. The blocks that use it represent it.
type Edit struct {
	Package string // import path; "" of C
	Name    string // of the declaration
	ID      string // hash of the change, which does not depend on edits elsewhere
	Text    string // text of the change, as in Hunk
	Blocks  []int  // that use it, of the first program that has it
	Follow  []int  // to which conditions lead that use it
	At, Old Spot   // place of the declaration; Old is that of the older version
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

// Know adds changes of declarations to the differences between versions. It must be called before
// the differences are used.
func (s *Space) Know(edits []Edit) { s.edits = append(s.edits, edits...) }

// Started sets the blocks that are executed before the first input. It must be called before the
// differences are used.
func (s *Space) Started(blocks []uint32) { s.started = blocks }

// AtStart reports whether a block was executed before the first input.
func (s *Space) AtStart(block uint32) bool {
	if s == nil {
		return false
	}
	_, ok := slices.BinarySearch(s.started, block)
	return ok
}

// StartedIn reports whether the function of a block was executed before the first input. The block
// may have been executed, too: 256 executions wrap its counter to 0.
func (s *Space) StartedIn(block int) bool {
	return s != nil && slices.ContainsFunc(s.started, func(id uint32) bool { return s.SameFunction(int(id), block) })
}

// StartHunk returns the hunk with blocks that are executed before the first input, and such a block
// of the first program that has one. Several hunks are joined. It reports false if there is none.
func (s *Space) StartHunk() (hunk, block int, ok bool) {
	a := s.aligned()
	if a == nil || len(a.start) == 0 {
		return 0, 0, false
	}
	return a.start[0], a.start[1], true
}

// addStart makes a hunk from the differences in blocks that are executed before the first input.
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

// addEdits makes hunks from the edits. A block with several changes has a joint hunk of all, since
// its behavior cannot be attributed to one of them. Accepting a finding there therefore accepts
// these changes only.
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
			m.use(block, i)
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

// merger holds the state of addEdits.
type merger struct {
	*Alignment
	space    *Space
	first    []int          // hunks by edit
	in       map[int][]int  // edits by block
	versions map[int][]int  // blocks by their numbers
	joint    map[string]int // hunks that are several
}

// replace replaces hunks with only the name of a variable or constant by edits.
func (m *merger) replace() {
	byHunk := map[int]int{} // edits by such hunks
	for id, is := range m.Changed {
		h := m.Hunks[is.Hunk]
		if _, known := byHunk[is.Hunk]; known || !h.Outside {
			continue
		}
		// versions may have import paths of their own
		i := slices.IndexFunc(m.space.edits, func(e Edit) bool {
			return e.Valued && e.Name == h.Function && (e.Package == h.Package || slices.Contains(e.Blocks, id))
		})
		if i >= 0 {
			byHunk[is.Hunk] = i
		}
	}
	for _, id := range slices.Sorted(maps.Keys(m.Changed)) {
		is := m.Changed[id]
		i, ok := byHunk[is.Hunk]
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

// use records that a block uses a changed declaration, in all versions of the block.
func (m *merger) use(block, edit int) {
	for _, id := range m.both(block) {
		if !slices.Contains(m.in[id], edit) {
			m.in[id] = append(m.in[id], edit)
		}
	}
}

// follow records that a condition with a changed declaration leads to a block, if the block itself
// is unchanged.
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

// mark sets the difference of a block.
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

// join returns the joint hunk of several.
func join(all []Hunk, of []int) Hunk {
	first := all[of[0]]
	j := Hunk{Package: first.Package, Function: first.Function, Whole: true, Joint: true}
	for _, n := range of {
		j.Text += all[n].Text
		j.Declared += all[n].name() + "\n"
	}
	return j
}

// shown returns the place of an edit for a block that uses it, in the version of the block.
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

// Names reports whether a hunk is a change of a type's methods, and a function one of those that it
// got or lost.
func (h Hunk) Names(of Hunk) bool {
	return h.Declared != "" && !h.Joint && h.Package == of.Package && strings.Contains("\n"+h.Text, "method "+of.Function+"\n")
}

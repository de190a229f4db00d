package flow

import (
	"fmt"
	"slices"
	"sort"
	"strings"
	"sync"

	"parallax/internal/oracle"
)

// Space holds the blocks of all programs of a target: its tables in order, so that one id names a
// block among all. It has the known properties of blocks and of functions on a stack. Triage, the
// records of findings and the coverage of lines use it.
//
// Add builds it; afterwards, any number of goroutines may read it. A nil Space is empty: a block
// has no place and corresponds only to itself, and all functions are tested.
type Space struct {
	// Tested reports whether a function on a stack belongs to the tested code. Nil means that all
	// do.
	Tested func(function string) bool
	// Depends reports whether a function on a stack belongs to a dependency of the tested code. Nil
	// means that none does.
	Depends func(function string) bool
	// TestedOf is Tested for one program, since compared functions may be from several modules. Nil
	// means that Tested applies to all programs.
	TestedOf func(program int, function string) bool
	// Named maps a function on a stack to its name in bucket names. Nil means its own name.
	Named func(function string) string
	// Align finds counterparts in packages that are versions of each other. It reads source files,
	// and is therefore called once, on first use. Nil means that there are no counterparts.
	Align func(*Space) Alignment

	tables []*Table
	owners [][]int // for each table: the programs that may run its blocks
	first  []int   // id of each table's first block
	blocks int

	edits   []Edit
	started []uint32

	naming    sync.Once
	functions map[string][]named // by name as in stack traces
	aligning  sync.Once
	alignment Alignment
	calling   sync.Once
	calls     *Calls
	counting  sync.Once
	code      map[int]bool // programs with blocks outside of test files
}

// Alignment describes packages that are versions of each other.
type Alignment struct {
	Numbers []int              // by block: those that correspond have the same number
	Changed map[int]Difference // difference of each changed block
	Hunks   []Hunk             // in which packages differ
	// Blocks of functions that are versions of each other although some of their blocks have no
	// counterparts. All of them have the same number.
	Loose map[int]int
	// for two packages that are versions of each other, the programs that may run each
	Related [][2][]int

	text map[int]Difference // differences of the blocks' own text
	// the hunk that is executed before the first input, and a block of it; empty means none
	start []int
}

// Difference describes the difference of a block from its version.
type Difference struct {
	File string // of the line; empty means the block's file
	// The first line of its statements, or of its condition, that no other version of the function
	// has; or the line of an Edit.
	Line int
	Hunk int      // index into Alignment.Hunks
	More []Beside // further hunks in the block's text, in the order of their lines
}

// Beside is a further hunk in a block, with its first line there.
type Beside struct{ Line, Hunk int }

// Hunk is a run of lines in which two versions of a function differ, or a change of a declaration.
type Hunk struct {
	Package  string // import path; "" of C, where all is in one
	Function string // without its package, or the name of a declaration
	// lines as tokens with single blanks: one version after minus, the other after plus signs
	Text string
	// Whole reports that the hunk may have several causes: only one version has the function, it
	// was rewritten, or it is a variable or constant.
	Whole   bool
	Lone    bool // only one version has the function
	Outside bool // a variable or constant; only its name is known
	// ID of an Edit, which names the hunk instead of the text; the names of several joined hunks
	Declared string
	Fixed    bool // the change leads to no other function
	Joint    bool // it is several, which one block is in
}

// Replaces reports whether both versions have code at a hunk.
func (h Hunk) Replaces() bool {
	text := "\n" + h.Text
	return h.Whole || h.Declared != "" || strings.Contains(text, "\n-") && strings.Contains(text, "\n+")
}

// Condition reports whether a hunk changes the condition of an if statement and nothing else. The
// conditions have no assignment, and no call other than len.
func (h Hunk) Condition() bool {
	if h.Whole || h.Outside || h.Joint || h.Declared != "" {
		return false
	}
	for line := range strings.Lines(h.Text) {
		words := strings.Fields(line[1:])
		if len(words) == 0 || words[0] != "if" || words[len(words)-1] != "{" {
			return false
		}
		for i, w := range words[1:] {
			if w == ":=" || w == "=" || w == "<-" || w == ";" || w == "(" && words[i] != "len" {
				return false
			}
		}
	}
	return h.Replaces()
}

// Where returns the function or declaration of a hunk.
func (h Hunk) Where() string {
	if h.Package == "" {
		return h.Function
	}
	return h.Package + "." + h.Function
}

// Add appends a table, whose blocks the given programs may run.
func (s *Space) Add(t *Table, owners ...int) {
	s.tables = append(s.tables, t)
	s.owners = append(s.owners, owners)
	s.first = append(s.first, s.blocks)
	s.blocks += len(t.Blocks)
}

// Len returns the number of blocks.
func (s *Space) Len() int {
	if s == nil {
		return 0
	}
	return s.blocks
}

// All calls use for each table, with the id of its first block and the programs that may run it.
func (s *Space) All(use func(t *Table, first int, owners []int)) {
	if s == nil {
		return
	}
	for k, t := range s.tables {
		use(t, s.first[k], s.owners[k])
	}
}

// table returns the index of a block's table, or -1 for an unknown block.
func (s *Space) table(id int) int {
	if s == nil || id < 0 || id >= s.blocks {
		return -1
	}
	return sort.Search(len(s.first), func(i int) bool { return s.first[i] > id }) - 1
}

// find returns the table of a block and its index there. The table is nil for an unknown block.
func (s *Space) find(id int) (*Table, int) {
	k := s.table(id)
	if k < 0 {
		return nil, 0
	}
	return s.tables[k], id - s.first[k]
}

// Block returns a block and its table, or nils for an unknown block.
func (s *Space) Block(id int) (*Table, *Block) {
	t, i := s.find(id)
	if t == nil {
		return nil, nil
	}
	return t, &t.Blocks[i]
}

// Place names a block so that the name survives edits elsewhere: package, function and the block's
// number in it.
func (s *Space) Place(id int) string {
	t, i := s.find(id)
	if t == nil {
		return ""
	}
	f := t.Funcs[t.Blocks[i].Func]
	return fmt.Sprintf("%s.%s#%d", t.Package, f.Name, i-f.First)
}

// Location returns a block's file and line.
func (s *Space) Location(id int) string {
	_, b := s.Block(id)
	if b == nil {
		return ""
	}
	return fmt.Sprintf("%s:%d", b.File, b.Line)
}

// At returns the file and line of the condition that leads to a block, as shown to users.
func (s *Space) At(id int) string {
	_, b := s.Block(id)
	if b == nil {
		return ""
	}
	return fmt.Sprintf("%s:%d", b.File, b.Cond)
}

// Counterpart returns a number that a block shares with its counterparts. It is the block itself
// without an alignment.
func (s *Space) Counterpart(id int) int {
	if a := s.aligned(); a != nil && id < len(a.Numbers) {
		return a.Numbers[id]
	}
	return id
}

// Change returns the file and line of the change in a block between versions of its package, or ""
// without a change.
func (s *Space) Change(id int) string {
	a := s.aligned()
	if a == nil {
		return ""
	}
	change, ok := a.Changed[id]
	if !ok {
		return ""
	}
	if change.File != "" {
		return Spot{change.File, change.Line}.String()
	}
	return s.lineIn(id, change.Line)
}

// ChangeOf returns the same as Change for one of several hunks in a block.
func (s *Space) ChangeOf(id, hunk int) string {
	if a := s.aligned(); a != nil {
		for _, more := range a.Changed[id].More {
			if more.Hunk == hunk {
				return s.lineIn(id, more.Line)
			}
		}
	}
	return s.Change(id)
}

func (s *Space) lineIn(id, line int) string {
	_, b := s.Block(id)
	return Spot{b.File, line}.String()
}

// Near returns a number that a block shares with its counterpart. If a version of its function has
// no counterparts because of its changes, all blocks of the function share the number.
func (s *Space) Near(id int) int {
	if a := s.aligned(); a != nil {
		if n, ok := a.Loose[id]; ok {
			return n
		}
	}
	return s.Counterpart(id)
}

// Hunk returns the index of the hunk that changed a block between versions of its package.
func (s *Space) Hunk(id int) (hunk int, ok bool) {
	a := s.aligned()
	if a == nil {
		return 0, false
	}
	change, ok := a.Changed[id]
	return change.Hunk, ok
}

// HunksIn returns the indices of all hunks that changed a block, that of Hunk first.
func (s *Space) HunksIn(id int) (hunks []int) {
	hunk, ok := s.Hunk(id)
	if !ok {
		return nil
	}
	hunks = append(hunks, hunk)
	for _, more := range s.aligned().Changed[id].More {
		hunks = append(hunks, more.Hunk)
	}
	return hunks
}

// Changed returns the sorted blocks of all programs that the selected hunks changed.
func (s *Space) Changed(of func(hunk int) bool) (blocks []int) {
	for id := range s.aligned().Changed {
		if slices.ContainsFunc(s.HunksIn(id), of) {
			blocks = append(blocks, id)
		}
	}
	slices.Sort(blocks)
	return blocks
}

// HunkName names a hunk so that the name survives edits elsewhere: by package, function and
// normalized text.
func (s *Space) HunkName(hunk int) string {
	return s.aligned().Hunks[hunk].name()
}

func (h Hunk) name() string {
	if h.Declared != "" {
		return h.Where() + "\n" + h.Declared
	}
	return h.Where() + "\n" + h.Text
}

// Hunks returns the sorted indices of the hunks with blocks.
func (s *Space) Hunks() (list []int) {
	if a := s.aligned(); a != nil {
		for id := range a.Changed {
			list = append(list, s.HunksIn(id)...)
		}
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// HunkOf returns a hunk by its index.
func (s *Space) HunkOf(hunk int) Hunk { return s.aligned().Hunks[hunk] }

// AllVersions reports whether all of a number of programs run code that are versions of one.
func (s *Space) AllVersions(programs int) bool {
	a := s.aligned()
	if a == nil || programs < 2 {
		return false
	}
	with := map[int]bool{0: true} // known versions of the first program
	for range programs {
		for _, r := range a.Related {
			for _, p := range r[0] {
				for _, q := range r[1] {
					// A package that both run is a version of nothing.
					if slices.Contains(r[0], q) || slices.Contains(r[1], p) {
						continue
					}
					if with[p] || with[q] {
						with[p], with[q] = true, true
					}
				}
			}
		}
	}
	return len(with) >= programs
}

func (s *Space) aligned() *Alignment {
	if s == nil || s.Align == nil {
		return nil
	}
	s.aligning.Do(func() {
		s.alignment = s.Align(s)
		s.addEdits(&s.alignment)
		s.addStart(&s.alignment)
	})
	return &s.alignment
}

// Branch returns the same block for both sides of a two-way branch: the first of the two. For
// branches with more sides, such as a switch, it returns the block itself, since each clause is a
// cause of its own.
func (s *Space) Branch(id int) int {
	t, i := s.find(id)
	if t == nil {
		return id
	}
	f := t.Funcs[t.Blocks[i].Func]
	for _, b := range t.Blocks[f.First : f.First+f.Count] {
		if len(b.Succs) == 2 && slices.Contains(b.Succs, i) {
			return id - i + b.Succs[0]
		}
	}
	return id
}

// Succs returns the possible next blocks in the function of a block.
func (s *Space) Succs(id int) []int {
	t, i := s.find(id)
	if t == nil {
		return nil
	}
	succs := make([]int, len(t.Blocks[i].Succs))
	for k, next := range t.Blocks[i].Succs {
		succs[k] = id - i + next
	}
	return succs
}

// SameFunction reports whether two blocks are of one function.
func (s *Space) SameFunction(a, b int) bool {
	if s.table(a) != s.table(b) {
		return false
	}
	_, x := s.Block(a)
	_, y := s.Block(b)
	return x != nil && y != nil && x.Func == y.Func
}

// Own reports whether a function on a stack, or a result of Place, belongs to the tested code.
func (s *Space) Own(function string) bool {
	return s == nil || s.Tested == nil || s.Tested(function)
}

// Code classifies a function on a stack.
func (s *Space) Code(function string) oracle.Code {
	switch {
	case s.Own(function):
		return oracle.Tested
	case s.Depends != nil && s.Depends(function):
		return oracle.Dependency
	}
	return oracle.Foreign
}

// Name returns the name of a function on a stack for bucket names.
func (s *Space) Name(function string) string {
	if s == nil || s.Named == nil {
		return function
	}
	return s.Named(function)
}

// OwnBlock reports whether a block belongs to the tested code.
func (s *Space) OwnBlock(id int) bool { return s == nil || s.Tested == nil || s.Tested(s.Place(id)) }

// HunkAt returns the hunk of a line of a function on a program's stack. It reports false if the
// line was not changed between versions of the package, nor the function as a whole.
func (s *Space) HunkAt(program int, function string, line int) (hunk int, ok bool) {
	f, ok := s.function(program, function)
	if !ok {
		return None, false
	}
	a := s.aligned()
	if a == nil {
		return None, false
	}
	for id := f.id; id < f.id+f.Count; id++ {
		change, ok := a.text[id]
		if _, b := s.Block(id); ok && (a.Hunks[change.Hunk].Whole || change.Line <= line && line <= b.EndLine) {
			return change.Hunk, true
		}
	}
	return None, false
}

// ChangedAt reports whether HunkAt finds a hunk.
func (s *Space) ChangedAt(program int, function string, line int) bool {
	_, changed := s.HunkAt(program, function, line)
	return changed
}

// named is a function with the id of its first block.
type named struct {
	Func
	id     int
	owners []int
}

// function finds a function by its name on a program's stack. In Go, the name has the package's
// path, with escaped dots in the last element. If the program has no such function, one of another
// program is returned.
func (s *Space) function(program int, name string) (f named, ok bool) {
	if s == nil {
		return f, false
	}
	s.naming.Do(func() {
		s.functions = map[string][]named{}
		s.All(func(t *Table, first int, owners []int) {
			for _, f := range t.Funcs {
				n := named{f, first + f.First, owners}
				name := t.Package + "." + f.Name
				s.functions[name] = append(s.functions[name], n)
				if f.Symbol != "" { // compiled from C or C++
					s.functions[f.Name] = append(s.functions[f.Name], n)
				}
			}
		})
	})
	for _, candidate := range s.functions[oracle.Unescape(name)] {
		if f, ok = candidate, true; slices.Contains(candidate.owners, program) {
			break
		}
	}
	return f, ok
}

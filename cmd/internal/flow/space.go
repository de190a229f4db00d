package flow

import (
	"fmt"
	"slices"
	"sort"
	"strings"
	"sync"

	"parallax/internal/oracle"
)

// Space is the blocks of all programs of a target: its tables one after another, so that one id names a block among all. It says
// what there is to know of a block and of a function on a stack. Triage, the records of findings and the coverage of lines look
// blocks up here.
//
// It is built by Add, and read by any number of goroutines afterwards. A nil Space knows nothing: a block has no place and
// corresponds to itself alone, and all functions are tested.
type Space struct {
	// Tested reports whether a function on a stack belongs to what is tested; nil: all do.
	Tested func(function string) bool
	// TestedOf reports the same of one program: functions that are compared may be of several modules. Nil: what is tested belongs to all.
	TestedOf func(program int, function string) bool
	// Named gives a function on a stack the name that it has in the name of a bucket; nil: its own.
	Named func(function string) string
	// Align finds what corresponds in packages that are versions of each other. It is called once, when that is asked for first,
	// since it reads source files; nil: nothing corresponds.
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
}

// Alignment is what is known of packages that are versions of each other.
type Alignment struct {
	Numbers []int              // by block: those that correspond have the same number
	Changed map[int]Difference // by block, what of it differs
	Hunks   []Hunk             // in which packages differ
	Loose   map[int]int        // blocks of functions that are versions of each other, though the blocks of some are not: the same number for all
	Related [][2][]int         // programs that may run the one, and the other, of two packages that are versions of each other

	text  map[int]Difference // what of a block itself differs
	start []int              // the hunk that is executed before the first input, and a block of it; empty: there is none
}

// Difference is what differs in a block from its version.
type Difference struct {
	File string // in which the line is; "": that of the block
	Line int    // the first line of its statements, or that of its condition, that no version of the function has; or that of an Edit
	Hunk int    // in which it stands: an index into Alignment.Hunks
}

// Hunk is a run of lines in which two versions of a function differ, or a change of what nobody executes.
type Hunk struct {
	Package  string // import path; "" of C, where all is in one
	Function string // without its package; of what nobody executes, the name of the declaration
	Text     string // the lines, as tokens with one blank between them: of one version after minus, of the other after plus signs
	Whole    bool   // there may be several causes in it: only one version has the function, it was written anew, or it is a variable or constant
	Lone     bool   // only one version has the function
	Outside  bool   // a variable or constant, of which nothing but its name is known
	Declared string // of an Edit, its ID, which names the hunk in place of the text; of several hunks, their names
	Fixed    bool   // what was changed leads to no other function
	Joint    bool   // it is several, which one block is in
}

// Replaces reports whether both versions have code at a hunk.
func (h Hunk) Replaces() bool {
	text := "\n" + h.Text
	return h.Whole || h.Declared != "" || strings.Contains(text, "\n-") && strings.Contains(text, "\n+")
}

// Where is the function or declaration that a hunk is of.
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

// Len is the number of blocks.
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

// Covered counts, for a program, the blocks it may run and those of them that it has run: those that are not zero in hits.
func (s *Space) Covered(program int, hits []byte) (blocks, covered int) {
	return s.covered(program, hits, func(int) bool { return true })
}

// CoveredOwn counts as Covered does, in the packages that belong to what is tested of the program: most blocks are often those of libraries.
func (s *Space) CoveredOwn(program int, hits []byte) (blocks, covered int) {
	return s.covered(program, hits, func(first int) bool {
		return s.OwnBlock(first) && (s.TestedOf == nil || s.TestedOf(program, s.Place(first)))
	})
}

// covered counts in the tables whose first block counts.
func (s *Space) covered(program int, hits []byte, counts func(first int) bool) (blocks, covered int) {
	s.All(func(t *Table, first int, owners []int) {
		if !slices.Contains(owners, program) || len(t.Blocks) == 0 || !counts(first) {
			return
		}
		blocks += len(t.Blocks)
		for _, b := range hits[first : first+len(t.Blocks)] {
			if b != 0 {
				covered++
			}
		}
	})
	return blocks, covered
}

// table is the index of a block's table, -1 for a block that is not known.
func (s *Space) table(id int) int {
	if s == nil || id < 0 || id >= s.blocks {
		return -1
	}
	return sort.Search(len(s.first), func(i int) bool { return s.first[i] > id }) - 1
}

// find returns the table of a block and its index there; the table is nil when the block is not known.
func (s *Space) find(id int) (*Table, int) {
	k := s.table(id)
	if k < 0 {
		return nil, 0
	}
	return s.tables[k], id - s.first[k]
}

// Block finds a block and its table; both are nil when it is not known.
func (s *Space) Block(id int) (*Table, *Block) {
	t, i := s.find(id)
	if t == nil {
		return nil, nil
	}
	return t, &t.Blocks[i]
}

// Place names a block so that the name survives edits elsewhere: package, function and the block's number in it.
func (s *Space) Place(id int) string {
	t, i := s.find(id)
	if t == nil {
		return ""
	}
	f := t.Funcs[t.Blocks[i].Func]
	return fmt.Sprintf("%s.%s#%d", t.Package, f.Name, i-f.First)
}

// Location is a block's file and line.
func (s *Space) Location(id int) string {
	_, b := s.Block(id)
	if b == nil {
		return ""
	}
	return fmt.Sprintf("%s:%d", b.File, b.Line)
}

// At is the file and line of the condition that leads to a block, where people find it.
func (s *Space) At(id int) string {
	_, b := s.Block(id)
	if b == nil {
		return ""
	}
	return fmt.Sprintf("%s:%d", b.File, b.Cond)
}

// Counterpart is a number that blocks have in common which correspond in versions of one function; the block itself where nothing
// corresponds.
func (s *Space) Counterpart(id int) int {
	if a := s.aligned(); a != nil && id < len(a.Numbers) {
		return a.Numbers[id]
	}
	return id
}

// Change is file and line of what was changed in a block between versions of its package; empty where nothing was.
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
	_, b := s.Block(id)
	return Spot{b.File, change.Line}.String()
}

// Near is a number that a block shares with its counterpart, or, where a version of its function was changed so much that none has one, with
// all blocks of the function.
func (s *Space) Near(id int) int {
	if a := s.aligned(); a != nil {
		if n, ok := a.Loose[id]; ok {
			return n
		}
	}
	return s.Counterpart(id)
}

// Hunk is the number of the hunk in which a block was changed between versions of its package.
func (s *Space) Hunk(id int) (hunk int, ok bool) {
	a := s.aligned()
	if a == nil {
		return 0, false
	}
	change, ok := a.Changed[id]
	return change.Hunk, ok
}

// Changed are the blocks of all programs that some hunks changed, sorted.
func (s *Space) Changed(of func(hunk int) bool) (blocks []int) {
	for id, change := range s.aligned().Changed {
		if of(change.Hunk) {
			blocks = append(blocks, id)
		}
	}
	slices.Sort(blocks)
	return blocks
}

// HunkName names a hunk so that the name survives edits elsewhere: by package, function and normalized text.
func (s *Space) HunkName(hunk int) string {
	return s.aligned().Hunks[hunk].name()
}

func (h Hunk) name() string {
	if h.Declared != "" {
		return h.Where() + "\n" + h.Declared
	}
	return h.Where() + "\n" + h.Text
}

// Hunks are the numbers of the hunks that blocks are in, ascending.
func (s *Space) Hunks() (list []int) {
	if a := s.aligned(); a != nil {
		for _, is := range a.Changed {
			list = append(list, is.Hunk)
		}
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// HunkOf is a hunk by its number.
func (s *Space) HunkOf(hunk int) Hunk { return s.aligned().Hunks[hunk] }

// AllVersions reports whether all of a number of programs run code that are versions of one.
func (s *Space) AllVersions(programs int) bool {
	a := s.aligned()
	if a == nil || programs < 2 {
		return false
	}
	with := map[int]bool{0: true} // programs that are known to be versions of the first
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

// Branch is the first block of those to which a branch with two ways leads, for both of them; the block itself where there are
// more, as in a switch, whose clauses are causes of their own.
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

// Succs are the blocks that can be the next one in the function of a block.
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

// Own reports whether a function on a stack, or what Place names, belongs to what is tested.
func (s *Space) Own(function string) bool {
	return s == nil || s.Tested == nil || s.Tested(function)
}

// Name is the name of a function on a stack in the name of a bucket.
func (s *Space) Name(function string) string {
	if s == nil || s.Named == nil {
		return function
	}
	return s.Named(function)
}

// OwnBlock reports whether a block belongs to what is tested.
func (s *Space) OwnBlock(id int) bool { return s == nil || s.Tested == nil || s.Tested(s.Place(id)) }

// Line counts the line of a function on a stack from the function's beginning, which edits elsewhere do not change.
func (s *Space) Line(program int, function string, line int) (int, bool) {
	f, ok := s.function(program, function)
	return line - f.Line, ok
}

// Begins is the line on which a function on a stack begins, 0 where it is not known.
func (s *Space) Begins(function string) int {
	f, _ := s.function(0, function)
	return f.Line
}

// helperBlocks is the size up to which a function can be one that others report through.
const helperBlocks = 4

// Helper reports whether a function on a program's stack is so small that it reports what its caller found: must, check, assert.
func (s *Space) Helper(program int, function string) bool {
	f, ok := s.function(program, function)
	return ok && f.Count <= helperBlocks
}

// ChangedAt reports whether a line of a function on a program's stack was changed between versions of its package, or the function as a whole.
func (s *Space) ChangedAt(program int, function string, line int) bool {
	f, ok := s.function(program, function)
	if !ok {
		return false
	}
	a := s.aligned()
	if a == nil {
		return false
	}
	for id := f.id; id < f.id+f.Count; id++ {
		change, ok := a.text[id]
		if _, b := s.Block(id); ok && (a.Hunks[change.Hunk].Whole || change.Line <= line && line <= b.EndLine) {
			return true
		}
	}
	return false
}

// named is a function and the id of its first block.
type named struct {
	Func
	id     int
	owners []int
}

// function finds a function by its name on a program's stack: with its package's path, in which dots of the last element are escaped, or in
// C programs alone. One of another program does where that one has none.
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

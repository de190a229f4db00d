// Package change finds what differs between two versions of a program, and in which blocks of the new version: its change points.
// The command regress calls it with two trees, of Go packages or of C sources, and gives the points to package flow/impact and to
// the schedules.
//
// Go is compared as syntax, not as text: functions as lists of statements in which locals have no names. So comments, formatting, the
// order of imports and functions, names of locals, parameters, receivers and labels, and moves to other files are no change. Nobody
// executes a declaration: where a constant, a variable, a type or an embedded file changed, the blocks that use it stand for it, found
// by names and, where the package's types can be worked out, by types. A deletion is the block of the next surviving statement, else
// that of the one before. These are decisions that DeltaFuzz (section 3.1) leaves open.
//
// Invariants: nothing is run but the go command, which lists packages. Points and notes come in an order that depends on the two
// versions alone. A point's ID is made of its function and of its normalized text: edits elsewhere do not change it.
package change

import (
	"cmp"
	"context"
	"fmt"
	"go/types"
	"hash/fnv"
	"path/filepath"
	"slices"
	"strings"

	"parallax/cmd/internal/base/exit"
)

// Kind is what was changed.
type Kind string

// The kinds of change points.
const (
	Statement Kind = "statement" // of a function's body
	Condition Kind = "condition" // what decides between branches, and branches that were added or removed
	Deletion  Kind = "deletion"  // statements that the new version has no more
	Function  Kind = "function"  // one that the old version does not have
	Signature Kind = "signature" // parameters, results, type parameters
	Constant  Kind = "constant"  // the value of a constant
	Variable  Kind = "variable"  // the initial value, or the type, of a variable that a package declares
	Order     Kind = "order"     // in which a package is initialized
	Type      Kind = "type"      // fields, underlying types, constraints
	Tag       Kind = "tag"       // of a struct's field
	Interface Kind = "interface" // methods or types of an interface
	MethodSet Kind = "methods"   // which methods a type has
	Embedded  Kind = "embedded"  // a file that a variable embeds
	Native    Kind = "native"    // assembly, or C that is called through cgo
	Loop      Kind = "loop"      // closures that hold a loop's variable, which the go line gives another meaning
	Source    Kind = "source"    // lines of a C program
)

// Place is a line of a file.
type Place struct {
	File string
	Line int
}

// Point is a change in one function of the new version.
type Point struct {
	ID       string
	Kind     Kind
	Hunk     string // the same for all points that one edit makes: those of a constant, in each function that uses it
	Package  string // import path, in the new version
	Function string // as in the block table; of a use, the one that uses what was changed
	File     string
	Line     int
	Blocks   []int // of the new version's table of Package, ascending
	Old      Place // where the old version has it; zero if nowhere
	Text     string
	Uses     []Use // of what nobody executes: what its blocks use; none of code
}

// Use is what blocks use of a declaration that changed. It is the same change in all points in which Hunk is the same.
type Use struct {
	Hunk    string // made of what was changed
	Kind    Kind   // of the change
	Package string // import path, in the new version; "" of C
	Name    string // of the declaration, and of a field or method of it
	Text    string // what was changed of it
	At      Place  // where what was changed stands in the new version; zero if it is not known
	Old     Place  // where the old version has the declaration; zero if nowhere
	Several bool   // it may be several causes: a table, a file, several fields
	Blocks  []int  // of the point, ascending
	Lines   []int  // of the point's file, that use it, ascending
}

// Note is a change without a point, or what else there is to say of the comparison.
type Note struct {
	Kind    string // of what: "tests", "comments", "moved", "removed", ...
	Package string // import path, "" of the module as a whole
	Text    string
}

// Result is what differs.
type Result struct {
	Points []Point
	Notes  []Note
	Was    map[string]string // import paths of packages that have another one in the new version: that of the old one, by the new one
}

// Compare finds the change points of the new one of two trees.
func Compare(ctx context.Context, old, new *Tree) (*Result, error) {
	old.prepare()
	new.prepare()
	c := &comparison{old: old, new: new, sources: map[*Package]*source{}, changed: map[string]*edit{}, seen: map[string]int{}, whole: map[*function]bool{}, paths: map[string]string{}}
	if err := c.run(ctx); err != nil {
		return nil, err
	}
	return c.result(), nil
}

// comparison is the work of Compare.
type comparison struct {
	old, new *Tree
	sources  map[*Package]*source
	pairs    []packagePair
	changed  map[string]*edit    // declarations by package's key, a dot and the name
	touched  map[string]*edit    // functions that changed
	leads    map[string][]string // from hunks to those of declarations that change with them, and have hunks of their own
	points   []Point
	notes    []Note
	seen     map[string]int     // IDs of points
	whole    map[*function]bool // functions that are new, or written anew
	paths    map[string]string  // packages' import paths in the old version, of those that have another one now
	standard map[string]*types.Package
	values   [2]*checked // constants of both versions
}

// packagePair is a package of both versions, or of one.
type packagePair struct {
	key      string
	old, new *Package
	a, b     *source // nil where nothing differs, or there is no such version
}

func (c *comparison) run(ctx context.Context) error {
	c.pair()
	for i := range c.pairs {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := c.read(&c.pairs[i]); err != nil {
			return err
		}
	}
	c.rename()
	c.functions()
	c.declarations()
	c.files()
	c.follow()
	c.modules()
	if err := c.loops(); err != nil {
		return err
	}
	if err := c.uses(); err != nil {
		return err
	}
	c.programs()
	c.remarks()
	return nil
}

// read parses a pair of packages, unless their files are the same.
func (c *comparison) read(p *packagePair) (err error) {
	if p.old != nil && p.new != nil && p.old.equal(p.new) {
		return nil
	}
	if p.new != nil && !(p.old == nil && p.new.foreign()) {
		if p.b, err = c.source(c.new, p.new); err != nil {
			return exit.Build("the new version %w", err)
		}
	}
	if p.old != nil && !(p.new == nil && p.old.foreign()) {
		if p.a, err = c.source(c.old, p.old); err != nil {
			c.broken(p, err)
		}
	}
	return nil
}

// broken leaves out a package of the old version that does not parse. Whether that version is to be built at all is not known here: where it is,
// that is told then.
func (c *comparison) broken(p *packagePair, err error) {
	p.old, p.a = nil, nil
	switch {
	case p.new == nil:
	case p.new.foreign():
		p.b = nil
		c.note("broken", p.new.Path, "The base %v: the code of package %s counts as unchanged.", err, p.new.Path)
	default:
		c.note("broken", p.new.Path, "The base %v: all of package %s counts as changed.", err, p.new.Path)
	}
}

// source parses a package once.
func (c *comparison) source(t *Tree, pkg *Package) (*source, error) {
	if p, ok := c.sources[pkg]; ok {
		return p, nil
	}
	p, err := t.parse(pkg, t.keys[pkg.Path], t == c.new)
	if err == nil {
		c.sources[pkg] = p
	}
	return p, err
}

// add makes a point.
func (c *comparison) add(p Point, key string) {
	slices.Sort(p.Blocks)
	p.Blocks = slices.Compact(p.Blocks)
	at := c.new.keys[p.Package] + "\n" + p.Function + "\n" + key
	if p.Hunk == "" {
		p.Hunk = digest(at)
	}
	c.seen[at]++
	p.ID = digest(at, fmt.Sprint(c.seen[at]))
	c.points = append(c.points, p)
}

func digest(parts ...string) string {
	h := fnv.New64a()
	fmt.Fprintf(h, "%q", parts)
	return fmt.Sprintf("%016x", h.Sum64())
}

func (c *comparison) note(kind string, pkg string, format string, args ...any) {
	n := Note{kind, pkg, fmt.Sprintf(format, args...)}
	if !slices.Contains(c.notes, n) {
		c.notes = append(c.notes, n)
	}
}

// result sorts what was found.
func (c *comparison) result() *Result {
	slices.SortStableFunc(c.points, func(a, b Point) int {
		return cmp.Or(strings.Compare(a.Package, b.Package), strings.Compare(filepath.Base(a.File), filepath.Base(b.File)),
			cmp.Compare(a.Line, b.Line), strings.Compare(a.Function, b.Function), strings.Compare(a.ID, b.ID))
	})
	slices.SortStableFunc(c.notes, func(a, b Note) int {
		return cmp.Or(strings.Compare(a.Package, b.Package), strings.Compare(a.Kind, b.Kind), strings.Compare(a.Text, b.Text))
	})
	return &Result{c.points, c.notes, c.paths}
}

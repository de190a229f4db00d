// Package change compares two versions of a program and finds its change points: the changes and
// the blocks of the new version that contain them. The command regress compares two trees, of Go
// packages or of C sources. It gives the points to package flow/impact and to the schedules, which
// fuzz the changed code more (DeltaFuzz, section 3.1).
//
// Load reads the Tree of each version, and Compare returns a Result. Each Point is a change in one
// function, with its Kind, its place and its blocks. Points of one edit have the same Hunk. If the
// change is in a declaration, the point has a Use: the declaration, and the lines that use it. A
// Note describes a change without a point, such as one in a comment or a test.
//
// Go is compared as syntax, not as text: functions are lists of statements whose locals have no
// names. So comments, formatting, the order of imports and functions, and moves to other files are
// no changes. Neither are the names of locals, parameters, receivers and labels. Declarations are
// not executed. If a constant, a variable, a type or an embedded file changed, the blocks that use
// it represent it. Names find these uses, and types do where they can be determined. The block of
// the next surviving statement represents a deletion, else the block of the one before. DeltaFuzz
// leaves these decisions open. C is compared by lines, without comments and repeated blanks.
//
// Invariants: the comparison runs nothing but the go command, which lists packages. The order of
// points and notes depends only on the two versions. The ID of a point is a hash of its function
// and its normalized text, so edits elsewhere do not change it.
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
	"parallax/cmd/internal/flow"
)

// Kind classifies changes.
type Kind string

// The kinds of change points.
const (
	Statement Kind = "statement" // a statement of a function's body
	Condition Kind = "condition" // a branch condition, or added and removed branches
	Deletion  Kind = "deletion"  // statements that the new version lacks
	Function  Kind = "function"  // a function that the old version lacks
	Signature Kind = "signature" // parameters, results, type parameters
	Constant  Kind = "constant"  // the value of a constant
	Variable  Kind = "variable"  // the initial value or the type of a package's variable
	Type      Kind = "type"      // fields, underlying types, constraints
	Tag       Kind = "tag"       // the tag of a struct's field
	Interface Kind = "interface" // methods or types of an interface
	MethodSet Kind = "methods"   // which methods a type has
	Embedded  Kind = "embedded"  // a file that a variable embeds
	Native    Kind = "native"    // assembly, or C that is called through cgo
	Source    Kind = "source"    // lines of a C program
)

// Point is a change in one function of the new version.
type Point struct {
	ID   string
	Kind Kind
	// common to all points of one edit, such as those of a constant in each function that uses it
	Hunk    string
	Package string // import path, in the new version
	// as in the block table; for a use, the function that uses the changed declaration
	Function string
	File     string
	Line     int
	Blocks   []int     // of the new version's table of Package, ascending
	Old      flow.Spot // in the old version; zero if it has none
	Text     string
	Uses     []Use // for declarations: the uses in the blocks; nil for code
}

// Use is a use of a changed declaration in blocks. Uses with the same Hunk have the same change in
// all points.
type Use struct {
	Hunk    string    // hash of the change
	Kind    Kind      // of the change
	Package string    // import path, in the new version; empty for C
	Name    string    // name of the declaration, with its field or method
	Text    string    // text of the change
	At      flow.Spot // place of the change in the new version; zero if unknown
	Old     flow.Spot // place of the declaration in the old version; zero if it has none
	Several bool      // may consist of several changes: a table, a file, several fields
	Blocks  []int     // of the point, ascending
	Lines   []int     // lines of the point's file that use it, ascending
}

// Note is a change without a point, or another remark about the comparison.
type Note struct {
	Kind    string // such as "tests", "comments", "moved", "removed"
	Package string // import path, or "" for the whole module
	Text    string
}

// Result holds the differences.
type Result struct {
	Points []Point
	Notes  []Note
	// old import path of packages that have another one in the new version, by the new path
	OldPaths map[string]string
}

// Compare finds the change points of the new version.
func Compare(ctx context.Context, old, new *Tree) (*Result, error) {
	old.prepare()
	new.prepare()
	c := &comparison{old: old, new: new, sources: map[*Package]*source{}, changed: map[string]*edit{}, seen: map[string]int{}, whole: map[*function]bool{}, paths: map[string]string{}}
	if err := c.run(ctx); err != nil {
		return nil, err
	}
	return c.result(), nil
}

// comparison holds the state of Compare.
type comparison struct {
	old, new *Tree
	sources  map[*Package]*source
	pairs    []packagePair
	changed  map[string]*edit // declarations, by the package's key, a dot and the name
	touched  map[string]*edit // changed functions
	// from hunks to those of declarations that change with them, and have hunks of their own
	leads    map[string][]string
	points   []Point
	notes    []Note
	seen     map[string]int     // number of points by ID text
	whole    map[*function]bool // functions that are new or rewritten
	paths    map[string]string  // old import paths of packages that have another one now
	standard map[string]*types.Package
	values   [2]*checked // constants of both versions
}

// packagePair is a package of both versions, or of one.
type packagePair struct {
	key      string
	old, new *Package
	a, b     *source // nil if nothing differs, or the version lacks the package
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
	c.goLines()
	if err := c.uses(); err != nil {
		return err
	}
	c.programs()
	c.remarks()
	return nil
}

// read parses a pair of packages, unless their files are equal.
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

// broken removes an old package that does not parse. The comparison does not know whether the old
// version must be built. If it must, the build reports the error.
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

// add adds a point and sets its ID.
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

// result sorts the points and notes.
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

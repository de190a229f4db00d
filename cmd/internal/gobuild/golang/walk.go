package golang

import (
	"fmt"
	"go/ast"
	"go/token"

	"parallax/cmd/internal/flow"
)

// A walker builds the graph and the edits of one function. It follows the control flow: cur is the
// node at which the next statement or expression starts. After a jump, cur is a virtual node
// without predecessors.
type walker struct {
	file *file
	fn   *function
	cur  int

	targets  []target
	label    string          // label of the statement about to be walked
	labels   map[string]int  // virtual node of each label
	gotos    map[string]bool // labels that a goto of this function names
	fall     int             // where fallthrough leads
	plain    int             // above 0: in an expression that must stay constant
	closures *int            // closures named so far under this function's name
}

// A target is a statement that break or continue can name.
type target struct {
	label string
	brk   int
	cont  int // or notLoop
}

const notLoop = -1

// build makes the graph of a function or closure with the given body. Closures inside become
// functions of their own.
func (f *file) build(fn *function, body *ast.BlockStmt) {
	f.funcs = append(f.funcs, fn)
	w := walker{file: f, fn: fn, labels: map[string]int{}, gotos: gotoLabels(body), closures: new(int)}
	fn.add(node{}) // exitNode
	w.count(flow.Entry, fn.pos, body.Lbrace+1)
	w.list(body.List)
	fn.edge(w.cur, exitNode)
}

// buildInit makes the graph of the file's package-level initializers. They run in the order of
// their dependencies, so each starts afresh.
func (f *file) buildInit(specs []*ast.ValueSpec) {
	fn := &function{name: "init", initializer: true}
	w := walker{file: f, fn: fn, closures: f.unit.initClosures}
	fn.add(node{})
	for _, s := range specs {
		for _, v := range s.Values {
			w.dead()
			w.value(v)
			fn.edge(w.cur, exitNode)
		}
	}
	if len(fn.order) > 0 {
		fn.pos = fn.nodes[fn.order[0]].at
		f.funcs = append(f.funcs, fn)
	}
}

// gotoLabels returns the labels that gotos of a function name; closures have their own.
func gotoLabels(body *ast.BlockStmt) map[string]bool {
	labels := map[string]bool{}
	ast.Inspect(body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.BranchStmt:
			if n.Tok == token.GOTO && n.Label != nil {
				labels[n.Label.Name] = true
			}
		}
		return true
	})
	return labels
}

// point adds a virtual node that continues the line of the current one.
func (w *walker) point() int {
	return w.fn.add(node{owner: w.fn.nodes[w.cur].owner})
}

// done adds the virtual node at the end of a control statement.
func (w *walker) done() int {
	n := w.point()
	w.fn.nodes[n].join = true
	return n
}

// dead continues where control never arrives.
func (w *walker) dead() {
	w.cur = w.fn.add(node{owner: exitNode})
}

// block adds a counted node, reported at pos, with its counter at insert.
func (w *walker) block(k flow.Kind, pos, insert token.Pos) int {
	return w.fn.add(node{kind: k, at: pos, end: pos, offset: w.file.offset(insert)})
}

// count adds a counted node and continues there, with a counting statement at insert.
func (w *walker) count(k flow.Kind, pos, insert token.Pos) int {
	w.cur = w.block(k, pos, insert)
	w.edit(insert, formCount, w.cur)
	return w.cur
}

func (w *walker) edit(at token.Pos, f form, n int) {
	w.file.edits = append(w.file.edits, edit{offset: w.file.offset(at), form: f, fn: w.fn, node: n})
}

// site notes that functions may be called here, by the call at pos of a function with that last
// name, which may be unknown.
func (w *walker) site(pos token.Pos, name string) {
	w.fn.sites = append(w.fn.sites, site{pos, w.cur, name})
}

func (w *walker) closure(lit *ast.FuncLit) {
	if args, ok := cgoClosure(w.file, lit); ok {
		for _, a := range args {
			w.value(a)
		}
		return
	}
	*w.closures++
	name := fmt.Sprintf("%s.func%d", w.fn.name, *w.closures)
	if w.fn.nested {
		name = fmt.Sprintf("%s.%d", w.fn.name, *w.closures)
	}
	w.file.build(&function{name: name, nested: true, pos: lit.Pos(), results: resultsOf(lit.Type)}, lit.Body)
}

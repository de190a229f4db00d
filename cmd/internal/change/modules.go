package change

import (
	"go/ast"
	"go/token"
	"slices"
	"strconv"
	"strings"

	"parallax/cmd/internal/flow"
)

// modules adds notes about modules whose versions differ. The code of a module in both versions is
// compared like the user's own.
func (c *comparison) modules() {
	type use struct{ version, language, dir string }
	of := func(t *Tree) map[string]use {
		all := map[string]use{}
		for _, p := range t.Packages {
			if p.Module != "" && !p.Main {
				name := strings.TrimSuffix(t.keys[p.Path], strings.TrimPrefix(p.Path, p.Module))
				all[name] = use{p.Version, p.Language, p.Module}
			}
		}
		return all
	}
	old, new := of(c.old), of(c.new)
	for _, name := range sorted(new) {
		was, ok := old[name]
		now := new[name]
		switch {
		case !ok:
			c.note("module", "", "Module %s %s is new: its code counts as unchanged.", now.dir, shownVersion(now.version))
		case was.version != now.version:
			c.note("module", "", "Module %s is %s, and was %s: what changed in it counts.", now.dir, shownVersion(now.version), shownVersion(was.version))
		}
	}
	for _, name := range sorted(old) {
		if _, ok := new[name]; !ok {
			c.note("module", "", "Module %s is not used any more.", old[name].dir)
		}
	}
}

func shownVersion(version string) string {
	if version == "" {
		return "taken from a folder"
	}
	return version
}

// perIteration is the first minor release of Go with loop variables per iteration.
const perIteration = 22

// language returns the minor release of a go line. A missing line gives 0.
func language(line string) int {
	_, rest, ok := strings.Cut(line, ".")
	if !ok {
		return 0
	}
	rest, _, _ = strings.Cut(rest, ".")
	if end := strings.IndexFunc(rest, func(r rune) bool { return r < '0' || r > '9' }); end >= 0 {
		rest = rest[:end]
	}
	minor, err := strconv.Atoi(rest)
	if err != nil {
		return 0
	}
	return minor
}

// loops finds code to which a changed go line gives another meaning: closures that hold a loop's
// variable, and addresses of one.
func (c *comparison) loops() error {
	noted := map[string]bool{}
	for _, p := range c.pairs {
		if p.old == nil || p.new == nil || p.old.Language == p.new.Language {
			continue
		}
		was, now := language(p.old.Language), language(p.new.Language)
		if p.new.Main && !noted[p.new.Module] {
			noted[p.new.Module] = true
			text := "what the compiler makes of it has no points"
			if (was < perIteration) != (now < perIteration) {
				text = "closures that hold variables of loops count"
			}
			c.note("go", "", "The go line of module %s is %s, and was %s: %s.", p.new.Module, languageOf(p.new), languageOf(p.old), text)
		}
		if (was < perIteration) == (now < perIteration) {
			continue
		}
		s, err := c.source(c.new, p.new)
		if err != nil {
			return err
		}
		for _, f := range s.funcs {
			if f.decl.Body != nil && !c.whole[f] {
				c.captures(f)
			}
		}
	}
	return nil
}

// captures adds a point for each loop with a variable that outlives an iteration.
func (c *comparison) captures(f *function) {
	ast.Inspect(f.decl.Body, func(n ast.Node) bool {
		var vars []ast.Expr
		var body *ast.BlockStmt
		switch n := n.(type) {
		case *ast.RangeStmt:
			if n.Tok == token.DEFINE {
				vars, body = []ast.Expr{n.Key, n.Value}, n.Body
			}
		case *ast.ForStmt:
			if a, ok := n.Init.(*ast.AssignStmt); ok && a.Tok == token.DEFINE {
				vars, body = a.Lhs, n.Body
			}
		}
		if body == nil {
			return true
		}
		for _, v := range vars {
			if id, ok := v.(*ast.Ident); ok && id.Name != "_" {
				c.captured(f, n, id.Name, body)
			}
		}
		return true
	})
}

// captured adds the point of a loop's variable that closures hold.
func (c *comparison) captured(f *function, loop ast.Node, name string, body *ast.BlockStmt) {
	var blocks []int
	inner, ok := f.p.block(flow.Body, body.Lbrace)
	ast.Inspect(body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			if !names(n.Body, name) {
				return true
			}
			if id, ok := f.p.block(flow.Entry, n.Pos()); ok {
				blocks = append(blocks, id)
			}
		case *ast.UnaryExpr:
			if id, is := ast.Unparen(n.X).(*ast.Ident); n.Op != token.AND || !is || id.Name != name {
				return true
			}
		default:
			return true
		}
		if ok && !slices.Contains(blocks, inner) {
			blocks = append(blocks, inner)
		}
		return true
	})
	if len(blocks) == 0 {
		return
	}
	at := f.p.position(loop.Pos())
	text := "each iteration has a variable " + name + " of its own in one of the versions\n"
	c.add(Point{Kind: Loop, Package: f.p.pkg.Path, Function: f.name, File: at.Filename, Line: at.Line, Blocks: blocks, Text: text}, text)
}

// names reports whether a name occurs in some code, except as a field.
func names(n ast.Node, name string) (found bool) {
	ast.Inspect(n, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.SelectorExpr:
			found = found || names(n.X, name)
			return false
		case *ast.Ident:
			found = found || n.Name == name
		}
		return true
	})
	return found
}

// languageOf renders a package's go line.
func languageOf(p *Package) string {
	if p.Language == "" {
		return "missing"
	}
	return p.Language
}

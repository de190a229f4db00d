package gobuild

import (
	"fmt"
	"go/types"
	"path/filepath"
	"slices"
	"strings"

	"parallax/cmd/internal/base/exit"
	"parallax/cmd/internal/gobuild/funcname"
	"parallax/cmd/internal/gobuild/library"
	"parallax/cmd/internal/gobuild/signature"
	"parallax/internal/input"
)

// A generator may draw the inputs: one of the user's, or one that gen.Of makes for the structs that
// functions take. Inputs of the campaign are then tapes of its choices. Like the repair function,
// it is resolved and linked like the programs but is not one.

// tapes is the shape of a generator's tapes.
var tapes = input.Shape{input.Bytes}

// generated describes the source of drawn inputs.
type generated struct {
	*signature.Generator        // of the user's; nil means a derived one
	name                 string // for people
	types                []types.Type
	owner                *signature.Function // its parameters are drawn by a derived one
	values               bool                // programs get the drawn values themselves
	text                 bool                // values of a derived one are written as JSON
}

// parseGenerator parses the generator's name.
func (req *Request) parseGenerator() (funcname.Func, error) {
	f, err := funcname.Parse(req.Generator)
	switch {
	case err != nil:
		return f, exit.Usage("--generator %w", err)
	case req.Repair != "":
		return f, exit.Usage("--generator and --repair: a generator makes the input itself. Repair it there, and leave --repair out")
	case slices.Contains(req.Functions, req.Generator):
		return f, exit.Usage("--generator %s is one of the compared functions: name what draws their input", req.Generator)
	}
	return f, nil
}

// bindGenerator finds the generator, and decides how programs get its values: as an input, if they
// take its parts, and else as they are.
func (p *Plan) bindGenerator(find *signature.Finder, f funcname.Func) error {
	g, err := find.Generator(f)
	if err != nil {
		return err
	}
	p.gen = &generated{Generator: g, name: f.Written, types: g.Draws}
	if q := p.graph.Package(g.Library + "/" + library.Gen); q != nil {
		if _, err := library.Known(g.Library, filepath.Dir(q.Dir)); err != nil { // an older library that cannot drive it reports that itself
			return err
		}
	}
	if len(p.calls) == 0 {
		if p.gen.flat() == nil {
			return exit.Usage("--generator %s draws %s: it runs in a process of its own here, so that it can draw texts, numbers and bools only", f.Written, g.Text())
		}
		return nil
	}
	_, failed := signature.ReadAll(p.calls)
	flat := !failed
	for _, c := range p.calls {
		flat = flat && g.Flat(c.Shape)
	}
	if flat {
		return nil
	}
	p.gen.values = true
	var wrong []string
	for _, c := range p.calls {
		if problem := c.ReadDrawn(g.Draws); problem != nil {
			wrong = append(wrong, fmt.Sprintf("\n\t%s: %s: %s", c.Func.Written, problem.Where, problem.Why))
		}
	}
	if len(wrong) > 0 {
		return exit.Usage("--generator %s draws %s, which is not what the programs take:%s\nhave it return what all of them take", f.Written, g.Text(), strings.Join(wrong, ""))
	}
	return nil
}

// derive makes gen.Of draw the structs that functions take, and reports whether it could.
func (p *Plan) derive() bool {
	if !p.req.Derive || p.req.Repair != "" {
		return false
	}
	draws := signature.Derivable(p.calls)
	if draws == nil {
		return false
	}
	for _, c := range p.calls {
		if c.ReadDrawn(draws) != nil {
			return false
		}
	}
	first := p.calls[0]
	p.gen = &generated{name: ofName(first, draws), types: draws, owner: first, values: true}
	p.root.Note("inputs are drawn from the type of the parameters, by %s: tags of fields say more of their values (parallax help generators)", p.gen.name)
	return true
}

// ofName names, for people, the source of drawn values.
func ofName(c *signature.Function, draws []types.Type) string {
	var names []string
	for _, t := range draws {
		names = append(names, c.Text(t))
	}
	return "gen.Of[" + strings.Join(names, ", ") + "]"
}

// Draws names the source of drawn inputs. Empty means that there is none.
func (p *Plan) Draws() string {
	if p.gen == nil {
		return ""
	}
	return p.gen.name
}

// flat returns the shape of the inputs made from drawn values, or nil if there is none.
func (g *generated) flat() (shape input.Shape) {
	if g.text {
		return tapes
	}
	for _, t := range g.types {
		k, ok := signature.KindOf(t)
		if !ok {
			return nil
		}
		shape = append(shape, k)
	}
	return shape
}

// helper returns the function that is linked with the programs without being one, or nil.
func (p *Plan) helper() *signature.Function {
	switch {
	case p.repair != nil:
		return p.repair
	case p.gen != nil && p.gen.Generator != nil:
		return &signature.Function{Func: p.gen.Func, Package: p.gen.Package}
	case p.gen != nil && p.gen.text:
		return p.gen.owner
	}
	return nil
}

// shapeText writes a shape.
func shapeText(shape input.Shape) string {
	var kinds []string
	for _, k := range shape {
		kinds = append(kinds, "input."+kindName(k))
	}
	return "input.Shape{" + strings.Join(kinds, ", ") + "}"
}

// generated writes the variable that holds the generator.
func (g *generator) generated(d *generated, takes input.Shape) string {
	if d == nil {
		return ""
	}
	shape := "nil"
	if !d.values {
		shape = shapeText(takes)
	}
	made := ""
	if d.Generator != nil {
		made = fmt.Sprintf("return %s.%s", g.Alias(d.Package.ImportPath), d.Func.Name)
	} else {
		var draws, results []string
		for i, t := range d.types {
			name := g.TypeName(t)
			made += fmt.Sprintf("g%d := plxgen.Of[%s]()\n", i, name)
			draws = append(draws, fmt.Sprintf("g%d.Draw(t, \"argument %d\")", i, i+1))
			results = append(results, name)
		}
		if d.text {
			made += textual(draws)
		} else {
			made += fmt.Sprintf("return func(t *plxgen.T) (%s) { return %s }", strings.Join(results, ", "), strings.Join(draws, ", "))
		}
	}
	g.Printf("var plxGenerator = generator.Open(%q, func() any {\n%s\n}, %s)\n\n", d.name, made, shape)
	return g.Flush()
}

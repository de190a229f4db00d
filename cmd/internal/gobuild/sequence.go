package gobuild

import (
	"fmt"
	"path"
	"strings"

	"parallax/cmd/internal/base/corpus"
	"parallax/cmd/internal/base/exit"
	"parallax/cmd/internal/gobuild/funcname"
	"parallax/cmd/internal/gobuild/signature"
	"parallax/internal/sequence"
)

// Two constructors can be programs: an original, and a model of it. Operations that both of their
// values have are called in the order that the input gives (package sequence of the library).

// Sequence describes the comparison of the values of two constructors of a Request: first the
// model, then its original. The model runs first: if it does not implement an operation, the
// original stops, too.
type Sequence struct {
	// operations, as Create, file.Read or, to omit one, -Chown; nil means all
	Methods []string `json:"methods,omitempty"`
	// names drawn for texts; nil means sequence.Names
	Names []string `json:"names,omitempty"`
	// variables: errors by which the model ends a sequence, as in syscall.ENOSYS
	NotImplemented []string `json:"not_implemented,omitempty"`
	// "type" or "": unknown errors are compared by type; "sentinel": they are all equal
	Errors string `json:"errors,omitempty"`
	Box    bool   `json:"box,omitempty"` // the original changes the machine
	// a command in the box whose socket the original uses
	Service []string `json:"service,omitempty"`
}

// sequenced describes the values.
type sequenced struct {
	*Sequence
	made     [2]*signature.Constructor // model and original
	table    *signature.Operations
	declined [][2]string // variables of NotImplemented: import path and name
}

// parseSequence checks the request, and parses the errors' names.
func (req *Request) parseSequence() (funcs []funcname.Func, err error) {
	s := req.Sequence
	switch {
	case len(req.Functions) != 2:
		return nil, exit.Usage("a model is compared with one original: name two constructors, not %d", len(req.Functions))
	case req.Repair != "" || req.Generator != "":
		return nil, exit.Usage("sequences of operations are drawn from the methods: a generator or a repair function has no place there")
	case len(s.Service) > 0 && !s.Box:
		return nil, exit.Usage("the service %s runs in a box only, which box = true makes", s.Service[0])
	case s.Errors != "" && s.Errors != "type" && s.Errors != "sentinel":
		return nil, exit.Usage("errors = %q: errors are compared by \"type\" or by \"sentinel\"", s.Errors)
	}
	for _, name := range s.NotImplemented {
		f, err := funcname.Parse(name)
		if err != nil || f.Receiver != "" {
			return nil, exit.Usage("not_implemented: %q is no variable: write its package and name, as in syscall.ENOSYS", name)
		}
		funcs = append(funcs, f)
	}
	return funcs, nil
}

// bindSequence finds the common operations of the values.
func (p *Plan) bindSequence(find *signature.Finder, calls []*signature.Function, errors []funcname.Func) error {
	p.seq = &sequenced{Sequence: p.req.Sequence}
	for i, c := range calls {
		var err error
		if p.seq.made[i], err = c.Constructor(); err != nil {
			return err
		}
		if p.seq.made[i].Folder && !p.seq.Box {
			return exit.Usage("%s takes a folder, so that it acts on the machine: it runs in a box only, which box = true makes", c.Func.Written)
		}
	}
	for _, f := range errors {
		importPath, err := find.Variable(f)
		if err != nil {
			return err
		}
		p.seq.declined = append(p.seq.declined, [2]string{importPath, f.Name})
	}
	var err error
	p.seq.table, err = signature.Common(p.seq.made[0], p.seq.made[1], p.seq.Methods)
	if err != nil {
		return err
	}
	for _, left := range p.seq.table.Left {
		p.root.Note("%s", left)
	}
	p.Operations = p.seq.table.Kinds
	return nil
}

// seeds returns initial sequences: one of each operation, and one of all.
func (s *sequenced) seeds() (list []corpus.Seed) {
	var all []byte
	n := 0
	for _, k := range s.table.Kinds {
		for _, m := range k.Methods {
			rec := make([]byte, sequence.Size)
			rec[0] = byte(n)
			list = append(list, corpus.Seed{Flat: rec, From: "one call of " + m.Name})
			all = append(all, rec...)
			n++
		}
	}
	return append(list, corpus.Seed{Flat: all, From: "one call of each operation"})
}

// sequences writes the table of operations.
func (g *generator) sequences(s *sequenced) string {
	if s == nil {
		return ""
	}
	g.Printf("var plxTable = &sequence.Table{\nKinds: []sequence.Kind{\n")
	for _, k := range s.table.Kinds {
		g.Printf("{Name: %q, Methods: []sequence.Method{\n", k.Name)
		for _, m := range k.Methods {
			g.Printf("%s,\n", strings.TrimPrefix(fmt.Sprintf("%#v", m), "sequence.Method"))
		}
		g.Printf("}},\n")
	}
	g.Printf("},\n")
	if len(s.Names) > 0 {
		g.Printf("Names: %#v,\n", s.Names)
	}
	if len(s.declined) > 0 {
		g.Printf("NotImplemented: []error{")
		for _, d := range s.declined {
			g.Printf("%s.%s, ", g.Alias(d[0]), d[1])
		}
		g.Printf("},\n")
	}
	g.Printf("Sentinels: %t,\nBox: %t,\nService: %t,\n}\n\n", s.Errors == "sentinel", s.Box, len(s.Service) > 0)
	return g.Flush()
}

// constructed writes the worker.Program of a constructor.
func (g *generator) constructed(s *sequenced, c *signature.Constructor) {
	model := c == s.made[0]
	folder := ""
	if c.Folder {
		folder = "sequence.Folder()"
	}
	call := fmt.Sprintf("%s.%s(%s)", g.Alias(c.Package.ImportPath), c.Func.Name, folder)
	if !c.Fails {
		call += ", nil"
	}
	g.Printf("{Name: %q, Run: func(a *input.Args, r *oracle.Result) {\nplxTable.Run(%t, func() (any, error) { return %s }, a.Bytes(0), r)\n}},\n", c.Name, model, call)
}

// sequencePackage returns the library's package for sequences.
func sequencePackage(copyPath string) string { return path.Join(copyPath, "sequence") }

// expression returns the construction of a value for a reproducer. last is its verdict.
func (s *sequenced) expression(i int) (expr, last string) {
	c := s.made[i]
	folder := ""
	if c.Folder {
		folder = "folder()"
	}
	if c.Fails {
		last = "error"
	}
	return fmt.Sprintf("p%d.%s(%s)", i+1, c.Func.Name, folder), last
}

// Sequence returns how values of constructors are compared, or nil for functions.
func (p *Plan) Sequence() *Sequence {
	if p.req == nil {
		return nil
	}
	return p.req.Sequence
}

package subject

import (
	"go/build/constraint"
	"go/parser"
	"go/token"
	"strings"

	"parallax/cmd/internal/finding/report"
	"parallax/cmd/internal/gobuild"
	"parallax/cmd/internal/gobuild/gomod"
	"parallax/internal/sequence"
)

// repro says what a reproducer calls.
func repro(p *gobuild.Plan) *report.Repro {
	r := &report.Repro{GoVersion: p.Language}
	if seq := p.Sequence(); seq != nil {
		if len(seq.Service) > 0 { // which a test that stands alone does not start
			return nil
		}
		r.Sequence = &report.ReproSequence{Sentinels: seq.Errors == "sentinel", Box: seq.Box}
		for _, k := range p.Operations {
			r.Sequence.Kinds = append(r.Sequence.Kinds, sequence.Kind{Name: k.Name, Methods: k.Methods})
		}
	}
	for _, prog := range p.Programs {
		if prog.Call == "" {
			return nil
		}
		r.Programs = append(r.Programs, reproProgram(&prog))
	}
	return r
}

func reproProgram(p *gobuild.Program) report.ReproProgram {
	rp := report.ReproProgram{
		Name: p.Name, ImportPath: p.Package, Module: p.Module, Version: p.Version, Dir: p.ModuleDir,
		Call: p.Call, Results: p.Results, Last: p.Last,
	}
	if rp.Dir != "" && !gomod.Exact(rp.Version) { // a commit's name is for people, and go.mod takes no such version
		rp.Version = ""
	}
	if p.Module == "std" {
		rp.Module, rp.Version = "", ""
	}
	return rp
}

// fuzzHarness is the FuzzXxx that a reproducer calls; nil where functions are compared.
func (t *InProcess) fuzzHarness(tags string) *report.FuzzHarness {
	if t.Test == nil {
		return nil
	}
	h := &report.FuzzHarness{
		Package: t.Test.pkg.Name, ImportPath: t.Test.pkg.ImportPath, Name: t.Test.fn.Name,
		Constraint: buildConstraint(t.Test.fn.File), Tags: tags, Generated: t.DrawnFor(),
	}
	if t.Test.fn.External {
		h.Package += "_test"
	}
	return h
}

// buildConstraint is the expression of a file's //go:build line, "" for none.
func buildConstraint(file string) string {
	f, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.PackageClauseOnly|parser.ParseComments)
	if err != nil {
		return "" // it compiled a moment ago
	}
	for _, group := range f.Comments {
		for _, c := range group.List {
			if c.Pos() < f.Package && constraint.IsGoBuild(c.Text) {
				return strings.TrimSpace(strings.TrimPrefix(c.Text, "//go:build"))
			}
		}
	}
	return ""
}

package subject

import (
	"go/build/constraint"
	"go/parser"
	"go/token"
	"strings"

	"parallax/cmd/internal/finding"
	"parallax/cmd/internal/gobuild"
	"parallax/cmd/internal/gobuild/gomod"
	"parallax/internal/sequence"
)

// repro describes the calls of a reproducer.
func repro(p *gobuild.Plan) *finding.Repro {
	r := &finding.Repro{GoVersion: p.Language}
	if seq := p.Sequence(); seq != nil {
		if len(seq.Service) > 0 { // a test cannot start the service
			return nil
		}
		r.Sequence = &finding.ReproSequence{Sentinels: seq.Errors == "sentinel", Box: seq.Box}
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

func reproProgram(p *gobuild.Program) finding.ReproProgram {
	rp := finding.ReproProgram{
		Name: p.Name, ImportPath: p.Package, Module: p.Module, Version: p.Version, Dir: p.ModuleDir,
		Call: p.Call, Results: p.Results, Last: p.Last,
	}
	if rp.Dir != "" && !gomod.Exact(rp.Version) { // the name of a commit is for people: go.mod rejects it as a version
		rp.Version = ""
	}
	if p.Module == "std" {
		rp.Module, rp.Version = "", ""
	}
	return rp
}

// fuzzHarness returns the FuzzXxx that a reproducer calls. Nil means that functions are compared.
func (t *InProcess) fuzzHarness(tags string) *finding.FuzzHarness {
	if t.Test == nil {
		return nil
	}
	h := &finding.FuzzHarness{
		Package: t.Test.pkg.Name, ImportPath: t.Test.pkg.ImportPath, Name: t.Test.fn.Name,
		Constraint: buildConstraint(t.Test.fn.File), Tags: tags, Generated: t.DrawnFor(),
	}
	if t.Test.fn.External {
		h.Package += "_test"
	}
	return h
}

// buildConstraint returns the expression of a file's //go:build line. Empty means none.
func buildConstraint(file string) string {
	f, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.PackageClauseOnly|parser.ParseComments)
	if err != nil {
		return "" // unlikely: the file has just compiled
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

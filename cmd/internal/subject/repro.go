package subject

import (
	"go/build/constraint"
	"go/parser"
	"go/token"
	"strings"

	"parallax/cmd/internal/finding"
	"parallax/cmd/internal/finding/reproducer"
	"parallax/cmd/internal/gobuild"
	"parallax/cmd/internal/gobuild/gomod"
	"parallax/internal/sequence"
)

// Reproduce implements Target.
func (t *InProcess) Reproduce(f *finding.Finding, tags string) {
	if f.Fuzz = t.fuzzHarness(tags); f.Fuzz != nil {
		f.Reproducer = reproducer.FuzzTest{}
	} else if r := functions(t.Plan); r != nil {
		f.Reproducer = r
	}
}

// functions describes the calls of a Go test. Nil means that no test can make them.
func functions(p *gobuild.Plan) *reproducer.Functions {
	r := &reproducer.Functions{GoVersion: p.Language}
	if seq := p.Sequence(); seq != nil {
		if len(seq.Service) > 0 { // a test cannot start the service
			return nil
		}
		r.Sequence = &reproducer.Sequence{Sentinels: seq.Errors == "sentinel", Box: seq.Box}
		for _, k := range p.Operations {
			r.Sequence.Kinds = append(r.Sequence.Kinds, sequence.Kind{Name: k.Name, Methods: k.Methods})
		}
	}
	for _, prog := range p.Programs {
		if prog.Call == "" {
			return nil
		}
		r.Programs = append(r.Programs, reproduced(&prog))
	}
	return r
}

// reproduced describes the call of a program.
func reproduced(p *gobuild.Program) reproducer.Function {
	f := reproducer.Function{
		Name: p.Name, ImportPath: p.Package, Module: p.Module, Version: p.Version, Dir: p.ModuleDir,
		Call: p.Call, Results: p.Results, Last: p.Last, Imports: p.Imports,
	}
	if f.Dir != "" && !gomod.Exact(f.Version) { // the name of a commit is for people: go.mod rejects it as a version
		f.Version = ""
	}
	if p.Module == "std" {
		f.Module, f.Version = "", ""
	}
	return f
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

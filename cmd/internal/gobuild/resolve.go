// Package gobuild plans and builds workers: it turns functions that the user names into a program
// to fuzz. It writes a package main that calls them, and builds it with instrumentation. It changes
// no file of the user: the package lives in a scratch module, or in the user's module through the
// go command's -overlay. Packages with FuzzXxx are built in place, with the worker and a test file
// that installs it in an overlay.
//
// Functions use Resolve, and packages of fuzztest.List use PlanFuzz; then come Plan.Build and
// Plan.Tables. Package buildroot decides where the go command runs, and package signature which
// arguments functions take. Errors that the user can fix are exit.Usage; code that does not compile
// is exit.Build.
//
// Package subject calls it.
//
//	plan.go, resolve.go  from a request to a plan: modules, signatures, packages to instrument
//	fuzzplan.go          the same for a package with FuzzXxx
//	packages.go          which packages are instrumented, and their block tables
//	generate.go          the main package
//	place.go             where the worker finds the library
//	build.go             the fast, the cmplog and the ordered build
//	variant.go           builds that need no go command, because the worker is unchanged
//	siblings.go          FuzzXxx of one package, whose binaries are mostly equal
//	lockstep.go          plans of functions that cannot share a binary: do their inputs fit?
//	sequence.go          constructors as programs: an original and a model of it
//	generator.go         a generator of the user that makes the inputs
package gobuild

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"path"
	"slices"
	"strings"

	"parallax/cmd/internal/base/exit"
	"parallax/cmd/internal/gobuild/buildroot"
	"parallax/cmd/internal/gobuild/funcname"
	"parallax/cmd/internal/gobuild/gomod"
	"parallax/cmd/internal/gobuild/signature"
)

// Resolve finds the functions, reads their signatures and plans the worker. It writes only below
// Out.
func Resolve(ctx context.Context, req Request) (*Plan, error) {
	funcs, err := req.parse()
	if err != nil {
		return nil, err
	}
	p := &Plan{req: &req}
	if p.root, err = buildroot.Open(ctx, req.Options); err != nil {
		return nil, err
	}
	if err := p.root.Choose(ctx, funcs); err != nil {
		return nil, err
	}
	p.root.Progress("reading signatures")
	if p.graph, err = p.root.Read(ctx, funcs); err != nil {
		return nil, err
	}
	if err := p.bind(funcs); err != nil {
		return nil, err
	}
	if err := p.checkHarmless(); err != nil {
		return nil, err
	}
	p.GoVersion, p.Target = p.root.Env.GOVERSION, joinedName(p.calls)
	p.Language = p.language()
	if err := p.agree(); err != nil {
		return nil, err
	}
	for _, c := range p.calls {
		p.Programs = append(p.Programs, newProgram(c, p.GoVersion))
	}
	if err := p.write(); err != nil {
		return nil, err
	}
	if err := p.selectPackages(ctx); err != nil {
		return nil, err
	}
	p.findLibraries()
	p.findDependencies()
	p.describe()
	if p.seq != nil {
		p.Seeds = p.seq.seeds()
	} else if p.gen == nil && !req.Drawn && p.FromText() == "" { // no tests have seeds for tapes, and words are not choices
		p.root.Progress("mining seeds and the dictionary")
		p.mineSeeds()
	}
	p.Notes = p.root.Notes
	return p, nil
}

// checkHarmless refuses a function that must not change the machine but may: it would get arbitrary
// inputs.
func (p *Plan) checkHarmless() error {
	i := slices.Index(p.req.Functions, p.req.Harmless)
	if i < 0 || i >= len(p.calls) {
		return nil
	}
	why := p.graph.Acts(p.calls[i].Package)
	if why == "" {
		return nil
	}
	return exit.Usage("%s may act on the machine, with any arguments: %s. It is not called, since functions run without a box.\n"+
		"Compare what makes values with methods (go_type), which runs in a box; or write box = false if the function itself changes nothing on the machine", p.req.Harmless, why)
}

// Reaching lists the functions that may reach the network, files or other processes, according to
// their packages.
func (p *Plan) Reaching() (list []string) {
	for _, c := range p.calls {
		if p.graph.ReachesOutside(c.Package, c.Func.Name) {
			list = append(list, c.Name)
		}
	}
	return list
}

// agree determines the common shape of the functions.
func (p *Plan) agree() error {
	if len(p.calls) == 0 { // the generator alone
		p.Target = p.gen.name
		p.Takes, p.Shape = p.gen.flat(), tapes
		return nil
	}
	if p.seq != nil {
		p.Shape, p.CompareValues = tapes, true
		return nil
	}
	a, err := signature.Agree(p.calls)
	if err != nil {
		return err
	}
	if p.partial != nil {
		if err := p.partial.fits(p.calls); err != nil {
			return err
		}
	}
	p.Shape, p.CompareValues = a.Shape, a.Values
	p.root.Notes = append(p.root.Notes, a.Notes...)
	if !a.Values && slices.ContainsFunc(p.calls, func(c *signature.Function) bool { return len(c.Compared()) > 0 }) {
		p.root.Note("`parallax init` writes a test in which parallax.Normalize makes the values comparable")
	}
	if p.gen != nil {
		p.Takes, p.Shape = a.Shape, tapes
	}
	return p.checkRepair()
}

// parse checks the request and parses the functions. The repair function or the generator comes
// last.
func (req *Request) parse() ([]funcname.Func, error) {
	if len(req.Functions) == 0 && req.Generator == "" && req.DrawFor == "" {
		return nil, exit.Usage("no function named: write import/path.Func, as in encoding/json.Valid")
	}
	var funcs []funcname.Func
	for i, arg := range req.Functions {
		f, err := funcname.Parse(arg)
		if err != nil {
			return nil, err
		}
		if slices.Contains(req.Functions[:i], arg) {
			return nil, exit.Usage("%s is named twice", arg)
		}
		funcs = append(funcs, f)
	}
	if req.Sequence != nil {
		more, err := req.parseSequence()
		if err != nil {
			return nil, err
		}
		funcs = append(funcs, more...)
	}
	if req.Partial != nil {
		more, err := req.parsePartial()
		if err != nil {
			return nil, err
		}
		funcs = append(funcs, more...)
	}
	if req.DrawFor != "" {
		f, err := funcname.Parse(req.DrawFor)
		if err != nil {
			return nil, err
		}
		funcs = append(funcs, f)
	}
	if req.Repair != "" {
		f, err := req.parseRepair()
		if err != nil {
			return nil, err
		}
		funcs = append(funcs, f)
	}
	if req.Generator != "" {
		f, err := req.parseGenerator()
		if err != nil {
			return nil, err
		}
		funcs = append(funcs, f)
	}
	for i, f := range funcs {
		for _, g := range funcs[:i] {
			if f.Package == g.Package && f.Version != g.Version && f.Version != "" && g.Version != "" {
				return nil, exit.Usage("%s and %s: %w", g.Written, f.Written, gomod.OneVersion("", f.Version))
			}
		}
	}
	return funcs, nil
}

// bind finds every function and reads its signature.
func (p *Plan) bind(funcs []funcname.Func) error {
	find := signature.NewFinder(&p.root.Env, p.graph, p.root.Check)
	if p.req.DrawFor != "" {
		return p.bindTexts(find, funcs[0])
	}
	if p.req.Sequence != nil {
		n := len(p.req.Functions)
		calls, err := find.Find(funcs[:n], p.programNames(funcs))
		if err != nil {
			return err
		}
		p.calls = calls
		return p.bindSequence(find, calls, funcs[n:])
	}
	named := funcs
	if p.req.Partial != nil {
		named = funcs[:len(p.req.Functions)]
	}
	if p.req.Generator != "" {
		named = funcs[:len(funcs)-1]
	}
	calls, err := find.Find(named, p.programNames(funcs))
	if err != nil {
		return err
	}
	if n := len(p.req.Functions); len(calls) > n {
		calls, p.repair = calls[:n], calls[n]
	}
	if p.req.Partial != nil {
		if err := p.bindPartial(find, calls[1], funcs[len(calls):]); err != nil {
			return err
		}
	}
	for _, c := range calls {
		c.Making = p.req.Making
	}
	p.calls = calls
	if p.req.Generator != "" {
		return p.bindGenerator(find, funcs[len(funcs)-1])
	}
	problems, failed := signature.ReadAll(calls)
	if failed && p.req.Texts {
		failed = readTexts(calls, problems)
	}
	if failed && !p.derive() {
		return unsupported(p.root, calls, problems)
	}
	return nil
}

// programNames names the programs. The package of the user's folder has a name only once it is
// found.
func (p *Plan) programNames(written []funcname.Func) []string {
	funcs := append([]funcname.Func(nil), written[:len(p.req.Functions)]...)
	for i, f := range funcs {
		if q := p.graph.Written(f.Package); q != nil && strings.Trim(f.Package, "./") == "" {
			funcs[i].Written = path.Base(q.ImportPath) + f.Written[strings.LastIndexByte(f.Written, '/')+1:]
		}
	}
	return append(funcname.Shortest(funcs), "repair")
}

func joinedName(calls []*signature.Function) string {
	var names []string
	for _, c := range calls {
		names = append(names, c.Name)
	}
	return TargetName(names)
}

// TargetName joins the programs' names into a valid file name.
func TargetName(names []string) string {
	full := strings.Join(names, "+")
	safe := strings.Map(func(c rune) rune {
		switch {
		case c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z', c >= '0' && c <= '9', strings.ContainsRune("._@+-", c):
			return c
		case strings.ContainsRune("(*)", c):
			return -1
		}
		return '_'
	}, full)
	safe = strings.TrimLeft(safe, "._-")
	if len(safe) <= 80 {
		return safe
	}
	sum := sha256.Sum256([]byte(full))
	return safe[:80-13] + "-" + hex.EncodeToString(sum[:6])
}

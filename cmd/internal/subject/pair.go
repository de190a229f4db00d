package subject

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"parallax/cmd/internal/base/buildcache"
	"parallax/cmd/internal/base/corpus"
	"parallax/cmd/internal/base/exit"
	"parallax/cmd/internal/base/lazyregexp"
	"parallax/cmd/internal/base/limits"
	"parallax/cmd/internal/finding"
	"parallax/cmd/internal/gobuild"
	"parallax/cmd/internal/gobuild/buildroot"
	"parallax/cmd/internal/gobuild/fuzztest"
	"parallax/cmd/internal/gobuild/golang"
	"parallax/cmd/internal/process/execute"
	"parallax/cmd/internal/program/gofunc"
	"parallax/cmd/internal/program/lockstep"
	"parallax/internal/input"
)

// A pair is a FuzzXxx of two versions of a module in lockstep: programs "new" and "old". Each
// version is built from its own tree, with its own go.mod. The new version's harness is laid over
// the old tree. Compared are pass, skip and fail, and the results of the harness's calls into the
// module. A skipped input counts as rejected, since the harness skips it because of the module's
// answers.

// Names of the programs of a pair.
const (
	NewVersion = "new"
	OldVersion = "old"
)

// PairRequest names a FuzzXxx and the trees.
type PairRequest struct {
	New, Old Version
	NoOld    bool   // the new version runs alone
	Module   string // the module whose calls are recorded, if the trees only require it; empty means their own
	Fuzz     string
	Several  bool // other harnesses are fuzzed too: if the generator does not fit this one, a note says so and it runs without
}

// Version is a tree that holds a version of a module.
type Version struct {
	Dir     string   // of the module, or a folder in it
	Package string   // an import path, or a folder like ./parse, relative to Dir; empty for the old version means that of the new one
	Name    string   // for people, as v1.2.0; empty means none
	Environ []string // additions to the environment of the go command
	At      string   // the user's folder that Dir is a copy of; empty if Dir is no copy
}

// Pair holds the facts about a FuzzXxx and an older version of itself.
type Pair struct {
	// Compared lists the compared results, for the plan that a user sees.
	Compared string
	// Calls lists the calls whose results are compared.
	Calls []golang.Site
	// LeftOut lists calls whose results differ from run to run. Their results are not compared.
	LeftOut []finding.Unrepeated
	// OwnHarness reports that the old version runs its own harness, since the new version's does
	// not compile there.
	OwnHarness bool

	request PairRequest
	sides   []*sideTest
	why     []string // reasons why calls are not compared
	made    []golang.Site
	silent  map[uint64]bool // compared calls whose writes to buffers differ from run to run, and are not compared
}

// sideTest is the test of one version.
type sideTest struct {
	*FuzzTest
	run     string // working folder
	over    *fuzztest.Over
	version Version
}

// BuildPair builds the versions of a FuzzXxx. If the new version fails, the error is that of
// parallax fuzz. An OldError means that the old tree has no such harness, that none compiles or
// that none reaches f.Fuzz. Without the old version, it is unknown which failures are new.
func BuildPair(ctx context.Context, r PairRequest, o *Options, tool string, progress func(string)) (*Lockstep, error) {
	if o.Repair != "" {
		return nil, exit.Usage("--repair does not go with two versions of a FuzzXxx: each of them would need its own")
	}
	for _, v := range []*Version{&r.New, &r.Old} {
		if v.Dir != "" && (v == &r.New || !r.NoOld) {
			dir, err := filepath.EvalSymlinks(v.Dir)
			switch {
			case v == &r.Old && errors.Is(err, fs.ErrNotExist):
				return nil, &OldError{exit.Build("it has no folder %s", filepath.Base(v.Dir))}
			case err != nil:
				return nil, exit.Usage("the tree of a version: %w", err)
			}
			if v.Dir, err = filepath.Abs(dir); err != nil {
				return nil, exit.Infra("the tree of a version: %w", err)
			}
		}
	}
	space, err := buildcache.Open(ctx, "pair", r.New.Dir, r.New.Package, r.Old.Dir, r.Fuzz, r.Module, o.Generator, o.Tags, fmt.Sprint(o.Instrument), fmt.Sprint(o.order()))
	if err != nil {
		return nil, err
	}
	t := &Lockstep{Facts: Facts{Mode: o.Mode, Versions: o.Mode == Regress}, assembly: &assembly{variants: variants{space: space, say: progress}, tool: tool}}
	t.Pair = &Pair{request: r}
	if t.assembly.siblings, err = siblings(ctx, &r, o); err != nil {
		space.Close()
		return nil, err
	}
	if err := t.buildPair(ctx, o, progress); err != nil {
		t.assembly.siblings.Close()
		space.Close()
		return nil, err
	}
	return t, nil
}

// OldError reports why the old version cannot be built. It has the exit code of its cause.
type OldError struct{ Err error }

// Error implements error.
func (e *OldError) Error() string { return "the old version: " + e.Err.Error() }

// Unwrap returns the cause.
func (e *OldError) Unwrap() error { return e.Err }

func (t *Lockstep) buildPair(ctx context.Context, o *Options, progress func(string)) error {
	m, r := t.assembly, &t.Pair.request
	release, err := m.begin(ctx, o, progress)
	if err != nil {
		return err
	}
	defer release()
	b := pairBuilder{t: t, o: o, progress: progress}
	newer, err := b.build(ctx, NewVersion, &r.New, nil)
	if err != nil {
		return err
	}
	if err := newer.start(ctx, o); err != nil {
		return err
	}
	sides := []*side{newer}
	if !r.NoOld {
		older, err := b.buildOld(ctx, newer)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err != nil {
			return err
		}
		sides = append(sides, older)
	}
	return t.join(ctx, o, sides, progress)
}

// side is a built version.
type side struct {
	*part
	name string
	test *sideTest
	info sideInfo
}

// sideInfo holds the first answers of a started version.
type sideInfo struct {
	shape  input.Shape
	seeds  []corpus.Seed
	tables []*golang.CallTable
	notes  []string
	tapes  bool // it ends with gen.Fuzz, and so draws its own inputs
}

// pairBuilder builds the versions of a pair.
type pairBuilder struct {
	t        *Lockstep
	o        *Options
	progress func(string)
}

// build lists and builds the harness in a tree and the files that are laid over it.
func (b *pairBuilder) build(ctx context.Context, name string, v *Version, over *fuzztest.Over) (*side, error) {
	m, o := b.t.assembly, b.o
	p := &part{dir: filepath.Join(m.space.Dir, name)}
	if err := os.MkdirAll(p.dir, 0o755); err != nil {
		return nil, exit.Infra("creating the folder for build products: %w", err)
	}
	req := fuzztest.Request{
		Dir: v.Dir, Out: p.dir, Parallax: m.tool, Patterns: []string{v.pattern()}, Tags: o.Tags, Environ: v.Environ, Progress: b.progress,
		Match: regexp.MustCompile("^" + regexp.QuoteMeta(b.t.Pair.request.Fuzz) + "$"),
	}
	build := gobuild.Request{
		Options:   buildroot.Options{Dir: v.Dir, Out: p.dir, Parallax: m.tool, Environ: v.Environ, Progress: b.progress},
		Libraries: m.space.Libraries(ctx, b.progress), Siblings: filepath.Join(m.siblings.Dir, name), Instrument: o.Instrument, Order: o.order(), Apart: true, Calls: true, CallsInto: b.t.Pair.request.Module,
	}
	if over != nil {
		req.Laid, build.Laid = over.Overlay, over.Overlay
	}
	pkgs, notes, err := fuzztest.List(ctx, req)
	if err != nil {
		return nil, err
	}
	if len(pkgs) != 1 || len(pkgs[0].Funcs) != 1 {
		return nil, exit.Usage("%s in %s: %d packages have it; name one", b.t.Pair.request.Fuzz, v.Package, len(pkgs))
	}
	pkg := pkgs[0]
	if p.plan, err = gobuild.PlanFuzz(ctx, build, pkg); err != nil {
		return nil, err
	}
	built, err := p.plan.Build(ctx)
	if err != nil {
		return nil, err
	}
	if p.binary, err = m.space.Own(built); err != nil {
		return nil, err
	}
	p.test = &sideTest{FuzzTest: &FuzzTest{Name: targetName(pkg, pkg.Funcs[0].Name), pkg: pkg, fn: pkg.Funcs[0]}, run: pkg.Dir, over: over, version: *v}
	s := &side{part: p, name: name, test: p.test}
	s.info.notes = notes
	return s, nil
}

// pattern returns the package as the go command takes it in the tree's folder.
func (v *Version) pattern() string {
	if v.Package == "" || v.Package == "." {
		return "."
	}
	return v.Package
}

// buildOld builds the old version with the new version's harness. If that does not compile, it
// builds the old version's own harness.
func (b *pairBuilder) buildOld(ctx context.Context, newer *side) (*side, error) {
	r := &b.t.Pair.request
	over, err := b.overlay(ctx, newer)
	if err != nil {
		return nil, err
	}
	v := r.Old
	s, err := b.build(ctx, OldVersion, &v, over)
	if err != nil && ctx.Err() == nil { // other tests of the package may need new declarations
		if few := b.neededTests(newer, over); few != nil {
			if alone, e := b.build(ctx, OldVersion, &v, few); e == nil {
				s, over, err = alone, few, nil
			}
		}
	}
	if err != nil && ctx.Err() == nil { // or other functions of the same files do
		if pruned := b.neededFunctions(newer, over); pruned != nil {
			if alone, e := b.build(ctx, OldVersion, &v, pruned); e == nil {
				s, over, err = alone, pruned, nil
			}
		}
	}
	if err != nil && ctx.Err() == nil {
		own, e := b.build(ctx, OldVersion, &v, nil)
		if e != nil && faulty().MatchString(err.Error()) && !strings.HasSuffix(faulty().FindStringSubmatch(err.Error())[1], "_test.go") {
			return nil, &OldError{fmt.Errorf("it does not compile: %w", err)}
		}
		if e != nil {
			return nil, &OldError{fmt.Errorf("the harness of the new version does not go with it: %w", err)}
		}
		s, b.t.Pair.OwnHarness = own, true
		s.info.notes = append(s.info.notes, fmt.Sprintf("the old version runs its own %s, since that of the new version does not go with it: %s", r.Fuzz, firstLine(err)))
	} else if err != nil {
		return nil, err
	}
	if over.Data != nil && !b.t.Pair.OwnHarness {
		if s.test.run, err = over.Mirror(b.tree(OldVersion, newer), filepath.Join(s.dir, "tree")); err != nil {
			return nil, exit.Infra("joining the testdata of both versions: %w", err)
		}
	}
	if err := s.start(ctx, b.o); err != nil {
		if ctx.Err() != nil || exit.Code(err) == exit.InfraCode {
			return nil, err
		}
		return nil, &OldError{exit.Build("it does not reach f.Fuzz: %w", err)}
	}
	if a, z := newer.info.shape.String(), s.info.shape.String(); a != z {
		return nil, &OldError{exit.Build("%s has another signature there: it takes %s, and in the new version %s", r.Fuzz, z, a)}
	}
	return s, nil
}

// faulty matches the file of a compiler's first message.
var faulty = lazyregexp.New(`(?m)^\s*(\S+\.go):\d+`)

// firstLine returns an error and only the first of the compiler's messages.
func firstLine(err error) string {
	lines := strings.Split(strings.TrimSpace(err.Error()), "\n")
	for _, l := range lines[1:] {
		if l = strings.TrimSpace(l); l != "" && !strings.HasPrefix(l, "#") {
			return lines[0] + " " + l
		}
	}
	return lines[0]
}

// start starts a version once and reads its shape, seeds and calls.
func (s *side) start(ctx context.Context, o *Options) error {
	name := fmt.Sprintf("%s.%s (%s version)", s.test.pkg.ImportPath, s.test.fn.Name, s.name)
	t := &InProcess{Facts: Facts{Test: s.test.FuzzTest, Mode: Fuzz}, binary: s.binary, dir: s.test.run}
	w, err := execute.StartContext(ctx, t.Spec(o))
	if err != nil {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		err = t.explainUnready(ctx, o, err)
		if s.name == OldVersion {
			return err
		}
		var skipped *Skipped
		if errors.As(err, &skipped) {
			return err
		}
		return fmt.Errorf("%s version: %w", s.name, err)
	}
	defer w.Close()
	if len(w.Hello.Problems) > 0 {
		return exit.Baseline("%s: %s", name, strings.Join(w.Hello.Problems, "\n"))
	}
	if s.info.shape, err = input.ParseShape(w.Hello.Shape); err != nil {
		return exit.Infra("%w", err)
	}
	s.info.seeds, s.info.tapes = append(s.info.seeds, addedSeeds(w.Hello.Seeds, s.test.fn.Name)...), w.Hello.Tapes
	if dir := s.test.seedDir(); exists(dir) {
		more, wrong, err := corpus.GoSeeds(dir, s.info.shape)
		if err != nil {
			wrong = append(wrong, err.Error())
		}
		s.info.seeds = append(s.info.seeds, s.test.inTestdata(more)...)
		for _, text := range wrong {
			s.info.notes = append(s.info.notes, s.name+" version: "+text)
		}
	}
	s.info.notes = append(s.info.notes, w.Hello.Notes...)
	for _, text := range w.Hello.Sites {
		table, err := golang.ParseCalls(text)
		if err != nil {
			return exit.Infra("%w", err)
		}
		s.info.tables = append(s.info.tables, table)
	}
	return nil
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// join makes the versions a target.
func (t *Lockstep) join(ctx context.Context, o *Options, sides []*side, progress func(string)) error {
	m := t.assembly
	first := sides[0]
	t.Name, t.Mode = first.test.Name, Fuzz
	if len(sides) > 1 {
		t.Mode = Diff
	}
	for i, s := range sides {
		pkg := s.test.pkg
		s.plan.Shape, s.plan.Target = s.info.shape, t.Name
		s.plan.Programs = []gobuild.Program{{
			Name: s.name, Function: pkg.ImportPath + "." + s.test.fn.Name, Package: pkg.ImportPath, Module: pkg.Module,
			Version: s.test.version.Name, Closure: closure(s.plan),
		}}
		f := &function{program: i, name: s.name, part: i}
		s.part.functions = []*function{f}
		m.parts, m.functions = append(m.parts, s.part), append(m.functions, f)
		w := &gofunc.Worker{Name: s.name, Limits: limits.Limits{Timeout: o.Timeout, Memory: o.Memory}}
		m.add(lockstep.Program{Name: s.name, Kind: gofunc.Kind.Name, Limits: w.Limits}, w, (&gofunc.Function{}).Traits())
		t.Names = append(t.Names, s.name)
		t.Pair.sides = append(t.Pair.sides, s.test)
	}
	t.merge(m.functions)
	if len(sides) > 1 {
		t.Plan.Own = append(t.Plan.Own, changedModules(sides[0].plan, sides[1].plan)...)
	}
	seen := map[string]bool{}
	for _, s := range sides {
		for _, seed := range s.info.seeds {
			if !seen[string(seed.Flat)] {
				seen[string(seed.Flat)] = true
				t.Plan.Seeds = append(t.Plan.Seeds, seed)
			}
		}
		t.Plan.Notes = gobuild.MergeNotes(t.Plan.Notes, s.info.notes)
	}
	t.Shape = first.info.shape
	t.Plan.Shape, t.Plan.Target = t.Shape, t.Name
	m.spec.Shape, m.spec.MaxFlat = t.Shape.String(), MaxFlat(t.Shape, o.MaxBytes)
	if err := t.drawPair(ctx, o, first, progress); err != nil {
		return err
	}
	ignored := t.Pair.agree(sides, t.Plan)
	m.env = []string{callsVariable + t.Pair.numbers(), ignoreVariable + strings.Join(ignored, ","), outsideVariable + t.Pair.module()}
	m.spec.Values, t.Plan.CompareValues = len(sides) > 1, len(sides) > 1
	var err error
	if m.file, err = m.write(m.spec, func(p *part) string { return p.binary }); err != nil {
		return err
	}
	progress("starting the programs")
	if err := t.leaveOut(ctx, o); err != nil {
		return err
	}
	w, err := execute.StartContext(ctx, t.Spec(o))
	if err != nil {
		return err
	}
	defer w.Close()
	t.hello = w.Hello
	t.Plan.Notes = append(append(t.Plan.Notes, w.Hello.Notes...), execute.LimitNotes(false)...)
	t.describeRuns()
	if err := t.readTables(); err != nil {
		return err
	}
	t.Space.Started(t.hello.Before)
	return nil
}

// Follow makes workers that start later run the old version, the second program, mainly on some
// inputs. These are inputs on which the new version executes one of the blocks, or times out. If
// blocks is nil, each input may show the change. Inputs that execute impacted blocks for the first
// time come before the others. Follow does nothing if the new version runs alone or has no blocks.
func (t *Lockstep) Follow(blocks, impacted []uint32) (err error) {
	m := t.assembly
	if len(m.spec.Programs) != 2 || len(t.Traits.NoCoverage) > 0 && t.Traits.NoCoverage[0] {
		return nil
	}
	m.spec.Programs[1].After = &lockstep.After{Program: 0, Blocks: blocks, Impacted: impacted, All: blocks == nil}
	m.file, err = m.write(m.spec, func(p *part) string { return p.binary })
	return err
}

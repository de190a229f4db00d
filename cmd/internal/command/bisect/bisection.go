package bisect

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"parallax/cmd/internal/base/buildcache"
	"parallax/cmd/internal/base/escape"
	"parallax/cmd/internal/base/exit"
	"parallax/cmd/internal/base/quote"
	"parallax/cmd/internal/campaign/triage"
	"parallax/cmd/internal/command/archive"
	"parallax/cmd/internal/finding"
	"parallax/cmd/internal/gobuild/gomod"
	"parallax/cmd/internal/subject"
	"parallax/internal/oracle"
	"parallax/internal/wire"
)

// Query searches for the version of a module, or the commit, at which the outcome of a finding's
// input changed.
type Query struct {
	Out       string // the campaign's folder; empty means those in .parallax
	Finding   string // a bucket or a prefix of its id; or the file of an input
	Module    string // the module with the versions; with Git, the module of the repository
	Git       bool   // commits instead of versions
	Repo      string // folder of the repository; empty means that of the target
	From, To  string // the ends; empty means the oldest one, and the one that the target is built with now
	Pre       bool   // include prereleases
	Retracted bool   // include retracted versions
	Compare   []string
	Tries     int               // the search gives up after so many points in a row without an outcome; 0 means Tries of the length of the history
	Trust     bool              // the user trusts the owner of the folder
	Tool      string            // the parallax executable
	Step      func(text string) // called with each long step
	Tell      func(text string) // called with each tried point, in text for a terminal
}

// bisection is the state of a search.
type bisection struct {
	*Query
	past    *archive.Campaign
	item    archive.Item
	layers  oracle.Layers
	space   *buildcache.Folder
	history history
	points  map[int]*triedPoint
	report  *Report
}

// history is the sequence that is searched. Place prepares a point for building. An error that
// affects only this point is a skipError.
type history interface {
	Len() int
	Name(i int) string
	Describe(ctx context.Context, p *Point) error
	Place(ctx context.Context, i int) (*subject.Site, error)
	Named() bool // the user named the oldest point
}

// triedPoint is a tried point.
type triedPoint struct {
	Point
	modules  []gomod.InUse
	outcomes []string // of the programs, in their order
	shown    string   // all compared properties
}

// skipError reports why a point shows no outcome.
type skipError struct{ error }

// Run searches. It returns a report if any point was tried, also with an error.
func (b *Query) Run(ctx context.Context) (*Report, error) {
	s := &bisection{Query: b, points: map[int]*triedPoint{}}
	if err := s.open(); err != nil {
		return nil, err
	}
	release, err := s.lock(ctx)
	if err != nil {
		return nil, err
	}
	defer release()
	if err := s.choose(ctx); err != nil {
		return nil, err
	}
	s.report.Points = s.history.Len()
	for _, p := range s.past.Config.Identity.Programs {
		if name, _, ok := strings.Cut(p.Name, "@"); ok && p.Module == s.report.Module {
			s.report.Labels[p.Name] = name
		}
	}
	search := Search{Points: s.history.Len(), Named: s.history.Named(), Probe: s.probe, Old: s.recorded, Tries: s.Tries}
	answer, err := search.Run(ctx)
	if told := s.complete(ctx, answer); told != nil && err == nil {
		err = told
	}
	if err != nil {
		return s.report, err
	}
	return s.report, s.report.Err(s.hint())
}

// open finds the finding and the compared layers.
func (s *bisection) open() error {
	past, items, err := archive.Select(s.Out, []string{s.Finding})
	if err != nil {
		return err
	}
	if s.Trust {
		past.Trust()
	}
	if err := past.Trusted(); err != nil {
		return err
	}
	s.past, s.item = past, items[0]
	if b := s.item.Bucket; b != nil && b.Best.Layer == oracle.CostLayer.String() {
		return exit.Usage("%s is of what two versions cost: bisect compares what programs do with an input", b.ID)
	}
	if file := past.Config.Options["config"]; file != "" {
		return exit.Usage("%s is a campaign of the configuration %s: bisect builds Go functions at other versions and commits, and cannot build the programs of a configuration", past.Shown(), file)
	}
	for _, key := range []string{"harness", "harnesses"} {
		if file := past.Config.Options[key]; file != "" {
			return exit.Usage("%s is a campaign of %s: bisect builds Go functions at other versions and commits, and cannot build programs", past.Shown(), strings.Join(subject.SplitPaths(file), " and "))
		}
	}
	if subject.StoredFunctions(past.Config.Options) != nil {
		return exit.Usage("%s compares two versions of a function, which it builds apart: bisect goes on from a campaign of parallax diff", past.Shown())
	}
	if len(past.Options.Functions) == 0 && past.Config.Options["fuzz"] == "" {
		return exit.Usage("%s does not record its functions: it cannot be built again", past.Shown())
	}
	if _, err := os.Stat(s.past.Home()); err != nil {
		return exit.Usage("%s was started in %s, which is gone: its functions cannot be found again", past.Shown(), s.past.Home())
	}
	switch b := s.item.Bucket; {
	case len(s.Compare) > 0:
		if s.layers, err = oracle.ParseLayers(s.Compare); err != nil {
			return exit.Usage("--compare: %w", err)
		}
	case b != nil && b.Best.Layer != "":
		if s.layers, err = oracle.ParseLayers([]string{b.Best.Layer}); err != nil {
			return exit.Usage("%s: %w", b.ID, err)
		}
	default:
		s.layers = past.Options.Layers
	}
	s.layers |= oracle.VerdictLayer
	s.report = &Report{
		Finding: s.item.Name, Target: past.Config.Target, Programs: past.Config.Identity.Names(), Compare: s.layers.Names(),
		Input: quote.Input(past.Shape, s.item.Flat, 200), Labels: map[string]string{},
	}
	return nil
}

// lock takes the folder for builds. Each finding has its own, in the user's cache, so that a second
// search is faster.
func (s *bisection) lock(ctx context.Context) (release func(), err error) {
	if s.space, err = buildcache.Open(ctx, "bisect", s.past.Dir(), s.item.Name, s.Module, s.Repo, fmt.Sprint(s.Git)); err != nil {
		return nil, err
	}
	unlock, err := s.space.Lock(ctx, s.Step)
	if err != nil {
		s.space.Close()
		return nil, err
	}
	return func() {
		os.RemoveAll(s.tree())
		os.Remove(s.tree() + ".index")
		unlock()
		s.space.Close()
	}, nil
}

// tree returns the folder in which commits are checked out.
func (s *bisection) tree() string { return filepath.Join(s.space.Dir, "tree") }

// choose creates the history.
func (s *bisection) choose(ctx context.Context) error {
	if s.Tries < 0 {
		return exit.Usage("--tries %d: give a number of points, 1 or more", s.Tries)
	}
	if s.Repo != "" && !s.Git {
		return exit.Usage("--repo goes with --git")
	}
	if !s.Git && s.Module == "" {
		return s.whichModule(ctx)
	}
	if s.Git && (s.Pre || s.Retracted) {
		return exit.Usage("--pre and --retracted choose versions, and --git looks through commits")
	}
	var err error
	if s.Git {
		s.history, err = s.commits(ctx)
	} else {
		s.history, err = s.versions(ctx)
	}
	return err
}

// currentSite returns the current sources of the target.
func (s *bisection) currentSite() *subject.Site {
	return &subject.Site{Dir: s.past.Home(), Functions: s.past.Options.Functions, Fuzz: s.past.Config.Options["fuzz"]}
}

// modules returns the modules that the target is built from now.
func (s *bisection) modules(ctx context.Context) ([]gomod.InUse, error) {
	plan, err := s.plan(ctx, s.currentSite())
	if err != nil {
		return nil, err
	}
	return plan.Modules(), nil
}

// whichModule returns an error that lists the modules with versions.
func (s *bisection) whichModule(ctx context.Context) error {
	modules, err := s.modules(ctx)
	if err != nil {
		return err
	}
	var list []string
	for _, m := range modules {
		if !m.Folder {
			list = append(list, "  --module "+m.Path+"   (now "+m.Version+")")
		}
	}
	text := "choose what to look through: --git for the commits of the target's repository"
	if len(list) > 0 {
		text += ", or the versions of a module that it is built from:\n" + strings.Join(list, "\n")
	}
	return exit.Usage("%s", text)
}

// probe builds the programs at a point and executes the input.
func (s *bisection) probe(ctx context.Context, i int) (Shown, error) {
	p := &triedPoint{Point: Point{Name: s.history.Name(i)}}
	if err := s.history.Describe(ctx, &p.Point); err != nil {
		return Shown{}, err
	}
	shown, err := s.try(ctx, i, p)
	var skip *skipError
	switch {
	case errors.As(err, &skip):
		p.Skip, err = skip.Error(), nil
	case ctx.Err() != nil:
		return Shown{}, ctx.Err()
	case err != nil:
		return Shown{}, fmt.Errorf("at %s: %w", p.Title(), err)
	}
	s.points[i] = p
	s.Tell(s.report.Line(&p.Point))
	return Shown{Outcome: shown, Skip: p.Skip}, err
}

// repeats is the number of executions at a point, each in its own process.
const repeats = 3

func (s *bisection) try(ctx context.Context, i int, p *triedPoint) (string, error) {
	s.Step("looking at " + p.Title())
	at, err := s.history.Place(ctx, i)
	if err != nil {
		return "", err
	}
	t, err := s.build(ctx, at)
	if err != nil {
		return "", err
	}
	p.modules = t.About().Plan.Modules()
	first := ""
	for n := range repeats {
		results, err := s.run(ctx, t)
		if err != nil {
			return "", err
		}
		shown := s.outcome(results)
		if n == 0 {
			first, p.shown = shown, shown
			s.keep(p, results)
		} else if shown != first {
			p.Programs = nil
			return "", &skipError{fmt.Errorf("it is not stable: run %d of the same input differed from the first", n+1)}
		}
	}
	return first, nil
}

// run executes the input in a new process.
func (s *bisection) run(ctx context.Context, t subject.Target) ([]wire.RunResult, error) {
	spec := t.Spec(&s.past.Options)
	spec.MaxFlat = max(spec.MaxFlat, len(s.item.Flat))
	replayer := triage.New(t, spec, s.layers).Replayer()
	replayer.Ctx = ctx
	defer replayer.Close()
	flags := uint64(wire.WantDetail)
	if b := s.item.Bucket; b != nil && !triage.Disagrees(b.Kind) {
		flags |= wire.Settle
	}
	results, err := replayer.Run(s.item.Flat, flags)
	if err != nil && ctx.Err() == nil {
		err = &skipError{fmt.Errorf("the input cannot be executed: %w", err)}
	}
	return results, err
}

// outcome returns the compared properties. These are the outcome and the kind of failure of each
// program, and, in the layers of values and of classes, the programs that agree. Values themselves
// would differ between versions by an added field.
func (s *bisection) outcome(results []wire.RunResult) string {
	var parts []string
	for i := range results {
		r := &results[i]
		if !s.concerns(i) {
			continue
		}
		part := oracle.Outcome(r.Outcome).String()
		if oracle.Outcome(r.Outcome) == oracle.Crashed {
			part = triage.Kind(r)
		}
		if k := s.firstAlike(results, i); k >= 0 {
			part += fmt.Sprintf(" as %d", k)
		}
		parts = append(parts, part)
	}
	return strings.Join(parts, ", ")
}

// concerns reports whether the result of a program belongs to the finding. For a failure, only the
// failing program does; for a disagreement, the programs that did not fail; for a file, all
// programs.
func (s *bisection) concerns(program int) bool {
	b := s.item.Bucket
	if b == nil || program >= len(b.Best.Programs) {
		return true
	}
	if !triage.Disagrees(b.Kind) {
		return program == b.Best.Failing()
	}
	o, err := oracle.ParseOutcome(b.Best.Programs[program].Outcome)
	return err != nil || o < oracle.Crashed
}

// firstAlike returns the first program that agrees with program i in a compared layer, or -1.
func (s *bisection) firstAlike(results []wire.RunResult, i int) int {
	r := &results[i]
	return slices.IndexFunc(results[:i], func(q wire.RunResult) bool {
		switch {
		case q.Outcome != r.Outcome:
			return false
		case oracle.Outcome(r.Outcome) == oracle.Accepted:
			return s.layers&oracle.ValueLayer != 0 && q.Value == r.Value
		case oracle.Outcome(r.Outcome) == oracle.Rejected:
			return s.layers&oracle.ClassLayer != 0 && q.Class == r.Class
		}
		return false
	})
}

// keep records the results of the programs.
func (s *bisection) keep(p *triedPoint, results []wire.RunResult) {
	for i := range results {
		r := &results[i]
		prog := finding.Program{Detail: triage.Detail(*r), Message: r.Panic, InGenerator: triage.InGenerator(r)}
		p.outcomes = append(p.outcomes, prog.Outcome)
		shown := Result{
			Name: s.report.Programs[i], Outcome: finding.Outcome(triage.Kind(r), prog.Outcome),
			Result: escape.Cut(prog.Line(), 160),
		}
		if k := s.firstAlike(results, i); k >= 0 {
			shown.SameAs = s.report.Programs[k]
		}
		p.Programs = append(p.Programs, shown)
	}
}

// recorded reports whether the older end shows the finding's outcomes and the newer one does not.
// Then the search is for the change away from the finding.
func (s *bisection) recorded(older, newer Shown) bool {
	shows := func(end Shown) bool {
		for _, p := range s.points {
			if p.Skip == "" && p.shown == end.Outcome && s.finding(p) {
				return true
			}
		}
		return false
	}
	return shows(older) && !shows(newer)
}

// finding reports whether the programs had the outcomes of the finding at a point.
func (s *bisection) finding(p *triedPoint) bool {
	if s.item.Bucket == nil {
		return false
	}
	best := s.item.Bucket.Best
	for i, outcome := range p.outcomes {
		if s.concerns(i) && i < len(best.Programs) && outcome != best.Programs[i].Outcome {
			return false
		}
	}
	return len(p.outcomes) == len(best.Programs)
}

// noteUnseen adds a note if the finding reproduced nowhere.
func (s *bisection) noteUnseen() {
	b := s.item.Bucket
	if b == nil {
		return
	}
	tried := 0
	for _, p := range s.points {
		if p.Skip == "" {
			tried++
		}
		if s.finding(p) {
			return
		}
	}
	if tried == 0 {
		return
	}
	var words []string
	for _, p := range b.Best.Programs {
		words = append(words, p.Name+" "+finding.Outcome(b.Kind, p.Outcome))
	}
	s.report.Notes = append(s.report.Notes, "The finding did not show as recorded at any point that was tried: "+strings.Join(words, ", ")+".")
}

// complete completes the report.
func (s *bisection) complete(ctx context.Context, a Answer) error {
	for i := range s.history.Len() {
		if p := s.points[i]; p != nil {
			s.report.Tried = append(s.report.Tried, p.Point)
		}
	}
	s.noteUnseen()
	s.report.Fill(a, s.history.Name, func(i int) *Point { return &s.points[i].Point })
	if a.End != Found {
		return nil
	}
	s.report.Alongside = s.otherChanges(s.points[a.Before], s.points[a.After])
	if c, ok := s.history.(*commits); ok {
		return c.explain(ctx, s.report)
	}
	return nil
}

// otherChanges lists the other modules whose version also differs between both points.
func (s *bisection) otherChanges(before, after *triedPoint) []Change {
	var changes []Change
	for _, m := range after.modules {
		i := slices.IndexFunc(before.modules, func(n gomod.InUse) bool { return n.Path == m.Path })
		if i < 0 || m.Path == s.report.Module || m.Main || before.modules[i].Version == m.Version {
			continue
		}
		changes = append(changes, Change{Module: m.Path, Before: finding.OrLocal(before.modules[i].Version), After: finding.OrLocal(m.Version)})
	}
	return changes
}

// hint suggests a next step if the ends agree.
func (s *bisection) hint() string {
	if s.report.Status != StatusSame {
		return ""
	}
	if s.history.Named() && s.history.Len() > 2 {
		return "; the outcome may have changed and changed back between them: without --since, points between are tried too"
	}
	if v, ok := s.history.(*versions); ok {
		return v.hint()
	}
	return "; name an older commit with --since, or a later one with --until"
}

// programs verifies that the built programs are those of the campaign.
func (s *bisection) programs(t *subject.Facts) error {
	was := s.past.Config.Identity.Programs
	if t.Shape.String() != s.past.Shape.String() {
		return &skipError{fmt.Errorf("the programs take %s there, and not %s", t.Shape, s.past.Shape)}
	}
	if len(t.Names) != len(was) || s.past.Config.Options["fuzz"] != "" && !slices.Equal(t.Names, s.past.Config.Identity.Names()) {
		return &skipError{fmt.Errorf("the programs are %s there, and not %s", strings.Join(t.Names, ", "), strings.Join(s.past.Config.Identity.Names(), ", "))}
	}
	return nil
}

// Package campaign runs a campaign: workers execute a target on many inputs, and differences become
// findings in a folder. The commands that fuzz call Run.
//
// A campaign has a target (subject.Target), Options, and a folder (state.Folder). Run locks the
// folder, loads the results of earlier runs, and starts the loop. The loop is one goroutine, which
// owns the state (Campaign). It repeats these steps until the budget ends:
//
//   - It starts an instance for each worker process, and replaces it when the process dies. The
//     input during which it died is a candidate.
//   - It empties the workers' shared memory every few milliseconds, and publishes the contents as
//     events (package event). The folder gets each event before other subscribers.
//   - It sends each kept input to the other workers.
//   - It writes candidates to a queue on disk. Judges take them from the queue in goroutines of
//     their own (package triage). The loop files their findings in buckets (package findings).
//
// At the end, it executes the input of each new finding again, and writes the summary.
//
// The workers are processes, since a program under test can end or corrupt its process. The loop
// trusts no report that it can check, and workers never write to the folder.
//
// Invariants: Inputs, candidates and findings are on disk before they are announced. The totals of
// an invocation never count replays. With one worker, a seed and a budget of inputs, corpus, tuples
// and findings repeat.
package campaign

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"parallax/cmd/internal/base/corpus"
	"parallax/cmd/internal/base/exit"
	"parallax/cmd/internal/campaign/diagnosis"
	"parallax/cmd/internal/campaign/findings"
	"parallax/cmd/internal/campaign/lineage"
	"parallax/cmd/internal/campaign/queue"
	"parallax/cmd/internal/campaign/quiet"
	"parallax/cmd/internal/campaign/review"
	"parallax/cmd/internal/campaign/steadiness"
	"parallax/cmd/internal/campaign/triage"
	"parallax/cmd/internal/finding"
	"parallax/cmd/internal/finding/accept"
	"parallax/cmd/internal/finding/event"
	"parallax/cmd/internal/finding/state"
	"parallax/cmd/internal/flow"
	"parallax/cmd/internal/process/execute"
	"parallax/cmd/internal/subject"
	"parallax/internal/atomicfile"
	"parallax/internal/feature"
	"parallax/internal/oracle"
)

// Clock returns the current time.
type Clock func() time.Time

// Campaign is one invocation.
type Campaign struct {
	opt    Options
	target subject.Target
	facts  *subject.Facts
	folder *state.Folder
	store  *corpus.Store
	ui     View
	log    *slog.Logger
	now    Clock

	verdicts verdictLog
	fleet    fleet
	spec     execute.Spec
	seeds    seeds
	builds   *backgroundBuilds

	known    knowledge
	totals   totals
	steady   steadiness.Counts
	account  account
	series   series
	lineage  *lineage.Lineage
	writer   *writer
	findings *findings.Buckets
	fresh    map[string]bool // buckets with an input of this invocation
	triage   *queue.Queue
	stream   event.Stream // the folder is its first subscriber

	phase      phase
	problems   []string
	deaths     deaths // of workers in this invocation
	diagnosing diagnosing
	runner     func(context.Context) review.Runner
	leftover   leftover
}

// verdictLog is the log of triage.
type verdictLog struct {
	*slog.Logger
	file *state.LogWriter
}

// seeds holds the seeds of a campaign.
type seeds struct {
	all   [][]byte // also executed ones
	left  [][]byte // not yet executed
	given bool     // the user has given seeds, in addition to the input of zero values
	dict  [][]byte
}

// phase holds the times of an invocation and the reasons for its end.
type phase struct {
	begun   time.Time // the begin of fuzzing
	stopped string    // the reason for the end of fuzzing
	ends    end       // set when fuzzing ends
	quiet   quiet.Detector
	failure error
}

// leftover holds the candidates that wait for the next run.
type leftover struct {
	all       int                 // their number
	reason    error               // the reason why a candidate is left
	unwritten []finding.Candidate // candidates that the disk refused
	undecided int                 // candidates that could not be confirmed
	cutShort  int                 // candidates whose findings are to be completed
}

// Run runs a campaign until its budget is used or ctx is done. It returns the summary of the
// folder's whole life. The first cancellation of ctx stops cleanly. kill ends everything at once:
// candidates then wait for the next run.
func Run(ctx context.Context, kill <-chan struct{}, t subject.Target, o Options, view View, now Clock) (*finding.Summary, error) {
	return newCampaign(t, o, view, now).run(ctx, kill)
}

func newCampaign(t subject.Target, o Options, view View, now Clock) *Campaign {
	c := &Campaign{opt: o, target: t, facts: t.About(), ui: view, now: now, fresh: map[string]bool{}}
	c.opt.Layers = c.facts.Layers(o.Layers)
	if c.opt.Ending == nil {
		c.opt.Ending = &Ending{}
	}
	c.fleet = fleet{events: make(chan instanceEvent, 16), start: c.startWorker}
	c.diagnosing.open = func(ctx context.Context) diagnosis.Runner { return c.replayer(ctx) }
	c.runner = func(ctx context.Context) review.Runner { return c.replayer(ctx) }
	c.diagnosing.ctx, c.diagnosing.stop = context.WithCancel(context.Background())
	return c
}

func (c *Campaign) run(ctx context.Context, kill <-chan struct{}) (*finding.Summary, error) {
	resumed, err := c.open()
	if err != nil {
		return nil, err
	}
	defer c.folder.Close()
	if err := c.load(); err != nil {
		return nil, err
	}
	c.log.Info("start", "programs", c.facts.Names, "seed", c.opt.Seed, "corpus", len(c.known.inputs), "seeds", len(c.seeds.left))
	first := c.review()
	first.Known = resumed && !c.known.changed
	if err := first.Probe(ctx); err != nil {
		if !resumed { // nothing is lost, and a corrected configuration begins a new campaign
			c.folder.Discard()
		}
		if ctx.Err() != nil {
			return nil, nil
		}
		return nil, err
	}
	c.finish(ctx, resumed)
	defer c.builds.close()
	if err := first.Rerun(ctx); err != nil {
		return nil, err
	}
	c.problems = append(c.problems, first.Problems...)
	if err := c.join(); err != nil {
		return nil, err
	}
	wait := c.withCmpLog(ctx)
	c.builds.begin()
	c.loop(ctx, kill)
	wait()
	c.builds.end(c)
	c.fileCut()
	last := c.review()
	last.Until = c.phase.ends.all
	if err := last.Verify(ctx, kill, slices.Collect(maps.Keys(c.fresh))); err != nil {
		c.fail(err)
	}
	c.noteUnverified()
	c.noteGone()
	c.problems = append(c.problems, c.findings.Crowded()...)
	walking, done := last.Bounded(ctx)
	c.walk(walking)
	done()
	c.opt.Ending.use(c.fuzzing(), c.now().Sub(c.phase.begun)-c.fuzzing())
	if c.leftover.reason != nil {
		c.fail(&exit.Error{Code: exit.Code(c.leftover.reason), Err: fmt.Errorf("triage of a candidate failed, and the candidate waits for the next run: %w", c.leftover.reason)})
	}
	if err := c.writer.failed(); err != nil {
		c.fail(unwritten(err))
	}
	c.leave()
	c.rewrite()
	logCounts(c.log)
	logCounts(c.verdicts.Logger)
	c.record(true, true)
	s := c.account.summary(c.moment())
	if c.phase.failure != nil {
		c.log.Error("end", "error", c.phase.failure.Error())
	}
	return s, c.phase.failure
}

// review returns a review of the present state.
func (c *Campaign) review() *review.Review {
	r := &review.Review{
		Options: &c.opt.Options, Facts: c.facts, Folder: c.folder.Dir(), Findings: c.findings, Triager: c.triager, Open: c.runner,
		Steady: &c.steady, Stale: c.opt.Stale, View: c.ui, Log: c.log, Now: c.now, Longest: c.spec.MaxFlat, Patience: interruptPatience,
		Seeds: c.seeds.left, AllSeeds: c.seeds.all,
	}
	for i := range c.known.inputs {
		r.Inputs = append(r.Inputs, c.known.inputs[i].flat)
	}
	return r
}

// open resolves the options and opens the folder.
func (c *Campaign) open() (resumed bool, err error) {
	o, t := &c.opt, c.facts
	if err = o.checkReference(t.Names); err != nil {
		return false, err
	}
	fit := feature.Fitting(o.Guidance, t.Traits.Blockless)
	if len(fit) == 0 {
		return false, exit.Usage("--guidance %s is for programs without known blocks, and there is none here: choose from %s",
			strings.Join(o.Guidance, ","), strings.Join(feature.Fitting(feature.Names(len(t.Names), o.changed()), false), ", "))
	}
	o.Guidance = fit
	if err = o.checkSearch(t); err != nil {
		return false, err
	}
	o.schedule(t)
	if t.Tapes() {
		o.Literals = nil
	}
	if c.seeds.dict, err = o.Words(t.Plan.Dictionary); err != nil {
		return false, err
	}
	if err = o.CheckGrammar(t); err != nil {
		return false, err
	}
	seeds, problems, err := subject.Seeds(&o.Options, t)
	if err != nil {
		return false, err
	}
	c.seeds.left, c.problems, c.lineage = corpus.Flats(seeds), problems, lineage.New(t.Shape, seeds)
	c.lineage.From = c.fleet.intake.From
	home := o.Out == ""
	if home {
		o.Out = filepath.Join(o.Dir, state.Home, t.Folder())
	}
	c.folder, resumed, err = state.Open(atomicfile.OS, o.Out, c.config())
	if err != nil {
		return false, err
	}
	if o.Repeats() {
		c.folder.Repeats()
	}
	if err := c.folder.Seal(); err != nil { // see archive.Campaign.Trusted
		c.note("parallax replay and other commands will ask for --trust: the folder cannot be sealed: %v", err)
	}
	if home {
		ignore(filepath.Join(o.Dir, state.Home))
	}
	c.verdicts.file = c.folder.Log(c.now)
	c.log, c.verdicts.Logger = logger(c.folder.Log(c.now)), logger(c.verdicts.file)
	c.store, err = corpus.Open(c.folder.FS(), c.folder.CorpusDir(), t.Shape)
	return resumed, err
}

// ignore hides campaigns from version control, unless there is a .gitignore.
func ignore(dir string) {
	path := filepath.Join(dir, ".gitignore")
	if _, err := atomicfile.OS.Stat(path); errors.Is(err, fs.ErrNotExist) {
		atomicfile.Write(atomicfile.OS, path, []byte("*\n"))
	}
}

func (c *Campaign) config() state.Config {
	o, t := &c.opt, c.facts
	id := state.Identity{Mode: t.Purpose(), Shape: t.Shape.String(), Compare: (o.Layers &^ oracle.CostLayer).Names(), Meaning: o.Meaning()}
	if t.Mode == subject.Fuzz {
		id.Compare = nil
	}
	for _, p := range t.Plan.Programs {
		id.Programs = append(id.Programs, state.Program{
			Name: p.Name, Function: p.Function, Module: p.Module, Version: p.Version, Kind: p.Kind, Toolchain: p.Toolchain,
		})
	}
	cfg := state.Config{
		Target: t.Name, Identity: id, Seeds: []uint64{o.Seed}, Guidance: o.Guidance, Schedule: o.Schedule,
		Mutators: o.Mutators, Parallel: o.Parallel, Dir: o.Dir, SeedPaths: o.Seeds, Dictionary: o.Dictionary,
		Limits: state.Limits{MaxBytes: t.MaxBytes(&o.Options), TimeoutMS: o.Timeout.Milliseconds(), MemoryBytes: o.Memory},
		Go:     t.Plan.GoVersion, Options: o.Stored(),
	}
	if t.Test != nil {
		maps.Copy(cfg.Options, t.Test.Stored())
	}
	if t.Pair != nil {
		maps.Copy(cfg.Options, t.Pair.Stored())
	}
	if t.Tapes() && o.Generator == "" { // reports name the generator that the user did not
		cfg.Options["drawn_by"] = cmp.Or(t.Plan.Draws(), "that of "+cmp.Or(cfg.Options["fuzz"], "the harness"))
	}
	return cfg
}

// load restores the state of earlier invocations.
func (c *Campaign) load() error {
	t := c.facts
	build, what := t.BuildID, "the programs or the corpus have changed since the last run"
	if c.opt.Ordered { // ordered traces differ
		build, what = build+" ordered", what+", or it had no --ordered-traces"
	}
	entries, problems, err := c.store.Load()
	c.addProblems(problems)
	if err != nil {
		return err
	}
	lost := c.store.Lost()
	if lost {
		what = "inputs of the corpus are lost, and can be found again"
		c.folder.DropMeasured()
	}
	changed, problems, err := c.folder.Build(build)
	c.addProblems(problems)
	if err != nil {
		return err
	}
	if err := c.folder.WriteBlocks((&flow.Outline{Build: build, Space: t.Space}).Encode(c.opt.Dir)); err != nil {
		return err
	}
	if changed {
		c.problems = append(c.problems, what+": coverage and diversity are measured again")
	}
	c.known = newKnowledge(len(t.Names), t.Space.Len())
	c.known.changed = changed
	c.account.branches = newBehavior(len(t.Names), t.Space.Len())
	snap, problems, err := c.folder.Load()
	c.addProblems(problems)
	if err != nil {
		return err
	}
	problems, err = c.account.branches.restore(c.folder, snap.Branches, t.Names, c.known.restore)
	c.addProblems(problems)
	if err != nil {
		return err
	}
	if lost { // a seed may be among the lost inputs
		maps.DeleteFunc(snap.Counters, func(key string, _ uint64) bool { return strings.HasPrefix(key, seedLists) })
	}
	if changed { // an input that showed nothing may show a finding of these programs
		maps.DeleteFunc(snap.Counters, func(key string, _ uint64) bool { return strings.HasPrefix(key, state.Refused) })
	}
	if len(snap.Branches) == 0 { // the counts must be on disk before the first trace, also if the disk fills up
		snap.Branches = c.account.branches.save(c.account.branches.current(&fleet{}), t.Names)
		if err := c.folder.Save(snap); err != nil {
			return err
		}
	}
	c.totals.load(snap.Counters, snap.Clock)
	c.steady.Load(t.Names, c.totals.counters)
	c.steady.Flaky.Load(snap.Flaky)
	for p, name := range t.Names {
		c.known.mapOf(p).Merge(snap.Seen[name])
	}
	c.account.reach = newReach(c.opt.Impact, c.known.mapOf)
	for _, e := range entries {
		c.known.addInput(e.Flat, e.Meta.New, -1)
		c.lineage.Keep(e.Hash, e.Meta)
	}
	c.seeds.given = len(c.seeds.left) > 1
	if o := &c.opt; len(o.Seeds) > 0 || o.GoCache {
		from := "--seeds and --go-cache"
		switch {
		case o.Config != nil && o.Mode == subject.Diff && o.Config.Path != "":
			from = "the configuration"
		case o.Config != nil:
			from = "--seeds, and an empty input"
		}
		c.ui.Message(fmt.Sprintf("seeds: %d, with those of %s", len(c.seeds.left), from))
	}
	c.seeds.all = c.seeds.left
	c.seeds.left = c.unseen(c.seeds.left)
	c.spec = c.target.Spec(&c.opt.Options)
	for _, k := range c.known.inputs { // of an earlier run, perhaps with a larger --max-bytes
		c.spec.MaxFlat = max(c.spec.MaxFlat, len(k.flat))
	}
	accepted, err := accept.Load(c.opt.AcceptedFile())
	if err != nil {
		return err
	}
	c.findings, problems, err = findings.Load(c.folder, c.target, accepted.For(c.facts.Name, c.facts.Names))
	c.addProblems(problems)
	if err != nil {
		return err
	}
	c.findings.Describe, c.findings.Sources = c.opt.Describe, c.opt.Sources
	c.findings.Warn = func(text string) { c.verdicts.Warn(text) }
	c.findings.Now = c.now
	c.findings.Revision = c.revision
	c.findings.Origins = c.lineage.Origins
	c.findings.SkipAccepted = c.opt.SkipAccepted || t.Traits.CoverageUnknown(len(t.Names))
	c.triage, problems, err = queue.New(c.folder, c.triager, c.opt.Repeats(), c.findings.Filed)
	c.addProblems(problems)
	if err != nil {
		return err
	}
	c.series.offered = c.triage.Pending()
	c.writer = newWriter(c.store)
	news := &news{now: c.now, at: map[string]time.Time{}}
	c.account = account{
		opt: &c.opt, facts: t, totals: &c.totals, steady: &c.steady, known: &c.known, reach: c.account.reach, store: c.store, findings: c.findings, news: news,
		branches: c.account.branches, fleet: &c.fleet,
	}
	c.stream = event.Stream{
		newFolderWriter(c.folder, c.writer, &c.known, c.account.branches),
		news, &c.phase.quiet, &announcer{ui: c.ui, log: c.verdicts.Logger},
	}
	c.phase.quiet.Limit = c.opt.Budget.Quiet
	for _, subscribe := range c.opt.Subscribers {
		c.stream = append(c.stream, subscribe(t))
	}
	return err
}

func (c *Campaign) triager() *triage.Triager {
	j := triage.New(c.target, c.spec, c.opt.Layers)
	j.Speak(c.opt.Grammar, c.opt.MaxBytes)
	j.Known, j.Plain, j.Steadiness = c.findings, c.seeds.all, c.steady.Snapshot
	for _, place := range c.findings.Placed() {
		j.Computed.Add(place)
	}
	return j
}

// shownProblems bounds the problems of the folder per call of addProblems in the summary.
const shownProblems = 8

// addProblems logs problems of the folder. The summary has the first of them.
func (c *Campaign) addProblems(problems []string) {
	for _, p := range problems {
		c.log.Warn("problem", "text", p)
	}
	if n := len(problems); n > shownProblems {
		rest := fmt.Sprintf("and %d more like this, all listed in %s", n-shownProblems+1, filepath.Join(c.folder.Dir(), "log.txt"))
		problems = append(problems[:shownProblems-1:shownProblems-1], rest)
	}
	c.problems = append(c.problems, problems...)
}

func (c *Campaign) note(format string, args ...any) {
	c.problems = append(c.problems, fmt.Sprintf(format, args...))
}

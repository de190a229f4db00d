package campaign

import (
	"errors"
	"slices"
	"strconv"
	"strings"
	"time"

	"parallax/cmd/internal/base/exit"
	"parallax/cmd/internal/base/tomldoc"
	"parallax/cmd/internal/campaign/triage"
	"parallax/cmd/internal/finding/regress"
	"parallax/cmd/internal/finding/report"
	"parallax/cmd/internal/subject"
	"parallax/internal/feature"
	"parallax/internal/impact"
	"parallax/internal/policy"
	"parallax/internal/schedule"
)

// Options are what a user decides about a campaign.
type Options struct {
	subject.Options
	Budget   Budget
	Parallel int
	NoCmpLog bool

	GrammarOperands bool // operands of comparisons are written into texts of a grammar, too
	Unscheduled     bool // nobody chose the schedule, which depends on what inputs are made of

	// Confirm looks at a finding before it is filed, and says why it is none, and of which kind of those that are none it is counted; "", "": it is
	// one. An error says that it cannot be looked at: its candidate waits for the next run. nil: all are findings.
	Confirm func(*triage.Finding) (kind, why string, err error)

	NoTriage     bool             // candidates stay in the folder for a later run
	SkipAccepted bool             // one input of each accepted difference is enough
	Impact       *impact.Impact   // what is known of a change of one of the programs; nil: of none
	Places       []string         // of its change points, as the user would write them
	Reasons      []regress.Reason // why one of them would not be executed; none where it is not known
	Dropped      []int            // those that the target reaches only by calls whose results it drops
	Tree         string           // the folder below which its files are named without it
	Harnesses    []report.Harness // all that are fuzzed for the change
	Altered      []report.Changed // that hold its change points
	TriageTime   time.Duration    // after fuzzing, until candidates stay there too; 0: Ending says
	TriageAll    bool             // until all are triaged, however long that takes
	Ending       *Ending          // what the targets of an invocation have together for that; nil: there is one target
	Stale        *Stale           // collects what targets with accepted differences in common say of these; nil: each says it itself
	NoFuzz       bool             // candidates of earlier invocations are triaged, and nothing else is done
}

// Budget is what one invocation may use, zero for no limit. What is used up first ends the fuzzing.
type Budget struct {
	Inputs uint64
	Time   time.Duration
	CPU    time.Duration // of the fuzzing workers together
}

// Repeats reports whether the campaign is to leave the same folder whenever it is run, byte for byte but for the time: with one worker and a
// budget that no clock ends. What is written when the clock says so is then written by what has been counted.
func (o *Options) Repeats() bool {
	return o.Parallel == 1 && o.Budget.Inputs > 0 && o.Budget.Time == 0 && o.Budget.CPU == 0 && o.TriageTime == 0
}

// ParseBudget reads --fuzztime: a duration, or a number of inputs with an x behind it.
func ParseBudget(s string) (Budget, error) {
	if n, ok := strings.CutSuffix(s, "x"); ok {
		inputs, err := strconv.ParseUint(n, 10, 63)
		if err != nil || inputs == 0 {
			return Budget{}, exit.Usage("--fuzztime %q: give a number of inputs like 10000x, or a time like 30s", s)
		}
		return Budget{Inputs: inputs}, nil
	}
	d, err := time.ParseDuration(s)
	if err != nil || d < 0 {
		return Budget{}, exit.Usage("--fuzztime %q: give a time like 30s or 2m, or a number of inputs like 10000x", s)
	}
	return Budget{Time: d}, nil
}

// limits of what can be asked for
const (
	maxBytes    = 1 << 20
	maxParallel = 256
	maxPrograms = 48 // programs are bits of a mask in orders to workers
	minMemory   = 64 << 20
)

// DefaultTape is the largest encoded tape where nobody says how long inputs may be: of the tapes that generators of programs draw, a few of a hundred are
// longer than 4 KiB, with up to a third of the choices, and one of ten thousand is longer than 16 KiB.
const DefaultTape = 64 << 10

// Check refuses options that cannot work.
func (o *Options) Check() error {
	guidance, row, err := o.Named()
	if err != nil {
		return err
	}
	o.Guidance, o.Schedule = guidance, row.Name
	if row.Needs&schedule.Impact != 0 && !o.changed() {
		return exit.Usage("--schedule %s goes by a change of a program, and this campaign knows of none%s", row.Name, choose(row.Name, o.Schedules()))
	}
	for _, g := range o.Guidance {
		switch d := feature.Find(g); {
		case d.Changed && !o.changed():
			return exit.Usage("--guidance %s goes by a change of a program, and this campaign knows of none%s", g, choose(g, o.Guidances()))
		case o.Mode == subject.Fuzz && !d.Fits(1):
			return exit.Usage("--guidance %s needs several programs, and there is one%s", g, choose(g, o.Guidances()))
		}
	}
	if err := o.checkWithout(); err != nil {
		return err
	}
	if err := o.checkUncounted(); err != nil {
		return err
	}
	switch {
	case len(o.Packages) == 0 && len(o.Functions) < 2 && o.Config == nil && o.Mode != subject.Model:
		return exit.Usage("a comparison needs two functions or more, for example\n  parallax diff encoding/json.Valid github.com/goccy/go-json.Valid@v0.10.5")
	case len(o.Functions) > maxPrograms:
		return exit.Usage("%d functions are too many: a target has at most %d", len(o.Functions), maxPrograms)
	case o.Mutators != "full" && o.Mutators != "nezha":
		return exit.Usage("--mutators %q: choose full or nezha", o.Mutators)
	case o.MaxBytes < 1 || o.MaxBytes > maxBytes:
		return exit.Usage("--max-bytes %d: choose 1 to %d", o.MaxBytes, maxBytes)
	case o.Parallel < 1 || o.Parallel > maxParallel:
		return exit.Usage("--parallel %d: choose 1 to %d", o.Parallel, maxParallel)
	case o.Budget.CPU < 0:
		return exit.Usage("--cputime %v: choose a time, or 0 for no limit", o.Budget.CPU)
	case o.NoFuzz && o.NoTriage:
		return exit.Usage("--no-fuzz and --no-triage leave nothing to do")
	case o.TriageTime < 0:
		return exit.Usage("--triage-time %v: choose a time, or 0 for no limit", o.TriageTime)
	case o.Timeout < 10*time.Millisecond:
		return exit.Usage("--timeout %v: choose 10ms or more", o.Timeout)
	case o.Memory < minMemory:
		return exit.Usage("--memory %d: choose %d (64 MiB) or more", o.Memory, minMemory)
	case o.Layers == 0:
		return exit.Usage("--compare: name at least one of verdict, value, class")
	}
	return o.CheckFiles()
}

// changed reports whether a change of one of the programs is known, or will be once they are built.
func (o *Options) changed() bool { return o.Impact.Known() || o.Mode == subject.Regress }

// Guidances are the names that --guidance can have in the campaign's mode.
func (o *Options) Guidances() []string {
	programs := maxPrograms
	if o.Mode == subject.Fuzz {
		programs = 1
	}
	blockless := o.Mode != subject.Fuzz && o.Mode != subject.Regress // FuzzXxx and harnesses have blocks
	return feature.Fitting(feature.Names(programs, o.changed()), blockless)
}

// Schedules are the names that --schedule can have in the campaign's mode.
func (o *Options) Schedules() []string { return schedule.Names(o.changed()) }

// Named finds the guidance and the schedule by their names.
func (o *Options) Named() (guidance []string, row *schedule.Row, err error) {
	if guidance, err = feature.Parse(o.Guidance); err != nil {
		var unknown *feature.UnknownError
		if errors.As(err, &unknown) {
			return nil, nil, exit.Usage("--guidance: %w%s", err, choose(unknown.Name, o.Guidances()))
		}
		return nil, nil, exit.Usage("--guidance: %w", err)
	}
	if row, err = schedule.Find(o.Schedule); err != nil {
		return nil, nil, exit.Usage("--schedule: %w%s", err, choose(o.Schedule, o.Schedules()))
	}
	return guidance, row, nil
}

// checkUncounted refuses to count no blocks where they guide.
func (o *Options) checkUncounted() error {
	if !o.Uncounted {
		return nil
	}
	for _, g := range o.Guidance {
		if d := feature.Find(g); d != nil && !d.KeepsOnlySeeds {
			return exit.Usage("--no-instrument counts no blocks, and --guidance %s goes by them: choose --guidance %s or, with gen.Fuzz, %s", g, feature.Random, feature.RLCheck)
		}
	}
	if len(o.Instrument) > 0 {
		return exit.Usage("--no-instrument counts no blocks, and --instrument names packages whose blocks are counted: leave one of the two out")
	}
	return nil
}

// checkWithout refuses parts that nobody knows, or that another search has not.
func (o *Options) checkWithout() error {
	if o.Without == "" {
		return nil
	}
	for _, part := range strings.Split(o.Without, ",") {
		if !slices.Contains(policy.Parts, part) {
			return exit.Usage("--without %q%s", part, choose(part, policy.Parts))
		}
	}
	for _, g := range o.Guidance {
		if d := feature.Find(g); d.Search != nil || d.KeepsOnlySeeds {
			return exit.Usage("--without leaves out parts of the search that goes with guidance coverage, and --guidance %s has none of them: leave one of the two out", g)
		}
	}
	return nil
}

// drawn reports whether a generator or a grammar makes the inputs.
func (o *Options) drawn(t *subject.Facts) bool { return t.Tapes() || o.Grammar != "" }

// schedule chooses the schedule where nobody did: what a generator makes is spread evenly over behaviors by uniform (bench/behaviour/README.md, "Ablation").
func (o *Options) schedule(t *subject.Facts) {
	if o.Unscheduled && o.drawn(t) {
		o.Schedule = "uniform"
	}
}

// checkSearch refuses a guidance that is of generators and grammars where there is none.
func (o *Options) checkSearch(t *subject.Facts) error {
	search, drawn := feature.SearchOf(o.Guidance), o.drawn(t)
	asked := t.Guided()
	if o.GrammarOperands && o.Grammar == "" {
		return exit.Usage("--grammar-operands goes with a grammar, and %s has none: give --grammar (parallax help grammars), or leave the flag out", t.Name)
	}
	if o.Without != "" && !drawn {
		return exit.Usage("--without leaves out parts of the search of what a generator or grammar makes, and %s has none: leave the flag out", t.Name)
	}
	if search == nil || drawn && (asked || !search.Search.Guides) {
		return nil
	}
	var others []string
	for _, name := range o.Guidances() {
		if d := feature.Find(name); d.Search == nil || drawn && !d.Search.Guides {
			others = append(others, name)
		}
	}
	if drawn {
		where := "is drawn in a process of its own"
		if o.Grammar != "" {
			where = "is made of a grammar"
		}
		return exit.Usage("--guidance %s makes each choice of a generator while it draws, so that it has to be in the generator's process: that is so with gen.Fuzz, and with functions that share a process. An input of %s %s: choose from %s", search.Name, t.Name, where, strings.Join(others, ", "))
	}
	end := "give --generator (parallax help generators) or --grammar (parallax help grammars)"
	if t.Purpose() == subject.Regress {
		end = "end its FuzzXxx with gen.Fuzz (parallax help generators), give --grammar (parallax help grammars)"
	}
	return exit.Usage("--guidance %s goes by the choices of a generator, and %s has none: %s, or choose from %s", search.Name, t.Name, end, strings.Join(others, ", "))
}

// choose names what can be chosen in place of a word, and what was meant by it.
func choose(word string, names []string) string {
	return ": choose from " + strings.Join(names, ", ") + tomldoc.DidYouMean(word, names)
}

// ParseMemory reads --memory: bytes, or a number with KiB, MiB or GiB (also K, M, G).
func ParseMemory(s string) (int64, error) {
	t := strings.TrimSuffix(strings.TrimSuffix(strings.ToUpper(strings.TrimSpace(s)), "B"), "I")
	shift := 0
	if n := len(t); n > 0 {
		switch t[n-1] {
		case 'K':
			shift = 10
		case 'M':
			shift = 20
		case 'G':
			shift = 30
		}
		if shift > 0 {
			t = t[:n-1]
		}
	}
	v, err := strconv.ParseInt(strings.TrimSpace(t), 10, 63)
	if err != nil || v < 0 || v > 1<<62>>shift {
		return 0, exit.Usage("--memory %q: give a size like 2GiB or 512MiB", s)
	}
	return v << shift, nil
}

// checkReference refuses a reference that is none of the programs.
func (o *Options) checkReference(names []string) error {
	if o.Reference == "" || slices.Contains(names, o.Reference) {
		return nil
	}
	return exit.Usage("--reference %q: the programs are %s", o.Reference, strings.Join(names, ", "))
}

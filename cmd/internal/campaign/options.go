package campaign

import (
	"errors"
	"slices"
	"strconv"
	"strings"
	"time"

	"parallax/cmd/internal/base/exit"
	"parallax/cmd/internal/base/tomldoc"
	"parallax/cmd/internal/campaign/intake"
	"parallax/cmd/internal/campaign/quiet"
	"parallax/cmd/internal/campaign/review"
	"parallax/cmd/internal/campaign/triage"
	"parallax/cmd/internal/finding"
	"parallax/cmd/internal/finding/event"
	"parallax/cmd/internal/finding/regress"
	"parallax/cmd/internal/subject"
	"parallax/internal/feature"
	"parallax/internal/impact"
	"parallax/internal/schedule"
)

// Options holds the user's decisions about a campaign.
type Options struct {
	subject.Options
	Budget   Budget
	Parallel int
	NoCmpLog bool

	GrammarOperands bool // operands of comparisons are also written into texts of a grammar
	Unscheduled     bool // the user chose no schedule; the source of inputs decides

	// Confirm checks a finding before it is filed. It returns the kind and the reason of a refused
	// one. After an error, the candidate waits for the next run. Nil confirms all.
	Confirm func(*triage.Result) (kind, why string, err error)
	// Describe writes the report of a finding. Nil leaves reports out.
	Describe func(*finding.Finding, finding.Page) []byte
	// Sources records the source lines of a finding. Nil leaves them out.
	Sources func(*finding.Finding, finding.Page)
	// Revision returns the revision of the tested code, for the logs of findings. Nil means unknown.
	Revision func() string

	NoTriage     bool                                    // candidates stay in the folder for a later run
	SkipAccepted bool                                    // one input of each accepted difference is enough
	Impact       *impact.Impact                          // the impact of a change of one program; may be nil
	Places       []string                                // of its change points, as the user would write them
	Reasons      []regress.Reason                        // why change points are not executed, as far as it is known
	Dropped      []int                                   // change points that the target reaches only by calls whose results it drops
	Tree         string                                  // the folder to which the paths of its files are relative
	Harnesses    []finding.Harness                       // all harnesses that are fuzzed for the change
	Altered      []finding.Changed                       // the functions with change points
	TriageTime   time.Duration                           // limit of triage after the fuzzing; 0 means the limit of Ending
	TriageAll    bool                                    // triage all candidates, without a limit
	Ending       *Ending                                 // the time that the targets of an invocation share; nil means one target
	Stale        *review.Stale                           // collects the notes of several targets on shared accepted differences; nil means one target
	Join         intake.Join                             // joins others of its identity; nil means that it is alone
	NoFuzz       bool                                    // only triage the candidates of earlier invocations
	Subscribers  []func(*subject.Facts) event.Subscriber // get the events after the folder
}

// Budget limits one invocation. Zero values mean no limit. The first used limit ends the fuzzing.
type Budget struct {
	Inputs uint64
	Time   time.Duration
	CPU    time.Duration // of the fuzzing workers together
	Quiet  quiet.Limit   // without anything new
}

// Repeats reports whether every run of the campaign leaves the same folder, except for times. That
// needs one worker that is alone. Its budget and records must depend on counts, not on a clock.
func (o *Options) Repeats() bool {
	return o.Join == nil && o.Parallel == 1 && o.Budget.Inputs > 0 && o.Budget.Time == 0 && o.Budget.CPU == 0 && o.Budget.Quiet == (quiet.Limit{}) && o.TriageTime == 0
}

// ParseBudget parses --fuzztime: a duration, or a number of inputs followed by x.
func ParseBudget(s string) (b Budget, err error) {
	b.Inputs, b.Time, err = parseLimit("fuzztime", s)
	return b, err
}

// ParseQuiet parses --until-quiet, in the form of --fuzztime.
func ParseQuiet(s string) (l quiet.Limit, err error) {
	l.Inputs, l.Time, err = parseLimit("until-quiet", s)
	return l, err
}

// parseLimit parses the value of a flag: a duration, or a number of inputs followed by x.
func parseLimit(flag, s string) (inputs uint64, d time.Duration, err error) {
	if n, ok := strings.CutSuffix(s, "x"); ok {
		if inputs, err = strconv.ParseUint(n, 10, 63); err == nil && inputs > 0 {
			return inputs, 0, nil
		}
	} else if d, err = time.ParseDuration(s); err == nil && d >= 0 {
		return 0, d, nil
	}
	return 0, 0, exit.Usage("--%s %q: give a time like 30s or 2m, or a number of inputs like 10000x", flag, s)
}

// Limits of options.
const (
	maxBytes    = 1 << 20
	maxParallel = 256
	maxPrograms = 48 // programs are bits of a mask in orders to workers
	minMemory   = 64 << 20
)

// DefaultTape is the largest encoded tape by default. A few tapes in a hundred are longer than 4
// KiB, and one in ten thousand is longer than 16 KiB.
const DefaultTape = 64 << 10

// Check rejects options that cannot work.
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
	if err := o.checkNoInstrument(); err != nil {
		return err
	}
	switch {
	case len(o.Packages) == 0 && len(o.Functions) < 2 && o.Config == nil && o.Mode != subject.Model:
		return exit.Usage("a comparison needs two functions or more, for example\n  parallax diff encoding/json.Valid github.com/goccy/go-json.Valid@v0.10.5")
	case len(o.Functions) > maxPrograms:
		return exit.Usage("%d functions are too many: a target has at most %d", len(o.Functions), maxPrograms)
	case !slices.Contains([]string{"full", "nezha", "der"}, o.Mutators):
		return exit.Usage("--mutators %q: choose full, nezha or der", o.Mutators)
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

// changed reports whether a change of one program is known, or will be after the build.
func (o *Options) changed() bool { return o.Impact.Known() || o.Mode == subject.Regress }

// Guidances returns the valid names for --guidance in the campaign's mode.
func (o *Options) Guidances() []string {
	programs := maxPrograms
	if o.Mode == subject.Fuzz {
		programs = 1
	}
	blockless := o.Mode != subject.Fuzz && o.Mode != subject.Regress // FuzzXxx and harnesses have blocks
	return feature.Fitting(feature.Names(programs, o.changed()), blockless)
}

// Schedules returns the valid names for --schedule in the campaign's mode.
func (o *Options) Schedules() []string { return schedule.Names(o.changed()) }

// Named returns the guidance and the schedule with the names of the options.
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

// checkNoInstrument rejects uncounted blocks if they guide.
func (o *Options) checkNoInstrument() error {
	if !o.NoInstrument {
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

// drawn reports whether a generator or a grammar makes the inputs.
func (o *Options) drawn(t *subject.Facts) bool { return t.Tapes() || o.Grammar != "" }

// schedule chooses the schedule if the user did not. For generators, uniform spreads the inputs
// evenly over behaviors (`bench/behaviour/README.md`, "Ablation").
func (o *Options) schedule(t *subject.Facts) {
	if o.Unscheduled && o.drawn(t) {
		o.Schedule = "uniform"
	}
}

// checkSearch rejects a guidance for generators and grammars if the target has none.
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

// choose lists the valid names, and suggests one for a mistyped word.
func choose(word string, names []string) string {
	return ": choose from " + strings.Join(names, ", ") + tomldoc.DidYouMean(word, names)
}

// ParseMemory parses --memory: bytes, or a number with KiB, MiB or GiB (also K, M, G).
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

// checkReference rejects a reference that is not among the programs.
func (o *Options) checkReference(names []string) error {
	if o.Reference == "" || slices.Contains(names, o.Reference) {
		return nil
	}
	return exit.Usage("--reference %q: the programs are %s", o.Reference, strings.Join(names, ", "))
}

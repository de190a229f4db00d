package campaign

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"sort"
	"strings"
	"time"

	"parallax/cmd/internal/base/corpus"
	"parallax/cmd/internal/base/units"
	"parallax/cmd/internal/campaign/findings"
	"parallax/cmd/internal/campaign/pace"
	"parallax/cmd/internal/campaign/steadiness"
	"parallax/cmd/internal/finding"
	"parallax/cmd/internal/finding/event"
	"parallax/cmd/internal/finding/sample"
	"parallax/cmd/internal/finding/state"
	"parallax/cmd/internal/subject"
	"parallax/internal/feature"
	"parallax/internal/tape"
)

// account reports the progress of a campaign to the user and to the folder. It only reads.
type account struct {
	opt      *Options
	facts    *subject.Facts
	totals   *totals
	steady   *steadiness.Counts
	pace     pace.Pace // of triage after the fuzzing
	known    *knowledge
	reach    reach
	store    *corpus.Store
	findings *findings.Buckets
	news     *news
	branches *behavior
	fleet    *fleet
	shown    shown

	walked []finding.Reached // by change point; see Campaign.walk

	rate       rate
	lines      int // lines of stats.jsonl that the budget has called for
	lineBlocks int // blocks with a change that stats.jsonl has as reached
}

// moment is the state of the loop that an account reports.
type moment struct {
	now     time.Time
	fuzzing time.Duration // in this invocation
	workers int
	up      int       // running processes
	pending int       // candidates that wait for triage
	left    int       // candidates that stay on disk
	stopped string    // the reason for the end of fuzzing
	until   time.Time // the end of triage; zero means no limit
	builds  string    // the step that triage waits for; empty means none
	notes   []string
}

// status returns the status of the running campaign.
func (a *account) status(m moment) sample.Status {
	t := a.totals
	s := sample.Status{
		Target: a.facts.Name, Mode: a.facts.Purpose(), Guidance: a.opt.Guidance, Elapsed: m.fuzzing, BudgetInputs: a.opt.Budget.Inputs,
		Inputs: t.inputs, Executions: t.executions, Rate: a.rate.update(m.now, t.executions),
		CorpusSize: a.store.Len(), CorpusBytes: a.store.Size(),
		Diversity: sample.Measured(len(a.facts.Names), a.opt.Guidance, a.known.features),
		SinceNew:  a.news.since(m.now), Buckets: a.findings.Kinds(),
		Discrepant: t.discrepant, Flaky: t.flaky, Restarts: t.restarts,
		Workers: m.workers, WorkersUp: m.up, Pending: m.pending, Phase: "fuzzing",
		Behavior: a.shown.latest(m.now, a.behavior),
	}
	if a.opt.Budget.Time > 0 {
		s.Left = max(0, a.opt.Budget.Time-m.fuzzing)
	}
	if a.opt.Budget.CPU > 0 {
		left := max(0, a.opt.Budget.CPU-t.cpu) / time.Duration(max(1, m.workers))
		if s.Left == 0 || left < s.Left {
			s.Left = left
		}
	}
	if d := m.fuzzing.Seconds(); d > 0 {
		s.RateTotal = float64(t.executions-t.startExecutions) / d
	}
	switch {
	case m.stopped != "" && m.up > 0:
		s.Phase = "stopping"
	case m.stopped != "":
		s.Phase, s.Awaits = sample.Triage, m.builds
		s.TriageLeft = a.pace.Left(m.now, m.pending)
		s.Judged = a.pace.Judged
		if !m.until.IsZero() && m.pending > 0 {
			s.TriageEnds = max(0, m.until.Sub(m.now))
		}
	}
	for p, name := range a.facts.Names {
		blocks, covered := a.facts.Space.CoveredOwn(p, a.known.mapOf(p))
		s.Programs = append(s.Programs, sample.ProgramStatus{Name: name, Blocks: blocks, Covered: covered})
	}
	for _, o := range a.yields() {
		s.Operators = append(s.Operators, sample.OperatorYield(o))
	}
	return s
}

// yields returns the mutation operators with their numbers of tried and kept inputs.
func (a *account) yields() []finding.Operator {
	var out []finding.Operator
	for name, tried := range a.totals.tried {
		if _, arm := cutPrefix(name, armPrefix); tried > 0 && !arm {
			out = append(out, finding.Operator{Name: name, Kept: a.totals.kept[name], Tried: tried})
		}
	}
	sort.Slice(out, func(i, j int) bool { return out[i].Name < out[j].Name })
	return out
}

// arms returns the arms of an adaptive campaign with their shares of the inputs that an arm made.
func (a *account) arms() (out []finding.Arm) {
	all := uint64(0)
	for name, tried := range a.totals.tried {
		if name, arm := cutPrefix(name, armPrefix); arm && tried > 0 {
			out = append(out, finding.Arm{Name: name, Inputs: tried, Kept: a.totals.kept[armPrefix+name]})
			all += tried
		}
	}
	for i := range out {
		out[i].Share = float64(out[i].Inputs) / float64(all)
	}
	sort.Slice(out, func(i, j int) bool { return out[i].Name < out[j].Name })
	return out
}

// sampled returns the event that updates the folder, without samples and summary. The writer
// encodes it while the campaign goes on, so the event shares no state with the loop.
func (a *account) sampled(fuzzing time.Duration) event.Sampled {
	e := event.Sampled{
		Snapshot: state.Snapshot{Seen: map[string][]byte{}, Counters: maps.Clone(a.totals.save()), Clock: a.totals.clock(fuzzing)},
	}
	a.steady.Save(e.Snapshot.Counters)
	for p, name := range a.facts.Names {
		e.Snapshot.Seen[name] = slices.Clone(a.known.mapOf(p))
	}
	e.Snapshot.Flaky = a.steady.Flaky.Save()
	e.Snapshot.Branches = a.branches.save(a.branches.current(a.fleet), a.facts.Names)
	return e
}

// line returns a line of stats.jsonl.
func (a *account) line(fuzzing time.Duration) sample.Sample {
	t := a.totals
	line := sample.Sample{
		Elapsed: (t.before + fuzzing).Seconds(), CPU: (t.cpuBefore + t.cpu).Round(time.Millisecond).Seconds(),
		Inputs: t.inputs, Executions: t.executions, Corpus: len(a.known.inputs),
		Diversity: sample.Columns(a.opt.Guidance, a.known.features), Unique: a.discrepancies(),
		Discrepant: t.discrepant, Buckets: a.findings.Count(), Restarts: t.restarts,
	}
	for p := range a.facts.Names {
		_, covered := a.facts.Space.Covered(p, a.known.mapOf(p))
		line.Covered = append(line.Covered, covered)
	}
	line.Change, line.Behavior = a.changeLine(), a.behavior()
	line.InputBytes, line.Entered = t.bytes, t.blocks
	return line
}

// coveredBlocks returns the number of covered blocks of all programs, as of the last moment.
func (a *account) coveredBlocks() (n int) {
	for p := range a.facts.Names {
		_, covered := a.facts.Space.Covered(p, a.known.mapOf(p))
		n += covered
	}
	return n
}

func (a *account) discrepancies() int {
	return a.known.features(feature.Find(feature.Discrepancy).Number)
}

// due reports whether the used part of the budget calls for another line of stats.jsonl.
func (a *account) due(fuzzing time.Duration) bool {
	lines := linesOf(a.opt.Budget, a.totals.inputs-a.totals.startInputs, fuzzing, a.totals.cpu)
	if lines <= a.lines {
		return false
	}
	a.lines = lines
	return true
}

// linesBudget is the least number of lines of stats.jsonl per budget. Runs are compared at equal
// inputs and at equal CPU time.
const linesBudget = 64

// linesOf returns the number of lines that the used part of a budget calls for.
func linesOf(b Budget, inputs uint64, elapsed, cpu time.Duration) int {
	used := 0.0
	for _, part := range [][2]float64{
		{float64(inputs), float64(b.Inputs)}, {float64(elapsed), float64(b.Time)}, {float64(cpu), float64(b.CPU)},
	} {
		if part[1] > 0 {
			used = max(used, part[0]/part[1])
		}
	}
	return int(min(used, 1) * linesBudget)
}

// summary returns the summary of the campaign over its folder's whole life.
func (a *account) summary(m moment) *finding.Summary {
	t, behavior := a.totals, a.behaviors()
	s := &finding.Summary{
		Version: finding.Version, Mode: a.facts.Purpose(), Target: a.facts.Name, Programs: a.facts.Names,
		Guidance: a.opt.Guidance, Seed: a.opt.Seed, ElapsedSeconds: (t.before + m.fuzzing).Seconds(),
		Inputs: t.inputs, Executions: t.executions,
		Corpus:              finding.Corpus{Size: a.store.Len(), Bytes: a.store.Size()},
		Findings:            finding.Findings{Total: a.findings.Total(), Buckets: a.findings.Rows(), Unjudged: m.left},
		Diversity:           sample.Measured(len(a.facts.Names), a.opt.Guidance, a.known.features),
		UniqueDiscrepancies: uint64(a.discrepancies()),
		CmpLogRuns:          t.compared, TriageRuns: t.triaged,
		DiscrepantInputs: t.discrepant, Flaky: t.flaky, Wavering: a.steady.Rows(), Restarts: t.restarts,
		FlakyCandidates: slices.Clone(a.steady.Flaky.Rows),
		Workers:         m.workers, Stopped: m.stopped, Notes: finding.Once(slices.Concat(a.facts.Plan.Notes, m.notes, a.repairs(), a.undrawn(), a.unsteady(), a.silent(), a.shallow(), a.findings.Refused(), a.invalid(behavior))),
		Operators: a.yields(), Arms: a.arms(), Change: a.change(), Behavior: behavior,
	}
	if a.facts.Scope != nil {
		s.Scope = &finding.Scope{}
		s.Scope.Add(a.facts.Scope)
		for kind, n := range t.refused {
			s.Scope.Outside[kind] += int(n)
		}
	}
	if s.ElapsedSeconds > 0 {
		s.ExecutionsPerSecond = float64(s.Executions) / s.ElapsedSeconds
	}
	for p, name := range a.facts.Names {
		blocks, covered := a.facts.Space.Covered(p, a.known.mapOf(p))
		placeless := p < len(a.facts.Traits.NoCoverage) && a.facts.Traits.NoCoverage[p]
		c := finding.Coverage{Program: name, Blocks: blocks, Covered: covered, Features: placeless && blocks > 0}
		if own, executed := a.facts.Space.CoveredOwn(p, a.known.mapOf(p)); own < blocks {
			c.OwnBlocks, c.OwnCovered = own, executed
		}
		s.Coverage = append(s.Coverage, c)
	}
	for _, b := range s.Findings.Buckets {
		if b.Accepted {
			s.Accepted++
		}
	}
	return s
}

// repairs returns a note on mutants that the repair function could not change.
func (a *account) repairs() []string {
	if a.totals.unrepaired == 0 {
		return nil
	}
	return []string{fmt.Sprintf("the repair function could not change %d of %d mutants, which were executed as they were", a.totals.unrepaired, a.totals.repaired)}
}

// A property seems to draw nothing if enoughInputs inputs were executed and at most fewKept kept.
const (
	enoughInputs = 100
	fewKept      = 4
)

// undrawn returns a note on a property that draws nothing. gen.Check and go test print their own.
func (a *account) undrawn() []string {
	if !a.facts.Tapes() || a.totals.inputs < enoughInputs || a.store.Len() > fewKept {
		return nil
	}
	entries, _, err := a.store.Load()
	if err != nil || !drawNothing(entries) {
		return nil
	}
	return []string{fmt.Sprintf("%s draws nothing: all inputs are the same. Draw from the *gen.T what it needs", a.facts.Name)}
}

// invalid returns a note on a generator whose inputs are mostly invalid.
func (a *account) invalid(b *finding.Behavior) []string {
	if !a.facts.Tapes() {
		return nil
	}
	return invalid(b)
}

// mostlyInvalid is the number of invalid inputs per valid one from which they are reported.
const mostlyInvalid = 20

// invalid returns a note on inputs that are mostly invalid: such a campaign tests nothing.
func invalid(b *finding.Behavior) []string {
	const advice = "Make the generator draw what is wanted, in place of what is then skipped or refused"
	switch {
	case b == nil || b.Valid+b.Invalid < enoughInputs:
	case b.Valid == 0:
		return []string{fmt.Sprintf("none of %d inputs was valid: a filter, Assume, Skip or the programs refuse each. %s", b.Invalid, advice)}
	case b.Invalid > mostlyInvalid*b.Valid:
		return []string{fmt.Sprintf("of %d inputs %d were valid, and a filter, Assume, Skip or the programs refuse the others. %s", b.Valid+b.Invalid, b.Valid, advice)}
	}
	return nil
}

// A campaign is shallow if after so many inputs a program has executed fewer than one block in so
// many.
const (
	shallowInputs = 100_000
	shallowShare  = 200
)

// shallow returns notes on hardly tested programs. They reject all inputs at once, or their code is
// in assembly.
func (a *account) shallow() (notes []string) {
	if a.totals.inputs < shallowInputs {
		return nil
	}
	for p, name := range a.facts.Names {
		blocks, covered := a.facts.Space.CoveredOwn(p, a.known.mapOf(p))
		if covered > 0 && covered*shallowShare < blocks {
			notes = append(notes, fmt.Sprintf("%s executed %d of %s blocks only. If it should execute more, give inputs that it accepts (--seeds), or words of its format (--dict). If its code is in assembly, which has no blocks, a build tag may switch that off (such as --tags noasm or purego)",
				name, covered, units.Thousands(uint64(blocks))))
		}
	}
	return notes
}

// drawNothing reports whether all inputs are tapes without choices.
func drawNothing(entries []corpus.Entry) bool {
	var t tape.Tape
	for i := range entries {
		if t.Decode(entries[i].Flat) != nil || len(t.Choices) > 0 {
			return false
		}
	}
	return len(entries) > 0
}

// flakyMeans explains candidates that did not show again, if nothing more is known.
const flakyMeans = "they depend on chance, on time, or on what earlier inputs left in the process"

// unsteady returns notes on wavering programs and generators, and on flaky candidates.
func (a *account) unsteady() (notes []string) {
	if n, of := a.steady.Tapes(); n > 0 {
		notes = append(notes, fmt.Sprintf("the generator of %s is not deterministic: of the same choices it drew something else for %d of %d inputs that were executed a second time. Maps without an order, time and other sources of chance do that; parallax gen check says at which draw",
			a.facts.Name, n, of))
	}
	if share := a.steady.RealignedShare(); share > 0 {
		notes = append(notes, fmt.Sprintf("the generator of %s draws otherwise than when the corpus was made: of %s of the tapes in it something else is drawn now. It has changed, or is not deterministic. The tapes are kept and fuzzed as they are drawn now; findings hold for what was drawn then",
			a.facts.Name, units.Percent(share)))
	}
	var again []string // programs that did something else the second time
	for _, w := range a.steady.Rows() {
		switch {
		case w.Inputs > 0:
			notes = append(notes, fmt.Sprintf("%s does not always do the same: it did otherwise on %d of %d inputs that were executed a second time", w.Program, w.Inputs, w.Of))
		case a.facts.Unsteady == "":
			inputs := units.Count(int(w.Candidates), "input that looked like a finding", "inputs that looked like findings")
			again = append(again, fmt.Sprintf("%s did not do the same again on %s", w.Program, inputs))
		}
	}
	if a.totals.flaky == 0 {
		return append(notes, again...)
	}
	again = append([]string{fmt.Sprintf("candidates that could not be reproduced alone (flaky): %d", a.totals.flaky)}, again...)
	return append(notes, fmt.Sprintf("%s. Often, %s. They are no findings: parallax show --flaky lists them",
		strings.Join(again, "; "), cmp.Or(a.facts.Unsteady, flakyMeans)))
}

package campaign

import (
	"fmt"
	"slices"
	"sort"
	"time"

	"parallax/cmd/internal/event"
	"parallax/cmd/internal/report"
	"parallax/cmd/internal/sample"
	"parallax/cmd/internal/state"
	"parallax/cmd/internal/ui"
	"parallax/internal/feature"
	"parallax/internal/input"
	"parallax/internal/oracle"
)

// judged acts on a verdict.
func (c *Campaign) judged(v verdict) error {
	switch {
	case v.err != nil:
		c.log.Error("judging failed", "candidate", v.name, "error", v.err.Error())
		if c.alive() > 0 {
			c.triage.postpone(v.entry) // a test may want a port, say, that the fuzzing process has
			return nil
		}
		// The candidate stays on disk and is judged again by the next run.
		c.unjudged = v.err
		c.triage.leave()
		return nil
	case v.finding == nil:
		c.totals.flaky++
		c.log.Info("flaky", "candidate", v.name)
	default:
		c.totals.judged += uint64(v.finding.Runs * len(c.facts.Names))
		if err := c.stream.Publish(&event.Found{Finding: v.finding, Candidate: v.cand}); err != nil {
			c.triage.leave()
			return err
		}
	}
	return c.triage.taken(v.name)
}

// status is what the user sees while the campaign runs.
func (c *Campaign) status() ui.Status {
	now := c.now()
	fuzzing := c.totals.fuzzing(now.Sub(c.begun))
	s := ui.Status{
		Target: c.facts.Name, Guidance: c.opt.Guidance, Elapsed: fuzzing, BudgetInputs: c.opt.Budget.Inputs,
		Inputs: c.totals.inputs, Executions: c.totals.executions, Rate: c.rate.update(now, c.totals.executions),
		CorpusSize: c.store.Len(), CorpusBytes: c.store.Size(),
		Diversity: sample.Measured(len(c.facts.Names), c.opt.Guidance, c.features),
		SinceNew:  c.news.since(now), Buckets: c.findings.Kinds(),
		Discrepant: c.totals.discrepant, Flaky: c.totals.flaky, Restarts: c.totals.restarts,
		Workers: len(c.instances), Pending: c.triage.pending(), Phase: "fuzzing",
	}
	if c.opt.Budget.Time > 0 {
		s.Left = max(0, c.opt.Budget.Time-fuzzing)
	}
	if c.opt.Budget.CPU > 0 {
		left := max(0, c.opt.Budget.CPU-c.totals.cpu) / time.Duration(max(1, len(c.instances)))
		if s.Left == 0 || left < s.Left {
			s.Left = left
		}
	}
	if d := fuzzing.Seconds(); d > 0 {
		s.RateTotal = float64(c.totals.executions-c.totals.startExecutions) / d
	}
	for _, m := range c.instances {
		if m.worker != nil {
			s.WorkersUp++
			c.mergeMaps(m)
		}
	}
	switch {
	case c.stopped != "" && s.WorkersUp > 0:
		s.Phase = "stopping"
	case c.stopped != "":
		s.Phase = "minimising"
	}
	for p, name := range c.facts.Names {
		blocks, covered := c.facts.Space.Covered(p, c.mapOf(p))
		s.Programs = append(s.Programs, ui.ProgramStatus{Name: name, Blocks: blocks, Covered: covered})
	}
	for _, o := range c.yields() {
		s.Operators = append(s.Operators, ui.OperatorYield(o))
	}
	return s
}

func (c *Campaign) yields() []report.Operator {
	var out []report.Operator
	for name, tried := range c.totals.tried {
		if tried > 0 {
			out = append(out, report.Operator{Name: name, Kept: c.totals.kept[name], Tried: tried})
		}
	}
	sort.Slice(out, func(i, j int) bool { return out[i].Name < out[j].Name })
	return out
}

// save brings the folder up to date: everything shown is on disk.
func (c *Campaign) save() error { return c.record(c.fuzzing(), c.summary) }

// fuzzing is the fuzzing time of this invocation.
func (c *Campaign) fuzzing() time.Duration {
	if c.begun.IsZero() {
		return 0
	}
	return c.totals.fuzzing(c.now().Sub(c.begun))
}

// record has recorded how far the campaign is. summary is nil when it is not due.
func (c *Campaign) record(fuzzing time.Duration, summary func() *report.Summary) error {
	for _, m := range c.instances {
		if m.worker != nil {
			c.mergeMaps(m)
		}
	}
	e := event.Sampled{
		Snapshot: state.Snapshot{BuildID: c.facts.BuildID, Seen: map[string][]byte{}, Counters: c.totals.save(fuzzing)},
		Sample:   c.line(fuzzing),
	}
	for p, name := range c.facts.Names {
		e.Snapshot.Seen[name] = c.mapOf(p)
	}
	if summary != nil {
		e.Summary = summary()
	}
	return c.stream.Publish(e)
}

// line is how far the campaign is.
func (c *Campaign) line(fuzzing time.Duration) sample.Sample {
	line := sample.Sample{
		Elapsed: (c.totals.before + fuzzing).Seconds(), CPU: (c.totals.cpuBefore + c.totals.cpu).Round(time.Millisecond).Seconds(),
		Inputs: c.totals.inputs, Executions: c.totals.executions, Corpus: c.store.Len(),
		Diversity: sample.Columns(c.opt.Guidance, c.features), Unique: c.discrepancies(),
		Discrepant: c.totals.discrepant, Buckets: c.findings.Count(), Restarts: c.totals.restarts,
	}
	for p := range c.facts.Names {
		_, covered := c.facts.Space.Covered(p, c.mapOf(p))
		line.Covered = append(line.Covered, covered)
	}
	return line
}

// features is how many features of a domain, given by its number, the campaign has seen.
func (c *Campaign) features(number int) int { return c.tuples[number].Len() }

func (c *Campaign) discrepancies() int { return c.features(feature.Find(feature.Discrepancy).Number) }

// progress writes a line of stats.jsonl whenever another part of the budget is used.
func (c *Campaign) progress(now time.Time) error {
	fuzzing := c.totals.fuzzing(now.Sub(c.begun))
	lines := linesOf(c.opt.Budget, c.totals.inputs-c.totals.startInputs, fuzzing, c.totals.cpu)
	if lines <= c.lines {
		return nil
	}
	c.lines = lines
	return c.record(fuzzing, nil)
}

// linesOf is how many lines of stats.jsonl the used part of a budget deserves.
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

// summary is the campaign over its folder's whole life.
func (c *Campaign) summary() *report.Summary {
	fuzzing := c.fuzzing()
	s := &report.Summary{
		Version: report.Version, Mode: c.facts.Mode, Target: c.facts.Name, Programs: c.facts.Names,
		Guidance: c.opt.Guidance, Seed: c.opt.Seed, ElapsedSeconds: (c.totals.before + fuzzing).Seconds(),
		Inputs: c.totals.inputs, Executions: c.totals.executions,
		Corpus:              report.Corpus{Size: c.store.Len(), Bytes: c.store.Size()},
		Findings:            report.Findings{Total: c.findings.Total(), Buckets: c.findings.Rows(), Unjudged: c.left},
		Diversity:           sample.Measured(len(c.facts.Names), c.opt.Guidance, c.features),
		UniqueDiscrepancies: uint64(c.discrepancies()),
		CmpLogRuns:          c.totals.compared, JudgingRuns: c.totals.judged,
		DiscrepantInputs: c.totals.discrepant, Flaky: c.totals.flaky, Restarts: c.totals.restarts,
		Workers: len(c.instances), Stopped: c.ending(), Notes: slices.Concat(c.facts.Plan.Notes, c.problems, c.repairNotes(), c.unsteady()),
		Operators: c.yields(),
	}
	if s.ElapsedSeconds > 0 {
		s.ExecutionsPerSecond = float64(s.Executions) / s.ElapsedSeconds
	}
	for p, name := range c.facts.Names {
		blocks, covered := c.facts.Space.Covered(p, c.mapOf(p))
		placeless := p < len(c.facts.Traits.NoCoverage) && c.facts.Traits.NoCoverage[p]
		s.Coverage = append(s.Coverage, report.Coverage{Program: name, Blocks: blocks, Covered: covered, Features: placeless && blocks > 0})
	}
	for _, b := range s.Findings.Buckets {
		if b.Accepted {
			s.Accepted++
		}
	}
	return s
}

// unsteady says what candidates that did not show again mostly mean.
func (c *Campaign) unsteady() []string {
	if c.totals.flaky == 0 || c.facts.Unsteady == "" {
		return nil
	}
	return []string{fmt.Sprintf("%d candidates could not be reproduced alone (flaky): %s", c.totals.flaky, c.facts.Unsteady)}
}

func hashOf(shape input.Shape, flat []byte) string { return input.Hash(shape.Encode(flat)) }

func layerNames(l oracle.Layers) []string {
	var out []string
	for _, one := range []oracle.Layers{oracle.VerdictLayer, oracle.ValueLayer, oracle.ClassLayer} {
		if l&one != 0 {
			out = append(out, one.String())
		}
	}
	return out
}

// ending is why the campaign stopped. A failure may be noticed only after the budget is used: what was found last is written
// beside the loop.
func (c *Campaign) ending() string {
	if c.failure != nil {
		return "error"
	}
	return c.stopped
}

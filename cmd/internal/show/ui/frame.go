package ui

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/charmbracelet/x/ansi"

	"parallax/cmd/internal/base/columns"
	"parallax/cmd/internal/base/escape"
	"parallax/cmd/internal/base/units"
	"parallax/cmd/internal/finding/sample"
	"parallax/cmd/internal/show/text"
)

const (
	maxRates    = 60  // samples of the sparkline, one per second
	maxMessages = 200 // the most that a screen can hold
)

// state is the content of the screen. Its frame is a pure function of the state and the time.
type state struct {
	width, height int
	status        sample.Status
	running       bool // a status has arrived
	step          string
	began         time.Time
	steps         []doneStep
	messages      []string // escaped
	rates         []float64
	ticks         int
	interrupts    int
}

type doneStep struct {
	text string
	took time.Duration
}

// begin ends the current step, and starts another one unless text is empty.
func (s *state) begin(text string, now time.Time) {
	if text == s.step {
		return
	}
	if s.step != "" {
		s.steps = append(s.steps, doneStep{s.step, now.Sub(s.began)})
	}
	s.step, s.began = text, now
}

// frame returns the whole screen, of at most width columns and height lines.
func (s *state) frame(now time.Time) string {
	w, h := s.width, s.height
	if w <= 0 || h <= 0 {
		w, h = 80, 24
	}
	w = min(w, 160)
	lines := s.header(w, now)
	foot := s.footer()
	room := h - len(lines) - 1
	var body []string
	if s.running {
		body = s.campaign(w, room)
	} else {
		body = s.startUp(room, now)
	}
	lines = append(lines, body[:min(len(body), max(0, room))]...)
	for len(lines) < h-1 {
		lines = append(lines, "")
	}
	lines = append(lines[:max(0, h-1)], foot)
	for i, l := range lines {
		lines[i] = ansi.Truncate(l, w, "…")
	}
	return strings.Join(lines, "\n")
}

func (s *state) header(w int, now time.Time) []string {
	right := ""
	st := &s.status
	if s.running {
		right = units.Duration(st.Elapsed.Truncate(time.Second))
		switch {
		case st.Left > 0:
			right += " of " + units.Duration((st.Elapsed + st.Left).Round(time.Second))
		case st.BudgetInputs > 0:
			right = fmt.Sprintf("%s of %s inputs, %s", count(st.Inputs), count(st.BudgetInputs), right)
		}
		phase := cmp.Or(escape.Text(st.Phase), "fuzzing")
		if triaging(st) {
			phase = "triage, " + text.Unjudged(st.Pending) + timeLeft(st)
			if st.Awaits != "" {
				phase += ", waits: " + escape.Text(st.Awaits)
			}
		}
		if s.step != "" {
			phase = s.step + " " + units.Duration(now.Sub(s.began).Truncate(time.Second))
		}
		right += "  " + s.spin() + " " + phase
	}
	left := " " + titleStyle.Render("parallax")
	room := w - 1 - cells(right) - 2 - cells(left)
	left += boldStyle.Render(cut("  "+escape.Text(st.Target), max(0, room)))
	top := left + strings.Repeat(" ", max(2, w-1-cells(left)-cells(right))) + right
	return []string{top, " " + s.progress(w-2), ""}
}

func (s *state) spin() string { return spinner[s.ticks%len(spinner)] }

// progress draws the used part of the budget, or a rule without a budget.
func (s *state) progress(w int) string {
	st := &s.status
	part := 0.0
	switch {
	case st.Left > 0:
		part = float64(st.Elapsed) / float64(st.Elapsed+st.Left)
	case st.BudgetInputs > 0:
		part = float64(st.Inputs) / float64(st.BudgetInputs)
	}
	return bar(part, w, "━", "─")
}

func (s *state) footer() string {
	switch s.interrupts {
	case 0:
		if s.running && triaging(&s.status) {
			return faintStyle.Render(" q or ^C leaves the remaining candidates for the next run")
		}
		return faintStyle.Render(" q or ^C stops and prints a summary")
	case 1:
		return warnStyle.Render(" stopping cleanly; press again to stop at once")
	}
	return badStyle.Render(" stopping at once")
}

// startUp shows the screen before the first status: the finished steps and the current one.
func (s *state) startUp(room int, now time.Time) []string {
	var lines []string
	for _, d := range s.steps {
		lines = append(lines, fmt.Sprintf(" %s %s %s", goodStyle.Render("✓"), d.text, faintStyle.Render(units.Duration(d.took))))
	}
	if s.step != "" {
		lines = append(lines, fmt.Sprintf(" %s %s %s", barStyle.Render(s.spin()), s.step,
			faintStyle.Render(units.Duration(now.Sub(s.began).Truncate(time.Second)))))
	}
	if m := s.events(room - len(lines) - 1); len(m) > 0 {
		lines = append(append(lines, ""), m...)
	}
	return lines
}

// campaign arranges the blocks. A low screen omits the least important ones.
func (s *state) campaign(w, room int) []string {
	column := w / 2
	var blocks [][]string
	if w >= narrowLimit {
		blocks = append(blocks, joinColumns(s.speed(column), s.found(), column), joinColumns(s.news(), s.health(w-column), column))
	} else {
		blocks = append(blocks, s.speed(w), s.found(), s.news(), s.health(w))
	}
	blocks = append(blocks, s.programs(w, max(2, room/3)))
	used := 0
	for _, b := range blocks {
		used += len(b) + 1
	}
	events := s.events(max(min(3, 1+len(s.messages)), room-used))
	if more := s.behavior(); len(more) > 0 && used+len(more)+1+min(len(events), 6) <= room {
		blocks = append(blocks, more)
		used += len(more) + 1
		events = s.events(room - used)
	}
	if ops := s.operators(w); len(ops) > 0 && used+len(ops)+1+min(len(events), 6) <= room {
		blocks = append(blocks, ops)
		used += len(ops) + 1
		events = s.events(room - used)
	}
	if len(events) > 0 {
		blocks = append(blocks, events)
	}
	space := used+len(events) <= room // otherwise without the empty lines between blocks
	var lines []string
	for i, b := range blocks {
		if i > 0 && space {
			lines = append(lines, "")
		}
		lines = append(lines, b...)
	}
	return lines
}

func (s *state) speed(w int) []string {
	st := &s.status
	rate := pad(count(uint64(max(0, st.Rate))), 7) + barStyle.Render(spark(s.rates, min(20, w-27)))
	if triaging(st) {
		rate = faintStyle.Render("fuzzing is over")
	}
	return []string{
		titled("speed"),
		row("executions/s", rate),
		row("mean", count(uint64(max(0, st.RateTotal)))),
		row("inputs", count(st.Inputs)),
		row("executions", count(st.Executions)),
	}
}

func (s *state) found() []string {
	st := &s.status
	lines := []string{titled("findings")}
	kinds := 0
	for _, k := range text.Kinds {
		if n := st.Buckets[k.Kind]; n > 0 && kinds < 2 {
			kinds++
			lines = append(lines, row(k.Many, badStyle.Render(count(uint64(n)))))
		}
	}
	if rest := others(st.Buckets, kinds); rest > 0 {
		lines = append(lines[:len(lines)-1], lines[len(lines)-1]+faintStyle.Render(fmt.Sprintf("  and %d of other kinds", rest)))
	}
	if kinds == 0 {
		lines = append(lines, "   "+faintStyle.Render("none yet"))
	}
	if !single(st) {
		lines = append(lines, row("discrepant", count(st.Discrepant)+" inputs"))
	}
	state := fmt.Sprintf("%s flaky", count(st.Flaky))
	if st.Pending > 0 {
		state = fmt.Sprintf("%d pending, %s", st.Pending, state)
	}
	return append(lines, row("candidates", state))
}

// single reports whether there is one program, and so no joint behavior.
func single(s *sample.Status) bool { return len(s.Programs) == 1 }

// others counts the buckets of kinds after the given number of shown ones.
func others(buckets map[string]int, shown int) int {
	n := 0
	for _, c := range buckets {
		n += c
	}
	for _, k := range text.Kinds {
		if buckets[k.Kind] > 0 && shown > 0 {
			n -= buckets[k.Kind]
			shown--
		}
	}
	return n
}

// news draws the main table: the count of each kind, and the time since the last new one.
func (s *state) news() []string {
	st := &s.status
	blocks, buckets := 0, 0
	for _, p := range st.Programs {
		blocks += max(0, p.Covered)
	}
	for _, n := range st.Buckets {
		buckets += n
	}
	lines := []string{titled("last new")}
	type kind struct {
		key, name string
		n         uint64
	}
	kinds := []kind{{"coverage", "blocks", uint64(blocks)}}
	for _, c := range st.Diversity {
		name := c.Key
		if d := c.Domain(); d != nil && d.Plural != "" {
			name = d.Plural
		}
		kinds = append(kinds, kind{c.Key, name, c.N})
	}
	kinds = append(kinds, kind{"finding", "findings", uint64(max(0, buckets))})
	for _, k := range kinds {
		d, ok := st.SinceNew[k.key]
		when := ago(d, ok)
		if ok && d < 10*time.Second {
			when = goodStyle.Render(when)
		}
		lines = append(lines, row(k.name, pad(count(k.n), 7)+when))
	}
	return lines
}

func (s *state) health(w int) []string {
	st := &s.status
	up := fmt.Sprintf("%d of %d up", st.WorkersUp, st.Workers)
	switch {
	case triaging(st):
		up = faintStyle.Render(fmt.Sprintf("%d, fuzzing is over", st.Workers))
	case st.WorkersUp < st.Workers:
		up = warnStyle.Render(up)
	}
	restarts := count(st.Restarts)
	if st.Restarts > 0 && st.Executions > 0 {
		restarts += ", 1 in " + count(max(1, st.Executions/st.Restarts)) + " runs"
	}
	lines := []string{
		titled("campaign"),
		row("corpus", fmt.Sprintf("%s inputs, %s", count(uint64(max(0, st.CorpusSize))), units.Bytes(st.CorpusBytes))),
		row("workers", up),
		row("restarts", restarts),
	}
	if b := st.Behavior; b != nil && b.Traces > 0 {
		lines = append(lines,
			row("traces", fmt.Sprintf("%s unique, next new %s", count(b.Traces), units.Percent(b.NewTrace))),
			row("diversity", fmt.Sprintf("B(1) %s, B(2) %s of %s", count(uint64(b.B1)), count(uint64(b.B2)), count(uint64(b.B0)))),
			row("valid", units.Percent(b.ValidShare())+" of inputs"))
	}
	label := "guided by"
	for _, l := range wrapWords(st.Guidance, w-18) {
		lines = append(lines, row(label, l))
		label = ""
	}
	return lines
}

// programs lists the programs with their coverage, in at most most lines.
func (s *state) programs(w, most int) []string {
	list := s.status.Programs
	if len(list) == 0 {
		return nil
	}
	name := 0
	for _, p := range list {
		name = max(name, cells(escape.Text(p.Name)))
	}
	name = min(name, w*2/5)
	length := min(40, w-3-name-2-30)
	lines := []string{titled("coverage")}
	for i, p := range list {
		if len(lines) == most && i < len(list)-1 {
			lines = append(lines, faintStyle.Render(fmt.Sprintf("   and %d more programs", len(list)-i)))
			break
		}
		part, text := 0.0, "not measured"
		if p.Blocks > 0 {
			part = float64(p.Covered) / float64(p.Blocks)
			text = fmt.Sprintf("%3.0f%% of %s blocks", 100*part, units.Thousands(uint64(p.Blocks)))
		}
		lines = append(lines, "   "+pad(columns.CutStart(escape.Text(p.Name), name), name+2)+bar(part, length, "█", "░")+"  "+text)
	}
	return lines
}

// behavior shows the diversity of behaviors, and the expected gain of more inputs
// (docs/explanation/diversity.md).
func (s *state) behavior() []string {
	b := s.status.Behavior
	if b == nil || b.Traces == 0 {
		return nil
	}
	risk := ""
	if b.Risk > 0 {
		risk = "about " + units.Percent(b.Risk) + " and "
	}
	lines := []string{
		titled("behavior"),
		row("evenness", fmt.Sprintf("%.2f, %s unique traces of valid inputs", b.Evenness, count(b.ValidTraces))),
		row("next input", fmt.Sprintf("a new branch %s, %s %sbelow %s", text.NewBranch(b), text.FailureOf(s.status.Mode), risk, units.Percent(b.RiskBound))),
	}
	if b.Expected > b.B0 {
		lines = append(lines, row("to come", fmt.Sprintf("at least %s branches besides the %s covered", units.Few(math.Ceil(b.Expected-b.B0)), units.Few(b.B0))))
	}
	if b.Structural != nil || b.Value != nil {
		lines = append(lines, row("new traces", fmt.Sprintf("%s of structural mutants, %s of value mutants", units.Percent(b.Structural.Share()), units.Percent(b.Value.Share()))))
	}
	return lines
}

// operators lists the yields of the mutation operators, best first.
func (s *state) operators(w int) []string {
	ops := slices.Clone(s.status.Operators)
	ops = slices.DeleteFunc(ops, func(o sample.OperatorYield) bool { return o.Tried == 0 })
	slices.SortStableFunc(ops, func(a, b sample.OperatorYield) int {
		return cmp.Or(cmp.Compare(yield(b), yield(a)), cmp.Compare(a.Name, b.Name))
	})
	const cell = 32
	columns := max(1, (w-3)/cell)
	if len(ops) > 4*columns {
		ops = ops[:4*columns]
	}
	if len(ops) == 0 {
		return nil
	}
	lines := []string{titled("yield of operators") + faintStyle.Render("  inputs kept of 10,000")}
	depth := (len(ops) + columns - 1) / columns
	for r := range depth {
		line := "   "
		for c := r; c < len(ops); c += depth {
			o := ops[c]
			line += pad(pad(cut(escape.Text(o.Name), 20), 21)+fmt.Sprintf("%7.1f", 10000*yield(o)), cell)
		}
		lines = append(lines, strings.TrimRight(line, " "))
	}
	return lines
}

func yield(o sample.OperatorYield) float64 { return float64(o.Kept) / float64(max(1, o.Tried)) }

// events shows the last messages in at most room lines, including the title.
func (s *state) events(room int) []string {
	if room < 2 || len(s.messages) == 0 {
		return nil
	}
	n := min(room-1, len(s.messages))
	lines := []string{titled("events")}
	for _, m := range s.messages[len(s.messages)-n:] {
		lines = append(lines, "   "+m)
	}
	return lines
}

package review

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"strings"

	"parallax/cmd/internal/base/escape"
	"parallax/cmd/internal/base/exit"
	"parallax/cmd/internal/base/quote"
	"parallax/cmd/internal/campaign/triage"
	"parallax/cmd/internal/finding"
	"parallax/cmd/internal/subject"
	"parallax/cmd/internal/subject/config"
	"parallax/internal/oracle"
	"parallax/internal/wire"
)

// Programs of several kinds are probed before the fuzzing, since faults of harnesses outnumber
// bugs. Control seeds must have the expected results. Programs whose answers to an input vary, or
// are the same for all inputs, are reported.

const (
	probeSeeds  = 32 // seeds that are run twice
	probeOthers = 32 // inputs near the first of them
	probeEnough = 12 // different inputs with the same answer from which a program is reported
)

// Probe runs control seeds and some inputs. A failed control seed is an error.
func (r *Review) Probe(ctx context.Context) error {
	if !r.Facts.Traits.SeparateProcesses {
		return nil
	}
	s := r.Triager().Replayer()
	s.Ctx = ctx
	defer s.Close()
	if err := r.controls(s); err != nil {
		return err
	}
	r.View.Step(probing)
	inputs := r.probes()
	until := make([]int, len(r.Facts.Names))
	for p := range until {
		until[p] = len(inputs)
	}
	first := r.round(ctx, s)
	if err := first.execute(inputs, until); err != nil {
		return err
	}
	for p, n := range first.answered {
		if until[p] = n; n < len(inputs) { // its last input was the one too much
			until[p]--
		}
	}
	s.Fresh()
	again := r.round(ctx, s)
	if err := again.execute(inputs, until); err != nil {
		return err
	}
	for p, name := range r.Facts.Names {
		if n := again.answered[p]; n < len(inputs) {
			r.cutShort(name, p, len(inputs), n, first.results[:first.answered[p]])
		}
		r.repeats(name, p, inputs[:again.answered[p]], first.results, again.results)
	}
	for p, name := range r.Facts.Names {
		r.constant(name, p, first.results[:first.answered[p]])
	}
	return nil
}

const probing = "probing the programs"

// round returns a round of the probe.
func (r *Review) round(ctx context.Context, s *triage.Replayer) *round {
	return &round{
		start: func() error {
			s.Ctx = ctx
			return s.Start()
		},
		run: within(ctx, func(ctx context.Context, flats [][]byte, skip uint64) (all [][]wire.RunResult, err error) {
			s.Ctx = ctx
			err = s.RunAll(slices.Values(flats), wire.WantDetail|wire.Plain|skip<<wire.SkipShift, func(_ []byte, results []wire.RunResult) bool {
				all = append(all, results)
				return true
			})
			return all, err
		}),
		now:  r.Now,
		slow: func(p int) { r.View.Step(probing + ": " + escape.Text(r.Facts.Names[p]) + " needs most of the time") },
	}
}

// cutShort notes that a program was left out of the rest of the probe. It ran on the inputs of the
// results, and a second time on as many as twice says.
func (r *Review) cutShort(name string, p, of, twice int, results [][]wire.RunResult) {
	limits := map[oracle.Outcome]int{}
	for _, all := range results {
		limits[oracle.Outcome(all[p].Outcome)]++
	}
	why := ""
	for _, o := range []oracle.Outcome{oracle.OOM, oracle.Timeout} {
		if k := limits[o]; k > 0 {
			why += fmt.Sprintf(" It %s %d of them.", verb(o), k)
		}
	}
	text := fmt.Sprintf("the probe before the fuzzing took too long because of %s, and ended for it after %d of %d inputs.%s "+
		"Whether its answers repeat is unknown for %d of the inputs; triage checks each candidate", name, len(results), of, why, of-twice)
	r.Problems = append(r.Problems, text)
	r.Log.Warn("probe", "text", text)
}

// probes returns seeds, and inputs near the first of them.
func (r *Review) probes() [][]byte {
	var inputs [][]byte
	add := func(flat []byte) {
		if !slices.ContainsFunc(inputs, func(in []byte) bool { return bytes.Equal(in, flat) }) {
			inputs = append(inputs, flat)
		}
	}
	for i := range min(len(r.Seeds), probeSeeds) { // evenly spread: the first may be of one file, and similar
		add(r.Seeds[i*len(r.Seeds)/min(len(r.Seeds), probeSeeds)])
	}
	for i := 0; i < len(r.Inputs) && len(inputs) < probeSeeds; i++ {
		add(r.Inputs[i])
	}
	if len(inputs) > 0 {
		for flat := range triage.Neighbors(r.Facts.Shape, inputs[0], probeOthers) {
			if len(flat) <= r.Facts.MaxBytes(r.Options) {
				add(flat)
			}
		}
	}
	return inputs
}

// controls runs the control seeds of the configuration.
func (r *Review) controls(s *triage.Replayer) error {
	file := r.Options.Config
	if file == nil || len(file.Controls) == 0 {
		return nil
	}
	r.View.Step("executing the control seeds")
	var unmet []string
	for _, k := range file.Controls {
		flat := k.Input
		shape := r.Facts.Shape
		if takes := r.Facts.Takes(); takes != nil { // a control is an input of the programs, not a tape
			shape = takes
		}
		if !shape.Raw() {
			var err error
			if flat, err = shape.Import(k.Input); err != nil {
				return file.Fail(k.At, "the programs take %s, so a control is a file in the format of go test fuzz v1: %w", shape, err)
			}
		}
		if len(flat) > s.Spec.MaxFlat {
			s.Fresh()
			s.Spec.MaxFlat = len(flat)
		}
		results, err := s.Run(flat, wire.WantDetail|wire.Plain|wire.ProgramInput)
		if err != nil {
			return err
		}
		for p, name := range r.Facts.Names {
			if text := unmetBy(k, name, &results[p]); text != "" {
				what := quote.Input(shape, flat, 60)
				if k.Path != "" {
					what = finding.Relative(r.Options.Dir, k.Path)
				}
				unmet = append(unmet, fmt.Sprintf("%s:%d: %s: %s %s", finding.Relative(r.Options.Dir, file.Path), k.At.Line, what, name, text))
			}
		}
	}
	if len(unmet) == 0 {
		return nil
	}
	return exit.Baseline("the programs treat control seeds otherwise than expected, so no finding could be trusted:\n  %s", strings.Join(unmet, "\n  "))
}

// unmetBy describes how a program departs from a control. Empty means that it does not.
func unmetBy(k config.Control, name string, r *wire.RunResult) string {
	if len(k.Programs) > 0 && !slices.Contains(k.Programs, name) {
		return ""
	}
	got := oracle.Outcome(r.Outcome)
	if got != k.Expect {
		return fmt.Sprintf("%s it, but should have %s it%s", verb(got), k.Expect, because(r))
	}
	if k.HasValue && got == oracle.Accepted && r.Rendered != string(k.Value) {
		return fmt.Sprintf("returns %s, but should return %s", escape.Quote(escape.Cut(r.Rendered, 120)), escape.Quote(escape.Cut(string(k.Value), 120)))
	}
	return ""
}

func verb(o oracle.Outcome) string {
	switch o {
	case oracle.Crashed:
		return "crashes on"
	case oracle.Timeout:
		return "does not end in time on"
	case oracle.OOM:
		return "runs out of memory on"
	}
	return o.String()
}

// because returns the message of a program in parentheses, or "".
func because(r *wire.RunResult) string {
	text := r.Error
	if text == "" {
		text = r.Panic
	}
	if text == "" {
		return ""
	}
	return " (" + escape.Cut(quote.OneLine(text), 160) + ")"
}

// repeats warns about a program whose answers to an input vary.
func (r *Review) repeats(name string, p int, inputs [][]byte, first, again [][]wire.RunResult) {
	n, example := 0, -1
	for i := range inputs {
		if i < len(first) && i < len(again) && !sameAnswer(&first[i][p], &again[i][p]) {
			if n++; example < 0 {
				example = i
			}
		}
	}
	r.Steady.AddProbe(p, n, len(inputs))
	if n > 0 {
		call := ""
		if r.Facts.Pair != nil {
			call = waveringCall(first[example][p].Rendered, again[example][p].Rendered)
		}
		r.warn("%s is not deterministic: %d of %d inputs have another outcome or value the second time, such as %s%s. These cannot become findings: normalize values that change from run to run, or compare fewer layers",
			name, n, len(inputs), quote.Input(r.Facts.Shape, inputs[example], 60), call)
	}
}

// waveringCall names the first recorded call whose results differ between two runs. It returns ""
// if it finds none. A record has a line for each call: its name, a colon, and the results.
func waveringCall(a, b string) string {
	was := strings.Split(a, "\n")
	for i, line := range strings.Split(b, "\n") {
		if i >= len(was) || was[i] != line {
			if name, _, ok := strings.Cut(line, ": "); ok {
				return ", beginning with the results of " + escape.Text(name)
			}
			return ""
		}
	}
	return ""
}

func sameAnswer(a, b *wire.RunResult) bool {
	return a.Outcome == b.Outcome && a.Value == b.Value && (a.Class == b.Class || oracle.Outcome(a.Outcome) >= oracle.Crashed)
}

// constant reports a program that gives the same answer to all inputs, while others do not. It does
// so in the first run of these programs only.
func (r *Review) constant(name string, p int, all [][]wire.RunResult) {
	if r.Known || len(all) < probeEnough || r.Facts.Mode == subject.Fuzz || r.Facts.Pair != nil { // most harnesses return nothing
		return
	}
	a := &all[0][p]
	if slices.ContainsFunc(all, func(r []wire.RunResult) bool { return !sameAnswer(&r[p], a) }) {
		return
	}
	what := oracle.Outcome(a.Outcome).String()
	switch {
	case a.Rendered != "":
		what += ", with " + escape.Cut(escape.Quote(a.Rendered), 80)
	default:
		what += because(a)
	}
	r.warn("%s gives the same answer to all of %d different inputs: %s. Is it called correctly, and does it accept any of the seeds?", name, len(all), what)
}

// warn shows a warning now, and again at the end.
func (r *Review) warn(format string, args ...any) {
	text := fmt.Sprintf(format, args...)
	r.View.Message("warning: " + text)
	r.Problems = append(r.Problems, text)
	r.Log.Warn("probe", "text", text)
}

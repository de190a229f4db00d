package subject

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"parallax/cmd/internal/finding/report"
	"parallax/cmd/internal/gobuild/golang"
	"parallax/internal/wire"
)

const (
	trialRuns = 32 // of seeds, by turns, in each of two processes
	mostTries = 8  // each may find calls that differ because of one before them
)

// leaveOut runs both versions twice on seeds, each time in new processes, and leaves out the calls whose results differ between the
// two runs of a version: such a call says nothing of the change. The other calls of the harness are compared.
func (t *Lockstep) leaveOut(ctx context.Context, o *Options) error {
	p := t.Pair
	var left []golang.Site
	for range mostTries {
		if len(p.Calls) == 0 || len(t.Plan.Seeds) == 0 {
			break
		}
		first, err := t.records(ctx, o)
		if err != nil {
			return err
		}
		again, err := t.records(ctx, o)
		if err != nil {
			return err
		}
		in := map[string][]string{} // versions by label
		for i := range min(len(first), len(again)) {
			for program := range first[i] {
				for _, call := range differing(first[i][program], again[i][program]) {
					if name := t.Names[program]; !slices.Contains(in[call], name) {
						in[call] = append(in[call], name)
					}
				}
			}
		}
		before := len(left)
		p.Calls = slices.DeleteFunc(p.Calls, func(s golang.Site) bool {
			programs := in[label(s)]
			if programs != nil {
				slices.Sort(programs)
				left = append(left, s)
				p.LeftOut = append(p.LeftOut, report.Unrepeated{Call: label(s), Programs: programs})
			}
			return programs != nil
		})
		if len(left) == before {
			break
		}
		t.assembly.env[0] = callsVariable + p.numbers()
	}
	if len(left) == 0 {
		return nil
	}
	p.why = append(p.why, "the results of its calls "+p.Unrepeated())
	p.Compared = compared(p.Calls, p.why)
	if len(p.Calls) > 0 {
		p.Compared += fmt.Sprintf("; not compared: %s, whose results %s", named(left), p.Unrepeated())
	}
	return nil
}

// Unrepeated says what the results of the calls in LeftOut do.
func (p *Pair) Unrepeated() string {
	const text = "differ from run to run"
	first := p.LeftOut[0].Programs
	if len(first) > 1 || slices.ContainsFunc(p.LeftOut, func(u report.Unrepeated) bool { return !slices.Equal(u.Programs, first) }) {
		return text
	}
	return text + " in the " + first[0] + " version alone"
}

// records returns the record of each version for each run of a seed, up to the first that ends the process.
func (t *Lockstep) records(ctx context.Context, o *Options) (all [][]string, err error) {
	seeds := make([][]byte, trialRuns)
	for i := range seeds {
		seeds[i] = t.Plan.Seeds[i%len(t.Plan.Seeds)].Flat
	}
	err = t.runSeeds(ctx, o, seeds, wire.WantDetail|wire.Plain, func(results []wire.RunResult) {
		texts := make([]string, len(results))
		for i := range results {
			texts[i] = results[i].Rendered
		}
		all = append(all, texts)
	})
	return all, err
}

// differing returns the labels of the calls whose results differ in two records. A record has a line for each call: its label, a
// colon, and the results. It stops where the runs made different calls: what comes after has no counterpart.
func differing(a, b string) (labels []string) {
	was, is := strings.Split(a, "\n"), strings.Split(b, "\n")
	for i := range min(len(was), len(is)) {
		if was[i] == is[i] {
			continue
		}
		x, _, called := strings.Cut(was[i], "): ")
		if y, _, _ := strings.Cut(is[i], "): "); x != y || !called {
			break
		}
		labels = append(labels, x+")")
	}
	return labels
}

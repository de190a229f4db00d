package subject

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"parallax/cmd/internal/finding"
	"parallax/cmd/internal/gobuild/golang"
	"parallax/internal/oracle"
	"parallax/internal/wire"
)

const (
	trialRuns = 32 // of seeds, in turns, in each of two processes
	mostTries = 8  // each one may find calls that differ because of an earlier call
)

// leaveOut runs both versions twice on seeds, in new processes, and leaves out the calls whose
// results differ between the two runs of a version. Such calls show nothing about the change. If a
// call also writes to buffers of the harness, leaveOut first tries to compare it without these
// writes.
func (t *Lockstep) leaveOut(ctx context.Context, o *Options) error {
	p := t.Pair
	p.silent = map[uint64]bool{}
	var left []string
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
		in, wrote := map[string][]string{}, map[string]bool{} // versions, by label
		for i := range min(len(first), len(again)) {
			for program := range first[i] {
				for call, writes := range differing(first[i][program], again[i][program]) {
					wrote[call] = wrote[call] || writes
					if name := t.Names[program]; !slices.Contains(in[call], name) {
						in[call] = append(in[call], name)
					}
				}
			}
		}
		before := len(left)
		p.Calls = slices.DeleteFunc(p.Calls, func(s golang.Site) bool {
			name, programs := label(s), in[label(s)]
			if programs == nil {
				return false
			}
			silent := wrote[name] && !p.silent[s.Number]
			if silent {
				p.silent[s.Number] = true
				name = "the text that it writes: " + name
			}
			slices.Sort(programs)
			left = append(left, name)
			p.LeftOut = append(p.LeftOut, finding.Unrepeated{Call: name, Programs: programs})
			return !silent
		})
		if len(left) == before {
			break
		}
		m := t.assembly
		m.env[0] = callsVariable + p.numbers()
		if m.file, err = m.write(m.spec, func(p *part) string { return p.binary }); err != nil {
			return err
		}
	}
	if len(left) == 0 {
		return nil
	}
	p.why = append(p.why, "the results of its calls "+p.Unrepeated())
	p.Compared = compared(p.Calls, p.why)
	if len(p.Calls) > 0 {
		p.Compared += fmt.Sprintf("; not compared: %s, whose results %s", firstNames(left), p.Unrepeated())
	}
	return nil
}

// Unrepeated describes the results of the calls in LeftOut.
func (p *Pair) Unrepeated() string {
	const text = "differ from run to run"
	first := p.LeftOut[0].Programs
	if len(first) > 1 || slices.ContainsFunc(p.LeftOut, func(u finding.Unrepeated) bool { return !slices.Equal(u.Programs, first) }) {
		return text
	}
	return text + " in the " + first[0] + " version alone"
}

// records returns the record of each version for each run of a seed, up to the first seed that ends
// the process.
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

// differing returns the labels of the calls whose results differ in two records, and whether the
// results include text written to a buffer. A record has a line per call: its label, a colon and
// the results. differing stops where the runs made different calls, since later calls have no
// counterpart.
func differing(a, b string) map[string]bool {
	labels := map[string]bool{}
	was, is := strings.Split(a, "\n"), strings.Split(b, "\n")
	for i := range min(len(was), len(is)) {
		if was[i] == is[i] {
			continue
		}
		x, results, called := strings.Cut(was[i], "): ")
		if y, _, _ := strings.Cut(is[i], "): "); x != y || !called {
			break
		}
		labels[x+")"] = labels[x+")"] || strings.Contains(results, oracle.Writes)
	}
	return labels
}

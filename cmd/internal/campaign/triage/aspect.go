package triage

import (
	"slices"

	"parallax/cmd/internal/finding"
	"parallax/cmd/internal/subject"
	"parallax/internal/oracle"
	"parallax/internal/wire"
)

// Aspect is the part of an input's results that is a finding: the failure of one program, or a
// layer in which other programs disagree. An input may have several aspects, and each is a finding
// of its own. The zero Aspect is the first that an input shows.
type Aspect struct {
	Failing int           // 1 + the program that fails
	Layer   oracle.Layers // in which programs that do not fail disagree
}

// Fails returns the aspect of a program's failure.
func Fails(program int) Aspect { return Aspect{Failing: 1 + program} }

// Aspects returns the failures in results by program, then the layers of disagreement.
func Aspects(layers oracle.Layers, results []wire.RunResult) (list []Aspect) {
	for p := range results {
		if fails(&results[p]) {
			list = append(list, Fails(p))
		}
	}
	for in := disagreeing(layers, results); in != 0; in &^= in.First() {
		list = append(list, Aspect{Layer: in.First()})
	}
	return list
}

// Recorded returns the aspect of a recorded finding with its kind and layer. A failure is that of
// program; NoProgram means the first program that fails in this way. It reports false if results do
// not show the aspect.
func Recorded(layers oracle.Layers, kind, layer string, program int, results []wire.RunResult) (Aspect, bool) {
	list := Aspects(layers, results)
	at := slices.IndexFunc(list, func(a Aspect) bool {
		if Disagrees(kind) {
			return a.Layer != 0 && a.Layer.String() == layer
		}
		return a.Failing != 0 && (program == NoProgram || a == Fails(program)) && Kind(&results[a.Failing-1]) == kind
	})
	if at < 0 {
		return Aspect{}, false
	}
	return list[at], true
}

// AspectOf returns the aspect that a candidate may show.
func AspectOf(c *finding.Candidate) Aspect { return Aspect{c.Failing, c.Layer} }

// Aspect returns the aspect of the result.
func (f *Result) Aspect() Aspect {
	if f.Layer != 0 {
		return Aspect{Layer: f.Layer}
	}
	return Fails(f.Program)
}

// Name returns the name of a program or layer, or "" for the zero Aspect.
func (a Aspect) Name(programs []string) string {
	switch {
	case a.Layer != 0:
		return a.Layer.String()
	case a.Failing > 0 && a.Failing <= len(programs):
		return programs[a.Failing-1]
	}
	return ""
}

// failing returns the set of programs that fail.
func failing(results []wire.RunResult) (set uint64) {
	for p := range results {
		if fails(&results[p]) {
			set |= 1 << p
		}
	}
	return set
}

// bystanders returns the set of programs that have no part in the disagreement of a layer: failing
// ones, and those that oracle.Bystanders returns.
func bystanders(layers, layer oracle.Layers, results []wire.RunResult) uint64 {
	return failing(results) | oracle.Bystanders(layers, layer, Observations(results))
}

// without returns results as from a replayer that leaves programs out.
func without(results []wire.RunResult, programs uint64) []wire.RunResult {
	if programs == 0 {
		return results
	}
	results = slices.Clone(results)
	for p := range results {
		if programs>>p&1 != 0 {
			results[p] = wire.RunResult{Ignored: results[p].Ignored}
		}
	}
	return results
}

// leave leaves programs out of the replayer's runs until the returned function is called.
func (s *Replayer) leave(programs uint64) (all func()) {
	before := s.skip
	s.skip |= programs
	return func() { s.skip = before }
}

// outcome returns the outcome of a program in a disagreement, or "" if the program has no part.
func outcome(r *wire.RunResult) string {
	if r.Outcome == 0 || fails(r) {
		return ""
	}
	return oracle.Outcome(r.Outcome).String()
}

// Counted returns the aspects of an input that count. If both versions fail, the failure of the old
// one is no finding: it only affects the status of the new one's.
func Counted(t *subject.Facts, list []Aspect, seen []oracle.Observation) []Aspect {
	fails := func(p int) bool { return seen[p].Outcome >= oracle.Crashed }
	if !t.Versions || len(seen) != 2 || !fails(0) || !fails(1) {
		return list
	}
	return slices.DeleteFunc(slices.Clone(list), func(a Aspect) bool { return a == Fails(1) })
}

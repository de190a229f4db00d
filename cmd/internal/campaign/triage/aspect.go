package triage

import (
	"slices"

	"parallax/internal/oracle"
	"parallax/internal/wire"
)

// Aspect is what of an input is a finding: the failure of one program, or a layer in which some of those that did not fail disagree. An
// input may have several, and each is a finding of its own: a program that crashes hides nothing of the others, nor does one that rejects
// what others accept with different values. The zero Aspect is the first that an input shows.
type Aspect struct {
	Failing int           // 1 + the program that fails
	Layer   oracle.Layers // in which the others disagree
}

// Fails is the aspect of a program's failure.
func Fails(program int) Aspect { return Aspect{Failing: 1 + program} }

// Aspects are those that results show: failures in the order of the programs, then the layers in which the others disagree.
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

// Recorded returns the aspect of a recorded finding with its kind and layer. A failure is that of program; NoProgram means the first
// program that fails in this way. It reports false if results do not show the aspect.
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

// Aspect is what the candidate is one for.
func (c *Candidate) Aspect() Aspect { return Aspect{c.Failing, c.Layer} }

// Aspect is what of its input the finding is.
func (f *Finding) Aspect() Aspect {
	if f.Layer != 0 {
		return Aspect{Layer: f.Layer}
	}
	return Fails(f.Program)
}

// Name names the aspect, given the names of the programs; "" for the zero Aspect.
func (a Aspect) Name(programs []string) string {
	switch {
	case a.Layer != 0:
		return a.Layer.String()
	case a.Failing > 0 && a.Failing <= len(programs):
		return programs[a.Failing-1]
	}
	return ""
}

// failing is the set of programs that fail.
func failing(results []wire.RunResult) (set uint64) {
	for p := range results {
		if fails(&results[p]) {
			set |= 1 << p
		}
	}
	return set
}

// bystanders is the set of programs that have no part in the disagreement of a layer: those that fail, and, where programs disagree in an
// earlier layer as well, those that neither differ in this one nor are what others differ from.
func bystanders(layers, layer oracle.Layers, results []wire.RunResult) uint64 {
	return failing(results) | oracle.Bystanders(layers, layer, Observations(results))
}

// without is results as a replayer has them that leaves programs out.
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

// leave has the replayer leave programs out until the returned function is called.
func (s *Replayer) leave(programs uint64) (all func()) {
	before := s.skip
	s.skip |= programs
	return func() { s.skip = before }
}

// outcome is the outcome of a program that takes part in a disagreement; of one that does not, since it fails, it is "".
func outcome(r *wire.RunResult) string {
	if r.Outcome == 0 || fails(r) {
		return ""
	}
	return oracle.Outcome(r.Outcome).String()
}

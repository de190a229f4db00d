// Package feature owns what makes an input worth keeping: features, the domains they belong to, and the novelty
// set of each. The engine shows it every input's traces and observations; it answers which domains found something
// new. It also reads the counters that instrumented programs leave behind.
//
// Joint domains are NEZHA's delta-diversity (Petsios et al., S&P 2017, section III-A): the tuple of path
// cardinalities (coarse), of path sets (fine) and of outputs. A path is counted in blocks here: the instrumented
// graph has no critical edge that two runs could take with the same blocks but for loops without a statement after
// them, so that block sets and edge sets tell runs apart alike.
//
// Invariant: every domain is measured on every input, whether it guides or not, so that diversity can be compared
// between guidances.
package feature

import (
	"fmt"
	"sort"
	"strings"

	"parallax/internal/judge"
)

// Joint is what one input did in all programs.
type Joint struct {
	Traces []Trace
	Obs    []judge.Observation
}

// Names of the domains, as --guidance takes them.
const (
	Coverage        = "coverage"     // blocks with hit-count buckets over all programs: the baseline
	PathCoarse      = "path-coarse"  // tuple of path cardinalities
	PathFine        = "path-fine"    // tuple of path sets
	Output          = "output"       // tuple of outputs
	Reference       = "reference"    // the others' outputs relative to one program's (paper, II-B)
	PublishedCoarse = "nezha-coarse" // as NEZHA's public code has it: hit-count buckets summed
	PublishedFine   = "nezha-fine"   // as NEZHA's public code has it: ordered list of first hits
	Random          = "random"       // nothing guides
	Ensemble        = "ensemble"     // coverage, path-coarse, path-fine, output: the default
)

// Names lists every guidance.
var Names = []string{Coverage, PathCoarse, PathFine, Output, Reference, PublishedCoarse, PublishedFine, Random, Ensemble}

// Parse resolves a union of guidances into the domains that guide, sorted as Names is. Random guides by none.
func Parse(names []string) ([]string, error) {
	on := map[string]bool{}
	for _, name := range names {
		switch name = strings.TrimSpace(name); name {
		case Ensemble:
			on[Coverage], on[PathCoarse], on[PathFine], on[Output] = true, true, true, true
		case Random:
			on[Random] = true
		default:
			if !known(name) {
				return nil, fmt.Errorf("unknown guidance %q: choose from %s", name, strings.Join(Names, ", "))
			}
			on[name] = true
		}
	}
	if on[Random] && len(on) > 1 {
		return nil, fmt.Errorf("guidance random cannot be united with others")
	}
	var out []string
	for name := range on {
		out = append(out, name)
	}
	sort.Slice(out, func(i, j int) bool { return rank(out[i]) < rank(out[j]) })
	return out, nil
}

func known(name string) bool { return rank(name) < len(Names) }

func rank(name string) int {
	for i, n := range Names {
		if n == name {
			return i
		}
	}
	return len(Names)
}

// NeedsOrder reports whether a guidance needs programs built to record the order of first hits.
func NeedsOrder(guidance []string) bool {
	for _, g := range guidance {
		if g == PublishedFine {
			return true
		}
	}
	return false
}

// Tuples is a joint domain: each input has one feature in it, a hash of a tuple with one entry a program.
type Tuples struct {
	Name string
	Hash func(*Joint) uint64
	Seen Set
	Pool *Pool // decides what is kept; nil when the domain does not guide
}

// Observe records the input's tuple and reports whether it is new.
func (d *Tuples) Observe(j *Joint) (hash uint64, fresh bool) {
	hash = d.Hash(j)
	return hash, d.Seen.Add(hash)
}

// CoarseTuple is the tuple of path cardinalities.
func CoarseTuple(j *Joint) uint64 {
	h := uint64(0)
	for i := range j.Traces {
		h = Chain(h, j.Traces[i].Length)
	}
	return h
}

// FineTuple is the tuple of path sets.
func FineTuple(j *Joint) uint64 {
	h := uint64(0)
	for i := range j.Traces {
		h = Chain(h, j.Traces[i].Set)
	}
	return h
}

// OutputTuple is the tuple of outputs: outcome, error class, canonical value.
func OutputTuple(j *Joint) uint64 { return judge.TupleHash(j.Obs) }

// PublishedCoarseTuple is the coarse tuple of NEZHA's public code.
func PublishedCoarseTuple(j *Joint) uint64 {
	h := uint64(0)
	for i := range j.Traces {
		h = Chain(h, j.Traces[i].PublishedLength())
	}
	return h
}

// PublishedFineTuple is the fine tuple of NEZHA's public code. It needs traces with recorded order.
func PublishedFineTuple(j *Joint) uint64 {
	h := uint64(0)
	for i := range j.Traces {
		h = Chain(h, j.Traces[i].Order)
	}
	return h
}

// ReferenceTuple encodes every program's output relative to that of the program ref: the same, or what it is instead.
func ReferenceTuple(ref int) func(*Joint) uint64 {
	return func(j *Joint) uint64 {
		h := uint64(0)
		for i := range j.Obs {
			switch {
			case i == ref:
				h = Chain(h, uint64(j.Obs[i].Outcome))
			case j.Obs[i] == j.Obs[ref]:
				h = Chain(h, 1)
			default:
				h = Chain(h, Mix(uint64(j.Obs[i].Outcome)+2)^Mix(j.Obs[i].Class+3)^Mix(j.Obs[i].Value+5))
			}
		}
		return h
	}
}

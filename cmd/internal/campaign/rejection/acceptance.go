package rejection

import (
	"maps"
	"math/bits"
	"slices"

	"parallax/cmd/internal/flow"
	"parallax/internal/oracle"
	"parallax/internal/wire"
)

// An odd program may have several reasons to accept what the others reject at one check. The
// functions that it enters distinguish them.

// AcceptsAlone returns the only program of three or more that accepts while all others reject, or
// flow.None. The cause is in that program.
func AcceptsAlone(results []wire.RunResult) int {
	set, ok := Set(results)
	rest := (uint64(1)<<len(results) - 1) &^ set
	if !ok || len(results) < 3 || bits.OnesCount64(rest) != 1 {
		return flow.None
	}
	return bits.TrailingZeros64(rest)
}

// OddAccepting returns the odd programs that accept, if outcomes or values disagree. Without a
// majority, each program is odd.
func OddAccepting(obs []oracle.Observation, layers oracle.Layers) (odd []int) {
	layer := oracle.DisagreeLayer(layers, obs)
	if layer != oracle.VerdictLayer && layer != oracle.ValueLayer {
		return nil
	}
	minority := oracle.Minority(layer, obs)
	for p := range obs {
		if obs[p].Outcome == oracle.Accepted && (minority == nil || slices.Contains(minority, p)) {
			odd = append(odd, p)
		}
	}
	return odd
}

// Entered returns the functions that programs entered in two runs. The second run has no one-time
// computations.
func Entered(space *flow.Space, programs []int, first, second []wire.RunResult) (functions []string) {
	for _, p := range programs {
		both, earlier := space.Entered(second[p].Hits), space.Entered(first[p].Hits)
		maps.DeleteFunc(both, func(function string, _ bool) bool { return !earlier[function] })
		functions = append(functions, slices.Sorted(maps.Keys(both))...)
	}
	return functions
}

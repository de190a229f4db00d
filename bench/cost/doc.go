// Package cost measures what the engine itself costs an input. It holds nothing but benchmarks: the
// programs in them do next to nothing, so that what is left is choosing, mutating, announcing,
// reading counters, novelty and the oracle.
package cost

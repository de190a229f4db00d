// Package cost measures the engine's own cost per input. It holds only benchmarks. Their programs
// do next to nothing. The rest is choosing, mutating, announcing, reading counters, novelty and the
// oracle.
package cost

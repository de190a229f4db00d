package triage

import (
	"cmp"

	"parallax/internal/oracle"
	"parallax/internal/wire"
)

// Wavering describes a candidate that did not repeat. The zero Wavering means that it did.
type Wavering struct {
	Programs uint64 // set of differing programs; may be empty
	Why      string // one of the reasons below
	Message  string // the first failure in a run of triage; empty means none
	// Gone means that no run showed it, and that other programs did before.
	Gone bool
}

// Likely reasons of candidates that do not repeat, by the runs that differ.
const (
	WhyLimit     = "it reached the time limit in some runs only: the limit is near, or the machine was busy"
	WhyMemory    = "it reached the memory limit in some runs only: the limit is near, or earlier inputs left memory in use"
	WhyShared    = "alone it stays below the memory limit: other programs left memory in its process"
	WhyEarlier   = "in a new process it did something else, twice: it depends on earlier inputs, or on time"
	WhyBetween   = "it repeated alone, and not between other inputs: it depends on what they leave in the process"
	WhyProcess   = "it did something else in another new process: chance, time, addresses or the order of a map"
	WhyRun       = "runs in one process differ: chance, time, goroutines, or what a run leaves in the process"
	WhyDeath     = "none of the latest inputs ends a new process alone: a goroutine that an earlier input left behind, or a signal from outside"
	WhyCost      = "its cost differs from run to run"
	WhyNothing   = "it showed nothing when it was run again alone"
	WhyRecheck   = "it did not show when its input was run once more"
	WhyOtherwise = "it showed otherwise when its input was run once more"
)

// limited returns the reason if one of two runs reached a limit, else "".
func limited(of uint64, a, b []oracle.Observation) string {
	for p := range min(len(a), len(b)) {
		if of>>p&1 == 0 || a[p].Outcome == b[p].Outcome {
			continue
		}
		switch oracle.Timeout {
		case a[p].Outcome, b[p].Outcome:
			return WhyLimit
		}
		switch oracle.OOM {
		case a[p].Outcome, b[p].Outcome:
			return WhyMemory
		}
	}
	return ""
}

// waver describes the programs that differ in the second of two runs.
func waver(programs uint64, a, b []oracle.Observation, why string) Wavering {
	if programs == 0 {
		return Wavering{}
	}
	return Wavering{Programs: programs, Why: cmp.Or(limited(programs, a, b), why)}
}

// addMessage keeps the first message of a failure.
func (w *Wavering) addMessage(results []wire.RunResult) {
	for _, r := range results {
		w.Message = cmp.Or(w.Message, r.Panic)
	}
}

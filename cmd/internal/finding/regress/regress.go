// Package regress decides how a change is tested: the harnesses to fuzz, their budgets, and the
// status of a finding. The command that compares two versions calls it.
//
// Invariant: all functions are pure.
package regress

// Names of the programs of a comparison: the version with the change, and the version before it.
const (
	New = "new"
	Old = "old"
)

// Status classifies a finding by the two versions' failures.
type Status string

// The statuses.
const (
	StatusNew     Status = "new"     // the new version fails and the old one does not
	StatusOld     Status = "old"     // both fail
	StatusFixed   Status = "fixed"   // the old version fails and the new one does not
	StatusChanged Status = "changed" // neither fails, and their behaviors differ
)

// StatusOf returns the status of a finding from the outcomes of the two versions. Empty means that
// an outcome is unknown. If the new version runs alone, each failure is new.
func StatusOf(outcomes map[string]string, alone bool) Status {
	now, nowKnown := outcomes[New]
	before, beforeKnown := outcomes[Old]
	switch {
	case alone && nowKnown && fails(now):
		return StatusNew
	case !nowKnown || !beforeKnown:
		return ""
	case fails(now) && fails(before):
		return StatusOld
	case fails(now):
		return StatusNew
	case fails(before):
		return StatusFixed
	}
	return StatusChanged
}

// fails reports whether an outcome is a failure regardless of the other version. A failed test is
// crashed.
func fails(outcome string) bool {
	return outcome == "crashed" || outcome == "timeout" || outcome == "oom"
}

// Counts reports whether a finding of this status makes a run fail. A new failure does, and a
// changed behavior if the user asked for it.
func (s Status) Counts(failOnChange bool) bool {
	return s == StatusNew || s == StatusChanged && failOnChange
}

// Reason explains why a change point was not executed, as far as the call graph shows.
type Reason string

// The reasons are in order: the first one explains most about a harness.
const (
	Initializes Reason = "initializes"   // its function was executed before the first input, and not later
	NotExecuted Reason = "not-executed"  // calls lead to it, but no input executed it
	UnseenCalls Reason = "unseen-calls"  // a harness reaches it, if at all, by unknown calls
	OtherTarget Reason = "other-target"  // only other harnesses reach it
	NoCode      Reason = "no-code"       // the harness does not contain it
	AtStart     Reason = "start"         // it runs when a process starts, and no harness has its package
	TestsOnly   Reason = "tests-only"    // only tests call it
	NoCaller    Reason = "no-caller"     // it is not exported, and nothing outside of tests calls it
	NoCall      Reason = "no-call"       // no harness reaches it by calls
	ByName      Reason = "no-call-named" // no harness reaches it by the names of calls, and only names are known
)

// Reasons lists all reasons in this order.
var Reasons = []Reason{Initializes, NotExecuted, UnseenCalls, OtherTarget, NoCode, AtStart, TestsOnly, NoCaller, NoCall, ByName}

// Text describes the reason for people. Empty means an unknown reason.
func (r Reason) Text() string {
	return map[Reason]string{
		Initializes: "its function runs at package initialization only",
		NotExecuted: "calls lead to it, and nothing near it was executed", UnseenCalls: "perhaps no call leads to it: not all calls are known", OtherTarget: "only other targets reach it",
		NoCode: "it has no block in the test binary", AtStart: "it runs when a process starts, and no target has its package", TestsOnly: "only tests call it",
		NoCaller: "not exported, and nothing outside of tests calls it", NoCall: "no target reaches it by calls", ByName: "perhaps no target reaches it: only the names of calls are known",
	}[r]
}

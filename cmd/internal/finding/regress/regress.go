// Package regress decides how a change is tested: which harnesses are fuzzed for how long, and what a finding says of the change. The command
// that compares two versions calls it, and the findings of such a campaign take their status from it.
//
// Invariant: everything here is a pure function of what it is given.
package regress

// Names of the programs of a comparison: the version with the change, and the one before.
const (
	New = "new"
	Old = "old"
)

// Status is what a finding says of the change.
type Status string

// The statuses.
const (
	StatusNew     Status = "new"     // the new version fails and the old one does not
	StatusOld     Status = "old"     // both fail
	StatusFixed   Status = "fixed"   // the old version fails and the new one does not
	StatusChanged Status = "changed" // neither fails, and they do different things
)

// StatusOf is the status of a finding by the outcomes of the two versions; empty where nothing was observed of one of them. Without an old
// version (alone) a failure is new.
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

// fails reports whether an outcome is a failure whatever the other version does. A failed test is crashed.
func fails(outcome string) bool {
	return outcome == "crashed" || outcome == "timeout" || outcome == "oom"
}

// Counts reports whether a finding of this status makes a run fail: a new failure does, and a changed behavior if it was asked for.
func (s Status) Counts(failOnChange bool) bool {
	return s == StatusNew || s == StatusChanged && failOnChange
}

// Reason is why a change point was not executed, as far as the calls between functions say it.
type Reason string

// The reasons, from the one that says most for a harness to the one that says least.
const (
	NotExecuted Reason = "not-executed"  // calls lead to it, and no input executed it
	UnseenCalls Reason = "unseen-calls"  // a harness reaches it, if at all, by calls that are not known
	OtherTarget Reason = "other-target"  // only other harnesses reach it
	NoCode      Reason = "no-code"       // the harness has no code of it
	AtStart     Reason = "start"         // it runs when a process starts, and no harness has its package
	TestsOnly   Reason = "tests-only"    // only tests call it
	NoCaller    Reason = "no-caller"     // it is not exported, and nothing outside of tests calls it
	NoCall      Reason = "no-call"       // no harness reaches it by calls
	ByName      Reason = "no-call-named" // no harness reaches it by the names of calls, which is all that is known
)

// Reasons are all of them, in that order.
var Reasons = []Reason{NotExecuted, UnseenCalls, OtherTarget, NoCode, AtStart, TestsOnly, NoCaller, NoCall, ByName}

// Text is the reason for people; "" of one that is not known.
func (r Reason) Text() string {
	return map[Reason]string{
		NotExecuted: "calls lead to it, and nothing near it was executed", UnseenCalls: "perhaps no call leads to it: not all calls are known", OtherTarget: "only other targets reach it",
		NoCode: "it has no block in the test binary", AtStart: "it runs when a process starts, and no target has its package", TestsOnly: "only tests call it",
		NoCaller: "not exported, and nothing outside of tests calls it", NoCall: "no target reaches it by calls", ByName: "perhaps no target reaches it: only the names of calls are known",
	}[r]
}

package llvmir

import (
	"fmt"
	"strings"
)

// Outcome is the end of a run.
type Outcome uint8

// The outcomes. Returned is the only one with a result. Undefined behavior of C follows, and then
// limits.
const (
	_ Outcome = iota
	Returned
	OutOfBoundsRead
	OutOfBoundsWrite
	NullPointer
	WildPointer // of no object
	UseAfterReturn
	UseAfterFree
	WriteToConstant
	Uninitialized // a decision depends on an uninitialized value
	Poison        // the result of a broken promise, as of signed overflow, decides something
	DivisionByZero
	Unreachable
	BrokenAssumption
	StepLimit
	DepthLimit
	MemoryLimit
	ExternalFailed // a function that the caller supplies gave an error
)

var outcomeNames = [...]string{Returned: "returned", OutOfBoundsRead: "out-of-bounds read", OutOfBoundsWrite: "out-of-bounds write",
	NullPointer: "null pointer", WildPointer: "wild pointer", UseAfterReturn: "use after return", UseAfterFree: "use after free",
	WriteToConstant: "write to a constant",
	Uninitialized:   "uninitialized value", Poison: "poison", DivisionByZero: "division by zero", Unreachable: "unreachable code",
	BrokenAssumption: "broken assumption", StepLimit: "step limit", DepthLimit: "depth limit", MemoryLimit: "memory limit",
	ExternalFailed: "external function failed"}

// String describes the outcome.
func (o Outcome) String() string {
	if int(o) < len(outcomeNames) && outcomeNames[o] != "" {
		return outcomeNames[o]
	}
	return fmt.Sprint("outcome ", uint8(o))
}

// Undefined reports whether the outcome is undefined behavior of C.
func (o Outcome) Undefined() bool { return o > Returned && o < StepLimit }

// Result describes a run. The machine owns its slices, until the next Reset.
type Result struct {
	Outcome Outcome
	// of the result: one for a scalar, none for void, one per scalar of an aggregate
	Values []uint64
	Steps  int   // instructions
	Trace  []int // the blocks entered, by their numbers in the module
	Cut    bool  // the trace is longer than Machine.Traced

	// Of any outcome but Returned.
	Function string
	Line     int        // of the text
	Place    SourceLine // in the source
	Detail   string
}

// String describes the end of the run, and its place.
func (r *Result) String() string {
	if r.Outcome == Returned {
		return fmt.Sprint("returned ", r.Values)
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%v in @%s, ", r.Outcome, r.Function)
	if r.Place.Line != 0 {
		b.WriteString(r.Place.String())
	} else {
		fmt.Fprintf(&b, "line %d", r.Line)
	}
	if r.Detail != "" {
		b.WriteString(": " + r.Detail)
	}
	return b.String()
}

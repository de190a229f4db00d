package triage

import (
	"parallax/cmd/internal/finding/causes"
	"parallax/internal/oracle"
	"parallax/internal/wire"
)

// Class describes the rejection or failure in a result with detail, without numbers, quoted parts
// and echoes of the input. It is the type and message of an error, or the kind and message of a
// crash. Empty means success, or a rejection without an error.
func (j *Triager) Class(r wire.RunResult, flat []byte) string {
	if oracle.Outcome(r.Outcome) >= oracle.Crashed {
		return Kind(&r) + "\n" + oracle.MessageClass(causes.WithoutInput(j.Shape, r.Panic, flat))
	}
	class, _ := j.class(r, flat)
	return class
}

// Detail returns a result in words.
func Detail(r wire.RunResult) oracle.Detail {
	return oracle.Detail{
		Outcome: oracle.Outcome(r.Outcome).String(), Error: r.Error, ErrorType: r.ErrorType, ErrorClass: r.ErrorClass,
		Value: r.Rendered, Truncated: r.Truncated,
	}
}

package triage

import (
	"parallax/internal/oracle"
	"parallax/internal/wire"
)

// Class names what went wrong in a result with detail: of a rejection the error's type and message, of a crash its kind and
// message, both without numbers, quoted parts and what repeats the input. It is empty for what went well, and for a
// rejection without an error.
func (j *Triager) Class(r wire.RunResult, flat []byte) string {
	if oracle.Outcome(r.Outcome) >= oracle.Crashed {
		return Kind(&r) + "\n" + oracle.MessageClass(withoutInput(j.Shape, r.Panic, flat))
	}
	class, _ := j.class(r, flat)
	return class
}

package triage

import (
	"parallax/internal/oracle"
	"parallax/internal/wire"
)

// Detail returns a result in words.
func Detail(r wire.RunResult) oracle.Detail {
	return oracle.Detail{
		Outcome: oracle.Outcome(r.Outcome).String(), Error: r.Error, ErrorType: r.ErrorType, ErrorClass: r.ErrorClass,
		Value: r.Rendered, Truncated: r.Truncated,
	}
}

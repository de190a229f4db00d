package triage

import (
	"parallax/internal/judge"
	"parallax/internal/wire"
)

// Detail is a result in words.
func Detail(r wire.RunResult) judge.Detail {
	return judge.Detail{
		Outcome: judge.Outcome(r.Outcome).String(), Error: r.Error, ErrorType: r.ErrorType, ErrorClass: r.ErrorClass,
		Value: r.Rendered, Truncated: r.Truncated,
	}
}

package extract

import (
	"errors"
	"fmt"
)

// The kinds of errors, for errors.Is. Failures of an engine on a function are not among them, since
// they are an Answer.
var (
	// ErrUnknownEngine is a name that no engine has, a mistake of the user.
	ErrUnknownEngine = errors.New("unknown engine")
	// ErrNoVersion is a version that an engine does not have, a mistake of the user too.
	ErrNoVersion = errors.New("no such version")
	// ErrUnavailable is an engine that cannot be had or does not run here.
	ErrUnavailable = errors.New("engine not to be had")
)

type problem struct {
	kind, cause error
	text        string
}

func (p *problem) Error() string   { return p.text }
func (p *problem) Unwrap() []error { return []error{p.kind, p.cause} }

func fault(kind, cause error, format string, args ...any) error {
	if cause == nil {
		cause = kind
	}
	return &problem{kind, cause, fmt.Sprintf(format, args...)}
}

// Package exit defines the exit codes of parallax. Every error that reaches main carries a code. An
// error without one is an infrastructure failure. The codes are a contract with scripts and CI, and
// never change.
package exit

import (
	"errors"
	"fmt"
)

// Exit codes of the parallax command.
const (
	OK           = 0 // nothing found, also after ^C and at the end of the budget
	Found        = 1 // findings
	UsageCode    = 2 // usage or configuration; also no such function or version
	BuildCode    = 3 // a program does not build
	InfraCode    = 4 // infrastructure: disk full, workers do not start
	BaselineCode = 5 // the baseline is broken: every seed fails
)

// ErrFound ends a command that has shown findings. It has no code: main exits with Found.
var ErrFound = errors.New("findings")

// Error is an error with its exit code.
type Error struct {
	Code int
	Err  error
}

func (e *Error) Error() string { return e.Err.Error() }
func (e *Error) Unwrap() error { return e.Err }

// Usage reports a mistake in the command line or the configuration.
func Usage(format string, args ...any) error { return with(UsageCode, format, args) }

// Build reports a program that does not build.
func Build(format string, args ...any) error { return with(BuildCode, format, args) }

// Infra reports a failure of the machine or the environment.
func Infra(format string, args ...any) error { return with(InfraCode, format, args) }

// Doing is Infra for the result of an action, such as "writing the summary". A nil error stays nil.
func Doing(action string, err error) error {
	if err == nil {
		return nil
	}
	return Infra("%s: %w", action, err)
}

// Baseline reports a target that is broken from the start, so that no finding is possible.
func Baseline(format string, args ...any) error { return with(BaselineCode, format, args) }

func with(code int, format string, args []any) error {
	return &Error{Code: code, Err: fmt.Errorf(format, args...)}
}

// Code returns the exit code of err: 0 for nil, 4 for an error without a code.
func Code(err error) int {
	if err == nil {
		return OK
	}
	var e *Error
	if errors.As(err, &e) {
		return e.Code
	}
	return InfraCode
}

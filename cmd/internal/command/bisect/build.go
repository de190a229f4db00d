package bisect

import (
	"context"
	"errors"
	"fmt"

	"parallax/cmd/internal/base/exit"
	"parallax/cmd/internal/gobuild"
	"parallax/cmd/internal/gobuild/gocommand"
	"parallax/cmd/internal/subject"
)

// build builds the programs without counters, which bisect does not read. The error is a skipError,
// unless it would occur at every point.
func (s *bisection) build(ctx context.Context, at *subject.Site) (subject.Target, error) {
	o := s.past.Options
	t, err := subject.BuildPlain(ctx, at, &o, s.space, s.Tool, s.Step)
	var unready *subject.NotReady
	if errors.As(err, &unready) {
		return nil, &skipError{unready.Err}
	}
	if err != nil {
		return nil, s.skipped(ctx, err)
	}
	return t, s.programs(t.About())
}

// plan resolves the target at a site.
func (s *bisection) plan(ctx context.Context, at *subject.Site) (*gobuild.Plan, error) {
	return at.Plan(ctx, &s.past.Options, s.space, s.Tool, s.Step)
}

// skipped converts an error at one point to a skipError, but not an unreachable network or a full
// disk.
func (s *bisection) skipped(ctx context.Context, err error) error {
	if ctx.Err() != nil || errors.Is(err, gocommand.ErrNetwork) {
		return err
	}
	switch exit.Code(err) {
	case exit.UsageCode, exit.BuildCode, exit.BaselineCode:
		return &skipError{err}
	}
	return err
}

// skip returns a skipError with its own text.
func skip(format string, args ...any) error { return &skipError{fmt.Errorf(format, args...)} }

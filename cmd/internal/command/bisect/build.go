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

// build builds the programs, without counters, which nothing here reads. What stands in the way of that is a skipError, unless it
// stands in the way at every point.
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

// skipped makes a skipError of what is wrong with a point. A network that cannot be reached or a full disk is not.
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

// skip is a skipError with a text of its own.
func skip(format string, args ...any) error { return &skipError{fmt.Errorf(format, args...)} }

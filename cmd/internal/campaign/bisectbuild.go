package campaign

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"

	"parallax/cmd/internal/execute"
	"parallax/cmd/internal/exit"
	"parallax/cmd/internal/harness"
	"parallax/internal/input"
)

// place is what the programs are built from at a point.
type place struct {
	dir       string   // where the campaign was started, or the folder of its FuzzXxx
	functions []string // as written
	instead   []harness.Instead
}

// build builds the programs, without counters, which nothing here reads: quicker, and the programs as their users have
// them. What stands in the way of that is a skipError, unless it stands in the way at every point.
func (s *bisection) build(ctx context.Context, at *place) (*Target, error) {
	plan, test, err := s.plan(ctx, at)
	if err != nil {
		return nil, s.skipped(ctx, err)
	}
	plan.Packages = nil
	t := &Target{Plan: plan, Mode: s.past.cfg.Identity.Mode, test: test, built: &build{plan: plan, space: s.space}}
	built, err := plan.Build(ctx)
	if err != nil {
		return nil, s.skipped(ctx, err)
	}
	if t.Binary, err = s.space.own(built); err != nil {
		return nil, err
	}
	if test != nil {
		t.Name, t.dir = test.Name, at.dir
	} else {
		t.dir = filepath.Join(s.space.dir, "run")
		if err := os.MkdirAll(t.dir, 0o755); err != nil {
			return nil, exit.Infra("creating the working folder of the programs: %w", err)
		}
	}
	return t, s.greet(ctx, t)
}

// greet starts the programs once, to learn what they are.
func (s *bisection) greet(ctx context.Context, t *Target) error {
	o := s.past.options
	w, err := execute.Start(t.Spec(&o))
	if err != nil && ctx.Err() == nil {
		if t.test != nil {
			err = t.unready(&o, err)
		}
		return &skipError{err}
	}
	if err != nil {
		return err
	}
	defer w.Close()
	for _, text := range w.Hello.Problems {
		return &skipError{errors.New(text)}
	}
	t.hello, t.Names = w.Hello, w.Hello.Programs
	if t.Shape, err = input.ParseShape(w.Hello.Shape); err != nil {
		return exit.Infra("%w", err)
	}
	return s.programs(t)
}

// plan resolves the target at a place.
func (s *bisection) plan(ctx context.Context, at *place) (*harness.Plan, *fuzzTest, error) {
	o, fuzz := &s.past.options, s.past.cfg.Options["fuzz"]
	if fuzz == "" {
		plan, err := harness.Resolve(ctx, harness.Request{
			Dir: at.dir, Functions: at.functions, Out: s.space.dir, Parallax: s.Tool, Instead: at.instead,
		})
		return plan, nil, err
	}
	req := harness.FuzzRequest{
		Dir: at.dir, Out: s.space.dir, Parallax: s.Tool, Patterns: []string{"."}, Match: regexp.MustCompile("^" + fuzz + "$"),
		Diff: o.Mode == Diff, Tags: o.Tags, Instead: at.instead,
	}
	pkgs, _, err := harness.ListFuzz(ctx, req)
	if err != nil {
		return nil, nil, err
	}
	plan, err := harness.PlanFuzz(ctx, req, pkgs[0])
	return plan, &fuzzTest{Name: fuzz, pkg: pkgs[0], fn: pkgs[0].Funcs[0]}, err
}

// skipped makes a skipError of what is wrong with a point. A network that cannot be reached or a full disk is not.
func (s *bisection) skipped(ctx context.Context, err error) error {
	if ctx.Err() != nil || errors.Is(err, harness.ErrNetwork) {
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

package subject

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"regexp"

	"parallax/cmd/internal/base/buildcache"
	"parallax/cmd/internal/base/exit"
	"parallax/cmd/internal/gobuild"
	"parallax/cmd/internal/gobuild/buildroot"
	"parallax/cmd/internal/gobuild/fuzztest"
	"parallax/cmd/internal/gobuild/gomod"
	"parallax/cmd/internal/process/execute"
	"parallax/internal/input"
)

// Site names the sources of a target at another version or commit.
type Site struct {
	Dir       string   // start folder of the campaign, or the folder of its FuzzXxx
	Functions []string // as written
	Fuzz      string   // the FuzzXxx instead of functions; empty means none
	Instead   []gomod.Instead
}

// Plan resolves the target at a site. It passes say the name of a process that it waits for.
func (s *Site) Plan(ctx context.Context, o *Options, space *buildcache.Folder, tool string, say func(string)) (*gobuild.Plan, error) {
	plan, _, err := s.plan(ctx, o, space, tool, say)
	return plan, err
}

func (s *Site) plan(ctx context.Context, o *Options, space *buildcache.Folder, tool string, say func(string)) (*gobuild.Plan, *FuzzTest, error) {
	if s.Fuzz == "" {
		plan, err := gobuild.Resolve(ctx, gobuild.Request{
			Options:   buildroot.Options{Dir: s.Dir, Out: space.Dir, Parallax: tool, Instead: s.Instead},
			Functions: s.Functions, Libraries: space.Libraries(ctx, say),
		})
		return plan, nil, err
	}
	pkgs, _, err := fuzztest.List(ctx, fuzztest.Request{
		Dir: s.Dir, Parallax: tool, Patterns: []string{"."}, Match: regexp.MustCompile("^" + s.Fuzz + "$"), Diff: o.Mode == Diff, Tags: o.Tags,
	})
	if err != nil {
		return nil, nil, err
	}
	plan, err := gobuild.PlanFuzz(ctx, gobuild.Request{Options: buildroot.Options{Dir: s.Dir, Out: space.Dir, Parallax: tool, Instead: s.Instead}, Libraries: space.Libraries(ctx, say)}, pkgs[0])
	return plan, &FuzzTest{Name: s.Fuzz, pkg: pkgs[0], fn: pkgs[0].Funcs[0]}, err
}

// NotReady reports why built programs do not start.
type NotReady struct{ Err error }

// Error implements error.
func (n *NotReady) Error() string { return n.Err.Error() }

// Unwrap returns the cause.
func (n *NotReady) Unwrap() error { return n.Err }

// BuildPlain builds the programs without counters. This is faster, and users run the same code. The
// blocks of the programs are unknown.
func BuildPlain(ctx context.Context, s *Site, o *Options, space *buildcache.Folder, tool string, say func(string)) (Target, error) {
	plan, test, err := s.plan(ctx, o, space, tool, say)
	if err != nil {
		return nil, err
	}
	plan.Packages = nil
	t := &InProcess{Facts: Facts{Plan: plan, Mode: o.Mode, Test: test}, built: newBuild(plan, space, nil)}
	t.Space = t.newSpace()
	built, err := plan.Build(ctx)
	if err != nil {
		return nil, err
	}
	if t.binary, err = space.Own(built); err != nil {
		return nil, err
	}
	if test != nil {
		t.Name, t.dir = test.Name, s.Dir
	} else {
		t.dir = filepath.Join(space.Dir, "run")
		if err := os.MkdirAll(t.dir, 0o755); err != nil {
			return nil, exit.Infra("creating the working folder of the programs: %w", err)
		}
	}
	return t, t.greet(ctx, o)
}

// greet starts the programs once to read their properties.
func (t *InProcess) greet(ctx context.Context, o *Options) error {
	w, err := execute.StartContext(ctx, t.Spec(o))
	if err != nil && ctx.Err() == nil {
		if t.Test != nil {
			err = t.explainUnready(ctx, o, err)
		}
		return &NotReady{err}
	}
	if err != nil {
		return err
	}
	defer w.Close()
	for _, text := range w.Hello.Problems {
		return &NotReady{errors.New(text)}
	}
	t.hello, t.Names = w.Hello, w.Hello.Programs
	if t.Shape, err = input.ParseShape(w.Hello.Shape); err != nil {
		return exit.Infra("%w", err)
	}
	return nil
}

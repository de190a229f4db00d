// Package gencheck examines generators. It lists the sites at which the tests of packages draw
// choices, decides whether the drawn values depend on them, and finds mistakes in generators. It
// follows Definition 3.1 of BeDivFuzz (Nguyen and Grunske, ICSE 2022): a choice is structural if a
// branch of the generator depends on it.
//
// `parallax gen check` calls it. The library in the test binary measures (gen/examine.go). It draws
// inputs, changes one choice at a time, runs the property on the tape, and prints its observations.
// This package builds the test binaries, runs each test in its own sandbox (run.go), and sums up
// the observations. The judgment is a pure function of them (judge.go).
//
// Invariant: equal tests, seeds and numbers of inputs and reruns give equal reports.
package gencheck

import (
	"context"
	"errors"
	"os/exec"
	"path/filepath"
	"regexp"
	"time"

	"parallax/cmd/internal/base/buildcache"
	"parallax/cmd/internal/base/exit"
	"parallax/cmd/internal/base/limits"
	"parallax/cmd/internal/gobuild/buildroot"
	"parallax/cmd/internal/gobuild/fuzztest"
	"parallax/cmd/internal/gobuild/gocommand"
	"parallax/cmd/internal/process/confine"
)

// Options configures an examination.
type Options struct {
	Dir      string // the user's working directory
	Tool     string // the parallax executable
	Packages []string
	Match    *regexp.Regexp // pattern of names; nil means all
	Tags     string
	Seed     uint64
	Inputs   int           // per property
	Reruns   int           // per site
	Timeout  time.Duration // per run
	Memory   int64         // per test
	Progress func(step string)
}

// processes limits the processes of a test, as for a worker.
const processes = 512

// Run examines the tests of packages. The report is nil if none could be examined.
func Run(ctx context.Context, o Options) (*Report, error) {
	pkgs, notes, err := fuzztest.List(ctx, fuzztest.Request{
		Dir: o.Dir, Parallax: o.Tool, Patterns: o.Packages, Match: o.Match, Gen: true, Tags: o.Tags, Progress: o.Progress,
	})
	if err != nil {
		return nil, err
	}
	box, err := confine.Open(ctx, confine.Options{Tool: o.Tool, Limits: limits.Limits{Memory: o.Memory, Processes: processes, Network: true}})
	if err != nil {
		return nil, exit.Infra("%w", err)
	}
	defer box.Close()
	r := &Report{Version: 1, Targets: []*Target{}, Seed: o.Seed, Inputs: o.Inputs, Reruns: o.Reruns, Notes: append(notes, box.Notes()...)}
	var failed, unreached []error
	for _, pkg := range pkgs {
		binary, space, err := build(ctx, o, pkg)
		if err != nil {
			if ctx.Err() != nil {
				return nil, ctx.Err()
			}
			failed = append(failed, err)
			continue
		}
		for _, fn := range pkg.Funcs {
			o.Progress("examining " + pkg.ImportPath + "." + fn.Name)
			t := &test{o: &o, box: box, pkg: pkg, fn: fn, binary: binary, names: map[string]int{}}
			if err = t.run(ctx); err != nil {
				break
			}
			if t.unmade != nil {
				r.unmade = append(r.unmade, unmadeFor{fn.Name, t.unmade})
			} else if len(t.targets) == 0 {
				unreached = append(unreached, t.unreached())
			}
			r.Targets = append(r.Targets, t.targets...)
		}
		space.Close()
		if err != nil {
			return nil, err
		}
	}
	if len(failed) > 0 {
		return nil, &exit.Error{Code: exit.Code(failed[0]), Err: errors.Join(failed...)}
	}
	if len(r.Targets) == 0 && len(r.unmade) == 0 && len(unreached) > 0 {
		return nil, &exit.Error{Code: exit.Code(unreached[0]), Err: errors.Join(unreached...)}
	}
	for _, err := range unreached {
		r.Notes = append(r.Notes, "left out: "+err.Error())
	}
	r.judge()
	r.shorten(o.Dir)
	return r, nil
}

// build builds the test binary of a package as go test does. It adds no file, since the user's copy
// of the library measures.
func build(ctx context.Context, o Options, pkg *fuzztest.Package) (binary string, space *buildcache.Folder, err error) {
	folder, err := buildcache.Open(ctx, "gen check", pkg.ImportPath, pkg.Dir, o.Tags)
	if err != nil {
		return "", nil, err
	}
	defer func() {
		if err != nil {
			folder.Close()
		}
	}()
	release, err := folder.Lock(ctx, o.Progress)
	if err != nil {
		return "", nil, err
	}
	defer release()
	root, err := buildroot.Reopen(buildroot.Options{Dir: o.Dir, Out: folder.Dir, Parallax: o.Tool, Progress: o.Progress}, pkg.Env, pkg.Tags)
	if err != nil {
		return "", nil, err
	}
	o.Progress("building the tests of " + pkg.ImportPath)
	binary = filepath.Join(folder.Dir, "tests")
	args := []string{"test", "-c", "-vet=off", "-o", binary, "-ldflags=" + gocommand.LinkFlags(pkg.Env.GOFLAGS)}
	if o.Tags != "" {
		args = append(args, "-tags="+o.Tags)
	}
	out, errs, err := gocommand.Run(ctx, root.Command(append(args, pkg.ImportPath)...))
	if err != nil {
		var unbuilt *exec.ExitError
		if !errors.As(err, &unbuilt) {
			return "", nil, err
		}
		text := string(out) + string(errs)
		if e := gocommand.DiskError(text); e != nil {
			return "", nil, e
		}
		if e := pkg.Env.NetworkError(text); e != nil {
			return "", nil, e
		}
		return "", nil, exit.Build("the tests of %s do not build:\n%s", pkg.ImportPath, gocommand.Relevant(text))
	}
	if binary, err = folder.Own(binary); err != nil {
		return "", nil, err
	}
	return binary, folder, nil
}

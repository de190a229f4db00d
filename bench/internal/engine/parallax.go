package engine

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"parallax/bench/internal/process"
	"parallax/bench/internal/subject"
)

// Parallax is parallax fuzz with one worker and, but for those that it is given, the flags'
// defaults.
type Parallax struct {
	name  string
	pkg   subject.Package
	tool  string
	flags []string
}

// NewParallax takes the executable, and further flags. The first run builds what fuzzes, others
// find it in the cache.
func NewParallax(name string, pkg subject.Package, tool string, flags ...string) *Parallax {
	return &Parallax{name: name, pkg: pkg, tool: tool, flags: flags}
}

func (p *Parallax) Name() string { return p.name }

func (p *Parallax) Fuzz(ctx context.Context, folder string, limit Limit, seed int) (r Result, err error) {
	if err := makeFolder(folder); err != nil {
		return r, err
	}
	stdout, err := os.Create(filepath.Join(folder, "summary.json"))
	if err != nil {
		return r, err
	}
	defer stdout.Close()
	stderr, err := os.Create(filepath.Join(folder, "output.txt"))
	if err != nil {
		return r, err
	}
	defer stderr.Close()
	run, err := process.Start(process.Command{
		Path: p.tool, Args: p.arguments(folder, limit, seed), Dir: p.pkg.Root, Env: subject.Env, Stdout: stdout, Stderr: stderr,
	})
	if err != nil {
		return r, err
	}
	w := watch{run: run}
	if err := w.build(ctx); err != nil {
		run.Kill()
		_, waitErr := run.Wait(0)
		return r, errors.Join(err, waitErr)
	}
	u, _, err := follow(ctx, run, limit.CPU, func() time.Duration { return run.CPU() - w.building })
	r = Result{CPU: u.CPU, Building: w.building, Progress: run.Progress(-w.building), Wall: u.Wall, Instrumented: w.worker}
	if err != nil {
		return r, err
	}
	if u.Exit != 0 && u.Exit != 1 { // 1: there are findings
		args := strings.Join(p.arguments(folder, limit, seed), " ")
		return r, fmt.Errorf("%s %s: exit code %d:\n%s", p.tool, args, u.Exit, tail(stderr.Name()))
	}
	summary, err := os.ReadFile(stdout.Name())
	if err != nil {
		return r, err
	}
	if err := r.read(summary); err != nil {
		return r, fmt.Errorf("the summary of %s: %w", p.tool, err)
	}
	return r, nil
}

func (p *Parallax) arguments(folder string, limit Limit, seed int) []string {
	budget := fmt.Sprint(patience(limit.CPU))
	switch {
	case limit.Inputs > 0:
		budget = fmt.Sprintf("%dx", limit.Inputs)
	case limit.Time > 0:
		budget = fmt.Sprint(limit.Time)
	}
	pkg := "."
	if p.pkg.Package != "." {
		pkg = "./" + p.pkg.Package
	}
	args := []string{
		"fuzz", pkg, "--fuzz", p.pkg.Pattern(), "--fuzztime", budget, "--parallel", "1", "--seed", strconv.Itoa(seed),
		"--out", filepath.Join(folder, "campaign"), "--json",
	}
	return append(args, p.flags...)
}

// watch finds the moment at which fuzzing begins.
type watch struct {
	run      *process.Process
	worker   subject.Instrumented
	building time.Duration
}

// build waits for the first process whose binary has counters, or for the end. The CPU time of all
// other processes until then was spent on building.
func (w *watch) build(ctx context.Context) error {
	known := map[string]subject.Instrumented{}
	for {
		var workers time.Duration
		for _, pid := range w.run.Tree() {
			exe, err := os.Readlink(fmt.Sprintf("/proc/%d/exe", pid))
			if err != nil {
				continue // the process is gone
			}
			if _, seen := known[exe]; !seen {
				known[exe] = subject.Counters(exe)
			}
			if known[exe].Counters > 0 {
				w.worker = known[exe]
				workers += process.Spent(pid)
			}
		}
		if w.worker.Counters > 0 {
			w.building = w.run.CPU() - workers
			return nil
		}
		switch err := pause(ctx, w.run, 5*time.Millisecond); err {
		case nil:
		case errEnded:
			return nil // its message has the reason
		default:
			return err
		}
	}
}

// read takes what counts from the summary that --json prints, of one target or of a list with one.
func (r *Result) read(data []byte) error {
	type summary struct {
		Executions *int64
		Inputs     int64
		Corpus     struct{ Size int }
		Coverage   []struct{ Blocks, Covered int }
		Findings   struct{ Total, Buckets json.RawMessage }
	}
	var s struct {
		summary
		Targets []summary
	}
	if err := json.Unmarshal(bytes.TrimSpace(data), &s); err != nil {
		return err
	}
	one := s.summary
	if len(s.Targets) == 1 {
		one = s.Targets[0]
	}
	if one.Executions == nil {
		return errors.New("no executions, or of several targets")
	}
	var buckets []json.RawMessage
	if len(one.Findings.Buckets) > 0 {
		if err := json.Unmarshal(one.Findings.Buckets, &buckets); err != nil {
			return err
		}
	}
	r.Executions, r.Findings = *one.Executions, len(buckets)
	r.Inputs, r.Corpus = one.Inputs, one.Corpus.Size
	if len(one.Coverage) == 1 {
		r.Blocks, r.Covered = one.Coverage[0].Blocks, one.Coverage[0].Covered
	}
	return nil
}

// Inputs reads the campaign's folder as docs/reference/campaign-folder.md describes it. It does not
// use parallax export, so that the measurement depends on no other part of parallax.
func (p *Parallax) Inputs(folder string) ([]process.Kept[[]byte], error) {
	var all []process.Kept[[]byte]
	err := filepath.WalkDir(filepath.Join(folder, "campaign"), func(name string, d fs.DirEntry, err error) error {
		if err != nil || !d.IsDir() {
			return err
		}
		parent := filepath.Base(filepath.Dir(filepath.Dir(name)))
		var found []process.Kept[[]byte]
		switch {
		case d.Name() == "corpus":
			found, err = files(name, func(file string) bool { return !strings.Contains(file, ".") })
		case parent == "findings":
			found, err = files(name, func(file string) bool { return file == "input" || file == "minimized" })
		}
		for _, one := range found {
			all = append(all, process.Kept[[]byte]{What: p.encode(one.What), At: one.At})
		}
		return err
	})
	return all, err
}

const header = "go test fuzz v1\n"

// encode returns an input of the campaign in the format of testdata/fuzz. A campaign writes a
// single argument as it is.
func (p *Parallax) encode(data []byte) []byte {
	if p.pkg.Raw == "" || bytes.HasPrefix(data, []byte(header)) {
		return data
	}
	return fmt.Appendf(nil, "%s%s(%q)\n", header, p.pkg.Raw, data)
}

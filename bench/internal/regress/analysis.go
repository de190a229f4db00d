package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"parallax/bench/internal/origin"
	"parallax/bench/internal/process"
	"parallax/bench/internal/samples"
	"parallax/internal/stats"
)

// These functions measure the cost of the analysis of a change. parallax regress --plan builds
// nothing. It runs with an empty cache of parallax and with the one that it left. The caches of the
// go command are filled before.

// analyzed is one measurement of a subject.
type analyzed struct {
	Subject  string `json:"subject"`
	Versions string `json:"versions"`
	Trial    int    `json:"trial"`
	Error    string `json:"error,omitempty"`

	Points    int     `json:"points"`
	Functions int     `json:"functions"`        // that hold them
	Reached   int     `json:"reached"`          // points, by the harness
	Cold      float64 `json:"cold_cpu_seconds"` // of the parallax process alone: tables of both versions, and the call graph of the new one
	Warm      float64 `json:"warm_cpu_seconds"`
	ColdAll   float64 `json:"cold_all_cpu_seconds"` // with the go command, which is asked for packages and compiles the harness once
	WarmAll   float64 `json:"warm_all_cpu_seconds"`
	ColdWall  float64 `json:"cold_wall_seconds"`
	WarmWall  float64 `json:"warm_wall_seconds"`

	Load string `json:"loadavg"`
	origin.Origin
}

// Bounds of the cost, in CPU seconds.
const (
	coldBound = 20
	warmBound = 2
)

// analyses measures the Go subjects that were chosen, and goes on where an interrupted run was.
func (m *measurement) analyses(ctx context.Context) (err error) {
	if err := m.Complete(); err != nil {
		return err
	}
	if m.root, err = filepath.Abs(m.root); err != nil {
		return err
	}
	taken, err := samples.Read[analyzed](m.File)
	if err != nil {
		return err
	}
	done := map[key]bool{}
	var origins []origin.Origin
	for _, a := range taken {
		origins = append(origins, a.Origin)
		done[key{subject: a.Subject, seed: a.Trial}] = a.Error == "" || !m.retry
	}
	if err := m.Here.Check(m.File, origins); err != nil {
		return err
	}
	caches, err := goCaches()
	if err != nil {
		return err
	}
	for trial := 1; trial <= m.trials; trial++ {
		for _, s := range m.subjects {
			if s.C || done[key{subject: s.Name, seed: trial}] {
				continue
			}
			a, err := m.analysis(ctx, s, trial, caches)
			if ctx.Err() != nil {
				return ctx.Err()
			}
			if err != nil {
				a.Error = m.clean(err.Error())
			}
			if err := samples.Append(m.File, a); err != nil {
				return err
			}
			fmt.Fprintf(os.Stderr, "%s, trial %d: %.1f CPU s cold, %.1f warm %s\n", a.Subject, a.Trial, a.Cold, a.Warm, a.Error)
		}
	}
	return analysisTable(os.Stdout, m.File)
}

// goCaches are the places of the go command's caches, which by default move with the cache of
// parallax.
func goCaches() (environment []string, err error) {
	for _, name := range []string{"GOCACHE", "GOMODCACHE"} {
		out, err := exec.Command("go", "env", name).Output()
		if err != nil {
			return nil, fmt.Errorf("asking the go command for %s: %w", name, err)
		}
		environment = append(environment, name+"="+strings.TrimSpace(string(out)))
	}
	return environment, nil
}

func (m *measurement) analysis(ctx context.Context, s subject, trial int, caches []string) (a analyzed, err error) {
	a = analyzed{Subject: s.Name, Versions: s.versions(), Trial: trial, Load: origin.Load(), Origin: m.Here}
	cache := filepath.Join(m.Work, "analysis")
	defer func() { err = errors.Join(err, os.RemoveAll(cache)) }()
	if trial == 1 { // the go command's caches are filled
		if _, err := m.plan(ctx, s, cache, caches, nil); err != nil {
			return a, err
		}
	}
	if err := os.RemoveAll(cache); err != nil {
		return a, err
	}
	cold, err := m.plan(ctx, s, cache, caches, a.read)
	if err != nil {
		return a, err
	}
	warm, err := m.plan(ctx, s, cache, caches, nil)
	a.Cold, a.ColdAll, a.ColdWall = seconds(cold.own), seconds(cold.CPU), seconds(cold.Wall)
	a.Warm, a.WarmAll, a.WarmWall = seconds(warm.own), seconds(warm.CPU), seconds(warm.Wall)
	return a, err
}

// planning has the resources that a call of parallax used.
type planning struct {
	process.Usage               // with all that it started
	own           time.Duration // without
}

// planFile has the output of parallax regress --plan.
const planFile = "plan.json"

// plan has parallax analyze the change of a subject. A nil read ignores the plan.
func (m *measurement) plan(ctx context.Context, s subject, cache string, caches []string, read func(plan []byte) error) (planning, error) {
	var said [2][]byte
	limited, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	var u planning
	if err := os.MkdirAll(cache, 0o755); err != nil {
		return u, err
	}
	var files [2]*os.File
	for i, name := range []string{planFile, "output.txt"} {
		f, err := os.Create(filepath.Join(cache, name))
		if err != nil {
			return u, err
		}
		defer f.Close()
		files[i] = f
	}
	p, err := process.Start(process.Command{
		Path: m.Tool, Args: slices.Concat(m.versions(s), []string{"--plan", "--json", "--ui", "none"}), Dir: cache,
		Env: slices.Concat(caches, []string{"XDG_CACHE_HOME=" + cache}), Stdout: files[0], Stderr: files[1],
	})
	if err != nil {
		return u, err
	}
	for ended := false; !ended; {
		select {
		case <-p.Ended():
			ended = true
		case <-limited.Done():
			p.Kill()
			<-p.Ended()
			ended = true
		case <-time.After(10 * time.Millisecond):
			u.own = max(u.own, p.Own())
		}
	}
	u.Usage, err = p.Wait(10 * time.Second)
	err = errors.Join(err, limited.Err())
	for i, f := range files {
		data, readErr := os.ReadFile(f.Name())
		said[i], err = data, errors.Join(err, readErr)
	}
	if err == nil && u.Exit != 0 {
		err = fmt.Errorf("exit code %d: %s", u.Exit, m.tail(said[1]))
	}
	if err != nil || read == nil {
		return u, err
	}
	return u, read(said[0])
}

// read reads what --json prints.
func (a *analyzed) read(data []byte) error {
	var s struct {
		Change struct {
			Points    int
			Functions []json.RawMessage
			Harnesses []struct{ Reaches int }
		}
	}
	if err := json.Unmarshal(data, &s); err != nil {
		return fmt.Errorf("the plan: %w", err)
	}
	if len(s.Change.Harnesses) != 1 {
		return fmt.Errorf("the plan has %d harnesses, not one", len(s.Change.Harnesses))
	}
	a.Points, a.Functions, a.Reached = s.Change.Points, len(s.Change.Functions), s.Change.Harnesses[0].Reaches
	return nil
}

// analysisTable sums up a file of measurements.
func analysisTable(w io.Writer, file string) error {
	taken, err := samples.Read[analyzed](file)
	if err != nil {
		return err
	}
	last := map[key]analyzed{}
	for _, a := range taken {
		last[key{subject: a.Subject, seed: a.Trial}] = a
	}
	by := map[string][]analyzed{}
	var names, failed []string
	var origins []origin.Origin
	for _, a := range taken {
		if last[key{subject: a.Subject, seed: a.Trial}] != a {
			continue
		}
		origins = append(origins, a.Origin)
		if a.Error != "" {
			failed = append(failed, fmt.Sprintf("- %s, trial %d failed: `%s`", a.Subject, a.Trial, strings.ReplaceAll(strings.Join(strings.Fields(a.Error), " "), "`", "'")))
			continue
		}
		if by[a.Subject] == nil {
			names = append(names, a.Subject)
		}
		by[a.Subject] = append(by[a.Subject], a)
	}
	if len(origins) == 0 {
		return fmt.Errorf("%s: there are no samples", file)
	}
	lines := head("analysis of the change", []string{"versions", "change points", "functions", "trials", "cold, CPU s", "warm, CPU s", "with the go command", fmt.Sprintf("under %d and %d", coldBound, warmBound)})
	for _, name := range names {
		var cold, warm, coldAll, warmAll []float64
		for _, a := range by[name] {
			cold, warm, coldAll, warmAll = append(cold, a.Cold), append(warm, a.Warm), append(coldAll, a.ColdAll), append(warmAll, a.WarmAll)
		}
		one := by[name][0]
		spread := func(v []float64) string {
			return fmt.Sprintf("%.1f (%.1f to %.1f)", stats.Median(v), slices.Min(v), slices.Max(v))
		}
		lines = append(lines, row(name, []string{
			one.Versions, fmt.Sprint(one.Points), fmt.Sprint(one.Functions), fmt.Sprint(len(cold)), spread(cold), spread(warm),
			fmt.Sprintf("%.1f, %.1f", stats.Median(coldAll), stats.Median(warmAll)),
			yes(stats.Median(cold) < coldBound) + ", " + yes(stats.Median(warm) < warmBound),
		}))
	}
	lines = append(append(lines, failed...), "", origin.Describe(origins)+".")
	_, err = fmt.Fprintln(w, strings.Join(lines, "\n"))
	return err
}

func yes(is bool) string {
	if is {
		return "yes"
	}
	return "no"
}

package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"syscall"
	"time"
)

// campaign is one run of parallax diff.
type campaign struct {
	tool, dir, out string
	funcs          []string
	seeds          string
	seed, inputs   int
}

// patience ends a campaign whose programs hang: every input that does costs its timeout.
const patience = 3 * time.Minute

// bucket has the used parts of a bucket of a campaign.
type bucket struct {
	ID        string             `json:"id"`
	Kind      string             `json:"kind"`
	Layer     string             `json:"layer,omitempty"`
	Count     uint64             `json:"count"`
	Minimized string             `json:"minimized"` // the smallest input, as Go text
	Ranked    map[string][]place `json:"ranked"`    // by program, best first
	Inputs    []finding          `json:"inputs,omitempty"`
}

// finding is one input of a bucket.
type finding struct {
	Input     string `json:"input"` // flat form, as Go text
	Minimized string `json:"minimized"`
	Shown     []int  `json:"shown,omitempty"` // causes that the input shows, by the oracle of a puzzle
	Small     []int  `json:"small,omitempty"` // that the minimized one shows
	Variant   string `json:"variant,omitempty"`
}

// result is the result of a campaign.
type result struct {
	Inputs  uint64
	Buckets []bucket
	Seconds float64 // CPU time of the command and its children that it waited for
	Limit   bool    // it was ended before its budget
}

func (c campaign) run(ctx context.Context) (*result, error) {
	if err := os.RemoveAll(c.out); err != nil {
		return nil, err
	}
	limited, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	args := append([]string{"diff"}, c.funcs...)
	args = append(args, "--fuzztime", fmt.Sprint(c.inputs, "x"), "--parallel", "1", "--seed", strconv.Itoa(c.seed), "--ui", "none", "--json", "--out", c.out)
	if c.seeds != "" {
		args = append(args, "--seeds", c.seeds)
	}
	cmd := exec.CommandContext(limited, c.tool, args...)
	cmd.Dir, cmd.Env = c.dir, append(os.Environ(), "GOWORK=off") // whatever lies above the folder
	cmd.Cancel = func() error { return cmd.Process.Signal(syscall.SIGINT) }
	cmd.WaitDelay = 20 * time.Second
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	err := cmd.Run()
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	r := &result{Limit: limited.Err() != nil}
	if cmd.ProcessState != nil {
		r.Seconds = (cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()).Seconds()
	}
	var exit *exec.ExitError
	if errors.As(err, &exit) && exit.ExitCode() == 5 { // the mutant fails on every seed
		r.Limit = true
	}
	if err != nil && !r.Limit && (exit == nil || exit.ExitCode() != 1) { // 1: there are findings
		return nil, fmt.Errorf("%s %q: %w\n%s", c.tool, args, err, tail(stderr.Bytes()))
	}
	var summary struct {
		Inputs   uint64
		Findings struct {
			Buckets []struct {
				ID, Kind, Layer, Minimized, Quoted string
				Count                              uint64
			}
		}
	}
	if err := json.Unmarshal(stdout.Bytes(), &summary); err != nil {
		if r.Limit {
			return r, nil
		}
		return nil, fmt.Errorf("the summary of %s %q: %w\n%s", c.tool, args, err, tail(stderr.Bytes()))
	}
	r.Inputs = summary.Inputs
	for _, b := range summary.Findings.Buckets {
		one := bucket{ID: b.ID, Kind: b.Kind, Layer: b.Layer, Count: b.Count, Minimized: b.Quoted}
		file := b.Minimized
		if !filepath.IsAbs(file) {
			file = filepath.Join(c.dir, file)
		}
		if err := one.read(filepath.Dir(file)); err != nil {
			return nil, err
		}
		r.Buckets = append(r.Buckets, one)
	}
	return r, nil
}

// read reads the findings of a bucket. best is the folder of its representative.
func (b *bucket) read(best string) error {
	folders, err := filepath.Glob(filepath.Join(filepath.Dir(best), "*", "outputs.json"))
	if err != nil {
		return err
	}
	for _, file := range folders {
		data, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		var f struct {
			Input, Minimized struct{ Flat string }
			Variant          string
			Programs         []struct {
				Name, Deciding string
				Ranked         []struct {
					Location, Branch string
					Rejects          bool
				}
			}
		}
		if err := json.Unmarshal(data, &f); err != nil {
			return fmt.Errorf("%s: %w", file, err)
		}
		b.Inputs = append(b.Inputs, finding{Input: f.Input.Flat, Minimized: f.Minimized.Flat, Variant: f.Variant})
		if filepath.Dir(file) != best {
			continue
		}
		b.Ranked = map[string][]place{}
		for _, p := range f.Programs {
			for _, at := range p.Ranked {
				one := parsePlace(at.Location, at.Branch)
				one.Rejects = at.Rejects
				b.Ranked[p.Name] = append(b.Ranked[p.Name], one)
			}
			if len(p.Ranked) == 0 && p.Deciding != "" {
				b.Ranked[p.Name] = []place{parsePlace(p.Deciding, "")}
			}
		}
	}
	return nil
}

func tail(b []byte) []byte { return b[max(0, len(b)-2000):] }

package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"parallax/bench/internal/origin"
	"parallax/bench/internal/process"
)

const (
	// patience is the largest time of a trial in addition to its fuzzing. The first trial of a subject
	// analyzes and builds both versions.
	patience = 40 * time.Minute
	// slow is how much longer on the wall than in CPU time fuzzing may take on a busy machine, or with
	// a program that sleeps.
	slow = 20
	// most is how many buckets are written down.
	most = 200
	// thin is how many lines of the coverage over time are.
	thin = 40
	// witnessed is the configuration of the campaigns that file a witness.
	witnessed = "witness"
)

// campaign runs parallax regress in a folder that is removed afterwards. The sample is good for an
// error too.
func (m *measurement) campaign(ctx context.Context, s subject, c configuration, seed int, b budget, triage time.Duration) (sample, error) {
	t := sample{
		Subject: s.Name, Versions: s.versions(), Kind: s.Kind, Control: s.Control, C: s.C, Development: s.Development,
		Configuration: c.name, Seed: seed, Budget: m.budget.text, Triage: triage.Seconds(), Load: origin.Load(), Origin: m.Here,
	}
	folder := filepath.Join(m.Work, "run")
	if err := errors.Join(os.RemoveAll(folder), os.MkdirAll(folder, 0o755)); err != nil {
		return t, err
	}
	defer os.RemoveAll(folder)
	stdout, err := os.Create(filepath.Join(folder, "summary.json"))
	if err != nil {
		return t, err
	}
	defer stdout.Close()
	stderr, err := os.Create(filepath.Join(folder, "output.txt"))
	if err != nil {
		return t, err
	}
	defer stderr.Close()
	dir := folder
	if s.C {
		dir = filepath.Join(m.pairs, s.Name)
	}
	limited, cancel := context.WithTimeout(ctx, patience+slow*b.cpu)
	defer cancel()
	u, err := process.Run(limited, process.Command{
		Path: m.Tool, Args: slices.Concat(m.arguments(s, c, seed, b, folder), []string{"--triage-time", triage.String()}), Dir: dir, Env: []string{"PARALLAX=" + m.Tool}, Stdout: stdout, Stderr: stderr,
	})
	t.AllCPU, t.Wall = seconds(u.CPU), seconds(u.Wall)
	if err != nil {
		if ctx.Err() == nil && limited.Err() != nil {
			err = fmt.Errorf("it did not end within %v", patience+slow*b.cpu)
		}
		return t, err
	}
	said, err := os.ReadFile(stderr.Name())
	if err != nil {
		return t, err
	}
	if u.Exit != 0 && u.Exit != 1 { // 1: there are findings
		return t, fmt.Errorf("exit code %d: %s", u.Exit, m.tail(said))
	}
	if err := t.read(folder); err != nil {
		return t, fmt.Errorf("%w: %s", err, m.tail(said))
	}
	if c.name == witnessed {
		t.Found = slices.DeleteFunc(t.Found, func(b bucket) bool { return !holds(b.folder, s.witness(m.root)) })
	}
	t.Found = t.Found[:min(most, len(t.Found))]
	return t, nil
}

func seconds(d time.Duration) float64 { return d.Round(time.Millisecond).Seconds() }

func (m *measurement) arguments(s subject, c configuration, seed int, b budget, folder string) []string {
	args := append(m.versions(s), "--seed", strconv.Itoa(seed), "--parallel", "1", "--json", "--ui", "none", "--out", filepath.Join(folder, "campaign"))
	return slices.Concat(args, b.flags(), c.flags)
}

// versions are the arguments that say what is compared.
func (m *measurement) versions(s subject) []string {
	if s.C {
		return []string{"regress", "parallax.toml", "--base", "base", "--head", "head"}
	}
	return []string{"regress", s.Module + "@" + s.Good, s.Module + "@" + s.Bad, "--harness", s.harness(m.root), "--fuzz", "^" + s.Fuzz + "$"}
}

// tail is the end of what parallax said.
func (m *measurement) tail(said []byte) string {
	text := m.clean(string(bytes.TrimSpace(said)))
	return strings.ToValidUTF8(text[max(0, len(text)-500):], "")
}

// clean takes the names of this machine's folders out of a text.
func (m *measurement) clean(text string) string {
	home, _ := os.UserHomeDir()
	for _, p := range [][2]string{{m.Work, "WORK"}, {m.pairs, "PAIRS"}, {m.root, "bench/regress"}, {home, "~"}, {os.TempDir(), "TMP"}} {
		if len(p[0]) > 1 {
			text = strings.ReplaceAll(text, p[0], p[1])
		}
	}
	return text
}

// read takes what counts from the summary and from the campaign's folder.
func (t *sample) read(folder string) error {
	data, err := os.ReadFile(filepath.Join(folder, "summary.json"))
	if err != nil {
		return err
	}
	lines, err := readStats(filepath.Join(folder, "campaign", "stats.jsonl"))
	if err != nil {
		return err
	}
	if err := t.summary(data, lines); err != nil {
		return fmt.Errorf("the summary: %w", err)
	}
	if len(lines) > 0 {
		last := lines[len(lines)-1]
		t.CPU, t.Change.Segments = round(last.CPU), last.Change
		t.Series, t.Over = sixteenths(lines), overTime(lines)
		t.Tuples = map[string]int{"coarse": last.Coarse, "fine": last.Fine, "output": last.Output}
	}
	for _, l := range lines {
		t.First = append(t.First, l.Reached...)
	}
	if t.Seed > 1 { // where the blocks are is known
		for i := range t.First {
			t.First[i].Location = ""
		}
	}
	return nil
}

// summary reads what --json prints.
func (t *sample) summary(data []byte, lines []line) error {
	var s struct {
		Version    int
		Targets    []json.RawMessage
		Inputs     int64
		Executions int64
		Corpus     struct{ Size int }
		Flaky      int
		Change     *struct {
			Points, Covered, Impacted, Blocks int
			ImpactedCovered                   int `json:"impacted_covered"`
			BlocksCovered                     int `json:"blocks_covered"`
			Reached                           []struct{ Paths int }
		}
		Coverage []struct{ Blocks, Covered int }
		Findings struct {
			Buckets []struct {
				ID, Kind, Layer, Status, Location, Input string
				Flaky, Gone                              bool
				FirstSeen                                int64 `json:"first_seen"`
			}
			Unjudged int
		}
	}
	if err := json.Unmarshal(data, &s); err != nil {
		return err
	}
	switch {
	case s.Version != 1 || s.Targets != nil:
		return errors.New("it is not one of one target")
	case s.Inputs == 0:
		return errors.New("nothing was fuzzed")
	case s.Change == nil:
		return errors.New("it tells nothing of the change")
	}
	t.Inputs, t.Executions, t.Corpus, t.Unjudged = s.Inputs, s.Executions, s.Corpus.Size, s.Findings.Unjudged
	t.OfOld = s.Executions - s.Inputs
	c := s.Change
	t.Change = change{
		Points: c.Points, Covered: c.Covered, Impacted: c.Impacted, ImpactedCovered: c.ImpactedCovered, Blocks: c.Blocks, BlocksCovered: c.BlocksCovered,
	}
	for p, one := range s.Coverage {
		switch p {
		case 0:
			t.Change.All, t.Change.AllCovered = one.Blocks, one.Covered
		case 1:
			t.Change.AllOld = one.Blocks
		}
	}
	for _, r := range c.Reached {
		t.Change.Paths += r.Paths
	}
	t.Statuses = map[string]int{}
	for _, b := range s.Findings.Buckets {
		if b.Flaky || b.Gone {
			t.Flaky++
			continue
		}
		t.Statuses[b.Status]++
		t.Found = append(t.Found, bucket{
			ID: b.ID, Kind: b.Kind, Layer: b.Layer, Status: b.Status, Location: place(b.Location), FirstSeen: b.FirstSeen,
			CPU: cpuAt(lines, b.FirstSeen), folder: filepath.Dir(filepath.Dir(b.Input)),
		})
	}
	for _, b := range t.Found {
		if b.failure() {
			t.Crashes++
		}
	}
	slices.SortStableFunc(t.Found, func(a, b bucket) int { return int(a.FirstSeen - b.FirstSeen) })
	t.New = t.first(func(b bucket) bool { return b.Status == "new" })
	t.Changed = t.first(func(b bucket) bool { return b.Status == "changed" })
	return nil
}

// place is a location without its folders, which are of this machine.
func place(location string) string {
	if location == "" {
		return ""
	}
	return filepath.Base(location)
}

// line has the used parts of a line of stats.jsonl.
type line struct {
	CPU     float64 `json:"cpu_seconds"`
	Inputs  int64   `json:"inputs"`
	Covered []int   `json:"covered"`
	Change  int     `json:"change"`
	Coarse  int     `json:"coarse"`
	Fine    int     `json:"fine"`
	Output  int     `json:"output"`

	Points   int       `json:"change_points"`
	Blocks   int       `json:"change_blocks"`
	Impacted int       `json:"impacted_blocks"`
	Reached  []reached `json:"reached"` // since the line before
}

func readStats(file string) (lines []line, err error) {
	data, err := os.ReadFile(file)
	if errors.Is(err, fs.ErrNotExist) { // nothing was fuzzed
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	for _, text := range bytes.Split(bytes.TrimSpace(data), []byte("\n")) {
		var l line
		if err := json.Unmarshal(text, &l); err != nil {
			return nil, fmt.Errorf("stats.jsonl: %w", err)
		}
		lines = append(lines, l)
	}
	return lines, nil
}

// cpuAt is the CPU time at which a campaign had run a number of inputs: what lies between two lines
// is interpolated.
func cpuAt(lines []line, inputs int64) float64 {
	before := line{}
	for _, l := range lines {
		if l.Inputs >= inputs {
			cpu := l.CPU
			if l.Inputs > before.Inputs {
				cpu = before.CPU + (l.CPU-before.CPU)*float64(inputs-before.Inputs)/float64(l.Inputs-before.Inputs)
			}
			return round(cpu)
		}
		before = l
	}
	return round(before.CPU)
}

func round(seconds float64) float64 { return math.Round(seconds*1000) / 1000 }

// steps is the number of lines of a series.
const steps = 16

// sixteenths are the lines that are nearest below each sixteenth of the CPU time.
func sixteenths(lines []line) (series [][4]float64) {
	whole := lines[len(lines)-1].CPU
	next := 0
	for i := 1; i <= steps; i++ {
		for next < len(lines)-1 && lines[next+1].CPU <= whole*float64(i)/steps {
			next++
		}
		l := lines[next]
		if i == steps {
			l = lines[len(lines)-1]
		}
		covered := 0
		if len(l.Covered) > 0 {
			covered = l.Covered[0]
		}
		series = append(series, [4]float64{round(l.CPU), float64(l.Inputs), float64(covered), float64(l.Change)})
	}
	return series
}

// overTime returns the executed parts of the change at some of the lines, and at the last.
func overTime(lines []line) (series [][5]float64) {
	n := min(thin, len(lines))
	for i := 1; i <= n; i++ {
		l := lines[i*len(lines)/n-1]
		series = append(series, [5]float64{round(l.CPU), float64(l.Inputs), float64(l.Points), float64(l.Blocks), float64(l.Impacted)})
	}
	return series
}

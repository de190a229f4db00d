package main

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"parallax/bench/internal/origin"
	"parallax/bench/internal/process"
)

// triaged has the findings for inputs that trials have kept, one for each unique discrepancy.
// parallax runs all of them in one campaign.
type triaged struct {
	Version int      `json:"version"`
	Inputs  int      `json:"inputs"`
	Of      int      `json:"of"`    // that were kept: those triaged are the first by their names, which are hashes
	Names   string   `json:"names"` // a hash of their names
	Triaged []string `json:"judged"`
	Flaky   int      `json:"flaky"` // that did not repeat
	Wall    float64  `json:"wall_seconds"`
	CPU     float64  `json:"cpu_seconds"` // of all processes of the last run
	Buckets []bucket `json:"buckets"`
	origin.Origin
}

// bucket is a bucket of findings.
type bucket struct {
	ID       string            `json:"id"`
	Kind     string            `json:"kind"`
	Layer    string            `json:"layer,omitempty"`
	Outcomes map[string]string `json:"outcomes"`
	Classes  map[string]string `json:"classes,omitempty"`
	Deciding map[string]string `json:"deciding,omitempty"`
	Count    uint64            `json:"count"`
	Input    []byte            `json:"smallest"` // input, minimized
	Tuples   []string          `json:"tuples"`   // the unique discrepancies by whose inputs it was found
}

// readTriaged reads the file of findings, nil if there is none.
func (o *options) readTriaged() (*triaged, error) {
	data, err := os.ReadFile(o.findings)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	j := &triaged{}
	if err := json.Unmarshal(data, j); err != nil || j.Version != 1 {
		return nil, fmt.Errorf("%s is no file of findings of version 1: %v", o.findings, err)
	}
	return j, nil
}

// triage has parallax triage the inputs that trials have kept, or a sample of them, unless that was
// done. It goes on where it was interrupted.
func (o *options) triage(ctx context.Context) error {
	if err := o.Complete(); err != nil {
		return err
	}
	var err error
	if o.examples, err = filepath.Abs(o.examples); err != nil {
		return err
	}
	before, err := o.readTriaged()
	if err != nil {
		return err
	}
	tuples, kept, sum, err := inputs(o.kept(), o.sample)
	if err != nil {
		return err
	}
	if before != nil && (len(tuples) == 0 || before.Names == sum) {
		return nil // a clone of the repository has findings without inputs
	}
	if len(tuples) == 0 {
		return fmt.Errorf("there are no inputs in %s: trials of parallax bench put them there", o.kept())
	}
	j := triaged{Version: 1, Inputs: len(tuples), Of: kept, Names: sum, Origin: o.Here}
	for _, name := range tuples {
		j.Triaged = append(j.Triaged, name)
	}
	slices.Sort(j.Triaged)
	if err := os.MkdirAll(o.Work, 0o755); err != nil {
		return err
	}
	// Other inputs are another campaign.
	campaign := filepath.Join(o.Work, "judged-"+sum)
	budget := len(tuples)
	switch begun, err := executed(campaign); {
	case err != nil:
		return err
	case begun >= len(tuples):
		budget = 1 // candidates are left, and an input has to be
	case begun > 0:
		if err := os.RemoveAll(campaign); err != nil {
			return err
		}
	}
	seeds := campaign + "-inputs"
	if err := os.RemoveAll(seeds); err != nil {
		return err
	}
	if err := os.Mkdir(seeds, 0o755); err != nil {
		return err
	}
	for data, name := range tuples {
		if err := os.WriteFile(filepath.Join(seeds, name), []byte(data), 0o644); err != nil {
			return err
		}
	}
	fmt.Fprintf(os.Stderr, "judging %d of %d inputs\n", len(tuples), kept)
	data, err := o.diff(ctx, campaign, seeds, budget, &j)
	if err != nil {
		return err
	}
	if err := j.read(data, tuples); err != nil {
		return err
	}
	text, err := json.MarshalIndent(j, "", "\t")
	if err != nil {
		return err
	}
	if err := os.WriteFile(o.findings+".new", append(text, '\n'), 0o644); err != nil {
		return err
	}
	return os.Rename(o.findings+".new", o.findings)
}

// inputs returns the first of the kept inputs, by name, or all if sample is 0. It returns tuples by
// content, the number of kept inputs, and a hash of the names.
func inputs(folder string, sample int) (tuples map[string]string, kept int, sum string, err error) {
	files, err := os.ReadDir(folder)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, 0, "", err
	}
	if kept = len(files); sample > 0 {
		files = files[:min(sample, kept)]
	}
	tuples, h := map[string]string{}, sha256.New()
	for _, f := range files {
		data, err := os.ReadFile(filepath.Join(folder, f.Name()))
		if err != nil {
			return nil, 0, "", err
		}
		tuples[string(data)] = f.Name()
		fmt.Fprintln(h, f.Name())
	}
	return tuples, kept, hex.EncodeToString(h.Sum(nil)[:8]), nil
}

// executed is how many inputs a campaign has in its corpus: all that it was given and has run,
// where nothing guides.
func executed(campaign string) (n int, err error) {
	files, err := os.ReadDir(filepath.Join(campaign, "corpus"))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return 0, err
	}
	for _, f := range files {
		if filepath.Ext(f.Name()) == "" {
			n++
		}
	}
	return n, nil
}

// diff runs parallax until all is triaged and returns its summary.
func (o *options) diff(ctx context.Context, campaign, seeds string, budget int, j *triaged) ([]byte, error) {
	stdout, err := os.Create(filepath.Join(o.Work, "judged.json"))
	if err != nil {
		return nil, err
	}
	defer stdout.Close()
	stderr, err := os.Create(filepath.Join(o.Work, "judged.txt"))
	if err != nil {
		return nil, err
	}
	defer stderr.Close()
	used, err := process.Run(ctx, process.Command{
		Path: o.Tool, Dir: o.examples, Stdout: stdout, Stderr: stderr,
		Args: []string{
			"diff", "x509/parallax.toml", "--out", campaign, "--seeds", seeds, "--fuzztime", fmt.Sprint(budget, "x"), "--parallel", "1",
			"--guidance", "random", "--schedule", "uniform", "--no-cmplog", "--ui", "none", "--json",
		},
	})
	if err != nil {
		return nil, err
	}
	j.Wall, j.CPU = used.Wall.Seconds(), used.CPU.Seconds()
	const found = 1
	if used.Exit != 0 && used.Exit != found {
		said, _ := os.ReadFile(stderr.Name())
		return nil, fmt.Errorf("parallax ended with exit code %d: %s", used.Exit, said[max(0, len(said)-2000):])
	}
	return os.ReadFile(stdout.Name())
}

// read takes the buckets from a summary (docs/guides/diff.md), and their inputs from where it says.
func (j *triaged) read(summary []byte, tuples map[string]string) error {
	var s struct {
		Flaky    int
		Findings struct {
			Buckets []struct {
				bucket
				Minimized string
			}
		}
	}
	if err := json.Unmarshal(summary, &s); err != nil {
		return fmt.Errorf("the summary of parallax: %w", err)
	}
	j.Flaky, j.Buckets = s.Flaky, []bucket{}
	for _, b := range s.Findings.Buckets {
		files, err := filepath.Glob(filepath.Join(filepath.Dir(filepath.Dir(b.Minimized)), "*", "input"))
		if err != nil {
			return err
		}
		for _, file := range files {
			data, err := os.ReadFile(file)
			if err != nil {
				return err
			}
			if t, ok := tuples[string(data)]; ok {
				b.Tuples = append(b.Tuples, t)
			}
		}
		if b.Tuples == nil {
			continue // of an input that the campaign made when it went on
		}
		slices.Sort(b.Tuples)
		if b.Input, err = os.ReadFile(b.Minimized); err != nil {
			return err
		}
		for p, at := range b.Deciding {
			b.Deciding[p] = place(at)
		}
		j.Buckets = append(j.Buckets, b.bucket)
	}
	return nil
}

// place is a line of a source file without the folder in which it was built.
func place(at string) string {
	for _, above := range []string{"/examples/", "/work/", "/src/"} {
		if _, below, ok := strings.Cut(at, above); ok {
			return below
		}
	}
	return filepath.Base(at)
}

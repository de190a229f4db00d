package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"parallax/bench/internal/origin"
	"parallax/bench/internal/process"
	"parallax/internal/oracle"
	"parallax/internal/stats"
)

// In million.toml and paper.toml a unique discrepancy is a tuple of the libraries' own codes, as in
// the paper. A harness prints the common class before the code. So each of these tuples belongs to
// one tuple of classes, which the other trials count. An input of each is kept. One campaign runs
// them all, and its test vectors have the answer of each library.

// classified says of unique discrepancies by codes which they are by classes.
type classified struct {
	Version int               `json:"version"`
	Classes map[string]string `json:"classes"` // by tuple: of each program accepted or the class, with commas between
	Missing int               `json:"missing"` // tuples without: their input does not repeat, or a program crashes
	origin.Origin
}

// classesFile says which classes the codes of the plan have.
func (o *options) classesFile() string {
	return filepath.Join(o.folder, o.planName+".classes.json")
}

// classify finds the classes of all inputs that are kept.
func (o *options) classify(ctx context.Context) error {
	if err := o.Complete(); err != nil {
		return err
	}
	var err error
	if o.examples, err = filepath.Abs(o.examples); err != nil {
		return err
	}
	if o.planName == "x509" {
		return errors.New("-classes is for -plan million and paper: samples of x509.toml count by classes")
	}
	folder, to := o.kept(), o.classesFile()
	tuples, _, _, err := inputs(folder, 0)
	if err != nil {
		return err
	}
	if len(tuples) == 0 {
		return fmt.Errorf("there are no inputs in %s: trials of parallax bench put them there", folder)
	}
	campaign := filepath.Join(o.Work, "classified")
	if err := errors.Join(os.RemoveAll(campaign), os.MkdirAll(o.Work, 0o755)); err != nil {
		return err
	}
	// The control seeds of the configuration are run too, and the empty input. Nothing guides, so that
	// the corpus has all.
	all, err := distinct(append(o.seeds(), folder))
	if err != nil {
		return err
	}
	vectors := filepath.Join(o.Work, "vectors.json")
	for _, args := range [][]string{
		{"diff", o.plan.target, "--out", campaign, "--seeds", folder, "--fuzztime", fmt.Sprint(len(all), "x"), "--parallel", "1",
			"--guidance", "random", "--schedule", "uniform", "--no-cmplog", "--no-triage", "--ui", "none", "--json"},
		{"export", "--vectors", "--campaign", campaign, "--to", vectors},
	} {
		if err := o.parallax(ctx, args); err != nil {
			return err
		}
	}
	text, err := os.ReadFile(vectors)
	if err != nil {
		return err
	}
	c := classified{Version: 1, Origin: o.Here}
	wanted := map[string]bool{}
	for _, name := range tuples {
		wanted[name] = true
	}
	if c.Classes, c.Missing, err = read(text, wanted); err != nil {
		return err
	}
	if text, err = json.MarshalIndent(c, "", "\t"); err != nil {
		return err
	}
	if err := os.WriteFile(to+".new", append(text, '\n'), 0o644); err != nil {
		return err
	}
	return os.Rename(to+".new", to)
}

// parallax runs the tool on the examples.
func (o *options) parallax(ctx context.Context, args []string) error {
	stderr, err := os.Create(filepath.Join(o.Work, "classified.txt"))
	if err != nil {
		return err
	}
	defer stderr.Close()
	used, err := process.Run(ctx, process.Command{Path: o.Tool, Dir: o.examples, Args: args, Stderr: stderr})
	if err != nil {
		return err
	}
	const found = 1
	if used.Exit != 0 && used.Exit != found {
		said, _ := os.ReadFile(stderr.Name())
		return fmt.Errorf("parallax %s ended with exit code %d: %s", args[0], used.Exit, said[max(0, len(said)-2000):])
	}
	return nil
}

// read reads classes from test vectors (docs/guides/vectors.md). There is one vector for each
// combination of codes. Wanted are the tuples of samples.
func read(vectors []byte, wanted map[string]bool) (classes map[string]string, missing int, err error) {
	var file struct {
		Vectors []struct {
			Results []struct{ Program, Outcome, Error string }
		}
	}
	if err := json.Unmarshal(vectors, &file); err != nil {
		return nil, 0, fmt.Errorf("the vectors of parallax: %w", err)
	}
	classes = map[string]string{}
	for _, v := range file.Vectors {
		var seen []oracle.Observation
		var all []string
		for _, r := range v.Results {
			switch r.Outcome {
			case accepted:
				seen, all = append(seen, observation(accepted)), append(all, accepted)
			case oracle.Rejected.String():
				class, _, _ := strings.Cut(r.Error, " ")
				seen, all = append(seen, observation(oracle.MessageClass(r.Error))), append(all, class)
			}
		}
		if len(seen) < len(v.Results) {
			continue // a program crashed or did not end
		}
		if h, ok := oracle.UniqueDiscrepancy(seen); ok && wanted[fmt.Sprintf("%016x", h)] {
			classes[fmt.Sprintf("%016x", h)] = strings.Join(all, ",")
		}
	}
	return classes, len(wanted) - len(classes), nil
}

// readClasses reads the file of classes, which may be missing.
func (o *options) readClasses() (c classified, err error) {
	path := o.classesFile()
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return c, nil
	}
	if err != nil {
		return c, err
	}
	if err := json.Unmarshal(text, &c); err != nil || c.Version != 1 {
		return c, fmt.Errorf("%s is no file of classes of version 1: %v", path, err)
	}
	return c, nil
}

// ways are the two ways to count a unique discrepancy.
func (c *classified) ways() []way {
	return []way{
		{"codes", func(tuple string) string { return tuple }},
		{"classes", func(tuple string) string { return c.Classes[tuple] }},
	}
}

// way is a way to count unique discrepancies. It returns "" for a tuple that it cannot count.
type way struct {
	name string
	of   func(tuple string) string
}

// byCode prints the results of trials that count by codes, nothing if there are none.
func (o *options) byCode(w io.Writer) error {
	all, trials, err := o.read()
	if errors.Is(err, errNone) {
		return nil
	}
	if err != nil {
		return err
	}
	c, err := o.readClasses()
	if err != nil {
		return err
	}
	known := map[string]bool{} // codes that any trial has shown
	by := map[string][]campaign{}
	var names []string
	for _, t := range all {
		if by[t.Configuration] == nil {
			names = append(names, t.Configuration)
		}
		by[t.Configuration] = append(by[t.Configuration], t)
		for _, tuple := range t.Tuples {
			known[tuple] = true
		}
	}
	classes := 0
	for tuple := range known {
		if c.Classes[tuple] != "" {
			classes++
		}
	}
	fmt.Fprintf(w, "\n%s: %d unique discrepancies by codes in all trials, %d of them with known classes.\n\n", o.planName, len(known), classes)
	fmt.Fprintln(w, "| configuration | trials | inputs | by codes: median | least to most | in all trials | that no other configuration has | by classes: median | least to most | in all trials | that no other configuration has | accepted by a program | corpus | output diversity | coarse | fine | blocks covered | CPU seconds |")
	fmt.Fprintf(w, "|%s\n", strings.Repeat("---|", 18))
	for _, name := range names {
		trials := by[name]
		median := func(value func(campaign) float64) float64 { return stats.Median(values(trials, value)) }
		cells := []any{name, len(trials), median(func(c campaign) float64 { return float64(c.Inputs) })}
		for _, way := range c.ways() {
			var others []campaign
			for _, other := range names {
				if other != name {
					others = append(others, by[other]...)
				}
			}
			theirs, together := shown(others, way.of), shown(trials, way.of)
			own := 0
			for t := range together {
				if !theirs[t] {
					own++
				}
			}
			each := values(trials, way.count)
			cells = append(cells, stats.Median(each), fmt.Sprintf("%g to %g", slices.Min(each), slices.Max(each)), len(together), own)
		}
		cells = append(cells, median(campaign.accepted), median(func(c campaign) float64 { return float64(c.Corpus) }), median(func(c campaign) float64 { return float64(c.Output) }), median(func(c campaign) float64 { return float64(c.Coarse) }),
			median(func(c campaign) float64 { return float64(c.Fine) }), median(func(c campaign) float64 { return float64(c.Covered) }), fmt.Sprintf("%.0f", median(func(c campaign) float64 { return c.CPU })))
		var row bytes.Buffer
		for _, cell := range cells {
			fmt.Fprintf(&row, "| %v ", cell)
		}
		fmt.Fprintf(w, "%s|\n", row.String())
	}
	tellTrials(w, trials)
	if o.planName == "paper" {
		for _, way := range c.ways()[:1+min(classes, 1)] {
			claims(w, by, way)
			targets(w, by, way)
		}
	}
	return nil
}

// count returns how many unique discrepancies a trial has shown.
func (w way) count(c campaign) float64 { return float64(len(shown([]campaign{c}, w.of))) }

// shown are the unique discrepancies of trials, by codes or classes; what has no class is left out.
func shown(trials []campaign, of func(tuple string) string) map[string]bool {
	set := map[string]bool{}
	for _, t := range trials {
		for _, tuple := range t.Tuples {
			if name := of(tuple); name != "" && !slices.Contains(strings.Split(name, ","), "") {
				set[name] = true
			}
		}
	}
	return set
}

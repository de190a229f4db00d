// Command rows repeats the experiment of SEDiff on the models in a recording, and prints its Tables
// 2 to 4. The paper is Li, Meng, Lu: "SEDiff: Scope-Aware Differential Fuzzing to Test Internal
// Function Models in Symbolic Execution", ESEC/FSE 2022, section 5.
//
//	go run ./internal/experiment/rows -recording ../bench/model/musl.jsonl.gz -samples ../bench/model/model.samples.jsonl
//	go run ./internal/experiment/rows -samples ../bench/model/model.samples.jsonl -table
//
// It serves bench/model, whose README explains the rows. A sample is a line of JSON: the scopes of
// a function by two methods, or a trial of one row with one function. Samples in the file are not
// repeated.
package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"os/signal"
	"slices"
	"strings"
)

// sample is a line of the file.
type sample struct {
	Function string  `json:"function"`
	Row      string  `json:"row,omitempty"` // empty for the scopes of the function
	Trial    int     `json:"trial,omitempty"`
	Budget   int     `json:"budget,omitempty"`
	Scopes   *scopes `json:"scopes,omitempty"`
	Result   *trial  `json:"result,omitempty"`
	Revision string  `json:"revision"`
	Load     string  `json:"load"` // of the machine
}

// flags holds the command line.
type flags struct {
	recording, samples, suite, functions, rows, revision, verdicts string
	trials, budget                                                 int
	table, list                                                    bool
}

func main() {
	var f flags
	var names []string
	for _, r := range rows {
		names = append(names, r.name)
	}
	flag.StringVar(&f.recording, "recording", "../bench/model/musl.jsonl.gz", "the models, as experiment/record writes them")
	flag.StringVar(&f.samples, "samples", "../bench/model/model.samples.jsonl", "file of the samples")
	flag.StringVar(&f.suite, "suite", "../bench/model/libc-test.txt", "calls of the regression suite")
	flag.StringVar(&f.verdicts, "verdicts", "../bench/model/verdicts.txt", "which deviations are defects of the model")
	flag.StringVar(&f.functions, "functions", "", "functions alone, with commas between")
	flag.StringVar(&f.rows, "rows", strings.Join(names, ","), "rows alone")
	flag.IntVar(&f.trials, "trials", 10, "trials of each row")
	flag.IntVar(&f.budget, "budget", 20_000, "executions of the original in a trial")
	flag.StringVar(&f.revision, "revision", "unknown", "revision of parallax")
	flag.BoolVar(&f.table, "table", false, "print the tables, and run nothing")
	flag.BoolVar(&f.list, "reports", false, "print the deviations that were reported, and run nothing")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	err := f.do(ctx)
	if err != nil {
		fmt.Fprintln(os.Stderr, "rows:", err)
		os.Exit(1)
	}
}

func (f *flags) do(ctx context.Context) error {
	list, err := read(f.samples)
	if err != nil {
		return err
	}
	if !f.table && !f.list {
		return f.run(ctx, list)
	}
	v, err := readVerdicts(f.verdicts)
	if err != nil {
		return err
	}
	if f.list {
		return reports(os.Stdout, list, v)
	}
	return tables(os.Stdout, list, v)
}

// run runs the missing trials. It runs all functions for one trial of each row before the next
// trial, so an interrupted run has complete trials.
func (f *flags) run(ctx context.Context, list []sample) error {
	if f.trials < 1 || f.budget < 1 {
		return errors.New("-trials and -budget have to be at least 1")
	}
	chosen := named(strings.Split(f.rows, ","))
	if len(chosen) != len(strings.Split(f.rows, ",")) {
		return fmt.Errorf("-rows %s: an unknown row", f.rows)
	}
	suite, err := readSuite(f.suite)
	if err != nil {
		return err
	}
	answers, err := recorded(f.recording)
	if err != nil {
		return err
	}
	done, known := map[string]*scopes{}, map[string]bool{}
	ran := map[string]bool{}
	for i := range list {
		s := &list[i]
		if s.Row == "" {
			done[s.Function] = s.Scopes
			continue
		}
		if s.Budget != f.budget {
			return fmt.Errorf("%s has trials of %d executions: give -budget %d, or another file", f.samples, s.Budget, s.Budget)
		}
		ran[fmt.Sprint(s.Row, s.Function, s.Trial)] = true
		for id := range s.Result.Details {
			known[id] = true
		}
	}
	var subjects []*subject
	defer func() {
		for _, s := range subjects {
			s.z3.Close()
		}
	}()
	for _, a := range answers {
		if f.functions != "" && !slices.Contains(strings.Split(f.functions, ","), a.Function) {
			continue
		}
		s, err := load(a)
		if err != nil {
			return fmt.Errorf("%s: %w", a.Function, err)
		}
		if s == nil {
			continue
		}
		subjects = append(subjects, s)
		if s.scopes = done[s.function]; s.scopes != nil {
			continue
		}
		if err := s.find(ctx); err != nil {
			return fmt.Errorf("%s: %w", s.function, err)
		}
		if err := f.add(sample{Function: s.function, Scopes: s.scopes}); err != nil {
			return err
		}
	}
	for number := 1; number <= f.trials; number++ {
		for i := range chosen {
			r := &chosen[i]
			for _, s := range subjects {
				if number > r.trials(f.trials) || ran[fmt.Sprint(r.name, s.function, number)] {
					continue
				}
				t, err := run(ctx, s, r, number, f.budget, suite[s.function])
				if err != nil {
					return err
				}
				for id := range t.Details {
					if known[id] {
						delete(t.Details, id)
					}
					known[id] = true
				}
				if err := f.add(sample{Function: s.function, Row: r.name, Trial: number, Budget: f.budget, Result: t}); err != nil {
					return err
				}
			}
			fmt.Fprintf(os.Stderr, "trial %d of %s: %.0f s of processor time so far\n", number, r.name, cpu())
		}
	}
	return nil
}

// add appends a sample.
func (f *flags) add(s sample) error {
	s.Revision = f.revision
	if load, err := os.ReadFile("/proc/loadavg"); err == nil {
		s.Load = strings.Join(strings.Fields(string(load))[:3], " ")
	}
	line, err := json.Marshal(&s)
	if err != nil {
		return err
	}
	return appendLine(f.samples, append(line, '\n'))
}

// appendLine appends a line. It replaces an incomplete last line, which a killed run left.
func appendLine(file string, line []byte) error {
	data, err := os.ReadFile(file)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if whole := bytes.LastIndexByte(data, '\n') + 1; whole < len(data) {
		if err := os.Truncate(file, int64(whole)); err != nil {
			return err
		}
	}
	out, err := os.OpenFile(file, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	if err != nil {
		return err
	}
	_, err = out.Write(line)
	return errors.Join(err, out.Close())
}

// read reads the samples, without an incomplete last line. A missing file has none.
func read(file string) (list []sample, err error) {
	data, err := os.ReadFile(file)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	lines := bytes.Split(data[:bytes.LastIndexByte(data, '\n')+1], []byte("\n"))
	for i, line := range lines[:len(lines)-1] {
		var s sample
		if err := json.Unmarshal(line, &s); err != nil {
			return nil, fmt.Errorf("%s:%d: %w", file, i+1, err)
		}
		if s.Row == "" && s.Scopes == nil || s.Row != "" && s.Result == nil {
			return nil, fmt.Errorf("%s:%d is no sample", file, i+1)
		}
		list = append(list, s)
	}
	return list, nil
}

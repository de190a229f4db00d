package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"sort"
	"strconv"
	"strings"
)

// trial is a sample of parallax bench (docs/guides/bench.md), or what a published tool wrote.
type trial struct {
	Configuration string `json:"configuration"`
	Trial         int    `json:"trial"`
	Series        series `json:"series"`
}

// series is the result of a trial after some inputs.
type series struct {
	Inputs   []float64            `json:"inputs"`
	Behavior map[string][]float64 `json:"behaviour"`
}

// measures are the columns that are compared.
var measures = []struct{ key, name string }{
	{"valid", "valid inputs"}, {"valid_traces", "unique valid traces"}, {"b0", "B(0)"}, {"b1", "B(1)"}, {"b2", "B(2)"},
}

func read(file string) ([]*trial, error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	var all []*trial
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 64<<20)
	for n := 1; lines.Scan(); n++ {
		t := &trial{}
		if err := json.Unmarshal(lines.Bytes(), t); err != nil {
			return nil, fmt.Errorf("%s:%d: %w", file, n, err)
		}
		for _, m := range measures {
			if len(t.Series.Behavior[m.key]) != len(t.Series.Inputs) || len(t.Series.Inputs) == 0 {
				return nil, fmt.Errorf("%s:%d: %d inputs, but %d values of %q", file, n, len(t.Series.Inputs), len(t.Series.Behavior[m.key]), m.key)
			}
		}
		all = append(all, t) // also if it was cut off: its result by then counts
	}
	return all, lines.Err()
}

// reached is after how many inputs the trial ended.
func (t *trial) reached() float64 { return t.Series.Inputs[len(t.Series.Inputs)-1] }

// value is a measure after some inputs, which the trial reached. Between two lines of the series,
// values are taken to grow evenly.
func (t *trial) value(key string, inputs float64) float64 {
	at, column := t.Series.Inputs, t.Series.Behavior[key]
	i := sort.SearchFloat64s(at, inputs)
	x0, y0 := 0.0, 0.0
	if i > 0 {
		x0, y0 = at[i-1], column[i-1]
	}
	return y0 + (column[i]-y0)*(inputs-x0)/(at[i]-x0)
}

// convert writes the trials of published tools. It takes the lines of their plot_data for which
// they had computed the diversity again. They do so every five seconds of wall time.
func convert(w io.Writer, folder string) error {
	files, err := filepath.Glob(filepath.Join(folder, "*-*", "plot_data"))
	if err == nil && len(files) == 0 {
		err = fmt.Errorf("%s has no CONFIGURATION-TRIAL/plot_data", folder)
	}
	if err != nil {
		return err
	}
	slices.Sort(files)
	for _, file := range files {
		name := filepath.Base(filepath.Dir(file))
		at := strings.LastIndexByte(name, '-')
		n, err := strconv.Atoi(name[at+1:])
		if err != nil {
			return fmt.Errorf("%s: which trial is that?", file)
		}
		t := &trial{Configuration: name[:at], Trial: n - 1}
		data, err := os.ReadFile(file)
		if err == nil {
			err = t.plot(string(data))
		}
		if err != nil {
			return fmt.Errorf("%s: %w", file, err)
		}
		line, err := json.Marshal(t)
		if err != nil {
			return err
		}
		fmt.Fprintf(w, "%s\n", line)
	}
	return nil
}

// Columns of plot_data.
const (
	plotInputs  = 4
	plotValid   = 5
	plotTraces  = 6 // of valid inputs
	plotB0      = 9
	plotColumns = 12
)

func (t *trial) plot(data string) error {
	t.Series.Behavior = map[string][]float64{}
	var before [3]float64
	for n, line := range strings.Split(strings.TrimSuffix(data, "\n"), "\n") {
		if strings.HasPrefix(line, "#") {
			continue
		}
		fields := strings.Split(line, ", ")
		if len(fields) != plotColumns {
			return fmt.Errorf("line %d has %d columns, not %d", n+1, len(fields), plotColumns)
		}
		var v [plotColumns]float64
		for i, text := range fields {
			var err error
			if v[i], err = strconv.ParseFloat(text, 64); err != nil {
				return fmt.Errorf("line %d: %w", n+1, err)
			}
		}
		b := [3]float64(v[plotB0:])
		if b == before {
			continue
		}
		before = b
		t.Series.Inputs = append(t.Series.Inputs, v[plotInputs])
		for key, value := range map[string]float64{"valid": v[plotValid], "valid_traces": v[plotTraces], "b0": b[0], "b1": b[1], "b2": b[2]} {
			t.Series.Behavior[key] = append(t.Series.Behavior[key], value)
		}
	}
	if len(t.Series.Inputs) == 0 {
		return fmt.Errorf("no diversity was computed")
	}
	return nil
}

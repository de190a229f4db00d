package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"regexp"
	"slices"
	"sort"
	"strings"

	"parallax/internal/stats"
)

// sample has the parts of a trial of parallax bench that the claims need: docs/guides/bench.md.
type sample struct {
	Subject       string  `json:"subject"`
	Configuration string  `json:"configuration"`
	Trial         int     `json:"trial"`
	Inputs        uint64  `json:"inputs"`
	CPU           float64 `json:"cpu_seconds"`
	Cut           bool    `json:"cut"`
	Buckets       []bucket
	Series        struct {
		Inputs   []uint64             `json:"inputs"`
		CPU      []float64            `json:"cpu_seconds"`
		Behavior map[string][]float64 `json:"behaviour"`
	}
}

type bucket struct {
	Kind      string            `json:"kind"`
	Classes   map[string]string `json:"classes"`
	FirstSeen uint64            `json:"first_seen"`
}

// readAll reads the samples of files. Those of a configuration on a subject are the last file's
// that has any.
func readAll(files []string) ([]*sample, error) {
	var all []*sample
	for _, file := range files {
		later, err := read(file)
		if err != nil {
			return nil, err
		}
		if len(later) == 0 {
			return nil, fmt.Errorf("%s has no samples", file)
		}
		all = slices.DeleteFunc(all, func(s *sample) bool {
			return slices.ContainsFunc(later, func(l *sample) bool { return l.Subject == s.Subject && l.Configuration == s.Configuration })
		})
		all = append(all, later...)
	}
	return all, nil
}

// read reads the samples of a file.
func read(file string) ([]*sample, error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	var all []*sample
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 64<<20)
	for n := 1; lines.Scan(); n++ {
		s := &sample{}
		if err := json.Unmarshal(lines.Bytes(), s); err != nil {
			return nil, fmt.Errorf("%s:%d: %w", file, n, err)
		}
		if s.Subject == "" || s.Cut {
			continue
		}
		all = append(all, s)
	}
	return all, lines.Err()
}

// at is a point of the series: an amount of CPU time, or a number of inputs.
type at struct {
	inputs bool
	n      float64
}

// value is a column of a trial at a point. Between two lines of the series, values are taken to
// grow evenly; after the last one they stay.
func (s *sample) value(p at, column func(i int) float64) float64 {
	axis := func(i int) float64 {
		if p.inputs {
			return float64(s.Series.Inputs[i])
		}
		return s.Series.CPU[i]
	}
	n := len(s.Series.Inputs)
	i := sort.Search(n, func(i int) bool { return axis(i) >= p.n })
	switch {
	case n == 0:
		return 0
	case i == n:
		return column(n - 1)
	}
	x0, y0 := 0.0, 0.0
	if i > 0 {
		x0, y0 = axis(i-1), column(i-1)
	}
	if axis(i) == x0 {
		return column(i)
	}
	return y0 + (column(i)-y0)*(p.n-x0)/(axis(i)-x0)
}

func (s *sample) number(p at, key string) float64 {
	column := s.Series.Behavior[key]
	switch key {
	case inputs:
		return s.value(p, func(i int) float64 { return float64(s.Series.Inputs[i]) })
	case share:
		n := s.number(p, inputs)
		if n == 0 {
			return 0
		}
		return 100 * s.number(p, "valid_traces") / n
	}
	return s.value(p, func(i int) float64 {
		if i < len(column) {
			return column[i]
		}
		return 0
	})
}

const (
	share  = "share" // the part of the inputs that are valid and have a trace of their own, in percent
	inputs = "inputs"
)

var numbers = regexp.MustCompile(`[0-9]+`)

// failures are the kinds of failures of a trial, with the CPU seconds until the first of each.
func (s *sample) failures() map[string]float64 {
	found := map[string]float64{}
	for _, b := range s.Buckets {
		if b.Kind == "discrepancy" {
			continue
		}
		name := b.Kind
		for _, program := range keys(b.Classes) {
			first, _, _ := strings.Cut(b.Classes[program], "\n")
			name += ": " + numbers.ReplaceAllString(first, "N") // "index out of range [9] with length 9" is one kind, whatever the index
		}
		t := s.value(at{true, float64(b.FirstSeen)}, func(i int) float64 { return s.Series.CPU[i] })
		if old, ok := found[name]; !ok || t < old {
			found[name] = t
		}
	}
	return found
}

// keys are the keys of a map in order.
func keys[V any](m map[string]V) []string {
	var list []string
	for k := range m {
		list = append(list, k)
	}
	slices.Sort(list)
	return list
}

// trials are the samples by subject and configuration.
type trials map[string]map[string][]*sample

func group(all []*sample) trials {
	t := trials{}
	for _, s := range all {
		if t[s.Subject] == nil {
			t[s.Subject] = map[string][]*sample{}
		}
		t[s.Subject][s.Configuration] = append(t[s.Subject][s.Configuration], s)
	}
	return t
}

func (t trials) subjects() []string { return keys(t) }

// point is where the trials of a subject are compared: at the CPU time, or the inputs, that all
// have reached.
func (t trials) point(subject string, inputs bool, part float64) at {
	least := math.Inf(1)
	for _, list := range t[subject] {
		for _, s := range list {
			n := s.CPU
			if inputs {
				n = float64(s.Inputs)
			}
			least = min(least, n)
		}
	}
	return at{inputs, part * least}
}

// values are a number of all trials of a configuration on a subject.
func (t trials) values(subject, configuration, key string, p at) []float64 {
	var list []float64
	for _, s := range t[subject][configuration] {
		list = append(list, s.number(p, key))
	}
	return list
}

// times are the CPU seconds until a failure, of all trials of a configuration.
func (t trials) times(subject, configuration, failure string) []float64 {
	var list []float64
	for _, s := range t[subject][configuration] {
		if at, ok := s.failures()[failure]; ok {
			list = append(list, at)
		} else {
			list = append(list, stats.Never)
		}
	}
	return list
}

package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"sort"
	"strings"

	"parallax/internal/stats"
)

// trial has the parts of a sample of parallax bench that the plots show.
type trial struct {
	Subject       string
	Configuration string
	Command       []string
	Inputs        float64
	CPU           float64 `json:"cpu_seconds"`
	Buckets       []struct {
		Cause   string
		FoundAt float64 `json:"found_at"`
	}
	Series struct {
		Inputs []float64
		CPU    []float64 `json:"cpu_seconds"`
		Unique []float64 `json:"unique_discrepancies"`
	}
}

// read reads a file of samples, which must not be empty.
func read[T any](file string) (all []*T, err error) {
	data, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	lines := bufio.NewScanner(bytes.NewReader(data))
	lines.Buffer(nil, len(data)+1)
	for lines.Scan() {
		one := new(T)
		if err := json.Unmarshal(lines.Bytes(), one); err != nil {
			return nil, fmt.Errorf("%s:%d: %w", file, len(all)+1, err)
		}
		all = append(all, one)
	}
	if len(all) == 0 {
		return nil, fmt.Errorf("%s: no samples", file)
	}
	return all, nil
}

// value interpolates a column of a series, which begins at zero. It keeps the last value.
func value(at float64, x, y []float64) float64 {
	i := sort.SearchFloat64s(x, at)
	if i == len(x) {
		if i == 0 {
			return 0
		}
		return y[i-1]
	}
	x0, y0 := 0.0, 0.0
	if i > 0 {
		x0, y0 = x[i-1], y[i-1]
	}
	if x[i] == x0 {
		return y[i]
	}
	return y0 + (y[i]-y0)*(at-x0)/(x[i]-x0)
}

// groups returns trials by subject and configuration, with the names in the order of the file.
type groups struct {
	subjects, configurations []string
	of                       map[string]map[string][]*trial
}

func group(all []*trial) groups {
	g := groups{of: map[string]map[string][]*trial{}}
	for _, t := range all {
		if g.of[t.Subject] == nil {
			g.of[t.Subject] = map[string][]*trial{}
			g.subjects = append(g.subjects, t.Subject)
		}
		if !slices.Contains(g.configurations, t.Configuration) {
			g.configurations = append(g.configurations, t.Configuration)
		}
		g.of[t.Subject][t.Configuration] = append(g.of[t.Subject][t.Configuration], t)
	}
	return g
}

// least returns the smallest value of all trials of a subject: what all of them reached.
func (g groups) least(subject string, of func(*trial) float64) float64 {
	least := math.Inf(1)
	for _, trials := range g.of[subject] {
		for _, t := range trials {
			least = min(least, of(t))
		}
	}
	return least
}

func inputs(t *trial) float64 { return t.Inputs }
func cpu(t *trial) float64    { return t.CPU }

// band is a median with a confidence interval of it, at each of some points.
func band[T any](points []float64, trials []T, of func(t T, at float64) float64) (median, low, high []float64) {
	for _, at := range points {
		var values []float64
		for _, t := range trials {
			values = append(values, of(t, at))
		}
		lo, hi := interval(values)
		median, low, high = append(median, stats.Median(values)), append(low, lo), append(high, hi)
	}
	return median, low, high
}

// interval is a confidence interval of the median between order statistics: the narrowest with at
// least 95 %. With too few values it is the whole range. It supposes nothing of their distribution.
func interval(values []float64) (low, high float64) {
	slices.Sort(values)
	n := len(values)
	k := 0                                   // values left out at each end
	tail := math.Pow(0.5, float64(n))        // probability of at most k of n below the median
	next := float64(n) * tail                // of exactly k+1
	for k+1 < n/2 && 2*(tail+next) <= 0.05 { // n/2: at least one value between
		k++
		tail += next
		next *= float64(n-k) / float64(k+1)
	}
	return values[k], values[n-1-k]
}

// spaced returns points that are evenly spaced on a logarithmic axis.
func spaced(from, to float64, n int) (points []float64) {
	for i := range n {
		points = append(points, from*math.Pow(to/from, float64(i)/float64(n-1)))
	}
	return points
}

// sources names files of samples below the folder bench.
func sources(files []string) string {
	var names []string
	for _, f := range files {
		names = append(names, filepath.ToSlash(filepath.Join(filepath.Base(filepath.Dir(f)), filepath.Base(f))))
	}
	return strings.Join(names, ", ")
}

package main

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"parallax/bench/internal/process"
)

// TestPlots: the plots are those of the committed samples, well-formed, and in the page.
func TestPlots(t *testing.T) {
	page, err := os.ReadFile("../README.md")
	if err != nil {
		t.Fatal(err)
	}
	made, err := filepath.Glob("*.svg")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range made {
		if !slices.ContainsFunc(plots, func(p plot) bool { return p.name == name && p.possible("..") }) {
			t.Errorf("%s is no plot", name)
		}
	}
	for _, p := range plots {
		if !p.possible("..") {
			continue
		}
		want, err := p.make("..")
		if err != nil {
			t.Fatal(err)
		}
		got, err := os.ReadFile(p.name)
		if err != nil || !bytes.Equal(got, want) {
			t.Errorf("%s is not what the samples give (make -C bench plots draws it): %v", p.name, err)
		}
		for d := xml.NewDecoder(bytes.NewReader(want)); ; {
			if _, err := d.Token(); err == io.EOF {
				break
			} else if err != nil {
				t.Fatalf("%s: %v", p.name, err)
			}
		}
		if !bytes.Contains(page, []byte("(plots/"+p.name+")")) {
			t.Errorf("README.md does not show %s", p.name)
		}
	}
}

func TestCoverage(t *testing.T) {
	file := filepath.Join(t.TempDir(), "samples.jsonl")
	text := ""
	for trial := range 3 {
		for _, side := range []string{"go test", "parallax"} {
			text += fmt.Sprintf(`{"subject":"toml","side":%q,"trial":%d,"budget_cpu_seconds":4,"series":{"cpu_seconds":[0,2],"blocks":[10,%d]}}`+"\n", side, trial, 20+trial)
		}
	}
	if err := os.WriteFile(file, []byte(text+`{"subject":"toml","side":"seeds"}`+"\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	got, err := coverage([]string{file})
	if err != nil || bytes.Count(got, []byte(`class="line k`)) != 4 { // two curves, and two in the legend
		t.Errorf("%v\n%s", err, got)
	}
	r := run{Series: &process.Series{Seconds: []int{0, 2}, Blocks: []int{10, 20}}}
	for at, want := range map[float64]float64{0: 10, 1.9: 10, 2: 20, 9: 20} {
		if got := r.at(at); got != want {
			t.Errorf("after %v s: %v, want %v", at, got, want)
		}
	}
}

// TestDemsar: the example of section 3.2.2 of the paper, four methods on 14 data sets.
func TestDemsar(t *testing.T) {
	r := ranking{subjects: 14, mean: []float64{3.143, 2.000, 2.893, 1.964}}.test()
	near := func(what string, got, want, by float64) {
		if math.Abs(got-want) > by {
			t.Errorf("%s is %v, want %v", what, got, want)
		}
	}
	near("chi-squared", r.chi2, 9.28, 0.02)
	near("the critical difference", r.distance, 1.25, 0.01)
	// Nemenyi's test does not separate C4.5 from C4.5+m+cf: 3.143-1.964 < 1.25.
	if got := r.cliques(); len(got) != 1 || got[0] != [2]float64{1.964, 3.143} {
		t.Errorf("bars %v", got)
	}
}

func TestRank(t *testing.T) {
	r := rank([][]float64{{3, 1, 2}, {5, 5, 1}})
	for i, want := range []float64{1.25, 2.25, 2.5} {
		if r.mean[i] != want {
			t.Errorf("ranks %v", r.mean)
		}
	}
}

// TestAbove: quantiles of the distribution of chi-squared from tables.
func TestAbove(t *testing.T) {
	for _, test := range []struct {
		x       float64
		degrees int
		want    float64
	}{{3.841, 1, 0.05}, {5.991, 2, 0.05}, {7.815, 3, 0.05}, {14.067, 7, 0.05}, {18.475, 7, 0.01}, {20.090, 8, 0.01}} {
		if got := above(test.x, test.degrees); math.Abs(got-test.want) > 1e-4 {
			t.Errorf("above(%v, %d) = %v, want %v", test.x, test.degrees, got, test.want)
		}
	}
}

func TestInterval(t *testing.T) {
	for _, test := range []struct {
		values    []float64
		low, high float64
	}{
		{[]float64{3, 1, 2}, 1, 3},                       // too few
		{[]float64{1, 2, 3, 4, 5, 6, 7, 8, 9, 10}, 2, 9}, // 97.9 %; the next has 89.1
		{[]float64{1, 2, 3, 4, 5, 6, 7, 8, 9}, 2, 8},     // 96.1 %
		{[]float64{1, 2, 3, 4, 5, 6, 7, 8}, 1, 8},        // 99.2 %; the next has 93.0
	} {
		if low, high := interval(test.values); low != test.low || high != test.high {
			t.Errorf("%v: %v to %v, want %v to %v", test.values, low, high, test.low, test.high)
		}
	}
}

// Table sums up samples of pairs.sh: medians over pairs, and medians of the ratios within a pair.
//
//	table samples.jsonl
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"slices"
)

type sample struct {
	Pair   int     `json:"pair"`
	Side   string  `json:"side"`
	Target string  `json:"target"`
	Inputs uint64  `json:"inputs"`
	CPU    float64 `json:"cpu_seconds"`
	Bytes  float64 `json:"mean_bytes"`
}

type key struct {
	target string
	pair   int
	side   string
}

const (
	engine    = "parallax"
	plain     = "plain"
	collector = "plain, collector of a worker"
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "table:", err)
		os.Exit(1)
	}
}

func run(args []string) error {
	if len(args) != 1 {
		return fmt.Errorf("give the file of samples")
	}
	f, err := os.Open(args[0])
	if err != nil {
		return err
	}
	defer f.Close()
	micros := map[key]float64{}
	inputs, length := map[string]uint64{}, map[string]float64{}
	pairs := map[string][]int{}
	var targets []string
	lines := bufio.NewScanner(f)
	for n := 1; lines.Scan(); n++ {
		var s sample
		if err := json.Unmarshal(lines.Bytes(), &s); err != nil {
			return fmt.Errorf("%s:%d: %w", args[0], n, err)
		}
		if !slices.Contains(targets, s.Target) {
			targets = append(targets, s.Target)
		}
		if !slices.Contains(pairs[s.Target], s.Pair) {
			pairs[s.Target] = append(pairs[s.Target], s.Pair)
		}
		micros[key{s.Target, s.Pair, s.Side}] = s.CPU / float64(s.Inputs) * 1e6
		inputs[s.Target] = s.Inputs
		if s.Bytes > 0 {
			length[s.Target] = s.Bytes
		}
	}
	if err := lines.Err(); err != nil {
		return err
	}
	fmt.Println("| target | inputs a run | mean bytes | pairs | parallax µs | plain µs | speed against plain: median (least to most) | plain, worker's collector µs | speed against that |")
	fmt.Println("|---|---|---|---|---|---|---|---|---|")
	for _, t := range targets {
		var a, b, c, ab, ac []float64
		for _, p := range pairs[t] {
			x, y, z := micros[key{t, p, engine}], micros[key{t, p, plain}], micros[key{t, p, collector}]
			if x == 0 || y == 0 || z == 0 {
				continue // a pair that was interrupted
			}
			a, b, c, ab, ac = append(a, x), append(b, y), append(c, z), append(ab, y/x), append(ac, z/x)
		}
		if len(a) == 0 {
			continue
		}
		fmt.Printf("| %s | %d | %.0f | %d | %.2f | %.2f | %.0f %% (%.0f to %.0f) | %.2f | %.0f %% (%.0f to %.0f) |\n", t, inputs[t], length[t], len(a),
			median(a), median(b), 100*median(ab), 100*slices.Min(ab), 100*slices.Max(ab),
			median(c), 100*median(ac), 100*slices.Min(ac), 100*slices.Max(ac))
	}
	return nil
}

func median(v []float64) float64 {
	v = slices.Sorted(slices.Values(v))
	return (v[(len(v)-1)/2] + v[len(v)/2]) / 2
}

package main

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strings"

	"parallax/bench/internal/samples"
	"parallax/internal/stats"
)

// budgets are the numbers of inputs in the table.
var budgets = []int{10_000, 100_000, 1_000_000}

// result is that of a trial of either tool. found is 0 for none.
type result struct{ trial, budget, found int }

// key is a pair and a tool.
type key struct{ pair, tool string }

const ours = "parallax diff"

// results reads both kinds of samples: those of this program, and those of parallax bench.
func results(files []string) (map[key][]result, error) {
	all := map[key][]result{}
	for _, name := range files {
		if native, err := samples.Read[sample](name); err == nil {
			for _, s := range native {
				k := key{s.Pair, s.Tool}
				all[k] = add(all[k], result{s.Trial, s.Budget, s.Found})
			}
			continue
		}
		data, err := os.ReadFile(name)
		if err != nil {
			return nil, err
		}
		for line := range strings.Lines(string(data)) {
			var s struct {
				Subject string
				Trial   int
				Inputs  int
				Buckets []struct {
					Cause   string
					FoundAt int `json:"found_at"`
				}
			}
			if err := json.Unmarshal([]byte(line), &s); err != nil {
				return nil, fmt.Errorf("%s: %w", name, err)
			}
			r := result{trial: s.Trial, budget: s.Inputs}
			for _, b := range s.Buckets {
				if at := b.FoundAt + 1; b.Cause != "" && (r.found == 0 || at < r.found) { // it has the inputs before
					r.found = at
				}
			}
			k := key{s.Subject, ours}
			all[k] = add(all[k], r)
		}
	}
	return all, nil
}

// add adds a result. If the list has a result of the same trial, the one with the larger budget
// stays, unless the smaller budget was enough. The larger ran where the smaller found nothing.
func add(list []result, r result) []result {
	for i, o := range list {
		if o.trial == r.trial {
			if o.found == 0 && o.budget < r.budget || r.found > 0 && r.budget < o.budget {
				list[i] = r
			}
			return list
		}
	}
	return append(list, r)
}

// share counts the trials that found the difference within a budget. A trial that found it sooner
// counts for each larger budget. The share is not known (ok is false) while a trial without it had
// a smaller budget. Otherwise the trials that ended soon would be too large a share.
func share(list []result, budget int) (found, of int, ok bool) {
	for _, r := range list {
		switch {
		case r.found > 0 && r.found <= budget:
			found++
		case r.budget < budget:
			return 0, 0, false
		}
	}
	return found, len(list), len(list) > 0
}

// table prints, for each pair and each tool, the trials that found the difference.
func table(w io.Writer, files []string) error {
	all, err := results(files)
	if err != nil {
		return err
	}
	tools := []string{ours, native}
	fmt.Fprint(w, "| pair |")
	for _, tool := range tools {
		fmt.Fprintf(w, " %s: found within 10,000 | 100,000 | 1,000,000 | median inputs |", tool)
	}
	fmt.Fprintln(w, "\n|---|---|---|---|---|---|---|---|---|")
	type total struct{ found, of, pairs int }
	totals := map[string]map[int]total{ours: {}, native: {}}
	for _, p := range pairs {
		fmt.Fprintf(w, "| %s |", p.name)
		for _, tool := range tools {
			list := all[key{p.name, tool}]
			for _, budget := range budgets {
				found, of, ok := share(list, budget)
				if !ok {
					fmt.Fprint(w, " |")
					continue
				}
				fmt.Fprintf(w, " %d of %d |", found, of)
				t := totals[tool][budget]
				totals[tool][budget] = total{t.found + found, t.of + of, t.pairs + 1}
			}
			var at []float64
			for _, r := range list {
				if r.found > 0 {
					at = append(at, float64(r.found))
				}
			}
			if len(at) == 0 {
				fmt.Fprint(w, " |")
			} else {
				fmt.Fprintf(w, " %.0f |", stats.Median(at))
			}
		}
		fmt.Fprintln(w)
	}
	fmt.Fprint(w, "| **all** |")
	for _, tool := range tools {
		for _, budget := range budgets {
			t := totals[tool][budget]
			if t.of == 0 {
				fmt.Fprint(w, " |")
				continue
			}
			fmt.Fprintf(w, " %d of %d (%.0f %%) on %d pairs |", t.found, t.of, 100*float64(t.found)/float64(t.of), t.pairs)
		}
		fmt.Fprint(w, " |")
	}
	_, err = fmt.Fprintln(w)
	return err
}

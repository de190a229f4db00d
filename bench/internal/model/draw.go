package main

import (
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"strings"
)

// paths is how many paths are drawn.
const paths = 50

// drawn prints paths, for people who check them: each once, drawn by a seed from those of all scopes, in the order of functions.
func drawn(w io.Writer, list []sample, seed uint64) error {
	type one struct {
		function string
		path
	}
	var all []one
	seen := map[string]bool{} // a function may be of several runs
	for i := range list {
		for _, data := range list[i].Scopes {
			var s scope
			if err := json.Unmarshal(data, &s); err != nil {
				return err
			}
			if seen[s.Function] {
				continue
			}
			seen[s.Function] = true
			for _, p := range s.Paths {
				all = append(all, one{s.Function, p})
			}
		}
	}
	slices.SortStableFunc(all, func(a, b one) int { return strings.Compare(a.function, b.function) })
	chosen := rand.New(rand.NewPCG(seed, 0)).Perm(len(all))
	chosen = chosen[:min(paths, len(chosen))]
	slices.Sort(chosen)
	fmt.Fprintf(w, "%d of %d paths, seed %d\n", len(chosen), len(all), seed)
	for i, k := range chosen {
		p := all[k]
		match := "-"
		if p.Proof != nil {
			match = fmt.Sprint(p.Proof.Match)
		}
		fmt.Fprintf(w, "\n%d. %s %s: in scope %t (%s), match %s\n  %s\n  agrees on %s\n  differs on %s: the original %s; the model: %s\n", i+1, p.function, p.Key, p.InScope, p.Why, match,
			strings.Join(p.Lines, " "), p.Agreed, p.Deviating, p.Original, p.Model)
	}
	return nil
}

// findings prints what the runs found, for people who check it.
func findings(w io.Writer, list []sample) error {
	for i := range list {
		_, reports, err := merged(list[i : i+1])
		if err != nil {
			return err
		}
		if len(reports) == 0 {
			continue // scopes alone
		}
		for j := range reports[0].Targets {
			t := &reports[0].Targets[j]
			for _, b := range t.Findings.Buckets {
				fmt.Fprintf(w, "%s: %s %s: %s", list[i].name(), t.name(), b.ID, b.Quoted)
				for _, c := range t.Coverage {
					fmt.Fprintf(w, "; %s: %s", c.Program, b.Results[c.Program])
				}
				fmt.Fprintf(w, " (%d)\n", b.Count)
			}
		}
	}
	return nil
}

package main

import (
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"strings"
)

// paths is how many paths in scope are drawn.
const paths = 50

// drawn prints paths, for people who check them. It chooses paths in scope by a seed, one of each
// function before the second of any. For each function with a path out of scope it prints one, in
// the order of functions. A function may have thousands of paths, and would dominate paths drawn
// from all together.
func drawn(w io.Writer, list []sample, seed uint64) error {
	type one struct {
		function string
		path
	}
	in, out := map[string][]one{}, map[string][]one{}
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
				side := out
				switch {
				case p.Suspect:
					continue // its formula matches, and nothing agrees: it is listed apart
				case p.InScope:
					side = in
				}
				side[s.Function] = append(side[s.Function], one{s.Function, p})
			}
		}
	}
	r := rand.New(rand.NewPCG(seed, 0))
	draw := func(from map[string][]one, limit, rounds int) []one {
		var functions []string
		for f := range from {
			functions = append(functions, f)
		}
		slices.Sort(functions)
		for _, f := range functions {
			r.Shuffle(len(from[f]), func(i, j int) { from[f][i], from[f][j] = from[f][j], from[f][i] })
		}
		r.Shuffle(len(functions), func(i, j int) { functions[i], functions[j] = functions[j], functions[i] })
		var chosen []one
		for round := range rounds {
			for _, f := range functions {
				if round < len(from[f]) && len(chosen) < limit {
					chosen = append(chosen, from[f][round])
				}
			}
		}
		slices.SortStableFunc(chosen, func(a, b one) int { return strings.Compare(a.function, b.function) })
		return chosen
	}
	scoped := draw(in, paths, paths)
	rest := draw(out, len(out), 1)
	fmt.Fprintf(w, "%d paths in scope of %d functions, and one out of scope of each of %d, seed %d\n", len(scoped), len(in), len(rest), seed)
	for i, p := range append(scoped, rest...) {
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

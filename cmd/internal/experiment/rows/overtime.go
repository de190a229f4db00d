package main

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"parallax/internal/stats"
)

// coverage returns, for each trial, the share of model edges covered at a checkpoint. As in the
// paper, it is the mean over functions. A function that is named is alone.
func (a *analysis) coverage(x *result, checkpoint int, ours bool, function string) (shares []float64) {
	for _, number := range x.trials {
		sum, n := 0.0, 0
		for _, s := range x.samples {
			f := a.scopes[s.Function]
			of := len(f.Published)
			if ours {
				of = len(f.Agreement)
			}
			if s.Trial != number || of == 0 || function != "" && s.Function != function {
				continue
			}
			got := 0
			for _, p := range s.Result.Coverage {
				if p.At > checkpoint {
					break
				}
				if got = p.Published; ours {
					got = p.Agreement
				}
			}
			sum += float64(got) / float64(of)
			n++
		}
		if n > 0 {
			shares = append(shares, 100*sum/float64(n))
		}
	}
	return shares
}

// overTime prints model coverage over time: of all functions, and of those that do not saturate.
func overTime(w io.Writer, a *analysis) {
	at := a.points()
	if len(at) == 0 {
		return
	}
	for _, ours := range []bool{false, true} {
		name := map[bool]string{false: "matching", true: "agreement"}[ours]
		a.curves(w, "model coverage in %, scope by "+name+", after executions", at, ours, "")
	}
	for _, function := range a.late(at) {
		a.curves(w, function+": model coverage in %, scope by agreement, after executions", at, true, function)
	}
}

// points returns the checkpoints of the tables over time. The last one is the budget.
func (a *analysis) points() (at []int) {
	budget := 0
	for i := range a.rows {
		for _, s := range a.rows[i].samples {
			budget = max(budget, s.Budget)
		}
	}
	if budget == 0 {
		return nil
	}
	for _, n := range checkpoints {
		if n < budget {
			at = append(at, n)
		}
	}
	return append(at, budget)
}

// saturated is the share of model edges in percent, and early the number of executions after which
// most functions have it.
const saturated, early = 95, 300

// late returns the functions whose model edges some row has not covered early.
func (a *analysis) late(at []int) (functions []string) {
	if at[len(at)-1] <= early {
		return nil
	}
	for function := range a.scopes {
		for i := range a.rows {
			x := &a.rows[i]
			if got := a.coverage(x, early, true, function); !x.suite && len(got) > 0 && stats.Median(got) < saturated {
				functions = append(functions, function)
				break
			}
		}
	}
	slices.Sort(functions)
	return functions
}

// curves prints a table of model coverage over time. The function may be "" for all.
func (a *analysis) curves(w io.Writer, heading string, at []int, ours bool, function string) {
	fmt.Fprintf(w, "\n| %s |", heading)
	for _, n := range at {
		fmt.Fprintf(w, " %d |", n)
	}
	fmt.Fprintf(w, "\n|---|%s\n", strings.Repeat("---|", len(at)))
	for i := range a.rows {
		x := &a.rows[i]
		if len(x.trials) == 0 {
			continue
		}
		fmt.Fprintf(w, "| %s |", x.name)
		for k, n := range at {
			if k == len(at)-1 {
				n = 1 << 60 // the end, some executions later
			}
			got := a.coverage(x, n, ours, function)
			if x.suite && k < len(at)-1 || len(got) == 0 {
				fmt.Fprint(w, " |") // the trial ended before
				continue
			}
			fmt.Fprintf(w, " %.1f |", stats.Median(got))
		}
		fmt.Fprintln(w)
	}
}

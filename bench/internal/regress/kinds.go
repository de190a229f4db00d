package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"parallax/bench/internal/origin"
	"parallax/bench/internal/samples"
)

// These functions list the kinds of change points that the pairs have, and those that decided the
// findings of the trials. parallax regress --plan names the functions with change points and their
// kinds. A finding of a trial has the place of the change that decided it. So the kinds of the
// function at that place are those that can have decided the finding.

// kinds has the kinds of change points of a subject.
type kinds struct {
	Subject   string         `json:"subject"`
	Versions  string         `json:"versions"`
	Error     string         `json:"error,omitempty"`
	Functions map[string]int `json:"functions"` // with a change point of a kind
	Findings  map[string]int `json:"findings"`  // new or changed, at a place of such a function
	Elsewhere int            `json:"elsewhere"` // findings at a place before all functions of the plan
	origin.Origin
}

// planned is a function with change points.
type planned struct {
	Location string // of the first change point
	Kinds    []string
}

// collectKinds plans the Go subjects that the file of samples lacks. A plan in the work folder is
// not made again.
func (m *measurement) collectKinds(ctx context.Context) (err error) {
	if err := m.Complete(); err != nil {
		return err
	}
	if m.root, err = filepath.Abs(m.root); err != nil {
		return err
	}
	have, err := samples.Read[kinds](m.File)
	if err != nil {
		return err
	}
	places, err := decidingPlaces(filepath.Join(m.root, "regress.samples.jsonl"))
	if err != nil {
		return err
	}
	caches, err := goCaches()
	if err != nil {
		return err
	}
	for _, s := range m.subjects {
		if slices.ContainsFunc(have, func(k kinds) bool { return k.Subject == s.Name && (k.Error == "" || !m.retry) }) {
			continue
		}
		functions, err := m.plannedFunctions(ctx, s, caches)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		k := kindsOf(functions, places[s.Name])
		k.Subject, k.Versions, k.Origin = s.Name, s.versions(), m.Here
		if err != nil {
			k.Error = m.clean(err.Error())
		}
		if err := samples.Append(m.File, k); err != nil {
			return err
		}
	}
	return kindsTable(os.Stdout, m.File)
}

// plannedFunctions returns the functions with change points of a subject.
func (m *measurement) plannedFunctions(ctx context.Context, s subject, caches []string) ([]planned, error) {
	folder := filepath.Join(m.Work, "kinds", s.Name)
	data, err := os.ReadFile(filepath.Join(folder, planFile))
	if err != nil || !json.Valid(data) {
		if _, err = m.plan(ctx, s, folder, caches, func(out []byte) error { data = out; return nil }); err != nil {
			return nil, err
		}
	}
	var summary struct{ Change struct{ Functions []planned } }
	if err := json.Unmarshal(data, &summary); err != nil {
		return nil, fmt.Errorf("the plan: %w", err)
	}
	if len(summary.Change.Functions) == 0 {
		return nil, errors.New("the plan has no functions with change points")
	}
	return summary.Change.Functions, nil
}

// decidingPlaces returns the places of the new and changed findings of all trials, by subject, each
// once.
func decidingPlaces(file string) (map[string][]string, error) {
	trials, err := samples.Read[sample](file)
	if err != nil {
		return nil, err
	}
	places := map[string][]string{}
	for _, t := range trials {
		for _, b := range t.Found {
			if (b.Status == "new" || b.Status == "changed") && b.Location != "" && !slices.Contains(places[t.Subject], b.Location) {
				places[t.Subject] = append(places[t.Subject], b.Location)
			}
		}
	}
	return places, nil
}

// kindsOf counts the kinds of functions, and of those in which places are.
func kindsOf(functions []planned, places []string) kinds {
	k := kinds{Functions: map[string]int{}, Findings: map[string]int{}}
	for _, f := range functions {
		for _, kind := range f.Kinds {
			k.Functions[kind]++
		}
	}
	for _, place := range places {
		file, line := split(place)
		best, at := -1, 0
		for i, f := range functions {
			if in, first := split(f.Location); in == file && first <= line && first > at {
				best, at = i, first
			}
		}
		if best < 0 {
			k.Elsewhere++
			continue
		}
		for _, kind := range functions[best].Kinds {
			k.Findings[kind]++
		}
	}
	return k
}

// split returns the base name of a place's file, and its line.
func split(place string) (file string, line int) {
	file, text, _ := strings.Cut(path.Base(place), ":")
	line, _ = strconv.Atoi(text)
	return file, line
}

// kindsTable sums up a file of kinds.
func kindsTable(w io.Writer, file string) error {
	list, err := samples.Read[kinds](file)
	if err != nil {
		return err
	}
	if len(list) == 0 {
		return fmt.Errorf("%s: there are no samples", file)
	}
	type count struct{ pairs, functions, deciding, findings int }
	counts := map[string]count{}
	var origins []origin.Origin
	var failed []string
	elsewhere := 0
	for _, k := range list {
		origins = append(origins, k.Origin)
		elsewhere += k.Elsewhere
		if k.Error != "" {
			failed = append(failed, fmt.Sprintf("- %s failed: `%s`", k.Subject, strings.ReplaceAll(k.Error, "`", "'")))
		}
		for kind, n := range k.Functions {
			c := counts[kind]
			c.pairs, c.functions = c.pairs+1, c.functions+n
			if k.Findings[kind] > 0 {
				c.deciding, c.findings = c.deciding+1, c.findings+k.Findings[kind]
			}
			counts[kind] = c
		}
	}
	var names []string
	for kind := range counts {
		names = append(names, kind)
	}
	slices.SortFunc(names, func(a, b string) int {
		return cmp.Or(cmp.Compare(counts[b].findings, counts[a].findings), cmp.Compare(counts[b].functions, counts[a].functions), cmp.Compare(a, b))
	})
	lines := head("kind of change point", []string{"pairs", "functions", "pairs where it can have decided a finding", "findings"})
	for _, kind := range names {
		c := counts[kind]
		lines = append(lines, row(kind, []string{fmt.Sprint(c.pairs), fmt.Sprint(c.functions), fmt.Sprint(c.deciding), fmt.Sprint(c.findings)}))
	}
	lines = append(append(lines, failed...), "", fmt.Sprintf("%d pairs. %d findings are before all functions of their plan. %s.", len(list), elsewhere, origin.Describe(origins)))
	_, err = fmt.Fprintln(w, strings.Join(lines, "\n"))
	return err
}

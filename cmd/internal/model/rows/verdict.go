package main

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"strings"

	"parallax/cmd/internal/model/scope"
)

// verdicts say by hand which deviations are defects of a model, and which are of what it does not mean to do: a line has a function, a kind with dashes
// in the place of spaces, a path or *, true or false, and why. A line with a path counts before one without.
type verdicts map[string]verdict

type verdict struct {
	True bool
	Why  string
}

func readVerdicts(file string) (verdicts, error) {
	data, err := os.ReadFile(file)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	v := verdicts{}
	for i, line := range strings.Split(string(data), "\n") {
		words := strings.Fields(line)
		if len(words) == 0 || strings.HasPrefix(line, "#") {
			continue
		}
		if len(words) < 5 || words[3] != "true" && words[3] != "false" {
			return nil, fmt.Errorf("%s:%d: a line has a function, a kind, a path or *, true or false, and why", file, i+1)
		}
		v[strings.Join(words[:3], " ")] = verdict{words[3] == "true", strings.Join(words[4:], " ")}
	}
	return v, nil
}

// of is the verdict on a report.
func (v verdicts) of(function string, r *report) (verdict, bool) {
	kind := strings.ReplaceAll(string(r.Kind), " ", "-")
	if got, ok := v[fmt.Sprintf("%s %s %016x", function, kind, uint64(r.Path))]; ok {
		return got, true
	}
	got, ok := v[function+" "+kind+" *"]
	return got, ok
}

// reported is a deviation, with what is known of its path.
type reported struct {
	function string
	*report
	path    path
	rows    map[string]int // trials that have it
	verdict verdict
	judged  bool
}

// all are the deviations of all trials, by function and identity.
func all(list []sample, v verdicts) map[string]*reported {
	paths := map[string]path{}
	for i := range list {
		if s := &list[i]; s.Scopes != nil {
			for _, p := range s.Scopes.Paths {
				paths[fmt.Sprint(s.Function, uint64(p.Key))] = p
			}
		}
	}
	m := map[string]*reported{}
	for i := range list {
		s := &list[i]
		if s.Result == nil {
			continue
		}
		for id, r := range s.Result.Details {
			e := &reported{function: s.Function, report: r, path: paths[fmt.Sprint(s.Function, uint64(r.Path))], rows: map[string]int{}}
			e.verdict, e.judged = v.of(s.Function, r)
			m[id] = e
		}
	}
	for i := range list {
		if s := &list[i]; s.Result != nil {
			for _, r := range s.Result.Reports {
				if e := m[r.ID]; e != nil {
					e.rows[s.Row]++
				}
			}
		}
	}
	return m
}

// reports lists what was reported, for people who judge it: each path and kind of a function with the calls that rows found first.
func reports(w io.Writer, list []sample, v verdicts) error {
	type group struct {
		function string
		key      scope.Key
		kind     scope.Kind
	}
	groups := map[group][]*reported{}
	for _, e := range all(list, v) {
		g := group{e.function, e.Path, e.Kind}
		groups[g] = append(groups[g], e)
	}
	var keys []group
	for g := range groups {
		keys = append(keys, g)
	}
	slices.SortFunc(keys, func(a, b group) int {
		return cmp.Or(cmp.Compare(a.function, b.function), cmp.Compare(a.kind, b.kind), cmp.Compare(a.key, b.key))
	})
	for _, g := range keys {
		found := groups[g]
		slices.SortFunc(found, func(a, b *reported) int {
			return cmp.Or(cmp.Compare(len(a.Call), len(b.Call)), cmp.Compare(a.Call, b.Call))
		})
		first := found[0]
		said := "unjudged"
		if first.judged {
			said = fmt.Sprintf("%t: %s", first.verdict.True, first.verdict.Why)
		}
		byRow := map[string]int{}
		for _, e := range found {
			for name := range e.rows {
				byRow[name]++
			}
		}
		var parts []string
		for _, r := range rows {
			if n := byRow[r.name]; n > 0 {
				parts = append(parts, fmt.Sprintf("%s %d", r.name, n))
			}
		}
		fmt.Fprintf(w, "%s %s %016x: %s\n  matching %t, agreement %t (%s); traces %d: %s\n", g.function, strings.ReplaceAll(string(g.kind), " ", "-"), uint64(g.key), said,
			first.path.Published, first.path.Agreement, first.path.Why, len(found), strings.Join(parts, ", "))
		for _, e := range found[:min(3, len(found))] {
			fmt.Fprintf(w, "    %s: the original %s; the model: %s\n", e.Call, e.Original, cmp.Or(e.Model, "drops it"))
		}
	}
	return nil
}

package main

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"regexp"
	"slices"
	"strings"

	"parallax/cmd/internal/model/scope"
)

// verdicts is a manual list that decides which deviations are defects of a model, and which are
// outside of its purpose. A line has a function, a kind with dashes for spaces or *, true or false,
// an expression that matches the call, and a reason. The first matching line counts.
type verdicts []verdict

type verdict struct {
	function, kind string
	True           bool
	call           *regexp.Regexp
	Why            string
}

func readVerdicts(file string) (list verdicts, err error) {
	data, err := os.ReadFile(file)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	for i, line := range strings.Split(string(data), "\n") {
		words := strings.Fields(line)
		if len(words) == 0 || strings.HasPrefix(line, "#") {
			continue
		}
		if len(words) < 5 || words[2] != "true" && words[2] != "false" {
			return nil, fmt.Errorf("%s:%d: a line has a function, a kind or *, true or false, an expression for calls, and why", file, i+1)
		}
		v := verdict{function: words[0], kind: words[1], True: words[2] == "true", Why: strings.Join(words[4:], " ")}
		if v.call, err = regexp.Compile(words[3]); err != nil {
			return nil, fmt.Errorf("%s:%d: %w", file, i+1, err)
		}
		list = append(list, v)
	}
	return list, nil
}

// find returns the verdict on a report, or nil.
func (v verdicts) find(function string, r *report) *verdict {
	kind := strings.ReplaceAll(string(r.Kind), " ", "-")
	for i := range v {
		if x := &v[i]; x.function == function && (x.kind == "*" || x.kind == kind) && x.call.MatchString(r.Call) {
			return x
		}
	}
	return nil
}

// reported is a deviation with its path.
type reported struct {
	function string
	*report
	path    path
	rows    map[string]int // number of trials that have it, by row
	verdict *verdict       // nil if it is not judged
}

// all returns the deviations of all trials, by function and identity.
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
			e.verdict = v.find(s.Function, r)
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

// reports lists the reports for manual judgment: each path and kind of a function, with the calls
// that rows found first.
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
		said := map[string]int{}
		for _, e := range found {
			if e.verdict == nil {
				said["unjudged"]++
			} else {
				said[fmt.Sprintf("%t: %s", e.verdict.True, e.verdict.Why)]++
			}
		}
		var verdicts []string
		for text, n := range said {
			verdicts = append(verdicts, fmt.Sprintf("%d %s", n, text))
		}
		slices.Sort(verdicts)
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
		fmt.Fprintf(w, "%s %s %016x: %s\n  matching %t, agreement %t (%s); traces %d: %s\n", g.function, strings.ReplaceAll(string(g.kind), " ", "-"), uint64(g.key), strings.Join(verdicts, "; "),
			first.path.Published, first.path.Agreement, first.path.Why, len(found), strings.Join(parts, ", "))
		for _, e := range found[:min(3, len(found))] {
			fmt.Fprintf(w, "    %s: the original %s; the model: %s\n", e.Call, e.Original, cmp.Or(e.Model, "drops it"))
		}
	}
	return nil
}

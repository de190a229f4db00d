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
// outside of its purpose. bench/model/rule.md has the rule, which does not know the rows.
//
// A line has a function, a kind with dashes for spaces or *, and true or false. Then come an
// expression that matches the call with both effects, the defect, and a reason. The first matching
// line counts. For false, the defect is a dash, and the reason quotes the source or the documents
// of the model.
type verdicts []verdict

type verdict struct {
	function, kind string
	True           bool
	match          *regexp.Regexp
	Defect         string
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
		if len(words) < 6 || words[2] != "true" && words[2] != "false" {
			return nil, fmt.Errorf("%s:%d: a line has a function, a kind or *, true or false, an expression for calls, a defect or -, and why", file, i+1)
		}
		v := verdict{function: words[0], kind: words[1], True: words[2] == "true", Defect: words[4], Why: strings.Join(words[5:], " ")}
		if v.True == (v.Defect == "-") {
			return nil, fmt.Errorf("%s:%d: true names a defect, and false has -", file, i+1)
		}
		if !v.True && !quotes.MatchString(v.Why) {
			return nil, fmt.Errorf("%s:%d: false quotes what the source or the documents of the model say, and names the file", file, i+1)
		}
		if v.match, err = regexp.Compile(words[3]); err != nil {
			return nil, fmt.Errorf("%s:%d: %w", file, i+1, err)
		}
		list = append(list, v)
	}
	return list, nil
}

// quotes matches a quotation and the file that it is from.
var quotes = regexp.MustCompile(`"[^"]+".*\([\w/]+\.\w+\)`)

// find returns the verdict on a report, or nil.
func (v verdicts) find(function string, r *report) *verdict {
	kind := strings.ReplaceAll(string(r.Kind), " ", "-")
	text := r.String()
	for i := range v {
		if x := &v[i]; x.function == function && (x.kind == "*" || x.kind == kind) && x.match.MatchString(text) {
			return x
		}
	}
	return nil
}

// String returns the call with both effects.
func (r *report) String() string {
	return fmt.Sprintf("%s: the original %s; the model: %s", r.Call, r.Original, cmp.Or(r.Model, "drops it"))
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

// reports lists the reports for manual judgment: each path and kind of a function with its shortest
// calls. It names no row and no scope, so that a judge does not know who reported a call.
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
		said := map[string]int{}
		for _, e := range found {
			switch {
			case e.verdict == nil:
				said["unjudged"]++
			case e.verdict.True:
				said[fmt.Sprintf("true, %s: %s", e.verdict.Defect, e.verdict.Why)]++
			default:
				said["false: "+e.verdict.Why]++
			}
		}
		var verdicts []string
		for text, n := range said {
			verdicts = append(verdicts, fmt.Sprintf("%d %s", n, text))
		}
		slices.Sort(verdicts)
		fmt.Fprintf(w, "%s %s %016x: %d traces: %s\n", g.function, strings.ReplaceAll(string(g.kind), " ", "-"), uint64(g.key), len(found), strings.Join(verdicts, "; "))
		for _, e := range found[:min(3, len(found))] {
			fmt.Fprintf(w, "    %s\n", e.report)
		}
	}
	return nil
}

package main

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
)

// report is of what --json prints.
type report struct {
	Targets []target `json:"targets"`
	Scope   struct {
		Models    int                                         `json:"models"`
		Extracted int                                         `json:"extracted"`
		Paths     int                                         `json:"paths"`
		InScope   int                                         `json:"in_scope"`
		Suspects  int                                         `json:"suspects"`
		Outside   map[string]int                              `json:"outside"`
		Left      []struct{ Function, Status, Reason string } `json:"left_out"`
		Changes   []struct {
			Function             string
			Calls, Better, Worse int
			BetterOn             string `json:"better_on"`
			WorseOn              string `json:"worse_on"`
			Reason               string
		} `json:"changes"`
	} `json:"scope"`
}

type target struct {
	Target   string `json:"target"`
	Inputs   uint64 `json:"inputs"`
	Coverage []struct {
		Program         string
		Blocks, Covered int
	} `json:"coverage"`
	Scope struct {
		Outside map[string]int `json:"outside"`
	} `json:"scope"`
	Findings struct {
		Buckets []struct {
			ID      string            `json:"id"`
			Quoted  string            `json:"quoted"`
			Results map[string]string `json:"results"`
			Count   uint64            `json:"count"`
			Suspect bool              `json:"suspect"`
			Remark  string            `json:"remark"`
		} `json:"buckets"`
	} `json:"findings"`
}

// scope is of a scope.json.
type scope struct {
	Function string `json:"function"`
	Paths    []path `json:"paths"`
	Steps    []struct {
		To int `json:"to"`
	} `json:"steps"`
}

type path struct {
	Key       string   `json:"path"`
	Runs      int      `json:"runs"`
	Agree     int      `json:"agree"`
	InScope   bool     `json:"in_scope"` // suspect paths included
	Suspect   bool     `json:"suspect"`
	Why       string   `json:"why"`
	Lines     []string `json:"lines"`
	Agreed    string   `json:"agreed"`
	Deviating string   `json:"deviating"`
	Original  string   `json:"original"`
	Model     string   `json:"model"`
	Proof     *struct {
		Agrees string `json:"agrees"` // "": nothing was asked
		Match  bool   `json:"match"`
	} `json:"proof"`
}

// types are the types of functions, in the order of the tables.
var types = []string{"string", "array", "arithmetic and conversion", "other"}

// typeOf is the type of a function. Those of single characters are others.
func typeOf(function string) string {
	switch name := strings.TrimLeft(strings.TrimSuffix(function, "_chk"), "_"); {
	case strings.HasPrefix(name, "strto") && !strings.HasPrefix(name, "strtok"), strings.HasPrefix(name, "ato"), strings.HasSuffix(name, "abs"),
		strings.HasPrefix(name, "hto"), strings.HasPrefix(name, "nto"):
		return types[2]
	case strings.HasPrefix(name, "str"), strings.HasPrefix(name, "stp"), strings.HasPrefix(name, "wcs"):
		return types[0]
	case strings.HasPrefix(name, "mem"), name == "bzero", name == "bcmp", name == "bcopy":
		return types[1]
	}
	return types[3]
}

// name is the function of a target.
func (t *target) name() string { return t.Target[strings.LastIndexByte(t.Target, '-')+1:] }

func tables(w io.Writer, list []sample) error {
	all := list
	list, reports, err := merged(list)
	if err != nil {
		return err
	}
	scopes := map[string]scope{}
	for i := range all {
		for _, data := range all[i].Scopes {
			var s scope
			if err := json.Unmarshal(data, &s); err != nil {
				return err
			}
			scopes[s.Function] = s
		}
	}
	fmt.Fprintln(w, "| run | models | extracted | checked | paths | in scope | suspect | findings | on suspect paths | right for values | not confirmed | CPU s | wall s | load |\n|---|---|---|---|---|---|---|---|---|---|---|---|---|---|")
	for i := range list {
		s, r := &list[i], &reports[i]
		n, suspect, remarks := 0, 0, 0
		for j := range r.Targets {
			for _, b := range r.Targets[j].Findings.Buckets {
				n++
				if b.Suspect {
					suspect++
				}
				if strings.Contains(b.Remark, "answers rightly") {
					remarks++
				}
			}
		}
		fmt.Fprintf(w, "| %s | %d | %d | %d | %d | %d (%s) | %d | %d | %d | %d | %d | %.0f | %.0f | %s |\n", s.name(), r.Scope.Models, r.Scope.Extracted, len(r.Targets), r.Scope.Paths,
			r.Scope.InScope, percent(r.Scope.InScope, r.Scope.Paths), r.Scope.Suspects, n, suspect, remarks, r.Scope.Outside["unconfirmed"], s.CPU, s.Wall, s.Load)
	}
	functions(w, list, reports, scopes)
	byType(w, list, reports)
	outside(w, list, reports)
	for i := range list {
		if i == 0 {
			left(w, &reports[i])
		}
		changes(w, &list[i], &reports[i])
	}
	return nil
}

// merged takes runs that differ in their functions alone as one.
func merged(list []sample) (runs []sample, reports []report, err error) {
	for _, s := range list {
		var r report
		if err := json.Unmarshal(s.Report, &r); err != nil {
			return nil, nil, err
		}
		if r.Targets == nil { // of one function
			var t target
			if err := json.Unmarshal(s.Report, &t); err != nil {
				return nil, nil, err
			}
			if t.Target == "" {
				continue // it was interrupted, and has scopes alone
			}
			r.Targets = []target{t}
		}
		k := slices.IndexFunc(runs, func(o sample) bool { return o.name() == s.name() && o.Engine == s.Engine })
		if k < 0 {
			runs, reports = append(runs, s), append(reports, r)
			continue
		}
		run, into := &runs[k], &reports[k]
		run.CPU, run.Wall, run.Exit = run.CPU+s.CPU, run.Wall+s.Wall, max(run.Exit, s.Exit)
		into.Targets = append(into.Targets, r.Targets...)
		a, b := &into.Scope, &r.Scope
		a.Models, a.Extracted, a.Paths, a.InScope, a.Suspects = a.Models+b.Models, a.Extracted+b.Extracted, a.Paths+b.Paths, a.InScope+b.InScope, a.Suspects+b.Suspects
		a.Left, a.Changes = append(a.Left, b.Left...), append(a.Changes, b.Changes...)
		if a.Outside == nil {
			a.Outside = map[string]int{}
		}
		for kind, n := range b.Outside {
			a.Outside[kind] += n
		}
	}
	return runs, reports, nil
}

// name returns the name of a run in tables.
func (s *sample) name() string {
	if s.Base != "" {
		return s.Engine + " since " + s.Base
	}
	return s.Confirm
}

func percent(n, of int) string {
	if of == 0 {
		return "-"
	}
	return fmt.Sprintf("%.0f %%", 100*float64(n)/float64(of))
}

// functions prints a row per function, with the findings of each run. For functions with a scope
// only, the row has that.
func functions(w io.Writer, list []sample, reports []report, scopes map[string]scope) {
	if len(reports) == 0 {
		return
	}
	fmt.Fprint(w, "\n| function | paths | in scope | solver asked | formula matches | blocks of the original | executed | in scope | model's parts | executed |")
	for i := range list {
		fmt.Fprintf(w, " findings, %s |", list[i].name())
	}
	fmt.Fprintln(w, "\n|---|---|---|---|---|---|---|---|---|---|"+strings.Repeat("---|", len(list)))
	targets := slices.Clone(reports[0].Targets)
	for i := range reports[1:] {
		for _, t := range reports[i+1].Targets {
			if !slices.ContainsFunc(targets, func(o target) bool { return o.name() == t.name() }) {
				targets = append(targets, t)
			}
		}
	}
	for _, function := range sorted(scopes) { // that no run has got to
		if !slices.ContainsFunc(targets, func(o target) bool { return o.name() == function }) {
			targets = append(targets, target{Target: "-" + function})
		}
	}
	slices.SortFunc(targets, func(a, b target) int { return cmp.Compare(a.name(), b.name()) })
	var sum [9]int
	for _, t := range targets {
		s := scopes[t.name()]
		blocks := map[int]bool{}
		for _, step := range s.Steps {
			blocks[step.To] = true
		}
		row := [9]int{0: len(s.Paths), 6: len(blocks)}
		for _, p := range s.Paths {
			if p.InScope && !p.Suspect {
				row[1]++
			}
			if p.Proof != nil && p.Proof.Agrees != "" {
				row[2]++
			}
			if p.Proof != nil && p.Proof.Match {
				row[3]++
			}
		}
		for _, c := range t.Coverage {
			if c.Program == "original" {
				row[4], row[5] = c.Blocks, c.Covered
			} else {
				row[7], row[8] = c.Blocks, c.Covered
			}
		}
		fmt.Fprintf(w, "| %s |", t.name())
		for i, n := range row {
			if sum[i] += n; len(t.Coverage) == 0 && i > 3 && i != 6 {
				fmt.Fprint(w, " - |")
			} else {
				fmt.Fprintf(w, " %d |", n)
			}
		}
		for i := range reports {
			n := -1
			for j := range reports[i].Targets {
				if o := &reports[i].Targets[j]; o.name() == t.name() {
					n = len(o.Findings.Buckets)
				}
			}
			if n < 0 {
				fmt.Fprint(w, " - |")
			} else {
				fmt.Fprintf(w, " %d |", n)
			}
		}
		fmt.Fprintln(w)
	}
	fmt.Fprint(w, "| all |")
	for _, n := range sum {
		fmt.Fprintf(w, " %d |", n)
	}
	fmt.Fprintln(w, strings.Repeat(" |", len(reports)))
}

func byType(w io.Writer, list []sample, reports []report) {
	fmt.Fprintln(w, "\n| findings of functions of type |"+headings(list)+"\n|---|"+strings.Repeat("---|", len(list)))
	for _, kind := range types {
		fmt.Fprintf(w, "| %s |", kind)
		for i := range reports {
			n, with := 0, 0
			for j := range reports[i].Targets {
				t := &reports[i].Targets[j]
				if typeOf(t.name()) != kind || len(t.Findings.Buckets) == 0 {
					continue
				}
				n, with = n+len(t.Findings.Buckets), with+1
			}
			fmt.Fprintf(w, " %d in %d functions |", n, with)
		}
		fmt.Fprintln(w)
	}
}

func headings(list []sample) (text string) {
	for i := range list {
		text += " " + list[i].name() + " |"
	}
	return text
}

// sorted are the keys of a map.
func sorted[V any](m map[string]V) (keys []string) {
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}

// outside are deviations that are no findings.
func outside(w io.Writer, list []sample, reports []report) {
	fmt.Fprintln(w, "\n| deviations that are no findings |"+headings(list)+"\n|---|"+strings.Repeat("---|", len(list)))
	kinds := map[string]bool{}
	for i := range reports {
		for k := range reports[i].Scope.Outside {
			kinds[k] = true
		}
	}
	for _, k := range sorted(kinds) {
		fmt.Fprintf(w, "| %s |", k)
		for i := range reports {
			fmt.Fprintf(w, " %d |", reports[i].Scope.Outside[k])
		}
		fmt.Fprintln(w)
	}
}

// left are the functions that are not checked, by reason.
func left(w io.Writer, r *report) {
	by := map[string][]string{}
	for _, l := range r.Scope.Left {
		why := l.Reason
		if l.Status == "no original" {
			why = "no original of it among musl's functions here that fits"
		} else if l.Status == "nothing" {
			why = "the model says nothing"
		}
		why = l.Status + ": " + strings.ReplaceAll(strings.Join(strings.Fields(why), " "), "|", "\\|")
		by[why] = append(by[why], l.Function)
	}
	reasons := sorted(by)
	slices.SortStableFunc(reasons, func(a, b string) int { return cmp.Compare(len(by[b]), len(by[a])) })
	fmt.Fprintln(w, "\n| left out | functions | |\n|---|---|---|")
	for _, why := range reasons {
		shown := why
		if len(shown) > 160 {
			shown = shown[:160] + "..."
		}
		fmt.Fprintf(w, "| %s | %d | %s |\n", shown, len(by[why]), strings.Join(by[why], ", "))
	}
}

// changes prints how models changed since another version.
func changes(w io.Writer, s *sample, r *report) {
	if s.Base == "" {
		return
	}
	fmt.Fprintf(w, "\n| %s | calls | better | worse | for example |\n|---|---|---|---|---|\n", s.name())
	same := 0
	for _, c := range r.Scope.Changes {
		if c.Reason == "" && c.Better+c.Worse == 0 {
			same++
			continue
		}
		example := cmp.Or(c.Reason, c.WorseOn, c.BetterOn)
		if len(example) > 160 {
			example = example[:160] + "..."
		}
		fmt.Fprintf(w, "| %s | %d | %d | %d | %s |\n", c.Function, c.Calls, c.Better, c.Worse, strings.ReplaceAll(strings.Join(strings.Fields(example), " "), "|", "\\|"))
	}
	fmt.Fprintf(w, "\n%d models do the same in both.\n", same)
}

package main

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"parallax/internal/stats"
)

// types lists the types of functions, in the order of the tables.
var types = []string{"string", "array", "arithmetic and conversion", "other"}

// typeOf returns the type of a function. Functions of single characters are others.
func typeOf(function string) string {
	switch {
	case strings.HasPrefix(function, "strto") && !strings.HasPrefix(function, "strtok"), strings.HasPrefix(function, "ato"):
		return types[2]
	case strings.HasPrefix(function, "str"), strings.HasPrefix(function, "stp"):
		return types[0]
	case strings.HasPrefix(function, "mem"), function == "bzero":
		return types[1]
	}
	return types[3]
}

// tables prints all tables.
func tables(w io.Writer, list []sample, v verdicts) error {
	if len(list) == 0 {
		return fmt.Errorf("there are no samples")
	}
	table2(w, list)
	a := analyze(list, v)
	if len(a.leftOut) > 0 {
		fmt.Fprintf(w, "\nNot in the tables below, since they have few trials yet: %s.\n", strings.Join(a.leftOut, ", "))
	}
	table3(w, a)
	table4(w, a)
	defects(w, a)
	tests(w, a)
	overTime(w, a)
	return nil
}

func share(n, of int) string {
	if of == 0 {
		return "-"
	}
	return fmt.Sprintf("%.1f %%", 100*float64(n)/float64(of))
}

// table2 prints the scopes by both methods.
func table2(w io.Writer, list []sample) {
	fmt.Fprint(w, `
| Table 2: functions of type | models | functionalities | matched | share | sets of steps | matched | share | by agreement | share | blocks | matched | share | by agreement | share | matching s | proving s | sampling s |
|---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|
`)
	type sum struct {
		n, ways, matched, sets, published, agreement, blocks, inPublished, inAgreement int
		matching, proving, sampling                                                    float64
	}
	by := map[string]*sum{"all": {}}
	for _, t := range types {
		by[t] = &sum{}
	}
	for i := range list {
		f := list[i].Scopes
		if f == nil {
			continue
		}
		for _, s := range []*sum{by[typeOf(list[i].Function)], by["all"]} {
			s.n++
			s.ways += f.Ways
			s.matched += f.Matched
			s.sets += len(f.Paths)
			for _, p := range f.Paths {
				if p.Published {
					s.published++
				}
				if p.Agreement {
					s.agreement++
				}
			}
			s.blocks += f.Blocks
			s.inPublished += covered(f.Published)
			s.inAgreement += covered(f.Agreement)
			s.matching += f.Matching
			s.proving += f.Proving
			s.sampling += f.Sampling
		}
	}
	for _, t := range append(slices.Clone(types), "all") {
		s := by[t]
		fmt.Fprintf(w, "| %s | %d | %d | %d | %s | %d | %d | %s | %d | %s | %d | %d | %s | %d | %s | %.1f | %.1f | %.1f |\n", t, s.n, s.ways, s.matched, share(s.matched, s.ways),
			s.sets, s.published, share(s.published, s.sets), s.agreement, share(s.agreement, s.sets), s.blocks, s.inPublished, share(s.inPublished, s.blocks),
			s.inAgreement, share(s.inAgreement, s.blocks), s.matching, s.proving, s.sampling)
	}
}

// analysis summarizes the trials of each row.
type analysis struct {
	reports map[string]*reported
	scopes  map[string]*scopes // of the analyzed functions
	// functions that are left out, since they have less than half as many trials as others
	leftOut []string
	rows    []result
}

// result summarizes a row.
type result struct {
	row
	trials []int // numbers of complete trials
	// unique bugs as in the paper, with the number of trials that found each
	traces    map[string]int
	perTrial  map[int][]*reported // by trial
	samples   []*sample
	questions int
	seconds   float64
	calls     int
	fitting   int
}

func analyze(list []sample, v verdicts) *analysis {
	a := &analysis{reports: all(list, v), scopes: map[string]*scopes{}}
	for i := range list {
		if s := &list[i]; s.Scopes != nil {
			a.scopes[s.Function] = s.Scopes
		}
	}
	ran := map[string]int{}
	most := 0
	for i := range list {
		if s := &list[i]; s.Result != nil {
			ran[s.Function]++
			most = max(most, ran[s.Function])
		}
	}
	for function := range a.scopes {
		if 2*ran[function] < most {
			a.leftOut = append(a.leftOut, function)
			delete(a.scopes, function)
		}
	}
	slices.Sort(a.leftOut)
	for _, r := range rows {
		x := result{row: r, traces: map[string]int{}, perTrial: map[int][]*reported{}}
		functions := map[int]int{}
		for i := range list {
			if s := &list[i]; s.Row == r.name && a.scopes[s.Function] != nil {
				functions[s.Trial]++
			}
		}
		for number, n := range functions {
			if n == len(a.scopes) { // an interrupted run leaves an incomplete trial
				x.trials = append(x.trials, number)
			}
		}
		slices.Sort(x.trials)
		for i := range list {
			s := &list[i]
			if s.Row != r.name || a.scopes[s.Function] == nil || !slices.Contains(x.trials, s.Trial) {
				continue
			}
			x.samples = append(x.samples, s)
			x.questions += s.Result.Questions
			x.seconds += s.Result.CPU
			x.calls += s.Result.Calls
			x.fitting += s.Result.Fitting
			for _, f := range s.Result.Reports {
				if e := a.reports[f.ID]; e != nil {
					x.traces[f.ID]++
					x.perTrial[s.Trial] = append(x.perTrial[s.Trial], e)
				}
			}
		}
		a.rows = append(a.rows, x)
	}
	return a
}

// tally counts reports by verdicts.
type tally struct{ all, true, false, unjudged int }

func (t *tally) add(e *reported) {
	t.all++
	switch {
	case e.verdict == nil:
		t.unjudged++
	case e.verdict.True:
		t.true++
	default:
		t.false++
	}
}

// counted tallies the chosen reports of a row, each once.
func (a *analysis) counted(x *result, chosen func(*reported) bool) (t tally) {
	for id := range x.traces {
		if e := a.reports[id]; chosen(e) {
			t.add(e)
		}
	}
	return t
}

// worth orders reports: true, false, not judged.
func (e *reported) worth() int {
	switch {
	case e.verdict == nil:
		return 0
	case e.verdict.True:
		return 2
	}
	return 1
}

func every(*reported) bool { return true }

func (t tally) String() string {
	text := fmt.Sprintf("%d / %d", t.true, t.false)
	if t.unjudged > 0 {
		text += fmt.Sprintf(" (%d unjudged)", t.unjudged)
	}
	return text
}

// table3 prints reports by type of function.
func table3(w io.Writer, a *analysis) {
	fmt.Fprintf(w, "\n| Table 3: true / false, aggregated | all | %s | false of all | defects |\n|---|---|%s---|---|\n", strings.Join(types, " | "), strings.Repeat("---|", len(types)))
	for i := range a.rows {
		x := &a.rows[i]
		if len(x.trials) == 0 {
			continue
		}
		sum := a.counted(x, every)
		fmt.Fprintf(w, "| %s | %s |", x.name, sum)
		for _, t := range types {
			fmt.Fprintf(w, " %s |", a.counted(x, func(e *reported) bool { return typeOf(e.function) == t }))
		}
		fmt.Fprintf(w, " %s | %d |\n", share(sum.false, sum.all), len(a.defects(x)))
	}
}

// table4 compares the rows.
func table4(w io.Writer, a *analysis) {
	fmt.Fprint(w, `
| Table 4 | trials | unique bugs: true / false | after the paper's checker | after ours | on suspect paths | paths and kinds: true / false | defects | defects in a trial: median, quartiles | functions with a true one | true in a trial: median, quartiles | questions to the model in a trial | CPU s of a trial |
|---|---|---|---|---|---|---|---|---|---|---|---|---|
`)
	for i := range a.rows {
		x := &a.rows[i]
		if len(x.trials) == 0 {
			continue
		}
		buckets, functions := map[string]*reported{}, map[string]bool{}
		for id := range x.traces {
			e := a.reports[id]
			key := fmt.Sprint(e.function, e.Path, e.Kind)
			// a bucket with a true bug is true
			if b := buckets[key]; b == nil || e.worth() > b.worth() {
				buckets[key] = e
			}
			if e.verdict != nil && e.verdict.True {
				functions[e.function] = true
			}
		}
		var sets tally
		for _, e := range buckets {
			sets.add(e)
		}
		first, median, third := stats.Quartiles(a.perTrial(x))
		least, middle, most := stats.Quartiles(a.defectsPerTrial(x))
		fmt.Fprintf(w, "| %s | %d | %s | %s | %s | %s | %s | %d | %.1f, %.1f to %.1f | %d | %.1f, %.1f to %.1f | %d | %.1f |\n", x.name, len(x.trials), a.counted(x, every),
			a.counted(x, func(e *reported) bool { return e.path.Published }), a.counted(x, func(e *reported) bool { return e.path.Agreement }),
			a.counted(x, func(e *reported) bool { return e.path.Suspect }), sets, len(a.defects(x)), middle, least, most, len(functions),
			median, first, third, x.questions/len(x.trials), x.seconds/float64(len(x.trials)))
		if x.suite {
			defer fmt.Fprintf(w, "\n%s: %d of %d calls of the suite fit into the models.\n", x.name, x.fitting, x.calls)
		}
	}
}

// perTrial returns the number of true unique bugs in each trial of a row.
func (a *analysis) perTrial(x *result) (counts []float64) {
	for _, number := range x.trials {
		n := 0.0
		for _, e := range x.perTrial[number] {
			if e.verdict != nil && e.verdict.True {
				n++
			}
		}
		counts = append(counts, n)
	}
	return counts
}

// defects returns the defects that a row found, with the number of trials that found each. A trace
// counts once for each way through the original, and a defect once.
func (a *analysis) defects(x *result) map[string]int {
	found := map[string]int{}
	for _, number := range x.trials {
		for name := range defectsOf(x.perTrial[number]) {
			found[name]++
		}
	}
	return found
}

func defectsOf(list []*reported) map[string]bool {
	names := map[string]bool{}
	for _, e := range list {
		if e.verdict != nil && e.verdict.True {
			names[e.verdict.Defect] = true
		}
	}
	return names
}

// defectsPerTrial returns the number of defects in each trial of a row.
func (a *analysis) defectsPerTrial(x *result) (counts []float64) {
	for _, number := range x.trials {
		counts = append(counts, float64(len(defectsOf(x.perTrial[number]))))
	}
	return counts
}

// defects prints each defect with the trials of each row that found it.
func defects(w io.Writer, a *analysis) {
	found := make([]map[string]int, len(a.rows))
	var names []string
	shown := 0
	fmt.Fprint(w, "\n| defects, by trials that found them |")
	for i := range a.rows {
		found[i] = a.defects(&a.rows[i])
		for name := range found[i] {
			if !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
		if len(a.rows[i].trials) > 0 {
			fmt.Fprintf(w, " %s |", a.rows[i].name)
			shown++
		}
	}
	slices.Sort(names)
	fmt.Fprintf(w, "\n|---|%s\n", strings.Repeat("---|", shown))
	for _, name := range names {
		fmt.Fprintf(w, "| %s |", name)
		for i := range a.rows {
			switch n := found[i][name]; {
			case len(a.rows[i].trials) == 0:
			case n == 0:
				fmt.Fprint(w, " - |")
			default:
				fmt.Fprintf(w, " %d of %d |", n, len(a.rows[i].trials))
			}
		}
		fmt.Fprintln(w)
	}
}

// tests compares each row with the published one, and ours with each other.
func tests(w io.Writer, a *analysis) {
	type pair struct {
		one, other *result
		what       string
		t          stats.Test
	}
	find := func(name string) *result {
		for i := range a.rows {
			if a.rows[i].name == name && len(a.rows[i].trials) > 1 {
				return &a.rows[i]
			}
		}
		return nil
	}
	var pairs []pair
	var p []float64
	for _, names := range [][2]string{{"sediff", "sediff_nf"}, {"sediff_asks", "sediff"}, {"sediff_asks", "sediff_asks_nf"}, {"sediff", "sediff_afl"}, {"ours", "sediff"}, {"ours", "sediff_asks"}, {"unseeded", "sediff"}, {"ours", "default"}} {
		one, other := find(names[0]), find(names[1])
		if one == nil || other == nil {
			continue
		}
		for _, what := range []string{"defects", "true unique bugs", "model edges by matching", "model edges by agreement"} {
			var t stats.Test
			switch what {
			case "defects":
				t = stats.MannWhitney(a.defectsPerTrial(one), a.defectsPerTrial(other))
			case "true unique bugs":
				t = stats.MannWhitney(a.perTrial(one), a.perTrial(other))
			default:
				ours := what == "model edges by agreement"
				t = stats.MannWhitney(a.coverage(one, 1<<60, ours, ""), a.coverage(other, 1<<60, ours, ""))
			}
			pairs, p = append(pairs, pair{one, other, what, t}), append(p, t.P)
		}
	}
	if len(pairs) == 0 {
		return
	}
	fmt.Fprint(w, "\n| compared, by trials | of | A12 | p | p after Holm |\n|---|---|---|---|---|\n")
	for i, q := range stats.Holm(p) {
		fmt.Fprintf(w, "| %s and %s | %s | %.2f | %.2g | %.2g |\n", pairs[i].one.name, pairs[i].other.name, pairs[i].what, pairs[i].t.A12, p[i], q)
	}
}

package callgraph

import (
	"slices"
	"strings"

	"parallax/cmd/internal/flow"
)

// Fuzz lists the FuzzXxx of the packages asked for, by full name: import path, a dot, and the name. External tests have the import
// path of the package with _test behind it.
func (g *Graph) Fuzz() []string {
	var names []string
	for i := range g.functions {
		if g.functions[i].kind == harness {
			names = append(names, g.fullName(i))
		}
	}
	slices.Sort(names)
	return names
}

// NameAt is the full name of the function whose keyword func stands at a place.
func (g *Graph) NameAt(at flow.Place) (name string, ok bool) {
	id, ok := g.index.functions[at]
	if !ok {
		return "", false
	}
	return g.fullName(id), true
}

// Reaches lists the functions, by full name, that may run when those named do, with these themselves. What package-level
// initializers and init functions alone call is not among them. The names of functions that the graph does not have are returned too.
func (g *Graph) Reaches(from ...string) (reached, missing []string) {
	var start []int
	for _, name := range from {
		ids := g.index.byName[name]
		if len(ids) == 0 {
			missing = append(missing, name)
		}
		start = append(start, ids...)
	}
	seen := g.from(start)
	for i, r := range seen {
		if r {
			reached = append(reached, g.fullName(i))
		}
	}
	slices.Sort(reached)
	return slices.Compact(reached), missing
}

// Runs tells of functions, by full name, whether they may run when one is called, or when the process starts that calls it.
func (g *Graph) Runs(from string) func(function string) bool {
	ids := g.index.byName[from]
	seen := g.from(append(g.initializers(g.linked(ids)), ids...))
	return func(function string) bool {
		return slices.ContainsFunc(g.index.byName[function], func(id int) bool { return seen[id] })
	}
}

// from marks the functions that may run when some do.
func (g *Graph) from(start []int) []bool {
	next := g.index.next()
	seen := make([]bool, len(g.functions))
	todo := slices.Clone(start)
	for _, f := range todo {
		seen[f] = true
	}
	for len(todo) > 0 {
		f := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		for _, c := range next[f] {
			if !seen[c] {
				seen[c] = true
				todo = append(todo, c)
			}
		}
	}
	return seen
}

// Reach is how a function may be run.
type Reach struct {
	Function  string
	Known     bool     // the graph has it
	Harnesses []string // FuzzXxx that reach it, sorted
	Start     []string // FuzzXxx whose test binary runs it when it starts, and that do not reach it later, sorted

	// Hidden are, where no FuzzXxx does either, those that may reach it by a call that nobody can see: their test binary has it, and a function
	// outside of the standard library that they reach calls what is not known. Sorted.
	Hidden []string

	// What follows is of functions that no FuzzXxx reaches by calls that are seen. Callers are looked for as if what any function passes to the standard library could be called by
	// whatever calls the same function there, so that one can be reached though the function is not.
	Nearest string   // the nearest caller outside of the standard library, direct or not, that a FuzzXxx reaches; "" if there is none
	Steps   int      // calls from Nearest to the function
	By      []string // FuzzXxx that reach Nearest
	Tops    []string // callers, direct or not, that nothing else calls, or the function itself: where a FuzzXxx would begin; sorted
}

// Harnesses finds out which of some FuzzXxx reach functions, all by full name; no FuzzXxx means all that there are.
func (g *Graph) Harnesses(functions []string, fuzz ...string) []Reach {
	if len(fuzz) == 0 {
		fuzz = g.Fuzz()
	}
	fuzz = slices.Clone(fuzz)
	slices.Sort(fuzz)
	run, start, hidden := make([][]bool, len(fuzz)), make([][]bool, len(fuzz)), make([][]bool, len(fuzz))
	for i, name := range fuzz {
		ids := g.index.byName[name]
		linked := g.linked(ids)
		run[i] = g.from(ids)
		start[i] = g.from(g.initializers(linked))
		hidden[i] = g.hidden(run[i], linked)
	}
	callers := g.callers()
	var all []Reach
	for _, name := range functions {
		r := Reach{Function: name}
		ids := g.index.byName[name]
		r.Known = len(ids) > 0
		r.Harnesses = by(fuzz, run, ids)
		for _, h := range by(fuzz, start, ids) {
			if !slices.Contains(r.Harnesses, h) {
				r.Start = append(r.Start, h)
			}
		}
		if len(r.Harnesses)+len(r.Start) == 0 {
			r.Hidden = by(fuzz, hidden, ids)
			g.nearest(&r, ids, callers, fuzz, run)
		}
		all = append(all, r)
	}
	return all
}

// by lists the FuzzXxx that have marked one of some functions.
func by(fuzz []string, marks [][]bool, ids []int) (names []string) {
	for i, name := range fuzz {
		if slices.ContainsFunc(ids, func(f int) bool { return marks[i][f] }) {
			names = append(names, name)
		}
	}
	return names
}

// hidden are the functions of some packages, where one of those that run calls what is not known; else none. What the standard library calls
// is known well enough.
func (g *Graph) hidden(run, linked []bool) []bool {
	marks := make([]bool, len(g.functions))
	for i := range g.functions {
		f := &g.functions[i]
		if run[i] && g.packages[f.pkg].own && slices.ContainsFunc(f.sites, func(s site) bool { return s.unknown }) {
			for k := range marks {
				marks[k] = linked[g.functions[k].pkg]
			}
			break
		}
	}
	return marks
}

// linked are the packages in the test binaries of functions.
func (g *Graph) linked(ids []int) []bool {
	seen := make([]bool, len(g.packages))
	var todo []int
	visit := func(p int) {
		if !seen[p] {
			seen[p] = true
			todo = append(todo, p)
		}
	}
	for _, f := range ids {
		p := g.functions[f].pkg
		visit(p)
		if tested, ok := strings.CutSuffix(g.packages[p].path, "_test"); ok {
			for k := range g.packages {
				if g.packages[k].path == tested {
					visit(k)
				}
			}
		}
	}
	for len(todo) > 0 {
		p := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		for _, q := range g.packages[p].imports {
			visit(q)
		}
	}
	return seen
}

// initializers are those of packages.
func (g *Graph) initializers(linked []bool) (all []int) {
	for i := range g.functions {
		if f := &g.functions[i]; f.kind == initializer && linked[f.pkg] {
			all = append(all, i)
		}
	}
	return all
}

// callers lists the callers of each function, ascending.
func (g *Graph) callers() [][]int {
	in := make([][]int, len(g.functions))
	for i := range g.functions {
		for _, s := range g.functions[i].sites {
			for _, c := range s.callees {
				if k := len(in[c]); k == 0 || in[c][k-1] != i {
					in[c] = append(in[c], i)
				}
			}
		}
	}
	return in
}

// nearest goes from functions that nothing reaches to their callers, and to theirs, until something reaches one. What package testing calls is
// whatever tests there are: nothing is near because of that.
func (g *Graph) nearest(r *Reach, ids []int, callers [][]int, fuzz []string, run [][]bool) {
	seen := map[int]bool{}
	for level, steps := ids, 0; len(level) > 0 && r.Nearest == ""; steps++ {
		var next []int
		for _, f := range level {
			if seen[f] {
				continue
			}
			seen[f] = true
			name, from := g.fullName(f), &g.packages[g.functions[f].pkg]
			if names := by(fuzz, run, []int{f}); from.own && len(names) > 0 && (r.Nearest == "" || name < r.Nearest) {
				r.Nearest, r.Steps, r.By = name, steps, names
			}
			if len(callers[f]) == 0 {
				r.Tops = append(r.Tops, name)
			}
			if from.path != "testing" {
				next = append(next, callers[f]...)
			}
		}
		level = next
	}
	slices.Sort(r.Tops)
}

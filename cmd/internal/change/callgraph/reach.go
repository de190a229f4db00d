package callgraph

import (
	"slices"
	"strings"

	"parallax/cmd/internal/flow"
)

// Fuzz lists the FuzzXxx functions of the requested packages by full name: import path, a dot, and
// the name. External tests have the import path of the package plus _test.
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

// NameAt returns the full name of the function whose keyword func is at a position.
func (g *Graph) NameAt(at flow.Position) (name string, ok bool) {
	id, ok := g.index.functions[at]
	if !ok {
		return "", false
	}
	return g.fullName(id), true
}

// Reaches lists the functions, by full name, that may run when the named ones do, including these.
// It excludes functions that only package-level initializers and init functions call. It also
// returns the names that the graph does not have.
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

// Runs returns a predicate on functions, by full name. It reports whether a function may run when
// from is called, or when its process starts.
func (g *Graph) Runs(from string) func(function string) bool {
	ids := g.index.byName[from]
	seen := g.from(append(g.initializers(g.linked(ids)), ids...))
	return func(function string) bool {
		return slices.ContainsFunc(g.index.byName[function], func(id int) bool { return seen[id] })
	}
}

// from marks the functions that may run when some others do.
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

// Reach describes how a function may run.
type Reach struct {
	Function  string
	Known     bool     // the graph has it
	Harnesses []string // FuzzXxx that reach it, sorted
	Start     []string // FuzzXxx whose test binary runs it only at the start, sorted

	// Hidden lists FuzzXxx that may reach it by invisible calls, if none reaches it otherwise.
	// Their test binary has the function, and they reach a function outside of the standard library
	// with unknown callees. Sorted.
	Hidden []string

	// The remaining fields are set for functions that no FuzzXxx reaches by visible calls. For
	// them, all values that any function passes to the standard library count, as if calls there
	// were not distinguished. So a caller may be reached although the function itself is not.
	Nearest string   // nearest direct or indirect caller outside of the standard library that a FuzzXxx reaches, or ""
	Steps   int      // calls from Nearest to the function
	By      []string // FuzzXxx that reach Nearest
	// callers that nothing else calls, or the function itself: entry points for a new FuzzXxx;
	// sorted
	Tops []string
}

// Harnesses returns which FuzzXxx functions reach some functions, all by full name. An empty fuzz
// means all FuzzXxx.
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
		r.Harnesses = reaching(fuzz, run, ids)
		for _, h := range reaching(fuzz, start, ids) {
			if !slices.Contains(r.Harnesses, h) {
				r.Start = append(r.Start, h)
			}
		}
		if len(r.Harnesses)+len(r.Start) == 0 {
			r.Hidden = reaching(fuzz, hidden, ids)
			g.nearest(&r, ids, callers, fuzz, run)
		}
		all = append(all, r)
	}
	return all
}

// reaching lists the FuzzXxx that have marked one of some functions.
func reaching(fuzz []string, marks [][]bool, ids []int) (names []string) {
	for i, name := range fuzz {
		if slices.ContainsFunc(ids, func(f int) bool { return marks[i][f] }) {
			names = append(names, name)
		}
	}
	return names
}

// hidden returns the functions of the linked packages, if one of the running functions has unknown
// callees. Otherwise it returns none. Calls in the standard library are known well enough.
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

// linked returns the packages in the test binaries of functions.
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

// initializers returns the initializers of packages.
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

// nearest follows callers from unreached functions until a FuzzXxx reaches one. Callees of package
// testing are ignored, since every test is one.
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
			if names := reaching(fuzz, run, []int{f}); from.own && len(names) > 0 && (r.Nearest == "" || name < r.Nearest) {
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

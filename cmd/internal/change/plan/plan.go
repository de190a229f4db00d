// Package plan decides, before anything is built, how to fuzz a change. A plan has the change
// points, the FuzzXxx functions that reach them, and the share of the budget for each. Later it
// computes which blocks of a harness's build the change affects. The command regress makes a Plan
// of two versions, prints it, and asks it for the impact on each target that it builds.
//
// Invariants: no program of the versions runs. A plan is a pure function of the two trees and the
// request.
package plan

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"parallax/cmd/internal/base/buildcache"
	"parallax/cmd/internal/base/exit"
	"parallax/cmd/internal/change"
	"parallax/cmd/internal/change/callgraph"
	"parallax/cmd/internal/change/revision"
	"parallax/cmd/internal/finding/regress"
	"parallax/cmd/internal/flow"
	"parallax/cmd/internal/flow/reach"
	"parallax/cmd/internal/gobuild/gocommand"
	"parallax/cmd/internal/gobuild/library"
	"parallax/cmd/internal/gobuild/mining"
	"parallax/internal/impact"
)

// Request names the change and the harnesses that may be fuzzed.
type Request struct {
	Versions *revision.Pair
	// the changed module, if the harness is in another one; empty means those of the trees
	Module   string
	Patterns []string       // of packages; empty means ./...
	Match    *regexp.Regexp // selects FuzzXxx by name; nil means all
	// import path of the only package whose functions are fuzzed, without FuzzXxx; empty means
	// FuzzXxx are fuzzed
	Only     string
	Tags     string
	Inputs   uint64            // budget in inputs; 0 means another kind of budget
	Parallax string            // the parallax executable, for guard
	Progress func(step string) // reports each long step

	// Patience limits how long calls are analyzed, before names alone decide. 0 means no limit.
	Patience time.Duration
}

// Plan lists the change points and the harnesses to run.
type Plan struct {
	Points    []Point
	Harnesses []Harness // reach a change point
	Others    int       // number of FuzzXxx that --fuzz matches and that reach none
	Notes     []string
	Literals  []mining.Literal // of lines that only one version has
	Named     bool             // the user named the function to fuzz
	Unseen    bool             // and visible calls of it do not reach the change

	graph    *callgraph.Graph
	roots    roots
	oldPaths map[string]string
}

// OldPath returns the old import path of a package that was renamed, or "".
func (p *Plan) OldPath(path string) string { return p.oldPaths[path] }

// Harness is a FuzzXxx, or a function, that reaches change points.
type Harness struct {
	regress.Share
	Function bool   // not a FuzzXxx
	Package  string // import path
	Module   string
	Fuzz     string
	function string // full name in the call graph
}

// Make compares the versions and finds the harnesses.
func Make(ctx context.Context, q Request) (*Plan, error) {
	if len(q.Patterns) == 0 {
		q.Patterns = []string{"./..."}
	}
	head := &q.Versions.Head
	p := &Plan{}
	q.Progress("comparing the versions")
	before, now, err := p.trees(ctx, &q)
	if err != nil {
		return nil, err
	}
	if err := p.compare(ctx, &q, before, now); err != nil {
		return nil, err
	}
	if len(p.Points) == 0 {
		return p, nil
	}
	p.roots = p.rootsOf(&q, now)
	if p.graph, err = callgraph.Load(ctx, callgraph.Request{
		Dir: head.Home, Patterns: p.roots.plain, Tested: p.roots.tested, Tags: q.Tags, Environ: head.Env, Parallax: q.Parallax, Progress: q.Progress,
		Patience: q.Patience,
	}); err != nil {
		return nil, err
	}
	if p.ByName() {
		p.Notes = append(p.Notes, fmt.Sprintf("Reading which functions call which takes more than %v, so that names decide which FuzzXxx reach the change, and how far an input is from it. "+
			"The calls are read while parallax fuzzes; if that ends first, the next run has them. --plan-time sets the limit.", q.Patience))
	}
	p.Notes = append(p.Notes, p.graph.Notes...)
	if err := p.choose(&q); err != nil {
		return nil, err
	}
	for i := range p.Harnesses {
		h := &p.Harnesses[i]
		h.Module = h.Package // of a harness in a package with only tests
		for _, pkg := range now.Packages {
			if pkg.Path == h.Package {
				h.Module = pkg.Module
			}
		}
	}
	return p, nil
}

// ForHarness returns a plan with the change points of a single harness. home returns a file's path
// relative to the user's folder.
func ForHarness(found *change.Result, home func(file string) string) *Plan {
	p := &Plan{Notes: condense(found.Notes)}
	for _, one := range found.Points {
		p.Points = append(p.Points, Point{Point: one, Home: home(one.File), Reached: true})
	}
	return p
}

// compare finds the change points of two trees, or reads them from the cache.
func (p *Plan) compare(ctx context.Context, q *Request, before, now *change.Tree) error {
	in, key := buildcache.OpenResults("changes"), key(q.Parallax, before, now)
	k := read(in, key)
	if k == nil {
		result, err := change.Compare(ctx, before, now)
		if err != nil {
			return err
		}
		k = &cachedChanges{Notes: result.Notes, Was: result.OldPaths}
		for _, one := range result.Points {
			k.Points = append(k.Points, spots(one, now))
		}
		write(in, key, k)
	}
	p.Notes = append(p.Notes, condense(k.Notes)...)
	p.oldPaths = map[string]string{}
	for path, was := range k.Was {
		for _, pkg := range before.Packages {
			if rel, err := filepath.Rel(before.Root, pkg.Dir); pkg.Path == was && err == nil && filepath.IsLocal(rel) {
				p.oldPaths[path] = "./" + filepath.ToSlash(rel)
			}
		}
	}
	dirs := map[string]string{}
	for _, pkg := range now.Packages {
		dirs[pkg.Path] = pkg.Dir
		at := slices.IndexFunc(before.Packages, func(old *change.Package) bool { return old.Path == cmp.Or(k.Was[pkg.Path], pkg.Path) })
		if at >= 0 && pkg.Dir != before.Packages[at].Dir {
			p.Literals = mining.Bounded(append(p.Literals, mining.Changed(before.Packages[at].Files, pkg.Files)...))
		}
	}
	for i := range k.Points {
		p.Points = append(p.Points, point(&k.Points[i], &q.Versions.Head, dirs[k.Points[i].Package]))
	}
	return nil
}

// trees lists the packages of both versions. Packages that only the new one has are no mistake of
// the user's.
func (p *Plan) trees(ctx context.Context, q *Request) (before, now *change.Tree, err error) {
	load := func(v *revision.Version, patterns []string) (*change.Tree, error) {
		module := q.Module
		if module == "" {
			module = v.Module
		}
		t, err := change.Load(ctx, change.Options{Dir: v.Home, Env: v.Env, Patterns: patterns, Tags: q.Tags, Parallax: q.Parallax, Module: module})
		if err == nil {
			t.Packages = slices.DeleteFunc(t.Packages, copied)
		}
		return t, err
	}
	all := func(v *revision.Version) (*change.Tree, error) {
		patterns := q.Patterns
		if q.Module != "" { // the versions may have different packages
			var err error
			if patterns, err = tested(ctx, q, v); err != nil {
				return nil, err
			}
		}
		return load(v, patterns)
	}
	if now, err = all(&q.Versions.Head); err != nil {
		return nil, nil, err
	}
	none := &change.Tree{Root: q.Versions.Base.Home, Go: now.Go}
	// a note reports it already
	if _, err := os.Stat(q.Versions.Base.Home); errors.Is(err, fs.ErrNotExist) {
		return none, now, nil
	}
	if before, err = all(&q.Versions.Base); err != nil && ctx.Err() == nil {
		p.Notes = append(p.Notes, fmt.Sprintf("the old version has no packages to compare with: %v", err))
		before, err = none, nil
	}
	return before, now, err
}

// copied reports whether a package belongs to a copy of parallax's library that `parallax init`
// made. Changes there are not the user's.
func copied(pkg *change.Package) bool {
	root, ok := library.Root(pkg.Path)
	if !ok {
		return false
	}
	dir := pkg.Dir
	for range strings.Count(pkg.Path[len(root):], "/") {
		dir = filepath.Dir(dir)
	}
	return library.Made(dir)
}

// tested lists the packages of the changed module that a harness in another module needs. A harness
// package may have only tests, whose imports its package does not list.
func tested(ctx context.Context, q *Request, v *revision.Version) ([]string, error) {
	c := gocommand.Command{Dir: v.Home, Env: v.Env, Guard: q.Parallax, Args: []string{
		"list", "-deps", "-test", "-tags=" + q.Tags, "-f", fmt.Sprintf("{{with .Module}}{{if eq .Path %q}}{{$.ImportPath}}{{end}}{{end}}", q.Module), "--",
	}}
	c.Args = append(c.Args, q.Patterns...)
	out, errs, err := gocommand.Run(ctx, c)
	if err != nil {
		return nil, exit.Build("listing what the harness imports: %w\n%s", err, errs)
	}
	var list []string
	for _, path := range strings.Fields(string(out)) {
		if !strings.HasPrefix(path, "[") && !strings.HasSuffix(path, "]") && !strings.HasSuffix(path, ".test") {
			list = append(list, path)
		}
	}
	if len(list) == 0 {
		return nil, exit.Usage("the harness in %s imports nothing of %s", v.Home, q.Module)
	}
	return list, nil
}

// choose finds the harnesses that reach the change, and distributes the budget.
func (p *Plan) choose(q *Request) error {
	all, seen := p.roots.fuzz, p.graph.Fuzz()
	if !p.roots.listed {
		all = seen
	}
	fuzz := slices.DeleteFunc(slices.Clone(all), func(name string) bool {
		_, base := split(name)
		return q.Match != nil && !q.Match.MatchString(base)
	})
	if len(fuzz) == 0 && len(all) > 0 {
		var names []string
		for _, name := range all {
			_, base := split(name)
			names = append(names, base)
		}
		return exit.Usage("no FuzzXxx matches --fuzz %q: there are %s", q.Match, strings.Join(slices.Compact(names), ", "))
	}
	matching := len(fuzz)
	// packages of the others do not depend on the change
	fuzz = slices.DeleteFunc(fuzz, func(name string) bool { return !slices.Contains(seen, name) })
	reaches := map[string][]int{}
	if len(fuzz) > 0 {
		ways := p.ways(fuzz)
		for i := range p.Points {
			pt := &p.Points[i]
			for _, h := range pt.reached(p.functions(i), ways) {
				reaches[h] = append(reaches[h], i)
			}
		}
	} else {
		for i := range p.Points {
			p.Points[i].Tops = p.functions(i)
		}
	}
	var list []regress.Harness
	for _, name := range fuzz {
		list = append(list, regress.Harness{Name: name, Reaches: reaches[name], Seldom: p.atStart(name, reaches[name])})
	}
	for _, s := range regress.Split(list, q.Inputs) {
		pkg, base := split(s.Name)
		p.Harnesses = append(p.Harnesses, Harness{Share: s, Package: strings.TrimSuffix(pkg, "_test"), Fuzz: base, function: s.Name})
	}
	p.Others = matching - len(p.Harnesses)
	return nil
}

// functions returns the functions of a change point's blocks, as the call graph names them. It
// includes closures, which the point's function may call through a variable.
func (p *Plan) functions(point int) (names []string) {
	pt := &p.Points[point]
	for _, at := range pt.in {
		if name, ok := p.graph.NameAt(at); ok && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	if len(names) == 0 { // nothing else is known
		names = []string{pt.Name()}
	}
	return names
}

// ways returns how harnesses reach the functions of all change points.
func (p *Plan) ways(fuzz []string) map[string]*callgraph.Reach {
	var names []string
	for i := range p.Points {
		names = append(names, p.functions(i)...)
	}
	slices.Sort(names)
	names = slices.Compact(names)
	ways := make(map[string]*callgraph.Reach, len(names))
	list := p.graph.Harnesses(names, fuzz...)
	for i := range list {
		ways[names[i]] = &list[i]
	}
	return ways
}

// Reaches returns the change points that a function, by full name, reaches, or that run when its
// process starts.
func (p *Plan) Reaches(function string) (points []int) {
	if p.graph == nil {
		return nil
	}
	reached := p.graph.Runs(function)
	for i := range p.Points {
		if slices.ContainsFunc(p.functions(i), reached) {
			points = append(points, i)
		}
	}
	return points
}

// Dropped returns the change points of a harness that only functions of the second list reach, by
// their full names, and none of the first.
func (p *Plan) Dropped(h *Harness, judged, dropped []string) (points []int) {
	if len(dropped) == 0 || p.graph == nil {
		return nil
	}
	reached := func(functions []string) map[int]bool {
		all := map[int]bool{}
		for _, fn := range functions {
			for _, at := range p.Reaches(fn) {
				all[at] = true
			}
		}
		return all
	}
	good, bad := reached(judged), reached(dropped)
	for _, at := range h.Reaches {
		if bad[at] && !good[at] {
			points = append(points, at)
		}
	}
	return points
}

// Function is a function to fuzz without a FuzzXxx.
type Function struct {
	Full    string // import path, a dot, and the name
	Name    string // of its target
	Reaches []int  // change points
}

// Full returns the harness's full name.
func (h *Harness) Full() string { return h.function }

// split splits the full name of a FuzzXxx.
func split(name string) (pkg, fuzz string) {
	at := strings.LastIndexByte(name, '.')
	return name[:at], name[at+1:]
}

// Unreached returns the change points that no harness reaches.
func (p *Plan) Unreached() (points []*Point) {
	for i := range p.Points {
		if !p.Points[i].Reached {
			points = append(points, &p.Points[i])
		}
	}
	return points
}

// Impact computes which blocks of a target the change affects. It considers only program 0, the new
// version. h is the harness of the target, or nil if the plan did not choose it.
func (p *Plan) Impact(space *flow.Space, h *Harness, d reach.Direction) *impact.Impact {
	var tables []*flow.Table
	blocks := blocksOf(space)
	var roots []int
	space.All(func(t *flow.Table, first int, owners []int) {
		if !slices.Contains(owners, 0) {
			return
		}
		tables = append(tables, t)
		for _, f := range t.Funcs {
			name := t.Package + "." + f.Name
			if h != nil && (name == h.function || strings.HasPrefix(name, h.function+".func")) {
				roots = append(roots, first+f.First)
			}
		}
	})
	if p.graph != nil {
		p.graph.Fill(tables)
	}
	points := make([][]int, len(p.Points))
	for i := range p.Points {
		for _, s := range p.Points[i].at {
			points[i] = append(points[i], blocks[s]...)
		}
		slices.Sort(points[i])
		points[i] = slices.Compact(points[i])
	}
	return reach.Analyze(reach.Request{Space: space, Program: 0, Points: points, Roots: roots, Direction: d})
}

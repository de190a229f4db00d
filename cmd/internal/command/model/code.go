package model

import (
	"cmp"
	"context"
	"fmt"
	"hash/fnv"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"parallax/cmd/internal/base/escape"
	"parallax/cmd/internal/base/quote"
	"parallax/cmd/internal/campaign/findings"
	"parallax/cmd/internal/campaign/triage"
	"parallax/cmd/internal/command/fuzzing"
	"parallax/cmd/internal/command/terminal"
	"parallax/cmd/internal/finding"
	"parallax/cmd/internal/finding/state"
	"parallax/cmd/internal/model/check"
	"parallax/cmd/internal/model/scope"
	modelverdict "parallax/cmd/internal/model/verdict"
	"parallax/internal/atomicfile"
)

// codeModel is a model that is code: what it covers of its original is found by running the inputs
// of its campaign again.
type codeModel struct {
	run      int    // of the command
	types    bool   // by operations
	cells    bool   // a path is also the kind of the outcome
	declared string // the function that declares the scope of the model; empty means none
}

// everyCall declares a scope that has all calls.
const everyCall = `scope = "true"`

// declaredBy returns the declaration of a scope, "" if there is none.
func declaredBy(declared bool, by string) string {
	if !declared {
		return ""
	}
	return cmp.Or(by, everyCall)
}

// A judgedInput is an input with the decision whether its path is in scope.
type judgedInput struct {
	target string
	flat   string
	in     bool
}

// nearRuns is how many inputs are run to count paths, about: those of the corpus and some near
// each.
const nearRuns = 4000

// describe finds what models that are code cover, writes it to their summaries and their campaigns'
// folders, and returns it as text.
func (f *checking) describe(ctx context.Context) (told string) {
	for _, c := range f.codes {
		r := &f.runs[c.run]
		if r.Target == nil || r.Summary == nil || ctx.Err() != nil {
			continue
		}
		s, declined, text, err := f.covers(ctx, r, &c)
		if err == nil {
			err = keepScope(r, s)
		}
		if err != nil {
			if ctx.Err() == nil {
				terminal.Say("%s: what its model covers cannot be listed: %v", r.Name, err)
			}
			continue
		}
		told += text
		if to := r.Summary.Scope; to != nil {
			to.Paths, to.InScope, to.Unit = len(s.Paths), s.InScope(), s.Unit
			if !c.types { // whose operations are all in scope
				to.Never = modelverdict.Never(s)
			}
			if c.declared != "" { // counted by runs before it was declared
				delete(to.Outside, string(scope.Wrong))
				delete(to.Outside, string(scope.Crashes))
			}
			if declined > 0 {
				to.Outside[string(scope.Declined)] += declined
			}
		}
	}
	return told
}

// keepScope puts a scope where the page of a campaign finds it.
func keepScope(r *fuzzing.Run, s *scope.Scope) error {
	dir, err := state.ModelFolder(r.Options.Out)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return atomicfile.Explain("create", dir, err)
	}
	return s.Write(filepath.Join(dir, check.ScopeFile))
}

// inputs are those of a campaign's corpus, not more than are explained, and those of its findings
// with their names.
func inputs(r *fuzzing.Run) (flats [][]byte, found [][]byte, names map[string]string, err error) {
	entries, err := sequences(r)
	if err != nil {
		return nil, nil, nil, err
	}
	for _, e := range entries {
		flats = append(flats, e.Flat)
	}
	folder, err := state.OpenExisting(atomicfile.OS, r.Options.Out)
	if err != nil {
		return nil, nil, nil, err
	}
	list, _, _, err := findings.Read(folder)
	if err != nil {
		return nil, nil, nil, err
	}
	names = map[string]string{}
	for _, row := range r.Summary.Findings.Buckets { // in the order in which they are listed
		for _, b := range list {
			if b.ID == row.ID && !row.Gone && b.Best != nil {
				names[string(b.Best.Minimized)] = b.ID
				found = append(found, b.Best.Minimized)
			}
		}
	}
	return flats, found, names, nil
}

func (f *checking) covers(ctx context.Context, r *fuzzing.Run, c *codeModel) (s *scope.Scope, declined int, told string, err error) {
	flats, found, names, err := inputs(r)
	if err != nil {
		return nil, 0, "", err
	}
	spec := r.Target.Spec(&r.Options.Options)
	for _, flat := range slices.Concat(flats, found) {
		spec.MaxFlat = max(spec.MaxFlat, len(flat))
	}
	j := triage.New(r.Target, spec, r.Options.Layers)
	if c.types {
		return operations(ctx, r, j, flats, found, names)
	}
	paths := triage.NewPaths(c.cells)
	var decided [][]byte
	for _, d := range f.decided {
		if d.target == r.Target.About().Name && names[d.flat] == "" {
			decided, names[d.flat] = append(decided, []byte(d.flat)), outsideMark
			if d.in {
				names[d.flat] = insideMark
			}
		}
	}
	if err := paths.Add(ctx, j, flats, nearRuns/max(len(flats), 1), names); err != nil {
		return nil, 0, "", err
	}
	if err := paths.Add(ctx, j, slices.Concat(found, decided), 0, names); err != nil {
		return nil, 0, "", err
	}
	s = f.scopeOf(r, c, j, paths)
	return s, paths.Declined, explainPaths(r.Name, c, j, paths, s), nil
}

// Names of inputs that are no findings, and were decided.
const (
	insideMark  = "in scope"
	outsideMark = "outside"
)

// scopeOf decides which paths are in scope. Paths with findings are, and paths that were decided
// while fuzzing keep their decision. If nothing is declared, the share of calls on which both agree
// decides the others.
func (f *checking) scopeOf(r *fuzzing.Run, c *codeModel, j *triage.Triager, paths *triage.Paths) *scope.Scope {
	s := &scope.Scope{Version: scope.Version, Function: r.Name, Threshold: f.Threshold, Samples: paths.Runs, Declared: c.declared}
	s.SetTelling(true)
	var in, out []*scope.Path
	for _, t := range paths.List {
		p := &scope.Path{Key: scope.Key(t.Key), Runs: t.Runs, Agree: t.Agree, Lines: linesOf(j, t)}
		if wrong := t.Runs - t.Agree - t.Crashes; wrong > 0 {
			p.Deviations = map[scope.Kind]int{scope.Wrong: wrong}
		}
		if t.Crashes > 0 {
			if p.Deviations == nil {
				p.Deviations = map[scope.Kind]int{}
			}
			p.Deviations[scope.Crashes] = t.Crashes
		}
		if t.Agreed != nil {
			p.Agreed = quote.Input(j.Shape, t.Agreed, shownInput)
		}
		if t.Deviates != nil {
			p.Deviating = quote.Input(j.Shape, t.Deviates, shownInput)
			p.Original, p.Model = cameOf(triage.Came(&t.Original)), cameOf(triage.Came(&t.Model))
		}
		for _, name := range t.Names {
			switch name {
			case insideMark:
				in = append(in, p)
			case outsideMark:
				out = append(out, p)
			default:
				if !slices.Contains(p.Findings, name) {
					p.Findings = append(p.Findings, name)
				}
			}
		}
		s.Paths = append(s.Paths, p)
	}
	s.Decide()
	for _, p := range s.Paths {
		agrees := fmt.Sprintf("agrees on %d of %d calls", p.Agree, p.Runs)
		switch {
		case len(p.Findings) > 0 && !p.InScope:
			p.InScope, p.Why = true, agrees+"; what differs is a finding, since like calls mostly agree"
			if c.declared != "" {
				p.Why = agrees
			}
		case c.declared != "":
		case slices.Contains(in, p) && !p.InScope:
			p.InScope, p.Why = true, agrees+", and on most of the calls like one that differs"
		case slices.Contains(out, p) && !slices.Contains(in, p) && len(p.Findings) == 0 && p.InScope:
			p.InScope, p.Why = false, agrees+", but not on most of the calls like one that differs"
		}
	}
	slices.SortStableFunc(s.Paths, func(a, b *scope.Path) int { return cmp.Compare(b.Runs, a.Runs) })
	return s
}

// cameOf returns the result of a call on one line.
func cameOf(text string) string { return escape.Cut(escape.Text(finding.Flat(text)), shownCame) }

// shownCame is how many characters of a result are shown.
const shownCame = 160

// linesOf are the lines of the source that a path comes by, and of what kind its outcome is.
func linesOf(j *triage.Triager, t *triage.Taken) (lines []string) {
	for _, h := range t.Hits {
		if at := escape.ShortPath(j.Space.Location(int(h))); at != "" && !slices.Contains(lines, at) {
			lines = append(lines, at)
		}
	}
	if len(lines) > shownLines {
		lines = append(lines[:shownLines:shownLines], fmt.Sprintf("and %d more lines", len(lines)-shownLines))
	}
	if t.Cell != "" {
		lines = append(lines, "outcome: "+t.Outcome())
	}
	return lines
}

// shownLines is how many lines of a path are shown.
const shownLines = 40

func explainPaths(name string, c *codeModel, j *triage.Triager, paths *triage.Paths, s *scope.Scope) string {
	var b strings.Builder
	unit := "path"
	if c.cells {
		unit = "path and kind of outcome"
	}
	if len(s.Paths) != 1 {
		unit = map[string]string{"path": "paths", "path and kind of outcome": "paths and kinds of outcomes"}[unit]
	}
	fmt.Fprintf(&b, "\n%s: %d %s of the original, %d in scope (%d different calls: those of the corpus, others near them, and findings)\n", name, len(s.Paths), unit, s.InScope(), paths.Runs)
	switch {
	case c.declared == everyCall && paths.Declined == 0:
		fmt.Fprintf(&b, "  declared by %s: every call is in scope\n", c.declared)
	case c.declared != "":
		fmt.Fprintf(&b, "  declared by %s, which alone decides: ", escape.Text(c.declared))
		if paths.Declined == 0 {
			fmt.Fprintf(&b, "none of the calls of the corpus lies outside\n")
		} else {
			fmt.Fprintf(&b, "%d of %d calls of the corpus lie outside, such as %s\n", paths.Declined, paths.Given, quote.Input(j.Shape, paths.Refused, shownInput))
		}
	case paths.Declined > 0:
		fmt.Fprintf(&b, "  the model says itself that it does not have %d of %d calls of the corpus, such as %s\n", paths.Declined, paths.Given, quote.Input(j.Shape, paths.Refused, shownInput))
	}
	if paths.Failed > 0 {
		fmt.Fprintf(&b, "  the original itself crashes or hangs on %d more\n", paths.Failed)
	}
	if len(s.Paths) <= 1 && !c.cells {
		b.WriteString("  Few paths are distinguished where most of the original's code lies in packages whose blocks are not counted: --instrument PACKAGE counts them.\n")
	}
	b.WriteString(s.List())
	return b.String()
}

// keyOf names an operation as a path is named.
func keyOf(name string) scope.Key {
	h := fnv.New64a()
	h.Write([]byte(name))
	return scope.Key(h.Sum64())
}

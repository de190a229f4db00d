package subject

import (
	"fmt"
	"go/token"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"parallax/cmd/internal/finding"
	"parallax/cmd/internal/finding/reproducer"
	"parallax/cmd/internal/gobuild"
	"parallax/cmd/internal/gobuild/golang"
)

// callsVariable lists the calls that the workers of a pair record (package fuzzfunc of the
// library).
const callsVariable = "PARALLAX_CALLS="

// outsideVariable names the modules whose types are compared only by exported fields and texts.
const outsideVariable = "PARALLAX_OUTSIDE="

// module returns the path of the module whose versions are compared.
func (p *Pair) module() string {
	if p.request.Module != "" {
		return p.request.Module
	}
	return p.sides[0].pkg.Module
}

// agree chooses the calls to record: those that the FuzzXxx may reach and that both versions have.
// It returns the fields of structs that are not compared, since only one version has them, or the
// types differ.
func (p *Pair) agree(sides []*side, plan *gobuild.Plan) (ignored []string) {
	fuzz := p.request.Fuzz
	external := sides[0].test.fn.External
	if len(sides) < 2 {
		p.Compared = "nothing: the new version runs alone"
		return nil
	}
	note := func(text string) {
		if !slices.Contains(p.why, text) {
			p.why = append(p.why, text)
		}
	}
	if p.OwnHarness {
		note("the versions run different harnesses")
	} else {
		theirs := map[uint64]golang.Site{}
		for _, t := range sides[1].info.tables {
			for _, s := range t.Sites {
				theirs[s.Number] = s
			}
			if t.Why != "" {
				note("calls cannot be recorded in the old version: " + t.Why)
			}
		}
		for _, t := range sides[0].info.tables {
			for _, s := range t.Sites {
				if !reaches(s.Roots, fuzz, external) {
					continue
				}
				p.made = append(p.made, s)
				if other, ok := theirs[s.Number]; ok && s.Number != 0 && other.Name == s.Name {
					p.Calls = append(p.Calls, s)
				}
			}
			if t.Why != "" {
				note("calls cannot be recorded: " + t.Why)
			}
		}
		ignored = differingFields(sides[0].info.tables, sides[1].info.tables)
	}
	p.Compared = compared(p.Calls, p.why)
	if len(p.Calls) == 0 {
		ignored = nil
	}
	inside := func(field string) bool { return !token.IsExported(field[strings.LastIndexByte(field, '.')+1:]) } // such fields are never compared
	if list := slices.DeleteFunc(slices.Clone(ignored), inside); len(list) > 0 {
		plan.Notes = append(plan.Notes, "fields that differ between the versions are not compared: "+strings.Join(list, ", "))
	}
	return ignored
}

// reaches reports whether a FuzzXxx may reach a site. External tests may call exported functions of
// the tests in the package.
func reaches(roots []string, fuzz string, external bool) bool {
	return slices.ContainsFunc(roots, func(r string) bool { return r == fuzz || external && strings.HasPrefix(r, ".") })
}

// maxNamed is the number of calls that a sentence names.
const maxNamed = 8

// compared describes the compared results in a sentence.
func compared(calls []golang.Site, why []string) string {
	if len(calls) == 0 {
		if len(why) == 0 {
			why = []string{"the harness calls nothing of the module that returns something"}
		}
		return "pass, skip and fail (" + strings.Join(why, "; ") + ")" + costs
	}
	of := fmt.Sprintf("%d calls", len(calls))
	if len(calls) == 1 {
		of = "one call"
	}
	return "pass, skip, fail, and the results of " + of + ", each time that it is made: " + named(calls) + costs
}

const costs = "; and what a run costs, in blocks executed and bytes allocated"

// label names a call like the record of a run.
func label(s golang.Site) string { return fmt.Sprintf("%s (%s:%d)", s.Name, s.File, s.Line) }

// named lists calls for a sentence.
func named(calls []golang.Site) string {
	var names []string
	for _, s := range calls {
		names = append(names, label(s))
	}
	return firstNames(names)
}

// firstNames lists the first of many names.
func firstNames(names []string) string {
	if more := len(names) - maxNamed; more > 0 {
		names = append(names[:maxNamed], fmt.Sprintf("and %d more", more))
	}
	return strings.Join(names, ", ")
}

// differingFields returns the sorted fields of structs that only one of two versions has, or whose
// types differ.
func differingFields(a, b []*golang.CallTable) (fields []string) {
	x, y := heldTypes(a), heldTypes(b)
	for name, mine := range x {
		theirs, both := y[name]
		if !both {
			continue
		}
		for field, typ := range mine {
			if other, ok := theirs[field]; !ok || other != typ {
				fields = append(fields, name+"."+field)
			}
		}
		for field := range theirs {
			if _, ok := mine[field]; !ok {
				fields = append(fields, name+"."+field)
			}
		}
	}
	slices.Sort(fields)
	return fields
}

func heldTypes(tables []*golang.CallTable) map[string]map[string]string {
	all := map[string]map[string]string{}
	for _, t := range tables {
		maps.Copy(all, t.Types)
	}
	return all
}

// numbers encodes the recorded calls for workers.
func (p *Pair) numbers() string {
	var words []string
	for _, s := range p.Calls {
		word := fmt.Sprintf("%x", s.Number)
		if p.silent[s.Number] {
			word += "-"
		}
		words = append(words, word)
	}
	return strings.Join(words, " ")
}

// Judged returns the functions whose behavior the calls of the FuzzXxx show, and the functions
// whose results the FuzzXxx drops. The names are those of call graphs. A call shows the behavior of
// its function if its results are compared. It also does if it makes or changes a value that such a
// call takes.
func (p *Pair) Judged() (judged, dropped []string) {
	taken, shown := map[string]bool{}, map[int]bool{}
	show := func(i int) {
		shown[i] = true
		for _, name := range p.made[i].Takes {
			taken[name] = true
		}
	}
	hides, writes := map[string]bool{}, map[string]bool{} // types made with a discarding writer, and types made otherwise
	for _, s := range p.made {
		for _, name := range s.Makes {
			if s.Discards {
				hides[name] = true
			} else {
				writes[name] = true
			}
		}
	}
	for i, s := range p.made {
		hidden := s.Discards || slices.ContainsFunc(s.Takes, func(name string) bool { return hides[name] && !writes[name] })
		if (s.Speaks || s.Fails && !hidden) && slices.ContainsFunc(p.Calls, func(c golang.Site) bool { return c.Number == s.Number }) {
			show(i)
		}
	}
	for more := true; more; {
		more = false
		for i, s := range p.made {
			if !shown[i] && (taken[s.On] || slices.ContainsFunc(s.Makes, func(name string) bool { return taken[name] })) {
				show(i)
				more = true
			}
		}
	}
	for i, s := range p.made {
		list := &dropped
		if shown[i] {
			list = &judged
		}
		if !slices.Contains(*list, s.Callee) {
			*list = append(*list, s.Callee)
		}
	}
	return judged, dropped
}

// unseen describes the results that a script cannot compare. Empty means none.
func (p *Pair) unseen() string {
	if len(p.Calls) == 0 {
		return ""
	}
	return "also what calls of the harness return"
}

// Stored returns the options that find the target again.
func (p *Pair) Stored() map[string]string {
	r := &p.request
	test := p.sides[0]
	m := map[string]string{
		"package": test.pkg.ImportPath, "package_dir": r.New.home(test.pkg.Dir), "fuzz": r.Fuzz, "new_dir": r.New.Dir, "new_package": r.New.Package, "new_version": r.New.Name,
	}
	m["calls_into"] = r.Module
	m["new_environ"] = strings.Join(r.New.Environ, "\n")
	if !r.NoOld {
		m["old_environ"] = strings.Join(r.Old.Environ, "\n")
		m["old_dir"], m["old_package"], m["old_version"] = r.Old.Dir, r.Old.Package, r.Old.Name
	}
	return m
}

// home returns the user's own path of a folder of the version.
func (v *Version) home(dir string) string {
	if rel, err := filepath.Rel(v.Dir, dir); v.At != "" && err == nil && filepath.IsLocal(rel) {
		return filepath.Join(v.At, rel)
	}
	return dir
}

// StoredPair reads the options that Stored has written. ok is false for another target.
func StoredPair(m map[string]string) (r PairRequest, ok bool) {
	r = PairRequest{
		New:    Version{Dir: m["new_dir"], Package: m["new_package"], Name: m["new_version"], Environ: lines(m["new_environ"])},
		Old:    Version{Dir: m["old_dir"], Package: m["old_package"], Name: m["old_version"], Environ: lines(m["old_environ"])},
		Module: m["calls_into"], Fuzz: m["fuzz"], NoOld: m["old_dir"] == "",
	}
	return r, r.New.Dir != ""
}

func lines(text string) []string {
	if text == "" {
		return nil
	}
	return strings.Split(text, "\n")
}

// testCall describes how go test runs a version on an input.
func (t *Lockstep) testCall(i int) *reproducer.GoTest {
	s := t.Pair.sides[i]
	c := &reproducer.GoTest{
		Module: s.version.Dir, Dir: s.pkg.Dir,
		Harness: finding.FuzzHarness{
			Package: s.pkg.Name, ImportPath: s.pkg.ImportPath, Name: s.fn.Name, Constraint: buildConstraint(s.fn.File), Tags: s.pkg.Tags,
		},
	}
	if s.fn.External {
		c.Harness.Package += "_test"
	}
	if s.over != nil {
		c.Replace = s.over.Overlay
		if real := s.over.Overlay[s.fn.File]; real != "" {
			c.Harness.Constraint = buildConstraint(real)
		}
	}
	return c
}

package regress

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"parallax/cmd/internal/base/exit"
	"parallax/cmd/internal/base/units"
	"parallax/cmd/internal/change/plan"
	"parallax/cmd/internal/change/revision"
	"parallax/cmd/internal/change/synthesis"
)

// The reasons why nothing is fuzzed for changed functions, and what a user can do about it.

// exhausted returns the error for two versions with nothing left to fuzz. Notes give the reasons
// for all errors.
func (s *session) exhausted(why string, notes []string, all []error) error {
	code := exit.BaselineCode
	for _, err := range all {
		if exit.Code(err) != exit.BaselineCode {
			code = exit.BuildCode
		}
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s:\n", why)
	for _, n := range notes {
		fmt.Fprintf(&b, "  %s\n", strings.TrimSuffix(n, withoutBase))
	}
	b.WriteString(s.misfits(s.plan))
	fmt.Fprintf(&b, "Name a function by --func, with inputs that it accepts in --seeds. Or %s. --no-base fuzzes the new version alone", own(&s.versions.Head))
	return &exit.Error{Code: code, Err: errors.New(b.String())}
}

// own advises how the user writes a harness for a version.
func own(v *revision.Version) string {
	if v.Commit == "" && !v.WorkTree {
		return "give a FuzzXxx of your own by --harness; --func says what could be written for a function"
	}
	return "write a FuzzXxx: `parallax init .F` writes one for a function F, in the folder of its package"
}

// misfits lists why no exported function is fuzzed for changed functions without a target.
func (f *comparison) misfits(p *plan.Plan) string {
	if f.synthesis == nil {
		return ""
	}
	wanted := p.Wanted()
	reached := func(full string) []int {
		return slices.DeleteFunc(p.Reaches(full), func(at int) bool { return !slices.Contains(wanted, at) })
	}
	explained := map[int]bool{}
	for _, fn := range f.synthesis.Functions() {
		for _, at := range reached(fn.Full()) {
			explained[at] = true
		}
	}
	by := map[string][]string{} // names, by reason
	add := func(why, name string) {
		if !slices.Contains(by[why], name) {
			by[why] = append(by[why], name)
		}
	}
	for _, m := range f.synthesis.Misfits() {
		points := reached(m.Full)
		if len(points) == 0 {
			continue
		}
		for _, at := range points {
			explained[at] = true
		}
		name := m.Path
		if m.Which != "" {
			name += " " + m.Which
		}
		add(m.Why, name)
	}
	for _, at := range wanted {
		if pt := &p.Points[at]; !explained[at] {
			add(f.synthesis.Unexported(pt.Package), pt.Function)
		}
	}
	if len(by) == 0 {
		return ""
	}
	var b strings.Builder
	b.WriteString("Functions that reach the change and cannot be fuzzed as they are:\n")
	for _, why := range slices.Sorted(maps.Keys(by)) {
		fmt.Fprintf(&b, "  %s: %s\n", why, units.Some(by[why], someNames))
	}
	return b.String()
}

// unfit begins a note.
const unfit = "cannot be fuzzed as they are, and no target reaches their change: "

// noteUnfit notes the misfits with change points that no target reaches. After them, it names
// misfits that reach other such points.
func (f *comparison) noteUnfit(p *plan.Plan) {
	p.Notes = slices.DeleteFunc(p.Notes, func(n string) bool { return strings.HasPrefix(n, unfit) })
	if len(p.Harnesses) == 0 { // the error names them
		return
	}
	var names []string
	advice := ""
	add := func(m *synthesis.Misfit) {
		why := m.Why
		if m.Which != "" {
			why += ": " + m.Which
		}
		names = append(names, fmt.Sprintf("%s (%s)", m.Path, why))
		if advice == "" && m.Init != "" {
			advice = fmt.Sprintf("; `parallax init %s` writes a fuzz test to complete", m.Init)
		}
	}
	misfits := f.synthesis.Misfits()
	named := map[int]bool{} // points inside of misfits
	callers := slices.DeleteFunc(slices.Clone(misfits), func(m *synthesis.Misfit) bool {
		own := false
		for i := range p.Points {
			if pt := &p.Points[i]; !pt.Reached && inside(pt, m) {
				own, named[i] = true, true
			}
		}
		if own {
			add(m)
		}
		return own
	})
	for _, m := range callers {
		if slices.ContainsFunc(p.Reaches(m.Full), func(i int) bool { return !p.Points[i].Reached && !named[i] }) {
			add(m)
		}
	}
	if len(names) > 0 {
		p.Notes = append(p.Notes, unfit+units.Some(names, someNames)+advice)
	}
}

// inside reports whether a change point is in a misfit, or in a closure there.
func inside(pt *plan.Point, m *synthesis.Misfit) bool {
	in, full := strings.ReplaceAll(pt.Name(), "[...]", ""), strings.ReplaceAll(m.Full, "[...]", "")
	return in == full || strings.HasPrefix(in, full+".")
}

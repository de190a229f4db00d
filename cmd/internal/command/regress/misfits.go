package regress

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"parallax/cmd/internal/base/exit"
	"parallax/cmd/internal/change/plan"
	"parallax/cmd/internal/change/revision"
)

// The reasons why nothing is fuzzed for changed functions, and what a user can do about it.

// exhausted returns the error for two versions with nothing left to fuzz. Notes give the reasons for all errors.
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
		fmt.Fprintf(&b, "  %s: %s\n", why, some(by[why]))
	}
	return b.String()
}

package plan

import (
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"

	"parallax/cmd/internal/base/units"
	"parallax/cmd/internal/change"
	"parallax/cmd/internal/change/revision"
)

// This file renders a plan for the user.

// Limits of what is listed: change points and harnesses, and lines of one function.
const (
	most      = 12
	someLines = 4
)

// Head describes the compared versions.
func Head(v *revision.Pair) string {
	return fmt.Sprintf("new  %s\nold  %s", describe(&v.Head), describe(&v.Base))
}

func describe(v *revision.Version) string {
	switch {
	case v.WorkTree && v.Short != "":
		return "the work tree, on " + v.Short + quoted(v.Subject)
	case v.WorkTree:
		return "the work tree"
	}
	return v.Short + quoted(v.Subject)
}

func quoted(subject string) string {
	if subject == "" {
		return ""
	}
	if r := []rune(subject); len(r) > 60 {
		subject = string(r[:59]) + "…"
	}
	return " (" + subject + ")"
}

// Changed is a function with change points.
type Changed struct {
	Name  string   // without its package
	Where string   // its first change point, relative to the user's folder
	Kinds []string // of its change points, with the changed declarations: "variable units"
	Lines []int    // further lines with change points
}

// further names the further lines with change points.
func (e *Changed) further() string {
	if len(e.Lines) == 0 {
		return ""
	}
	var lines []string
	for _, n := range e.Lines {
		lines = append(lines, strconv.Itoa(n))
	}
	also := "; also line "
	if len(lines) > 1 {
		also = "; also lines "
	}
	return also + units.Some(lines, someLines)
}

// Functions returns the functions with change points, in order.
func (p *Plan) Functions() []*Changed {
	var list []*Changed
	byName := map[string]*Changed{}
	for i := range p.Points {
		pt := &p.Points[i]
		e := byName[pt.Name()]
		if e == nil {
			e = &Changed{Name: pt.Function, Where: pt.Where()}
			byName[pt.Name()] = e
			list = append(list, e)
		}
		if !slices.Contains(e.Lines, pt.Line) && pt.Where() != e.Where {
			e.Lines = append(e.Lines, pt.Line)
		}
		for _, kind := range kindsOf(&pt.Point) {
			if !slices.Contains(e.Kinds, kind) {
				e.Kinds = append(e.Kinds, kind)
			}
		}
	}
	return list
}

// kindsOf returns the kind of a change point, or those of the changed declarations that it uses,
// with their names.
func kindsOf(pt *change.Point) (kinds []string) {
	for _, u := range pt.Uses {
		kinds = append(kinds, string(u.Kind)+" "+u.Name)
	}
	if len(kinds) == 0 {
		kinds = append(kinds, string(pt.Kind))
	}
	return kinds
}

// Changed lists the change points, with one line per function.
func (p *Plan) Changed() string {
	list := p.Functions()
	var b strings.Builder
	fmt.Fprintf(&b, "%s in %s\n", count(len(p.Points), "change point"), count(len(list), "function"))
	width, wide := 0, 0
	for _, e := range list[:min(most, len(list))] {
		width, wide = max(width, len(e.Where)), max(wide, len(e.Name))
	}
	for i, e := range list {
		if i == most {
			fmt.Fprintf(&b, "  and %d more\n", len(list)-most)
			break
		}
		fmt.Fprintf(&b, "  %-*s  %-*s  %s\n", width, e.Where, wide, e.Name, strings.Join(e.Kinds, ", ")+e.further())
	}
	return b.String()
}

// Budget describes the harnesses and the budget. whole renders the budget; "" means none.
func (p *Plan) Budget(whole string, share func(*Harness) string) string {
	var b strings.Builder
	if p.Named {
		fmt.Fprintf(&b, "%s, which --func names", count(len(p.Harnesses), "harness"))
	} else {
		fmt.Fprintf(&b, "%s %s%s the change", count(len(p.Harnesses), "harness"), p.perhaps(), map[bool]string{true: "reaches", false: "reach"}[len(p.Harnesses) == 1])
	}
	if p.Others == 1 && !p.Named {
		fmt.Fprintf(&b, " (1 other %sdoes not, and is not run)", p.perhaps())
	} else if p.Others > 0 && !p.Named {
		fmt.Fprintf(&b, " (%d others %sdo not, and are not run)", p.Others, p.perhaps())
	}
	if whole != "" {
		fmt.Fprintf(&b, "; %s in all", whole)
	}
	b.WriteString("\n")
	width := 0
	for _, h := range p.Harnesses[:min(most, len(p.Harnesses))] {
		width = max(width, len(h.Name))
	}
	for i := range p.Harnesses {
		if i == most {
			fmt.Fprintf(&b, "  and %d more\n", len(p.Harnesses)-most)
			break
		}
		h := &p.Harnesses[i]
		reaches := len(h.Reaches)
		if p.Unseen {
			reaches = 0
		}
		when := ""
		if !p.Unseen && p.StartsOnly(h) {
			when = ", when it starts only"
		}
		fmt.Fprintf(&b, "  %-*s  %s  %sreaches %d of %s%s\n", width, h.Name, share(h), p.perhaps(), reaches, count(len(p.Points), "change point"), when)
	}
	return b.String()
}

// ByName reports whether calls are guessed by names alone.
func (p *Plan) ByName() bool { return p.graph != nil && p.graph.Textual }

// perhaps returns a prefix for statements about reached points.
func (p *Plan) perhaps() string {
	if p.ByName() {
		return "perhaps "
	}
	return ""
}

// Doubts lists the change points that no harness surely reaches.
func (p *Plan) Doubts() string { return p.odd() + p.missed() }

// odd lists the change points that run when a process starts, with one line per function. It also
// lists those without visible calls, with one line per set of harnesses.
func (p *Plan) odd() string {
	var lines []string
	var perhaps []string            // sets of harnesses
	hidden := map[string][]string{} // points, by these
	for i := range p.Points {
		pt := &p.Points[i]
		switch {
		case !pt.Reached:
		case len(pt.Start) > 0:
			line := fmt.Sprintf("  runs at the start: %s %s (the old version runs on all inputs)\n", pt.Where(), pt.Function)
			if !slices.Contains(lines, line) {
				lines = append(lines, line)
			}
		case len(pt.Hidden) > 0:
			by := some(bases(pt.Hidden))
			if hidden[by] == nil {
				perhaps = append(perhaps, by)
			}
			hidden[by] = append(hidden[by], pt.Where()+" "+pt.Function)
		}
	}
	for _, by := range perhaps {
		calls := "call of it"
		if len(hidden[by]) > 1 {
			calls = "call of them"
		}
		lines = append(lines, fmt.Sprintf("  perhaps: %s (no %s can be seen; %s calls what cannot be seen)\n", some(hidden[by]), calls, by))
	}
	if n := len(lines) - most; n > 0 {
		lines = append(lines[:most], fmt.Sprintf("  and %d more\n", n))
	}
	return strings.Join(lines, "")
}

// bases returns names without the folders of their import paths.
func bases(names []string) (short []string) {
	for _, name := range names {
		short = append(short, path.Base(name))
	}
	return short
}

// some renders the first of several names.
func some(names []string) string {
	if n := len(names) - 3; n > 0 {
		return fmt.Sprintf("%s and %d more", strings.Join(names[:3], ", "), n)
	}
	return strings.Join(names, ", ")
}

// missed lists the change points that no harness reaches, with one line per function.
func (p *Plan) missed() string {
	var lines []string
	seen, more := map[string]bool{}, 0
	for _, pt := range p.Unreached() {
		switch {
		case seen[pt.Name()]:
		case len(lines) == most:
			more++
		default:
			lines = append(lines, fmt.Sprintf("  %snot reached: %s %s%s\n", p.perhaps(), pt.Where(), pt.Function, pt.near()))
		}
		seen[pt.Name()] = true
	}
	if more > 0 {
		lines = append(lines, fmt.Sprintf("  nor %s more\n", count(more, "function")))
	}
	return strings.Join(lines, "")
}

// Unread returns the packages with change points whose calls could not be read.
func (p *Plan) Unread() (packages []string) {
	for i := range p.Points {
		pkg := p.Points[i].Package
		if p.graph != nil && !slices.Contains(packages, pkg) && p.graph.Skipped(pkg) {
			packages = append(packages, pkg)
		}
	}
	return packages
}

// near renders the reached caller that is nearest to an unreached point.
func (p *Point) near() string {
	if p.Nearest == "" {
		return ""
	}
	return fmt.Sprintf(" (nearest: %s, from %s)", p.Nearest, strings.Join(p.By, ", "))
}

func count(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	if strings.HasSuffix(what, "s") {
		return fmt.Sprintf("%d %ses", n, what)
	}
	return fmt.Sprintf("%d %ss", n, what)
}

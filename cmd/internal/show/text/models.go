package text

import (
	"fmt"
	"strings"

	"parallax/cmd/internal/base/escape"
	"parallax/cmd/internal/base/units"
	"parallax/cmd/internal/finding"
)

// ExplainLeftOut says why functions have no paths to list.
func ExplainLeftOut(list []finding.LeftOut) string {
	var b strings.Builder
	for _, l := range list {
		fmt.Fprintf(&b, "\n%s: left out: %s: %s\n", escape.Text(l.Function), l.Status, escape.Text(finding.Flat(l.Reason)))
	}
	return b.String()
}

func unmeant(s *finding.Summary) bool {
	return s.Scope != nil && s.Scope.Paths > 0 && s.Scope.InScope+s.Scope.Suspects == 0
}

// Unmeant explains a model that has nothing in scope.
func Unmeant(s *finding.Summary) string {
	if !unmeant(s) {
		return ""
	}
	return "\nnothing is in scope, so that nothing of the model was checked: it agrees on too few calls of each path (--explain lists the paths)\n"
}

// Models counts the results of several models: those without findings, those that were left out,
// and all together. engine says that an engine made the models, and not a configuration.
func Models(quiet []*finding.Summary, whole *finding.Scope, engine bool) string {
	var b strings.Builder
	listed(&b, "without findings", quiet, func(s *finding.Summary) bool { return !unmeant(s) })
	listed(&b, "nothing in scope, so that nothing of them was checked", quiet, unmeant)
	b.WriteString(Changes(whole.Changes))
	b.WriteString(Parts(whole.Incomplete))
	b.WriteString(Nevers(whole.Never))
	b.WriteString(NotAnsweredOf(whole.Unanswered))
	if len(whole.LeftOut) > 0 {
		b.WriteString("\nleft out:\n")
		for _, l := range whole.LeftOut {
			fmt.Fprintf(&b, "  %s: %s: %s\n", escape.Text(l.Function), l.Status, escape.Text(finding.Flat(l.Reason)))
		}
	}
	did := "read"
	if engine {
		did = "extracted"
	}
	fmt.Fprintf(&b, "\nmodels    %d of %d %s", whole.Extracted, whole.Models, did)
	if text := whole.String(); text != "" {
		b.WriteString("; " + text)
	}
	b.WriteByte('\n')
	return b.String()
}

// listed lists the wanted models with their scope, if there are any.
func listed(b *strings.Builder, heading string, list []*finding.Summary, wanted func(*finding.Summary) bool) {
	wide, some := 0, false
	for _, s := range list {
		if wanted(s) {
			wide, some = max(wide, len(s.Target)), true
		}
	}
	if some {
		fmt.Fprintf(b, "\n%s:\n", heading)
	}
	for _, s := range list {
		if !wanted(s) {
			continue
		}
		fmt.Fprintf(b, "  %-*s  %s\n", wide, escape.Text(s.Target), strings.Join(standing(s), "; "))
	}
}

// standing returns the state of a model: its scope, whether the check was completed, and the
// candidates for the next run.
func standing(s *finding.Summary) (parts []string) {
	if s.Scope != nil {
		if text := s.Scope.String(); text != "" {
			parts = append(parts, text)
		}
	}
	if ended := map[string]string{"interrupted": "interrupted", "error": "stopped by an error"}[s.Stopped]; ended != "" {
		parts = append(parts, ended)
	}
	// A run lists the paths of code at its end, unless it is interrupted. Declined calls show that
	// they were listed.
	if s.Scope != nil && s.Scope.Paths == 0 && s.Scope.Outside["declined"] == 0 {
		parts = append(parts, "its paths were not listed")
	}
	if n := s.Findings.Unjudged; n > 0 {
		parts = append(parts, Unjudged(n))
	}
	return parts
}

// Parts lists models that lack paths of their originals.
func Parts(list []finding.Incomplete) string {
	if len(list) == 0 {
		return ""
	}
	var b strings.Builder
	b.WriteString("\nextracted in part:\n")
	for _, i := range list {
		fmt.Fprintf(&b, "  %s: %s\n", escape.Text(i.Function), escape.Text(finding.Flat(i.Reason)))
	}
	return b.String()
}

// Nevers lists models that are always wrong on some paths, or nearly so.
func Nevers(list []finding.Never) string {
	return someFunctions("never or hardly ever agree, and so count as out of scope (--explain lists the paths)", list, func(n finding.Never) string {
		return fmt.Sprintf("%s: %d of %s, e.g. %s: the original %s; the model: %s", escape.Text(n.Function), n.Paths, units.Plural(n.Of, "path"), escape.Text(finding.Flat(n.Call)), escape.Text(finding.Flat(n.Original)), escape.Text(finding.Flat(n.Model)))
	})
}

// NotAnsweredOf lists models with deviations that were neither confirmed nor refuted, with the
// reasons.
func NotAnsweredOf(list []finding.Unanswered) string {
	return someFunctions("deviate in scope, but no solver could confirm or refute it (--explain lists the calls)", list, func(u finding.Unanswered) string {
		return fmt.Sprintf("%s: %s, e.g. %s: %s", escape.Text(u.Function), units.Plural(u.Calls, "call"), escape.Text(finding.Flat(u.Call)), escape.Text(finding.Flat(u.Reason)))
	})
}

// someFunctions lists the first of functions under a heading, if there are any.
func someFunctions[T any](heading string, list []T, line func(T) string) string {
	if len(list) == 0 {
		return ""
	}
	var b strings.Builder
	fmt.Fprintf(&b, "\n%s:\n", heading)
	for _, one := range list[:min(len(list), shownFunctions)] {
		fmt.Fprintf(&b, "  %s\n", line(one))
	}
	if more := len(list) - shownFunctions; more > 0 {
		fmt.Fprintf(&b, "  and %d more functions\n", more)
	}
	return b.String()
}

// shownFunctions is the number of functions that someFunctions lists.
const shownFunctions = 8

// Changes compares models with those of another version of their engine, in words.
func Changes(list []finding.ModelChange) string {
	if len(list) == 0 {
		return ""
	}
	var b strings.Builder
	same := 0
	b.WriteString("\nsince the other version:\n")
	for _, c := range list {
		switch {
		case c.Lost:
			fmt.Fprintf(&b, "  %s: lost: %s\n", escape.Text(c.Function), escape.Text(finding.Flat(c.Reason)))
		case c.Reason != "":
			fmt.Fprintf(&b, "  %s: not compared: %s\n", escape.Text(c.Function), escape.Text(finding.Flat(c.Reason)))
		case c.Better == 0 && c.Worse == 0 && c.Unknown == 0:
			same++
		default:
			fmt.Fprintf(&b, "  %s: better on %d, worse on %d of %s", escape.Text(c.Function), c.Better, c.Worse, units.Plural(c.Calls, "call"))
			if c.Unknown > 0 {
				fmt.Fprintf(&b, "; what one of the versions does is not known of %d more", c.Unknown)
			}
			b.WriteByte('\n')
			if c.WorseOn != "" {
				fmt.Fprintf(&b, "    worse on   %s\n", escape.Text(c.WorseOn))
			}
			if c.BetterOn != "" {
				fmt.Fprintf(&b, "    better on  %s\n", escape.Text(c.BetterOn))
			}
		}
	}
	if same > 0 {
		fmt.Fprintf(&b, "  %s with the same answers to all calls\n", units.Plural(same, "model"))
	}
	return b.String()
}

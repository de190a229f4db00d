package campaign

import (
	"fmt"
	"strings"
	"time"

	"parallax/cmd/internal/base/escape"
)

// pace measures the speed of triage after the fuzzing, to estimate its end.
type pace struct {
	began time.Time
	from  int // candidates that waited at began
}

// left returns the estimated time of triage: the number of waiting candidates times the mean time
// of earlier ones, at most until its end. It is 0 if nothing is known.
func (p *pace) left(now time.Time, waiting int, until time.Time) (left time.Duration) {
	if p.began.IsZero() || waiting > p.from {
		p.began, p.from = now, waiting
	}
	if done := p.from - waiting; done > 0 {
		left = now.Sub(p.began) / time.Duration(done) * time.Duration(waiting)
	}
	if !until.IsZero() && waiting > 0 {
		if bound := max(0, until.Sub(now)); left == 0 || bound < left {
			left = bound
		}
	}
	return left
}

// silent returns notes on persistent programs whose drivers do not report coverage.
func (a *account) silent() (notes []string) {
	for p, name := range a.facts.Names {
		blocks, _ := a.facts.Space.Covered(p, a.known.mapOf(p))
		if blocks == 0 && a.totals.inputs >= enoughInputs && a.facts.Kind(p) == "persistent" {
			if note := silence(a.facts.Run(p)); note != "" {
				notes = append(notes, escape.Text(name)+note)
			}
		}
	}
	return notes
}

// silence returns the rest of a note on a program that reports no coverage. It returns "" if the
// command line switches coverage off.
func silence(command string) string {
	const said = " does not say what it executes: only outputs guide inputs to it, and its findings have no places. "
	driver := func(file, language string) string {
		return said + fmt.Sprintf("Its driver needs %s next to it: parallax init --driver %s writes both", file, language)
	}
	switch {
	case strings.Contains(command, "--cover off"):
		return ""
	case strings.Contains(command, "parallax_driver.py"):
		return driver("parallax_cover.py", "python")
	case strings.Contains(command, "driver.mjs"):
		return driver("cover.mjs", "node")
	}
	return said + "parallax help driver-protocol describes how a driver says it"
}

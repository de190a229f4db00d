package campaign

import (
	"fmt"
	"strings"
	"time"

	"parallax/cmd/internal/base/escape"
)

// pace is how quickly triage gets on after the fuzzing, for an estimate of its end.
type pace struct {
	began time.Time
	from  int // candidates that waited then
}

// left is about how long triage goes on: as many candidates as wait, each in the time that those before it took on average, but no longer
// than until its end. It is 0 where nothing is known.
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

// silent names the persistent programs that were expected to say what they execute, and did not.
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

// silence is the rest of a note on a program that runs by a command line and says nothing of what it executes; "" where that is meant.
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

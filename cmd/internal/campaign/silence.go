package campaign

import (
	"fmt"
	"strings"

	"parallax/cmd/internal/base/escape"
)

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

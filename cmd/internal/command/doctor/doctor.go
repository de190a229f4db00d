// Package doctor reports the missing parts of this machine, and how to get them. The doctor command
// calls it. All access to the machine goes through Host, so that each failure is tested. The
// package changes and installs nothing.
package doctor

import (
	"fmt"
	"io"
	"strings"

	"parallax/cmd/internal/base/columns"
	"parallax/cmd/internal/base/escape"
	"parallax/cmd/internal/base/exit"
)

// Check is the result of one check.
type Check struct {
	Name     string
	OK       bool
	Required bool   // parallax does not work without it
	Detail   string // the observed facts
	Fix      string // advice; empty if OK
}

// Run checks the machine, in a fixed order.
func Run(h Host) []Check {
	env, goChecks := golang(h)
	checks := goChecks
	if env != nil {
		checks = append(checks,
			folder(h, "build cache", env["GOCACHE"], minBuildCache, "GOCACHE"),
			folder(h, "module cache", env["GOMODCACHE"], minModCache, "GOMODCACHE"))
	}
	checks = append(checks, git(h), compiler(h, env), clang(h))
	checks = append(checks, models(h)...)
	return append(checks, cores(h), memory(h), shared(h), confinement(h), limited(h), processes(h), work(h), screen(h))
}

// Code returns the exit code for the checks: 0 if all required parts exist, otherwise 4.
func Code(checks []Check) int {
	for _, c := range checks {
		if c.Required && !c.OK {
			return exit.InfraCode
		}
	}
	return exit.OK
}

// Print writes the checks, a line each, and the advice below each failure. The last line is the
// verdict.
func Print(w io.Writer, checks []Check, wide int) error {
	width := 0
	for _, c := range checks {
		width = max(width, len(c.Name))
	}
	var b strings.Builder
	missing, advice := 0, 0
	for _, c := range checks {
		mark := "ok"
		switch {
		case !c.OK && c.Required:
			mark = "missing"
			missing++
		case !c.OK:
			mark = "advice"
			advice++
		}
		room := max(30, wide-len("missing  ")-width-len("  "))
		name := c.Name
		for _, text := range columns.Wrap(escape.Text(c.Detail), room) {
			b.WriteString(strings.TrimRight(fmt.Sprintf("%-8s %-*s  %s", mark, width, name, text), " ") + "\n")
			mark, name = "", ""
		}
		if !c.OK && c.Fix != "" {
			arrow := "->"
			for _, text := range columns.Wrap(escape.Text(c.Fix), room-len("-> ")) {
				fmt.Fprintf(&b, "%-8s %-*s  %-2s %s\n", "", width, "", arrow, text)
				arrow = ""
			}
		}
	}
	switch {
	case missing > 0:
		fmt.Fprintf(&b, "\nparallax cannot run here yet: %d required missing\n", missing)
	case advice > 0:
		fmt.Fprintf(&b, "\nparallax can run here; %d could be better\n", advice)
	default:
		b.WriteString("\nparallax can run here\n")
	}
	_, err := io.WriteString(w, b.String())
	return err
}

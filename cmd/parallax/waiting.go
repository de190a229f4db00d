package main

import (
	"fmt"
	"os"
	"slices"
	"strings"

	"parallax/cmd/internal/base/escape"
	"parallax/cmd/internal/base/shell"
	"parallax/cmd/internal/base/units"
	"parallax/cmd/internal/finding/report"
)

// sayWaiting says how many candidates wait in the folders, and the command that triages them without fuzzing.
func sayWaiting(summaries []*report.Summary, args []string) {
	n := 0
	for _, s := range summaries {
		n += s.Findings.Unjudged
	}
	if n == 0 {
		return
	}
	what, them := "candidates wait", "them"
	if n == 1 {
		what, them = "candidate waits", "it"
	}
	fmt.Fprintf(os.Stderr, "\n%s %s in the folder: `%s` confirms and minimizes %s\n", units.Thousands(uint64(n)), what, escape.Text(continuing(args)), them)
}

// continuing is the command that goes on with the triage of a run with these arguments.
func continuing(args []string) string {
	words := []string{"parallax"}
	options := len(args)
	if at := slices.Index(args, "--"); at >= 0 {
		options = at
	}
	for i, arg := range args {
		if i == options {
			words = append(words, "--no-fuzz")
		}
		name, value, _ := strings.Cut(arg, "=")
		if i < options && (name == "--no-fuzz" || name == "--no-triage" && value != "false") {
			continue
		}
		words = append(words, shell.Word(arg))
	}
	if options == len(args) {
		words = append(words, "--no-fuzz")
	}
	return strings.Join(words, " ")
}

package fuzzing

import (
	"fmt"
	"os"
	"slices"
	"strings"

	"parallax/cmd/internal/base/escape"
	"parallax/cmd/internal/base/shell"
	"parallax/cmd/internal/base/units"
	"parallax/cmd/internal/exchange"
	"parallax/cmd/internal/finding"
)

// sayWaiting says how many candidates wait in the folders, how many findings are unverified, and
// the command that triages them without fuzzing.
func sayWaiting(summaries []*finding.Summary, args []string) {
	if text := waiting(summaries); text != "" {
		fmt.Fprintf(os.Stderr, "\n"+text+"\n", escape.Text(continuing(args)))
	}
}

// waiting returns the text that sayWaiting prints; %s is the command.
func waiting(summaries []*finding.Summary) string {
	n, unverified := 0, 0
	for _, s := range summaries {
		n += s.Findings.Unjudged
		for _, b := range s.Findings.Buckets {
			if b.Unverified {
				unverified++
			}
		}
	}
	var parts []string
	does := "confirms and minimizes"
	if n > 0 {
		parts = append(parts, units.Count(n, "candidate waits in the folder", "candidates wait in the folder"))
	}
	if unverified > 0 {
		if parts = append(parts, finding.Unverified(unverified)); n == 0 {
			does = "verifies"
		}
	}
	if len(parts) == 0 {
		return ""
	}
	return fmt.Sprintf("%s: `%%s` %s %s", strings.Join(parts, ", "), does, map[bool]string{true: "it", false: "them"}[n+unverified == 1])
}

// budgets lists the options that bound a run. The command that goes on leaves them out: without
// fuzzing, triage has no limit.
var budgets = []string{"--fuzztime", "--cputime", "--until-quiet", "-t", "--triage-time"}

// continuing is the command that goes on with the triage of a run with these arguments.
func continuing(args []string) string {
	words := []string{"parallax"}
	options := len(args)
	if at := slices.Index(args, "--"); at >= 0 {
		options = at
	}
	skip, hide := false, false // the next argument is left out, or has a token
	for i, arg := range args {
		if i == options {
			words = append(words, "--no-fuzz")
			skip = false
		}
		name, value, set := strings.Cut(arg, "=")
		switch {
		case skip:
			skip = false
			continue
		case hide:
			hide = false
			arg = exchange.WithoutToken(arg)
		case i >= options:
		case slices.Contains(budgets, name):
			skip = !set // the next argument is the value
			continue
		case name == "--join":
			words = append(words, "--join")
			hide = !set
			if set {
				words[len(words)-1] += "=" + shell.Word(exchange.WithoutToken(value))
			}
			continue
		case strings.HasPrefix(arg, "-t"), name == "--no-fuzz", name == "--no-triage" && value != "false":
			continue
		}
		words = append(words, shell.Word(arg))
	}
	if options == len(args) {
		words = append(words, "--no-fuzz")
	}
	return strings.Join(words, " ")
}

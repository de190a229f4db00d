package triage

import (
	"strings"

	"parallax/internal/oracle"
	"parallax/internal/wire"
)

// inGenerator is the line that the library logs for a panic in a generator (gen/fuzz.go).
const inGenerator = "gen: the panic is in a generator"

// InGenerator reports whether a result with detail is a crash in a generator of gen.Fuzz. It does
// not cover timeouts and memory: the goroutine of the property need not be the cause.
func InGenerator(r *wire.RunResult) bool {
	if oracle.Outcome(r.Outcome) != oracle.Crashed || r.Failure {
		return false
	}
	for _, line := range strings.Split(r.Output, "\n") {
		if strings.HasSuffix(line, inGenerator) {
			return true
		}
	}
	return drawing(r.Stack)
}

// drawing reports whether the crashed goroutine, the first in the stack, is within a draw.
func drawing(stack string) bool {
	const property = "gen.(*fuzzer).run("
	var functions []string
	begun := false
	for _, line := range strings.Split(stack, "\n") {
		switch {
		case strings.HasPrefix(line, "goroutine "):
			begun = true
		case !begun:
		case strings.TrimSpace(line) == "":
			return false
		case strings.HasPrefix(line, "\t"):
		case strings.Contains(line, "/"+property):
			library := line[:strings.Index(line, property)] + "gen."
			for _, f := range functions {
				if rest, ok := strings.CutPrefix(f, library); ok && (strings.HasPrefix(rest, "Gen[") && strings.Contains(rest, "].Draw(") || strings.HasPrefix(rest, "(*T).Within(")) {
					return true
				}
			}
			return false
		default:
			functions = append(functions, line)
		}
	}
	return false
}

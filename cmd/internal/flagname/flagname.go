// Package flagname has the earlier names of flags. The command line takes them as it takes the present ones, without showing
// them in help or completion; stored commands and schedules are compared and shown by their present names.
package flagname

import (
	"strings"

	"parallax/internal/schedule"
)

// Earlier maps the earlier name of a flag to the present one.
var Earlier = map[string]string{
	"free":        "pool-size",
	"judge-time":  "triage-time",
	"no-judge":    "no-triage",
	"no-operands": "no-cmplog",
}

// Present returns the present name of a flag.
func Present(name string) string {
	if now := Earlier[name]; now != "" {
		return now
	}
	return name
}

// Command returns the arguments of a command with the present names of flags and schedules.
func Command(args []string) []string {
	now := make([]string, len(args))
	for i, arg := range args {
		now[i] = arg
		if i > 0 && now[i-1] == "--schedule" {
			now[i] = Schedule(arg)
			continue
		}
		name, ok := strings.CutPrefix(arg, "--")
		if !ok {
			continue
		}
		name, value, given := strings.Cut(name, "=")
		name = Present(name)
		if name == "schedule" {
			value = Schedule(value)
		}
		if now[i] = "--" + name; given {
			now[i] += "=" + value
		}
	}
	return now
}

// Schedule returns the present name of a schedule.
func Schedule(name string) string {
	if row, err := schedule.Find(name); err == nil && name != "" {
		return row.Name
	}
	return name
}

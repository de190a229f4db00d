package c

import (
	"fmt"
	"slices"
	"strings"
	"syscall"

	"parallax/cmd/internal/base/lazyregexp"
	"parallax/cmd/internal/process/confine"
)

// reportLine begins the report of a sanitizer. shapeLine is a line of every report: a stack, or the
// summary.
var (
	reportLine = lazyregexp.New(`(?m)^(?:(?:==\d+==\s*)?(?:ERROR|WARNING): (\w*Sanitizer): (.*)|\S+:\d+:\d+: runtime error: (.*))$`)
	shapeLine  = lazyregexp.New(`(?m)^(?:\s+#0 |SUMMARY: \w+Sanitizer: )`)
	exitOption = lazyregexp.New(`^\w*SAN_OPTIONS=(?:.*[:, ])?exitcode=(\d+)`)
)

const undefined = "UndefinedBehaviorSanitizer"

// exits lists the exit statuses of sanitizers that do not exit with 1.
var exits = map[string]int{"LeakSanitizer": 23, "ThreadSanitizer": 66, "MemorySanitizer": 77, "HWAddressSanitizer": 99}

// readReport finds the report of the sanitizer that ended a process, the last in text. It returns
// the report and a message of one line, or nothing if no sanitizer did. Any program can print such
// a text, so it counts only with that sanitizer's exit status.
func readReport(text string, ended confine.Status, env []string) (report, message string) {
	all := reportLine().FindAllStringSubmatchIndex(text, -1)
	if len(all) == 0 || ended.Err != nil {
		return "", ""
	}
	at := all[len(all)-1]
	report = text[at[0]:]
	name, what := undefined, ""
	if at[2] >= 0 {
		name, what = text[at[2]:at[3]], text[at[4]:at[5]]
		for _, where := range []string{" on ", " (pid="} { // on address 0x..., on unknown address
			what, _, _ = strings.Cut(what, where)
		}
	} else {
		what = text[at[6]:at[7]]
	}
	if !shapeLine().MatchString(report) || !endsLike(name, ended, env) {
		return "", ""
	}
	return report, name + ": " + strings.TrimSpace(what)
}

// endsLike reports whether the status is that of a sanitizer.
func endsLike(name string, ended confine.Status, env []string) bool {
	if ended.Signal != 0 {
		return ended.Signal == syscall.SIGABRT // abort_on_error=1
	}
	return ended.Exit == 1 || ended.Exit != 0 && ended.Exit == exits[name] || slices.ContainsFunc(env, func(set string) bool {
		m := exitOption().FindStringSubmatch(set)
		return m != nil && m[1] == fmt.Sprint(ended.Exit)
	})
}

// ReportFrame matches a frame without names in a sanitizer's report: its number, file and address
// there.
var ReportFrame = lazyregexp.New(`^\s+#(\d+) 0x[0-9a-f]+ .*\((/.+)\+0x([0-9a-f]+)\)`)

// reportFrames reads the first stack of a sanitizer's report.
func reportFrames(text string) (all []Frame) {
	for _, line := range strings.Split(text, "\n") {
		m := ReportFrame().FindStringSubmatch(line)
		if m == nil {
			if len(all) > 0 {
				break
			}
			continue
		}
		if m[1] == "0" && len(all) > 0 {
			break // the next stack: of the allocation
		}
		var off uint64
		fmt.Sscanf(m[3], "%x", &off)
		if len(all) > 0 && off > 0 {
			off-- // the address of the call, not of the return
		}
		all = append(all, Frame{File: m[2], Offset: off, Linked: true})
	}
	return all
}

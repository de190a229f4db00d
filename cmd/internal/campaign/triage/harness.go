package triage

import (
	"strings"

	"parallax/cmd/internal/base/lazyregexp"
)

// Where parallax keeps the copy of the library that is compiled into workers (cmd/internal/gobuild/library). Assertion packages write the files of
// all callers into their messages, and programs log their stacks: those below the program are parallax's.
var (
	libraryPath = lazyregexp.New(`[^\s"'()]*/parallax(?:/library|-library-\d+)/[0-9a-f]{16}/`)
	libraryLine = lazyregexp.New(`^\s*[^\s"'()]*/parallax(?:/library|-library-\d+)/[0-9a-f]{16}/\S+:[0-9]+( \+0x[0-9a-f]+)?\s*$`)
	treePath    = lazyregexp.New(`[^\s"'()]*/parallax/tree/[0-9a-f]{16}/files/`) // where it keeps the files of a version (cmd/internal/change/revision)
	callLine    = lazyregexp.New(`^\s*\S*/src/reflect/value\.go:[0-9]+( \+0x[0-9a-f]+)?\s*$`)
	lowestLine  = lazyregexp.New(`^\s*\S*/src/runtime/asm_\w+\.s:[0-9]+( \+0x[0-9a-f]+)?\s*$`)
)

// withoutHarness removes from what a program wrote the frames of the harness below it: lines of files of the library, the function that
// stands before such a line in a stack, the runtime's that called them, and in a list of files those of package reflect that they called.
// Elsewhere the library's path is short, and the same on each machine. Files of a version that parallax keeps are named from its root.
func withoutHarness(text string) string {
	text = treePath().ReplaceAllString(text, "")
	if !libraryPath().MatchString(text) {
		return text
	}
	var out []string
	drop := func(function bool) {
		if function && len(out) > 0 {
			out = out[:len(out)-1]
		}
	}
	below := false // the line before was one of the harness
	for _, line := range strings.Split(text, "\n") {
		last := ""
		if len(out) > 0 {
			last = strings.TrimSpace(out[len(out)-1])
		}
		switch {
		case libraryLine().MatchString(line):
			drop(ofWorker(last) || strings.Contains(last, "/plx/"))
			for !below && len(out) > 0 && callLine().MatchString(out[len(out)-1]) {
				out = out[:len(out)-1]
			}
			below = true
		case below && lowestLine().MatchString(line):
			drop(strings.HasPrefix(last, "runtime.goexit("))
		default:
			below = below && strings.HasPrefix(line, "runtime.goexit(")
			out = append(out, line)
		}
	}
	return libraryPath().ReplaceAllString(strings.Join(out, "\n"), "parallax/internal/")
}

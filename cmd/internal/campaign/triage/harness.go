package triage

import (
	"strings"

	"parallax/cmd/internal/base/lazyregexp"
)

// Paths of files below parallax's cache, such as the copy of the library in workers
// (cmd/internal/gobuild/library). Messages of assertions and logged stacks hold them.
var (
	libraryPath = lazyregexp.New(`[^\s"'()]*/parallax(?:/library|-library-\d+)/[0-9a-f]{16}/`)
	libraryLine = lazyregexp.New(`^\s*[^\s"'()]*/parallax(?:/library|-library-\d+)/[0-9a-f]{16}/\S+:[0-9]+( \+0x[0-9a-f]+)?\s*$`)
	treePath    = lazyregexp.New(`[^\s"'()]*/parallax/tree/[0-9a-f]{16}/files/`) // files of a version (cmd/internal/change/revision)
	callLine    = lazyregexp.New(`^\s*\S*/src/reflect/value\.go:[0-9]+( \+0x[0-9a-f]+)?\s*$`)
	lowestLine  = lazyregexp.New(`^\s*\S*/src/runtime/asm_\w+\.s:[0-9]+( \+0x[0-9a-f]+)?\s*$`)
)

// withoutHarness removes the frames of the harness from a program's output: lines of the library's
// files, and functions of it, runtime and reflect. Elsewhere it shortens the library's path, and
// names files of a version from its root.
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
	below := false // the last line was one of the harness
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

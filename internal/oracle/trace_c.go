package oracle

import (
	"regexp"
	"strconv"
	"strings"
	"sync"
)

// CStack begins what is told of the end of a C or C++ program. Frames follow, a line each, innermost first, as sanitizers
// write them once they have names: "    #0 png_read_row png.c:12:3". A frame without a place has the name of its file in
// parentheses and is not the program's own.
const CStack = "call stack, innermost first:"

// CHarness is the function of a C or C++ program that gets the input.
const CHarness = "LLVMFuzzerTestOneInput"

// Compiled when it is first asked: few workers and lockstep processes see such a stack, and each would pay for it when it starts.
var cFrame = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^\s*#\d+ (\S.*) ([^\s()]+):(\d+)(?::\d+)?$`)
})

// cFrames reads the stack behind CStack. It reports false if there is none.
func cFrames(lines []string) (frames []Frame, ok bool) {
	for _, line := range lines {
		if !ok {
			ok = line == CStack
			continue
		}
		if !strings.HasPrefix(strings.TrimSpace(line), "#") {
			break
		}
		if m := cFrame().FindStringSubmatch(line); m != nil {
			if n, err := strconv.Atoi(m[3]); err == nil {
				frames = append(frames, Frame{Func: m[1], File: m[2], Line: n})
			}
		}
	}
	return frames, ok
}

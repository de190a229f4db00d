package oracle

import (
	"strconv"
	"strings"
)

// CStack begins the report of a crash in a C or C++ program. Frames follow, one per line, innermost
// first, in the format of symbolized sanitizer reports: "    #0 png_read_row png.c:12". A frame
// without a place has its file in parentheses, and is not the program's own.
const CStack = "call stack, innermost first:"

// CHarness is the function of a C or C++ program that receives the input.
const CHarness = "LLVMFuzzerTestOneInput"

// cFrames parses the stack behind CStack. It reports false if there is none.
func cFrames(lines []string) (frames []Frame, ok bool) {
	for _, line := range lines {
		if !ok {
			ok = line == CStack
			continue
		}
		if !strings.HasPrefix(strings.TrimSpace(line), "#") {
			break
		}
		if f, ok := cFrame(line); ok {
			frames = append(frames, f)
		}
	}
	return frames, ok
}

// cFrame parses a frame with a place, which begins behind the last space. Its line begins behind
// the last colon.
func cFrame(line string) (f Frame, ok bool) {
	number, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
	space, colon := strings.LastIndexByte(rest, ' '), strings.LastIndexByte(rest, ':')
	if space <= 0 || rest[0] == ' ' || colon <= space+1 || !decimal(number[1:]) || !decimal(rest[colon+1:]) {
		return f, false
	}
	f.Func, f.File = rest[:space], rest[space+1:colon]
	if strings.ContainsAny(f.File, "()\t") {
		return f, false
	}
	n, err := strconv.Atoi(rest[colon+1:])
	f.Line = n
	return f, err == nil
}

func decimal(s string) bool { return s != "" && strings.Trim(s, "0123456789") == "" }

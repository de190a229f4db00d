package worker

import (
	"fmt"
	"path/filepath"
	"strconv"
	"strings"
)

// leakNote returns the note that the process is replaced because of goroutines that the programs
// leaked.
func leakNote(place string) string {
	const text = "the programs leave thousands of goroutines behind"
	if place != "" {
		return text + ", most of them " + place + ": their process is replaced from time to time"
	}
	return text + ": their process is replaced from time to time"
}

// frame holds one call of a goroutine's stack.
type frame struct {
	function, file string
	line           int
}

// waiting returns where a goroutine waits: its innermost frame outside of the runtime, sync and
// time packages.
func waiting(frames []frame) string {
	for _, f := range frames {
		pkg, _, _ := strings.Cut(f.function[strings.LastIndexByte(f.function, '/')+1:], ".")
		if pkg == "runtime" || pkg == "sync" || pkg == "time" || strings.Contains(f.function, "internal/") || f.function == "" {
			continue
		}
		return fmt.Sprintf("in %s at %s:%d", f.function, filepath.Base(f.file), f.line)
	}
	return ""
}

// mostLeaked parses a text profile, where the stack of most goroutines comes first.
func mostLeaked(text string) string {
	var frames []frame
	for _, line := range strings.Split(text, "\n") {
		field := strings.Fields(line)
		if len(field) == 4 && field[0] == "#" {
			function, _, _ := strings.Cut(field[2], "+0x")
			at := strings.LastIndexByte(field[3], ':')
			if at < 0 {
				continue
			}
			n, _ := strconv.Atoi(field[3][at+1:])
			frames = append(frames, frame{function, field[3][:at], n})
		} else if len(frames) > 0 {
			break
		}
	}
	return waiting(frames)
}

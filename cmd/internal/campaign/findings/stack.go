package findings

import (
	"strings"

	"parallax/cmd/internal/flow"
)

// withoutLibrary returns a stack without the functions of the library at both ends of each
// goroutine. At the top these are generators and the runtime's functions that end a run, at the
// bottom the callers of the property. Library functions between functions of the user stay. So does
// a goroutine that has no others.
func withoutLibrary(stack string, space *flow.Space) string {
	type frame struct {
		lines   []string
		library bool
	}
	var out []string
	var frames []frame
	flush := func() {
		from, to := 0, len(frames)
		for from < to && frames[from].library {
			from++
		}
		for to > from && frames[to-1].library {
			to--
		}
		if from == to {
			from, to = 0, len(frames)
		}
		for _, f := range frames[from:to] {
			out = append(out, f.lines...)
		}
		frames = frames[:0]
	}
	in := false
	for _, line := range strings.Split(stack, "\n") {
		switch {
		case strings.HasPrefix(line, "goroutine "), line == "", strings.HasPrefix(line, "created by "):
			flush()
			in = strings.HasPrefix(line, "goroutine ")
			out = append(out, line)
		case !in:
			out = append(out, line)
		case strings.HasPrefix(line, "\t") && len(frames) > 0:
			last := &frames[len(frames)-1]
			last.lines = append(last.lines, line)
		default:
			frames = append(frames, frame{[]string{line}, space.Name(line) != line || strings.HasPrefix(line, "runtime.")})
		}
	}
	flush()
	return strings.Join(out, "\n")
}

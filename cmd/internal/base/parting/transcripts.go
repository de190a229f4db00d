package parting

import (
	"fmt"
	"strings"

	"parallax/internal/sequence"
)

// transcripts shortens the transcripts that two programs gave of a sequence of calls. It keeps the
// first call that differs, and the call before. It is not ok if the results are not transcripts of
// several calls.
func transcripts(results []string) (cut []string, ok bool) {
	if len(results) != 2 {
		return nil, false
	}
	d, differ := sequence.First(results[0], results[1])
	if !differ {
		return nil, false
	}
	from, most := max(d.At-1, 0), 0
	for _, r := range results {
		lines, _ := sequence.Lines(r)
		for _, line := range lines {
			if call, _ := sequence.Split(line); !strings.HasSuffix(call, ")") || !strings.Contains(call, ".") {
				return nil, false
			}
		}
		var parts []string
		if from > 0 {
			parts = append(parts, fmt.Sprintf("... %d more", from))
		}
		parts = append(parts, lines[min(from, len(lines)):min(d.At+1, len(lines))]...)
		switch behind := len(lines) - d.At - 1; {
		case behind > 0:
			parts = append(parts, fmt.Sprintf("%d more ...", behind))
		case behind < 0:
			parts = append(parts, "no more")
		}
		cut, most = append(cut, strings.Join(parts, "; ")), max(most, len(lines))
	}
	return cut, most > 1
}

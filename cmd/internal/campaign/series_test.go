package campaign

import (
	"fmt"
	"testing"

	"parallax/cmd/internal/finding/sample"
)

// TestSeries checks that a line has the buckets of the candidates before it, whenever their
// verdicts arrive.
func TestSeries(t *testing.T) {
	line := func(inputs uint64, buckets int) sample.Sample {
		return sample.Sample{Inputs: inputs, Corpus: int(inputs / 10), Buckets: buckets}
	}
	said := func(lines []sample.Sample) (text string) {
		for _, l := range lines {
			text += fmt.Sprintf("%d:%d ", l.Inputs, l.Buckets)
		}
		return text
	}
	var prompt series
	var first []sample.Sample
	prompt.mark(line(10, 0), true)
	prompt.offered++
	prompt.verdict(1)
	prompt.mark(line(20, 1), true)
	prompt.offered++
	prompt.verdict(2)
	prompt.mark(line(30, 2), true)
	first = prompt.due(100)

	var late series
	late.mark(line(10, 0), true)
	late.offered++
	late.mark(line(20, 0), true)
	late.offered++
	late.mark(line(30, 0), true)
	second := late.due(100)
	late.verdict(1)
	late.verdict(2)
	if more := late.due(2); len(more) != 1 {
		t.Errorf("with two inputs on disk: %s", said(more))
	} else {
		second = append(second, more...)
	}
	second = append(second, late.due(100)...)
	if a, b := said(first), said(second); a != "10:0 20:1 30:2 " || b != a {
		t.Errorf("%s, and with late verdicts %s", a, b)
	}

	// Candidates without a verdict hold no line back at the end.
	var left series
	left.offered = 5
	left.mark(line(10, 0), true)
	left.mark(line(20, 0), false)
	if got := said(left.due(100)); got != "" {
		t.Errorf("due: %s", got)
	}
	if got := said(left.rest(3)); got != "10:3 20:0 " {
		t.Errorf("rest: %s", got)
	}
}

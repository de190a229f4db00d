package report

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"parallax/cmd/internal/sample"
)

// shownThin is how many thinly tested branches are named at the end of a run.
const shownThin = 5

// behaviour tells how diverse the behaviours are that inputs have shown.
func behaviour(row func(name, format string, args ...any), s *Summary) {
	b := s.Behaviour
	if b == nil || b.Traces == 0 {
		return
	}
	about := ""
	if b.Weight > 1 {
		about = "about "
	}
	row("behaviour", "%s%s unique traces, %s of them of valid inputs; B(0) %s, B(1) %s, B(2) %s, evenness %.2f", about,
		Thousands(b.Traces), Thousands(b.ValidTraces), Few(b.B0), Few(b.B1), Few(b.B2), b.Evenness)
	row("", "%s of the inputs are valid; probabilities of the next: a new trace %s, a new branch %s, a failure below %s",
		Percent(b.ValidShare()), Percent(b.NewTrace), newBranch(&b.Behaviour), Percent(b.RiskBound))
	if b.Expected > b.B0 {
		row("", "at least %s branches can be covered, as far as inputs like these tell", Few(b.Expected))
	}
	if b.Structural != nil || b.Value != nil {
		row("", "new traces of valid inputs: %s of structural mutants, %s of value mutants", Percent(b.Structural.Share()), Percent(b.Value.Share()))
	}
	var thin []string
	for i, t := range b.Thin {
		if i == shownThin {
			break
		}
		at := Escape(t.Location)
		if len(s.Programs) > 1 {
			at += " in " + Escape(t.Program)
		}
		thin = append(thin, fmt.Sprintf("%s (%s)", at, plural(t.Traces, "trace")))
	}
	if len(thin) > 0 {
		row("", "executed by the fewest: %s", strings.Join(thin, ", "))
	}
}

// newBranch is the probability of a new branch in words: where no branch was executed by one input alone, there is no estimate but a bound.
func newBranch(b *sample.Behaviour) string {
	p, bound := b.Branch()
	if bound {
		return "below " + Percent(p)
	}
	return "about " + Percent(p)
}

// Few is a number that need not be whole, with the digits that matter.
func Few(f float64) string {
	if f >= 100 || f == math.Trunc(f) {
		return Thousands(uint64(max(0, math.Round(f))))
	}
	return strconv.FormatFloat(f, 'f', 1, 64)
}

// Percent is a share in percent, with two digits that matter.
func Percent(f float64) string {
	switch {
	case !(f > 0): // also what is no number
		return "0 %"
	case f >= 1:
		return "100 %"
	case f >= 0.0995:
		return strconv.FormatFloat(100*f, 'f', 0, 64) + " %"
	}
	return strings.TrimSuffix(strconv.FormatFloat(100*f, 'f', int(math.Ceil(-math.Log10(100*f)))+1, 64), ".") + " %"
}

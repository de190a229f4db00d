package trial

import (
	"slices"

	"parallax/cmd/internal/finding/sample"
)

// Behavior measures the diversity of a trial's behaviors over time, with a column for each compared
// number of package sample. It is empty for trials of older versions of parallax, and without
// blocks.
type Behavior map[string][]float64

// behaviorColumn is a number of sample.Behavior that trials record.
type behaviorColumn struct {
	key  string // in JSON
	text string // in tables
	of   func(b *sample.Behavior) float64
}

var behaviorColumns = []behaviorColumn{
	{"valid_traces", "diverse valid inputs", func(b *sample.Behavior) float64 { return float64(b.ValidTraces) }},
	{"traces", "unique traces", func(b *sample.Behavior) float64 { return float64(b.Traces) }},
	{"valid", "valid inputs", func(b *sample.Behavior) float64 { return float64(b.Valid) }},
	{"b0", "B(0)", func(b *sample.Behavior) float64 { return b.B0 }},
	{"valid_b0", "B(0) of valid inputs", func(b *sample.Behavior) float64 { return b.ValidB0 }},
	{"b1", "B(1)", func(b *sample.Behavior) float64 { return b.B1 }},
	{"valid_b1", "B(1) of valid inputs", func(b *sample.Behavior) float64 { return b.ValidB1 }},
	{"b2", "B(2)", func(b *sample.Behavior) float64 { return b.B2 }},
	{"valid_b2", "B(2) of valid inputs", func(b *sample.Behavior) float64 { return b.ValidB2 }},
}

// add adds line n, from 0, of a campaign's time series.
func (s *Behavior) add(n int, b *sample.Behavior) {
	if b == nil {
		b = &sample.Behavior{}
		if *s == nil {
			return
		}
	}
	if *s == nil {
		*s = Behavior{}
	}
	for _, c := range behaviorColumns {
		column := (*s)[c.key]
		for len(column) < n { // earlier lines, before blocks were known
			column = append(column, 0)
		}
		(*s)[c.key] = append(column, c.of(b))
	}
}

// behaviorMetrics returns the metrics: each number, and the share of diverse valid inputs
// (BeDivFuzz, section 4.2, RQ1).
func behaviorMetrics() (list []metric) {
	share := metric{name: "diverse_valid_percent", text: "diverse valid inputs, % of all", behavior: true, of: func(_ *Config, s *Sample, p point) float64 {
		inputs := p.value(&s.Series, func(i int) float64 { return float64(s.Series.Inputs[i]) })
		if inputs == 0 {
			return 0
		}
		return 100 * s.Series.Behavior.value(s, p, "valid_traces") / inputs
	}}
	list = append(list, share)
	for _, c := range behaviorColumns {
		list = append(list, metric{name: c.key, text: c.text, behavior: true, of: func(_ *Config, s *Sample, p point) float64 {
			return s.Series.Behavior.value(s, p, c.key)
		}})
	}
	return list
}

func (b Behavior) value(s *Sample, p point, key string) float64 {
	column := b[key]
	return p.value(&s.Series, func(i int) float64 {
		if i < len(column) {
			return column[i]
		}
		return 0
	})
}

// hasBehavior reports whether trials of the subject recorded behavior.
func (d *data) hasBehavior(s *Subject) bool {
	return slices.ContainsFunc(d.all(s.Name), func(one *Sample) bool { return len(one.Series.Behavior) > 0 })
}

package trial

import (
	"math"
	"sort"

	"parallax/cmd/internal/finding/sample"
	"parallax/internal/feature"
)

// point is the point of comparison of a subject's trials: a number of inputs, or a CPU time.
type point struct {
	clock clock
	at    float64 // inputs or seconds
}

// clock selects the unit of comparison.
type clock int

const (
	byCPU clock = iota
	byInputs
)

func (c clock) String() string {
	if c == byInputs {
		return "inputs"
	}
	return "cpu"
}

// axis returns the clock's column of a series.
func (c clock) axis(s *Series, i int) float64 {
	if c == byInputs {
		return float64(s.Inputs[i])
	}
	return s.CPU[i]
}

// end returns the clock's value at the end of a trial.
func (c clock) end(s *Sample) float64 {
	if c == byInputs {
		return float64(s.Inputs)
	}
	return s.CPU
}

// value reads a column of a series at a point. It interpolates linearly between lines, starting
// from zero, and keeps the last value.
func (p point) value(s *Series, column func(i int) float64) float64 {
	n := len(s.Inputs)
	i := sort.Search(n, func(i int) bool { return p.clock.axis(s, i) >= p.at })
	switch {
	case n == 0:
		return 0
	case i == n:
		return column(n - 1)
	}
	x, y := p.clock.axis(s, i), column(i)
	x0, y0 := 0.0, 0.0
	if i > 0 {
		x0, y0 = p.clock.axis(s, i-1), column(i-1)
	}
	if x == x0 {
		return y
	}
	return y0 + (y-y0)*(p.at-x0)/(x-x0)
}

// time returns the clock's value after a number of inputs.
func (c clock) time(s *Series, inputs uint64) float64 {
	if c == byInputs {
		return float64(inputs)
	}
	at := point{byInputs, float64(inputs)}
	return at.value(s, func(i int) float64 { return s.CPU[i] })
}

// within reports whether a finding was made by the point.
func (p point) within(s *Sample, f *Found) bool {
	return p.clock.time(&s.Series, f.FirstSeen) <= p.at
}

// metric is a figure of a trial.
type metric struct {
	name    string // in JSON
	text    string // in tables
	of      func(c *Config, s *Sample, p point) float64
	diff    bool // applies only to comparisons of programs
	triaged bool // needs triaged candidates
	// behavior means that the metric needs behavior, which not all trials have. Its tables have
	// subjects of fuzz.
	behavior bool
}

// column returns the metric of a column of the series.
func column(of func(s *Series, i int) int) func(*Config, *Sample, point) float64 {
	return func(_ *Config, s *Sample, p point) float64 {
		return p.value(&s.Series, func(i int) float64 { return float64(of(&s.Series, i)) })
	}
}

// metrics lists the metrics, in the order of the tables. Each domain has one automatically.
var metrics = append(append(append([]metric{
	{"unique_discrepancies", "unique discrepancies", column(func(s *Series, i int) int { return s.Unique[i] }), true, false, false},
	{"buckets", "buckets", bucketsAt, false, true, false},
	{"causes", "known causes", causesAt, false, true, false},
	{"failures", "kinds of failures", failuresAt, false, true, false},
}, domainMetrics()...), metric{"covered", "blocks covered", column(func(s *Series, i int) int { return s.Covered[i] }), false, false, false}),
	behaviorMetrics()...)

func domainMetrics() (list []metric) {
	for _, c := range sample.Columns(feature.Fitting(feature.Names(2, false), false), func(int) int { return 0 }) {
		list = append(list, metric{c.Key, c.Key + " diversity", column(func(s *Series, i int) int {
			if column := s.Diversity[c.Key]; i < len(column) {
				return column[i]
			}
			return 0
		}), true, false, false})
	}
	return list
}

// bucketsAt counts the buckets with an input that was found by the point. Triage may be later.
func bucketsAt(_ *Config, s *Sample, p point) float64 {
	n := 0
	for i := range s.Buckets {
		if p.within(s, &s.Buckets[i]) {
			n++
		}
	}
	return float64(n)
}

func causesAt(c *Config, s *Sample, p point) float64 {
	n := 0
	for _, inputs := range c.causesOf(s) {
		if p.clock.time(&s.Series, inputs) <= p.at {
			n++
		}
	}
	return float64(n)
}

// causesOf returns the known causes that a trial found, with the number of inputs before.
func (c *Config) causesOf(s *Sample) map[string]uint64 {
	found := map[string]uint64{}
	subject := c.subject(s.Subject)
	for i := range s.Buckets {
		s.Buckets[i].each(func(one *Found, at uint64) {
			name := subject.causeOf(one)
			if first, ok := found[name]; name != "" && (!ok || at < first) {
				found[name] = at
			}
		})
	}
	return found
}

// points returns the points of comparison of a subject. The CPU time is one that all trials
// reached, at most the budget. The number of inputs is the configured one, or one that all
// executed. Trials that were cut off do not count.
func (c *Config) points(s *Subject, samples []*Sample) [2]point {
	cpu, inputs := math.Inf(1), math.Inf(1)
	for _, one := range samples {
		if !one.Cut {
			cpu, inputs = min(cpu, one.CPU), min(inputs, float64(one.Inputs))
		}
	}
	if b := c.CPU.Seconds(); b > 0 {
		cpu = min(cpu, b)
	}
	switch {
	case s.CompareAtInputs > 0:
		inputs = float64(s.CompareAtInputs)
	case c.CompareAtInputs > 0:
		inputs = float64(c.CompareAtInputs)
	case c.Inputs > 0:
		inputs = min(inputs, float64(c.Inputs))
	}
	if math.IsInf(cpu, 1) { // all were cut off
		cpu = 0
	}
	if math.IsInf(inputs, 1) {
		inputs = 0
	}
	return [2]point{{byCPU, cpu}, {byInputs, inputs}}
}

package trial

import (
	"maps"
	"slices"

	"parallax/cmd/internal/stats"
)

// Times are how long configurations take to find the known causes. The family of comparisons is all of it.
type Times struct {
	At      string    `json:"at"` // "cpu": seconds; "inputs"
	Rows    []TimeRow `json:"rows"`
	LeftOut int       `json:"left_out,omitempty"` // trials, of subjects with rows
}

// TimeRow is a cause.
type TimeRow struct {
	Subject string     `json:"subject"`
	Cause   string     `json:"cause"`
	Cells   []TimeCell `json:"cells"`
}

// TimeCell is the trials of a configuration. A12 of the test is how likely it is the earlier one.
type TimeCell struct {
	Configuration string      `json:"configuration"`
	N             int         `json:"n"`
	LeftOut       int         `json:"left_out,omitempty"` // trials that did not reach the point of comparison, not in n
	Found         int         `json:"found"`              // trials that found it before the point of comparison
	Median        *float64    `json:"median"`             // null if fewer than half have
	Test          *Comparison `json:"against_baseline,omitempty"`
}

// times compares the times to each cause that any trial has found; nil if there is none.
func (a *Analysis) times(d *data, subjects []*Subject, at clock) *Times {
	t := &Times{At: at.String()}
	for _, s := range subjects {
		values, leftOut := d.timesTo(s, a.info(s.Name).points[at])
		before := len(t.Rows)
		for _, cause := range s.Causes {
			if slices.Contains(a.info(s.Name).NeverSeen, cause.Name) {
				continue
			}
			t.Rows = append(t.Rows, timeRow(s.Name, cause.Name, d.configurations, a.Baseline, values[cause.Name], leftOut))
		}
		if len(t.Rows) > before {
			for _, n := range leftOut {
				t.LeftOut += n
			}
		}
	}
	if len(t.Rows) == 0 {
		return nil
	}
	var family []*Comparison
	for i := range t.Rows {
		for j := range t.Rows[i].Cells {
			if c := t.Rows[i].Cells[j].Test; c != nil {
				family = append(family, c)
			}
		}
	}
	correct(family)
	return t
}

// whole reports whether a trial can tell what it would have found by then: one that was cut off lacks findings, and one that
// ended before might have found more.
func (p point) whole(s *Sample) bool { return !s.Cut && p.clock.end(s) >= p.at }

// timesTo are the times to each cause of a subject, by configuration; stats.Never where a trial did not find it by then. Trials
// that did not get there are left out, also with what they have found, or else the early ones alone would count.
func (d *data) timesTo(s *Subject, p point) (values map[string]map[string][]float64, leftOut map[string]int) {
	values, leftOut = map[string]map[string][]float64{}, map[string]int{}
	for _, cause := range s.Causes {
		values[cause.Name] = map[string][]float64{}
	}
	for _, name := range d.configurations {
		for _, one := range d.runs[s.Name][name] {
			if !p.whole(one) {
				leftOut[name]++
				continue
			}
			found := d.causesOf(one)
			for _, cause := range s.Causes {
				at := stats.Never
				if inputs, ok := found[cause.Name]; ok {
					if v := p.clock.time(&one.Series, inputs); v <= p.at {
						at = v
					}
				}
				values[cause.Name][name] = append(values[cause.Name][name], at)
			}
		}
	}
	return values, leftOut
}

func timeRow(subject, cause string, configurations []string, baseline string, values map[string][]float64, leftOut map[string]int) TimeRow {
	r := TimeRow{Subject: subject, Cause: cause}
	base := values[baseline]
	for _, name := range configurations {
		own := values[name]
		c := TimeCell{Configuration: name, N: len(own), LeftOut: leftOut[name], Found: stats.Happened(own)}
		if m, ok := stats.MedianTime(own); ok {
			c.Median = &m
		}
		if name != baseline && len(own) > 0 && len(base) > 0 {
			in := stats.A12Interval(base, own)
			c.Test = compare(stats.Earlier(own, base), in)
		}
		r.Cells = append(r.Cells, c)
	}
	return r
}

// Overlap says what groups of configurations have found, all their trials together, and what each configuration has and the
// baseline has not.
type Overlap struct {
	Of      string    `json:"of"` // "unique_discrepancies", "buckets" or "causes"
	Groups  []string  `json:"groups"`
	Trials  []int     `json:"trials"`  // of each group
	Regions []Region  `json:"regions"` // those that hold something
	Pairs   []Between `json:"pairs"`
}

// Region is what some groups have found, and no other.
type Region struct {
	Groups []string `json:"groups"`
	Count  int      `json:"count"`
}

// Between is a configuration beside the baseline.
type Between struct {
	Configuration string `json:"configuration"`
	Both          int    `json:"both"`
	Only          int    `json:"only"`
	OnlyBaseline  int    `json:"only_baseline"`
}

// elements are what a trial has found, named so that it is the same in other trials of the subject.
var elements = []struct {
	of   string
	text string
	in   func(c *Config, s *Sample) []string
}{
	{"unique_discrepancies", "unique discrepancies", func(_ *Config, s *Sample) []string { return s.Tuples }},
	{"buckets", "buckets", func(_ *Config, s *Sample) (ids []string) {
		for _, b := range s.Buckets {
			ids = append(ids, b.ID)
		}
		return ids
	}},
	{"causes", "known causes", func(c *Config, s *Sample) []string { return slices.Sorted(maps.Keys(c.causesOf(s))) }},
}

func overlaps(d *data, subjects []*Subject) (all []*Overlap) {
	for _, e := range elements {
		by := map[string]map[string]bool{} // by configuration
		for _, name := range d.configurations {
			by[name] = map[string]bool{}
			for _, s := range subjects {
				for _, one := range d.runs[s.Name][name] {
					for _, element := range e.in(d.Config, one) {
						by[name][s.Name+"/"+element] = true
					}
				}
			}
		}
		if o := d.overlap(e.of, by, subjects); len(o.Regions) > 0 {
			all = append(all, o)
		}
	}
	return all
}

// maxGroups bounds what is counted by each combination of groups.
const maxGroups = 10

func (d *data) overlap(of string, by map[string]map[string]bool, subjects []*Subject) *Overlap {
	o := &Overlap{Of: of}
	var sets []map[string]bool
	for _, name := range d.configurations {
		group := d.configuration(name).group()
		i := slices.Index(o.Groups, group)
		if i < 0 {
			if len(o.Groups) == maxGroups {
				continue
			}
			i = len(o.Groups)
			o.Groups, o.Trials, sets = append(o.Groups, group), append(o.Trials, 0), append(sets, map[string]bool{})
		}
		maps.Copy(sets[i], by[name])
		for _, s := range subjects {
			o.Trials[i] += len(d.runs[s.Name][name])
		}
	}
	counts := stats.Overlap(sets)
	for mask := len(counts) - 1; mask > 0; mask-- { // common to all first
		if counts[mask] == 0 {
			continue
		}
		r := Region{Count: counts[mask]}
		for i, g := range o.Groups {
			if mask>>i&1 == 1 {
				r.Groups = append(r.Groups, g)
			}
		}
		o.Regions = append(o.Regions, r)
	}
	slices.SortStableFunc(o.Regions, func(x, y Region) int {
		if len(x.Groups) != len(y.Groups) {
			return len(y.Groups) - len(x.Groups)
		}
		return y.Count - x.Count
	})
	base := d.baseline()
	for _, name := range d.configurations {
		if name == base || by[base] == nil {
			continue
		}
		counts := stats.Overlap([]map[string]bool{by[name], by[base]})
		o.Pairs = append(o.Pairs, Between{Configuration: name, Both: counts[3], Only: counts[1], OnlyBaseline: counts[2]})
	}
	return o
}

package trial

import (
	"maps"
	"math"
	"slices"

	"parallax/internal/stats"
)

// Times compares how long configurations take to find the known causes, or the kinds of failures.
// All comparisons form one family.
type Times struct {
	Of      string    `json:"of"` // "causes" or "failures"
	At      string    `json:"at"` // "cpu": seconds; "inputs"
	Rows    []TimeRow `json:"rows"`
	LeftOut int       `json:"left_out,omitempty"` // number of trials, on subjects with rows
}

// TimeRow is a cause, or a kind of failure.
type TimeRow struct {
	Subject string     `json:"subject"`
	Cause   string     `json:"cause"`
	Cells   []TimeCell `json:"cells"`
}

// TimeCell has the trials of a configuration. A12 of the test is the probability of being earlier.
type TimeCell struct {
	Configuration string `json:"configuration"`
	N             int    `json:"n"`
	// trials that did not reach the point of comparison, not in n
	LeftOut int `json:"left_out,omitempty"`
	// trials that found it before the point of comparison
	Found  int         `json:"found"`
	Median *float64    `json:"median"`         // null if fewer than half found it
	Mean   *float64    `json:"mean,omitempty"` // of those that found it
	Test   *Comparison `json:"against_baseline,omitempty"`
}

// times compares the times to each cause that some trial found. It returns nil if there is none.
func (a *Analysis) times(d *data, subjects []*Subject, at clock) *Times {
	return a.timesTo(d, subjects, at, "causes", func(s *Subject) (names []string) {
		for _, cause := range s.Causes {
			if !slices.Contains(a.info(s.Name).NeverSeen, cause.Name) {
				names = append(names, cause.Name)
			}
		}
		return names
	}, d.causesOf)
}

// timesTo compares the times to named things that trials find after some inputs.
func (a *Analysis) timesTo(d *data, subjects []*Subject, at clock, of string, names func(s *Subject) []string, found func(*Sample) map[string]uint64) *Times {
	t := &Times{Of: of, At: at.String()}
	for _, s := range subjects {
		wanted := names(s)
		if len(wanted) == 0 || of == "failures" && d.untriaged(s) {
			continue
		}
		values, leftOut := d.timesTo(s, a.info(s.Name).points[at], wanted, found)
		for _, name := range wanted {
			t.Rows = append(t.Rows, timeRow(s.Name, name, d.configurations, a.Baseline, values[name], leftOut))
		}
		for _, n := range leftOut {
			t.LeftOut += n
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

// whole reports whether a trial is complete up to the point. A trial that was cut off lacks
// findings, and one that ended before might have found more.
func (p point) whole(s *Sample) bool { return !s.Cut && p.clock.end(s) >= p.at }

// timesTo returns the times to named things, by configuration, or stats.Never if a trial did not
// find one by the point. Trials that did not reach the point are left out with all their finds,
// since otherwise only the early ones would count.
func (d *data) timesTo(s *Subject, p point, names []string, found func(*Sample) map[string]uint64) (values map[string]map[string][]float64, leftOut map[string]int) {
	values, leftOut = map[string]map[string][]float64{}, map[string]int{}
	for _, name := range names {
		values[name] = map[string][]float64{}
	}
	for _, configuration := range d.configurations {
		for _, one := range d.runs[s.Name][configuration] {
			if !p.whole(one) {
				leftOut[configuration]++
				continue
			}
			by := found(one)
			for _, name := range names {
				at := stats.Never
				if inputs, ok := by[name]; ok {
					if v := p.clock.time(&one.Series, inputs); v <= p.at {
						at = v
					}
				}
				values[name][configuration] = append(values[name][configuration], at)
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
		c := TimeCell{Configuration: name, N: len(own), LeftOut: leftOut[name], Found: stats.CountHappened(own)}
		if m, ok := stats.MedianTime(own); ok {
			c.Median = &m
		}
		if m, ok := mean(own); ok {
			c.Mean = &m
		}
		if name != baseline && len(own) > 0 && len(base) > 0 {
			in := stats.A12Interval(base, own)
			c.Test = compare(stats.CompareTimes(own, base), in)
		}
		r.Cells = append(r.Cells, c)
	}
	return r
}

// Overlap compares the finds of groups of configurations, for equal numbers of trials, and each
// configuration's finds with the baseline's. More trials find more, so groups of different sizes
// cannot be compared directly. Counts are medians over draws of equally many trials of each. A draw
// has at most half of the baseline's trials, so two disjoint draws of the baseline show the effect
// of chance.
type Overlap struct {
	Of      string    `json:"of"`  // "unique_discrepancies", "buckets" or "causes"
	All     int       `json:"all"` // found by all trials together
	Groups  []string  `json:"groups"`
	Trials  []int     `json:"trials"`             // number of trials of each group
	Drawn   int       `json:"drawn"`              // of each group
	LeftOut []string  `json:"left_out,omitempty"` // subjects on which a group has no trials
	Regions []Region  `json:"regions"`            // non-empty ones
	Pairs   []Between `json:"pairs"`
	// other trials of the baseline; null if it has too few
	Itself *Between `json:"itself,omitempty"`
}

// Region counts the finds of exactly some groups.
type Region struct {
	Groups []string `json:"groups"`
	Count  int      `json:"count"`
}

// Between compares a configuration with the baseline.
type Between struct {
	Configuration string `json:"configuration"`
	Trials        int    `json:"trials"` // drawn for each side
	Both          int    `json:"both"`
	Only          int    `json:"only"`
	OnlyBaseline  int    `json:"only_baseline"`
}

// elements lists the kinds of finds. Names are equal in different trials of a subject.
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

// findings holds the trials by subject and configuration, with elements numbered per subject.
type findings struct {
	subjects []string
	trials   map[string]map[string][]stats.Finds
	elements map[string]int // number per subject
}

func overlaps(d *data, subjects []*Subject) (all []*Overlap) {
	for _, e := range elements {
		f := &findings{trials: map[string]map[string][]stats.Finds{}, elements: map[string]int{}}
		for _, s := range subjects {
			f.add(d, s.Name, e.in)
		}
		if o := d.overlap(e.of, f); o.All > 0 {
			all = append(all, o)
		}
	}
	return all
}

func (f *findings) add(d *data, subject string, in func(c *Config, s *Sample) []string) {
	numbers := map[string]int{}
	by := map[string][]stats.Finds{}
	for _, name := range d.configurations {
		for _, one := range d.runs[subject][name] {
			found := stats.Finds{}
			for _, element := range in(d.Config, one) {
				n, known := numbers[element]
				if !known {
					n = len(numbers)
					numbers[element] = n
				}
				found = append(found, n)
			}
			by[name] = append(by[name], found)
		}
	}
	f.subjects, f.trials[subject], f.elements[subject] = append(f.subjects, subject), by, len(numbers)
}

// half returns how many of the baseline's trials are drawn for a subject, so that equally many
// others remain.
func half(trials int) int { return max(min(1, trials), trials/2) }

// maxGroups limits the groups, since each combination of them is counted.
const maxGroups = 10

func (d *data) overlap(of string, f *findings) *Overlap {
	o := &Overlap{Of: of}
	members := map[string][]string{}
	for _, name := range d.configurations {
		group := d.configuration(name).group()
		if members[group] == nil && len(o.Groups) < maxGroups {
			o.Groups = append(o.Groups, group)
		}
		members[group] = append(members[group], name)
	}
	o.Trials = make([]int, len(o.Groups))
	base := d.baseline()
	var pools []stats.Pools
	for _, s := range f.subjects {
		o.All += f.elements[s]
		pool := stats.Pools{Elements: f.elements[s], Draw: math.MaxInt}
		if n := len(f.trials[s][base]); n > 0 {
			pool.Draw = half(n)
		}
		for i, group := range o.Groups {
			var trials []stats.Finds
			for _, name := range members[group] {
				trials = append(trials, f.trials[s][name]...)
			}
			o.Trials[i] += len(trials)
			pool.Sides, pool.Draw = append(pool.Sides, trials), min(pool.Draw, len(trials))
		}
		if pool.Draw == 0 {
			o.LeftOut = append(o.LeftOut, s)
			continue
		}
		o.Drawn += pool.Draw
		pools = append(pools, pool)
	}
	o.regions(stats.Overlap(pools))
	if !slices.Contains(d.configurations, base) {
		return o
	}
	for _, name := range d.configurations {
		if name != base {
			o.Pairs = append(o.Pairs, f.between(name, base))
		}
	}
	o.Itself = f.itself(base)
	return o
}

func (o *Overlap) regions(counts []int) {
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
}

func (f *findings) between(name, base string) Between {
	b := Between{Configuration: name}
	var pools []stats.Pools
	for _, s := range f.subjects {
		own, others := f.trials[s][name], f.trials[s][base]
		if n := min(half(len(others)), len(own)); n > 0 {
			b.Trials += n
			pools = append(pools, stats.Pools{Sides: [][]stats.Finds{own, others}, Elements: f.elements[s], Draw: n})
		}
	}
	b.count(stats.Overlap(pools))
	return b
}

// itself compares trials of the baseline with others of it, as many as configurations are drawn
// with. It returns nil if a subject has too few.
func (f *findings) itself(base string) *Between {
	b := &Between{Configuration: base}
	var pools []stats.Pools
	for _, s := range f.subjects {
		switch trials := f.trials[s][base]; len(trials) {
		case 0:
		case 1:
			return nil
		default:
			b.Trials += half(len(trials))
			pools = append(pools, stats.Pools{Sides: [][]stats.Finds{trials}, Elements: f.elements[s], Draw: half(len(trials))})
		}
	}
	if len(pools) == 0 {
		return nil
	}
	b.count(stats.SplitHalf(pools))
	return b
}

func (b *Between) count(counts []int) {
	if len(counts) == 4 {
		b.Both, b.Only, b.OnlyBaseline = counts[3], counts[1], counts[2]
	}
}

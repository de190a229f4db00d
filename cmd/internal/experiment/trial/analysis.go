package trial

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"parallax/internal/stats"
)

// AnalysisVersion is the version of the output of --json.
const AnalysisVersion = 1

// fewest is the minimum number of trials for a significant difference between two sides. With three
// each, two of 20 orders are the most extreme. With fewer on any subject, the total is worthless.
const fewest = 4

// significant is the level of a corrected p below which a difference is reported. strict is a
// second level, from the papers on generators.
const (
	significant = 0.05
	strict      = 0.01
)

// Analysis compares configurations. It depends only on the samples and the configuration.
type Analysis struct {
	Version        int           `json:"version"`
	Baseline       string        `json:"baseline"`
	CPU            float64       `json:"cpu_seconds,omitempty"` // the budget
	Inputs         uint64        `json:"inputs,omitempty"`
	Trials         int           `json:"trials"`
	Samples        int           `json:"samples"`
	Missing        int           `json:"missing"` // trials without a sample
	Cut            int           `json:"cut"`     // trials that took too long
	Resumed        int           `json:"resumed"` // interrupted trials that continued
	AllCPU         float64       `json:"all_cpu_seconds"`
	Problems       []string      `json:"problems,omitempty"`
	Origins        []string      `json:"origins"`
	Loads          [2]string     `json:"loads"` // least and most, by the first number
	Configurations []WhatRan     `json:"configurations"`
	Parts          []*Part       `json:"parts"`
	Subjects       []SubjectInfo `json:"subjects"`
}

// WhatRan is a configuration.
type WhatRan struct {
	Name  string   `json:"name"`
	Group string   `json:"group"`
	Flags []string `json:"flags"`

	blackbox bool
}

// SubjectInfo describes a subject, and the points at which its trials are compared.
type SubjectInfo struct {
	Name      string            `json:"name"`
	Choosing  bool              `json:"choosing"` // was used to choose a default
	Programs  map[string]string `json:"programs"`
	Modules   map[string]string `json:"modules"`
	CPU       float64           `json:"at_cpu_seconds"`
	Inputs    uint64            `json:"at_inputs"`
	Short     int               `json:"short"` // trials with fewer inputs
	Buckets   int               `json:"buckets"`
	Unnamed   int               `json:"unnamed"` // buckets without a known cause
	Examples  []Found           `json:"examples,omitempty"`
	NeverSeen []string          `json:"never_seen,omitempty"` // causes that no trial found

	points [2]point
}

// Part is a set of subjects that are reported together.
type Part struct {
	Name     string     `json:"name"` // "held-out", "choosing", or "all" if no default was chosen
	Subjects []string   `json:"subjects"`
	Tables   []*Table   `json:"tables"`
	Times    []*Times   `json:"times"` // to each known cause, and to each kind of failure
	Growth   []*Growth  `json:"growth,omitempty"`
	Overlaps []*Overlap `json:"overlaps"`
}

// Table compares one metric at one point, for all subjects and configurations. These comparisons
// form the family of Holm's correction.
type Table struct {
	Metric  string    `json:"metric"`
	At      string    `json:"at"` // "cpu" or "inputs"
	Rows    []Row     `json:"rows"`
	Overall []Overall `json:"overall"`

	// subjects without a row, since trials have untriaged candidates
	Untriaged []string `json:"untriaged,omitempty"`

	text string
}

// Row is a subject.
type Row struct {
	Subject string `json:"subject"`
	Cells   []Cell `json:"cells"` // in the order of configurations
}

// Cell compares the trials of a configuration on a subject with those of the baseline.
type Cell struct {
	Configuration string      `json:"configuration"`
	N             int         `json:"n"`
	Median        *float64    `json:"median"`
	First         *float64    `json:"first_quartile"`
	Third         *float64    `json:"third_quartile"`
	Test          *Comparison `json:"against_baseline,omitempty"`
}

// Comparison is a Mann-Whitney test.
type Comparison struct {
	U         float64    `json:"u"`
	A12       float64    `json:"a12"`
	Interval  [2]float64 `json:"a12_interval"`
	P         float64    `json:"p"`
	Corrected float64    `json:"p_corrected"`
}

// verdict returns 1 if the configuration is better than the baseline, -1 if it is worse, and 0
// without a significant difference.
func (c *Comparison) verdict() int { return c.verdictAt(significant) }

func (c *Comparison) verdictAt(level float64) int {
	switch {
	case c == nil || c.Corrected >= level:
		return 0
	case c.A12 > 0.5:
		return 1
	}
	return -1
}

// Overall compares a configuration with the baseline on all subjects of a part.
type Overall struct {
	Configuration string  `json:"configuration"`
	Place         float64 `json:"mean_place"` // mean rank of the medians; 1 is best
	// over the subjects, weighted as in van Elteren's test
	A12          float64 `json:"a12"`
	P            float64 `json:"p"`         // of van Elteren's test
	Direction    int     `json:"direction"` // 1 means better than the baseline, -1 worse
	Corrected    float64 `json:"p_corrected"`
	Few          bool    `json:"too_few_trials,omitempty"` // for the approximation
	Better       int     `json:"better"`                   // number of subjects
	Worse        int     `json:"worse"`
	StrictBetter int     `json:"better_at_one_percent"` // at the strict level
	StrictWorse  int     `json:"worse_at_one_percent"`
	Subjects     int     `json:"subjects"`
}

// data holds samples by subject and configuration, in the configuration's order.
type data struct {
	*Config
	subjects       []*Subject
	configurations []string
	runs           map[string]map[string][]*Sample
}

// Analyze compares the samples of matching subjects and configurations. A nil only matches all.
func Analyze(c *Config, samples []*Sample, only *regexp.Regexp) (*Analysis, error) {
	d := &data{Config: c, runs: map[string]map[string][]*Sample{}}
	a := &Analysis{Version: AnalysisVersion, Baseline: c.baseline(), CPU: c.CPU.Seconds(), Inputs: c.Inputs, Trials: c.Trials}
	origins := map[string]bool{}
	for _, s := range slices.SortedStableFunc(slices.Values(samples), func(x, y *Sample) int { return x.Trial - y.Trial }) {
		if only != nil && !only.MatchString(s.Subject+"/"+s.Configuration) {
			continue
		}
		if d.runs[s.Subject] == nil {
			d.runs[s.Subject] = map[string][]*Sample{}
		}
		d.runs[s.Subject][s.Configuration] = append(d.runs[s.Subject][s.Configuration], s)
		a.count(s)
		origins[s.Origin.String()] = true
	}
	if a.Samples == 0 {
		return nil, fmt.Errorf("there are no samples yet")
	}
	a.Origins = slices.Sorted(maps.Keys(origins))
	for i := range c.Configurations {
		one := &c.Configurations[i]
		if d.ran(one.Name) {
			d.configurations = append(d.configurations, one.Name)
			a.Configurations = append(a.Configurations, WhatRan{one.Name, one.group(), append([]string{}, one.Flags...), one.Blackbox})
		}
	}
	for i := range c.Subjects {
		s := &c.Subjects[i]
		if d.runs[s.Name] != nil {
			d.subjects = append(d.subjects, s)
			info := d.info(s)
			a.Subjects = append(a.Subjects, info)
			a.Problems = append(a.Problems, s.strangers(info.Programs)...)
		}
	}
	a.Missing = len(c.missing(samples, only))
	a.parts(d)
	return a, nil
}

func (a *Analysis) count(s *Sample) {
	a.Samples++
	a.AllCPU += s.AllCPU
	if s.Cut {
		a.Cut++
	}
	if len(s.Resumed) > 0 {
		a.Resumed++
	}
	first := func(load string) (v float64) { fmt.Sscan(load, &v); return v }
	if a.Samples == 1 || first(s.Load) < first(a.Loads[0]) {
		a.Loads[0] = s.Load
	}
	if a.Samples == 1 || first(s.Load) > first(a.Loads[1]) {
		a.Loads[1] = s.Load
	}
}

func (c *Configuration) group() string {
	if c.Group != "" {
		return c.Group
	}
	return c.Name
}

// ran reports whether a configuration has samples.
func (d *data) ran(name string) bool {
	for _, by := range d.runs {
		if len(by[name]) > 0 {
			return true
		}
	}
	return false
}

// all returns the samples of a subject.
func (d *data) all(subject string) (all []*Sample) {
	for _, name := range d.configurations {
		all = append(all, d.runs[subject][name]...)
	}
	return all
}

// maxExamples limits the findings without a cause that are shown per subject.
const maxExamples = 5

// info summarizes a subject.
func (d *data) info(s *Subject) SubjectInfo {
	all := d.all(s.Name)
	info := SubjectInfo{Name: s.Name, Choosing: d.chosenOn(s.Name), Programs: all[0].Programs, Modules: all[0].Modules}
	if info.Modules == nil {
		info.Modules = map[string]string{} // readers of the JSON expect an object, not null
	}
	info.points = d.points(s, all)
	info.CPU, info.Inputs = info.points[byCPU].at, uint64(info.points[byInputs].at)
	found := map[string]bool{}
	unnamed := map[string]*Found{} // by bucket
	times := map[string]int{}
	for _, one := range all {
		if one.Inputs < info.Inputs {
			info.Short++
		}
		for i := range one.Buckets {
			b := &one.Buckets[i]
			info.Buckets++
			b.each(func(one *Found, _ uint64) { found[s.causeOf(one)] = true })
			if s.causeOf(b) == "" {
				info.Unnamed++
				times[b.ID]++
				if unnamed[b.ID] == nil || len(b.Input) < len(unnamed[b.ID].Input) {
					unnamed[b.ID] = b
				}
			}
		}
	}
	ids := slices.SortedFunc(maps.Keys(unnamed), func(x, y string) int {
		if times[x] != times[y] {
			return times[y] - times[x]
		}
		return strings.Compare(x, y)
	})
	for _, id := range ids[:min(maxExamples, len(ids))] {
		example := *unnamed[id]
		example.Count = uint64(times[id])
		info.Examples = append(info.Examples, example)
	}
	for _, cause := range s.Causes {
		if !found[cause.Name] {
			info.NeverSeen = append(info.NeverSeen, cause.Name)
		}
	}
	return info
}

// parts separates subjects that were used to choose a default from the others.
func (a *Analysis) parts(d *data) {
	chosen := func(s *Subject) bool { return d.chosenOn(s.Name) }
	held, choosing := []*Subject{}, []*Subject{}
	for _, s := range d.subjects {
		if chosen(s) {
			choosing = append(choosing, s)
		} else {
			held = append(held, s)
		}
	}
	name := "held-out"
	if len(choosing) == 0 {
		name = "all"
	}
	for _, part := range []struct {
		name     string
		subjects []*Subject
	}{{name, held}, {"choosing", choosing}} {
		if len(part.subjects) > 0 {
			a.Parts = append(a.Parts, a.part(d, part.name, part.subjects))
		}
	}
}

func (a *Analysis) part(d *data, name string, subjects []*Subject) *Part {
	p := &Part{Name: name}
	for _, s := range subjects {
		p.Subjects = append(p.Subjects, s.Name)
	}
	for _, at := range []clock{byCPU, byInputs} {
		for _, m := range metrics {
			if t := a.table(d, subjects, m, at); t != nil {
				p.Tables = append(p.Tables, t)
			}
		}
	}
	for _, at := range []clock{byCPU, byInputs} {
		if t := a.times(d, subjects, at); t != nil {
			p.Times = append(p.Times, t)
		}
	}
	for _, at := range []clock{byCPU, byInputs} {
		if t := a.failures(d, subjects, at); t != nil {
			p.Times = append(p.Times, t)
		}
	}
	for _, at := range []clock{byCPU, byInputs} {
		for _, m := range metrics {
			if g := a.growth(d, subjects, m, at); g != nil && growing[m.name] {
				p.Growth = append(p.Growth, g)
			}
		}
	}
	p.Overlaps = overlaps(d, subjects)
	return p
}

// untriaged reports whether a trial of the subject has untriaged candidates.
func (d *data) untriaged(s *Subject) bool {
	return slices.ContainsFunc(d.all(s.Name), func(one *Sample) bool { return one.Untriaged > 0 })
}

// fails reports whether some trial of the subject found a failure.
func (d *data) fails(s *Subject) bool {
	return slices.ContainsFunc(d.all(s.Name), func(one *Sample) bool { return len(failuresOf(one)) > 0 })
}

func (a *Analysis) info(subject string) *SubjectInfo {
	for i := range a.Subjects {
		if a.Subjects[i].Name == subject {
			return &a.Subjects[i]
		}
	}
	return nil
}

// table compares one metric. It returns nil if the metric applies to none of the subjects.
func (a *Analysis) table(d *data, subjects []*Subject, m metric, at clock) *Table {
	t := &Table{Metric: m.name, At: at.String(), text: m.text}
	// by subject: for each origin, values by configuration
	strata := map[string][]map[string][]float64{}
	for _, s := range subjects {
		if m.behavior && (s.Fuzz == "" || !d.hasBehavior(s)) || m.diff && s.Fuzz != "" || m.name == "causes" && len(s.Causes) == 0 || m.name == "failures" && !d.fails(s) {
			continue
		}
		if m.triaged && d.untriaged(s) {
			t.Untriaged = append(t.Untriaged, s.Name)
			continue
		}
		p := a.info(s.Name).points[at]
		values := map[string][]float64{}
		made := map[string]map[string][]float64{} // by origin
		for _, name := range d.configurations {
			for _, one := range d.runs[s.Name][name] {
				from, v := one.Origin.stratum(), m.of(d.Config, one, p)
				if made[from] == nil {
					made[from] = map[string][]float64{}
				}
				made[from][name] = append(made[from][name], v)
				values[name] = append(values[name], v)
			}
		}
		for _, from := range slices.Sorted(maps.Keys(made)) {
			strata[s.Name] = append(strata[s.Name], made[from])
		}
		t.Rows = append(t.Rows, row(s.Name, d.configurations, a.Baseline, values))
	}
	if len(t.Rows) == 0 {
		return nil
	}
	correct(t.comparisons())
	t.overall(d.configurations, a.Baseline, strata)
	return t
}

// row compares the values of a subject. More is better.
func row(subject string, configurations []string, baseline string, values map[string][]float64) Row {
	r := Row{Subject: subject}
	base := values[baseline]
	for _, name := range configurations {
		own := values[name]
		c := Cell{Configuration: name, N: len(own)}
		if len(own) > 0 {
			first, median, third := stats.Quartiles(own)
			c.First, c.Median, c.Third = &first, &median, &third
			if name != baseline && len(base) > 0 {
				c.Test = compare(stats.MannWhitney(own, base), stats.A12Interval(own, base))
			}
		}
		r.Cells = append(r.Cells, c)
	}
	return r
}

func compare(t stats.Test, in stats.Interval) *Comparison {
	return &Comparison{U: t.U, A12: t.A12, Interval: [2]float64{in.Low, in.High}, P: t.P, Corrected: t.P}
}

func (t *Table) comparisons() (family []*Comparison) {
	for i := range t.Rows {
		for j := range t.Rows[i].Cells {
			if c := t.Rows[i].Cells[j].Test; c != nil {
				family = append(family, c)
			}
		}
	}
	return family
}

// correct applies Holm's correction to the p values of a family.
func correct(family []*Comparison) {
	p := make([]float64, len(family))
	for i, c := range family {
		p[i] = c.P
	}
	for i, v := range stats.Holm(p) {
		family[i].Corrected = v
	}
}

package serving

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"sync"
	"time"

	"parallax/cmd/internal/base/exit"
	"parallax/cmd/internal/exchange"
	"parallax/cmd/internal/finding"
	"parallax/cmd/internal/finding/history"
	"parallax/cmd/internal/finding/sample"
	"parallax/cmd/internal/serve"
	"parallax/cmd/internal/show/page"
	"parallax/internal/input"
)

// meeting adds the campaigns of a hub to those of folders. It implements serve.Source.
type meeting struct {
	*folders
	board interface {
		Read(now time.Time) (list []exchange.Gathering, stamp string)
	}

	mu    sync.Mutex // guards the fields below
	stamp string
	list  []*serve.Campaign
}

// Read implements serve.Source.
func (m *meeting) Read(now time.Time) (list []*serve.Campaign, changed bool) {
	own, changed := m.folders.Read(now)
	m.mu.Lock()
	defer m.mu.Unlock()
	gatherings, stamp := m.board.Read(now)
	if !changed && stamp == m.stamp {
		return m.list, false
	}
	m.stamp, m.list = stamp, nil
	keys := m.keys()
	found := map[string]bool{}
	for _, c := range own {
		i := slices.IndexFunc(gatherings, func(g exchange.Gathering) bool { return g.Key == keys[c.ID] })
		if i >= 0 && c.Campaign != nil {
			with := *c
			with.Joined = joined(&gatherings[i])
			c, found[keys[c.ID]] = &with, true
		}
		m.list = append(m.list, c)
	}
	for i := range gatherings {
		if g := &gatherings[i]; !found[g.Key] {
			m.list = append(m.list, elsewhere(g))
		}
	}
	return m.list, true
}

// keys returns the keys of identities by the id of the campaign.
func (f *folders) keys() map[string]string {
	f.mu.Lock()
	defer f.mu.Unlock()
	keys := map[string]string{}
	for _, c := range f.all {
		if c.view != nil {
			keys[c.id] = c.view.Config.Identity.Key()
		}
	}
	return keys
}

// states maps the states of members to those of the page.
var states = map[exchange.AttendanceState]string{exchange.Up: page.JoinedUp, exchange.Lost: page.JoinedLost, exchange.Left: page.JoinedLeft}

// joined returns the members of a gathering.
func joined(g *exchange.Gathering) (list []page.Joined) {
	for _, m := range g.Members {
		j := page.Joined{Name: m.Name, State: states[m.State], Last: m.Last, Build: m.Build}
		if n := len(m.Samples); n > 0 {
			last := &m.Samples[n-1]
			j.Inputs = last.Inputs
			if n > 1 {
				before := &m.Samples[n-2]
				if d := last.Elapsed - before.Elapsed; d > 0 && last.Executions >= before.Executions {
					j.Rate = float64(last.Executions-before.Executions) / d
				}
			}
		}
		list = append(list, j)
	}
	return list
}

// elsewhere returns a campaign that no folder here has.
func elsewhere(g *exchange.Gathering) *serve.Campaign {
	c := &serve.Campaign{Member: page.Member{ID: "hub-" + g.Key, Folder: "the hub", Waiting: int(g.Waiting), Joined: joined(g), Hub: true}}
	for _, j := range c.Joined {
		c.Running = c.Running || j.State == page.JoinedUp
	}
	c.Workers = len(c.Joined)
	s := &finding.Summary{
		Version: finding.Version, Target: cmp.Or(g.About.Target, "campaign "+g.Key), Mode: g.About.Mode, Programs: programsOf(g),
		Corpus: finding.Corpus{Size: int(g.Inputs)}, Workers: len(c.Joined),
		Notes: []string{"No folder here has this campaign. The hub has its inputs, the smallest input of each finding, and the samples of the last hour; corpus counts the inputs at the hub"},
	}
	samples := together(g.Members)
	var last sample.Sample
	for _, m := range g.Members {
		if n := len(m.Samples); n > 0 {
			s.Inputs, s.Executions = s.Inputs+m.Samples[n-1].Inputs, s.Executions+m.Samples[n-1].Executions
			s.ElapsedSeconds += m.Samples[n-1].Elapsed
			s.Restarts += m.Samples[n-1].Restarts
			s.DiscrepantInputs += m.Samples[n-1].Discrepant
		}
	}
	if s.ElapsedSeconds > 0 {
		s.ExecutionsPerSecond = float64(s.Executions) / s.ElapsedSeconds
	}
	if n := len(samples); n > 0 {
		last = samples[n-1]
		s.UniqueDiscrepancies = uint64(last.Unique)
	}
	c.Campaign = &page.Campaign{Summary: s, Folder: c.Folder, Samples: samples, Settings: []page.Setting{{Name: "inputs", Value: cmp.Or(g.About.Shape, "unknown")}}}
	for p, name := range s.Programs {
		c.Campaign.Programs = append(c.Campaign.Programs, page.Program{Name: name})
		if p < len(last.Covered) {
			s.Coverage = append(s.Coverage, finding.Coverage{Program: name, Covered: last.Covered[p]})
		}
	}
	records := map[string]*finding.Finding{}
	for i := range g.Finds {
		r := recordOf(g, s, &g.Finds[i])
		row := r.Summarize()
		row.Outcomes, row.State = g.Finds[i].Outcomes, string(history.New)
		row.FirstSeenTime = g.Finds[i].At.UTC().Format(time.RFC3339)
		row.LastSeenTime = row.FirstSeenTime
		s.Findings.Buckets = append(s.Findings.Buckets, row)
		records[row.ID] = r
	}
	s.Findings.Total = uint64(len(s.Findings.Buckets))
	c.Finding = func(row *finding.Row) (page.Shown, error) {
		r := records[row.ID]
		if r == nil {
			return page.Shown{}, exit.Usage("no finding %q at the hub", row.ID)
		}
		return page.Shown{Entry: finding.Entry{Row: *row, Record: r}}, nil
	}
	c.Record = func(bucket string) ([]byte, error) {
		r := records[bucket]
		if r == nil {
			return nil, exit.Usage("no finding %q at the hub", bucket)
		}
		return r.JSON()
	}
	return c
}

// programsOf returns the names of the programs: those that a member shows, or else those of the
// findings.
func programsOf(g *exchange.Gathering) []string {
	if len(g.About.Programs) > 0 {
		return g.About.Programs
	}
	names := map[string]bool{}
	for _, f := range g.Finds {
		for name := range f.Outcomes {
			names[name] = true
		}
	}
	return slices.Sorted(maps.Keys(names))
}

// recordOf returns the record of a finding at the hub. Without a member that shows the shape of
// inputs, the input is that of the file.
func recordOf(g *exchange.Gathering, s *finding.Summary, f *exchange.Find) *finding.Finding {
	r := &finding.Finding{Bucket: f.Bucket, Kind: f.Kind, Target: s.Target, Location: f.Location, Shape: input.Shape{input.Bytes}, Input: f.Input}
	if shape, err := input.ParseShape(g.About.Shape); err == nil {
		if flat, err := shape.Decode(f.Input); err == nil && shape.Check(flat) == nil {
			r.Shape, r.Input = shape, flat
		}
	}
	r.Minimized = r.Input
	for _, name := range s.Programs {
		if outcome, ok := f.Outcomes[name]; ok {
			p := finding.Program{Name: name}
			p.Outcome = outcome
			r.Programs = append(r.Programs, p)
		}
	}
	r.Origin = fmt.Sprintf("announced by %s", f.Member)
	return r
}

// step is the time between two samples of several members together.
const step = 10 * time.Second

// together joins the samples of members: the sums of what they did since their first samples, and
// the best that one of them has.
func together(members []exchange.Attendance) (list []sample.Sample) {
	var first, last time.Time
	for _, m := range members {
		for _, r := range m.Samples {
			if first.IsZero() || r.At.Before(first) {
				first = r.At
			}
			if r.At.After(last) {
				last = r.At
			}
		}
	}
	if first.IsZero() {
		return nil
	}
	next := make([]int, len(members)) // by member: the samples that are counted
	for at := first; ; at = at.Add(step) {
		if at.After(last) {
			at = last
		}
		s := sample.Sample{Elapsed: at.Sub(first).Seconds()}
		for i, m := range members {
			for next[i] < len(m.Samples) && !m.Samples[next[i]].At.After(at) {
				next[i]++
			}
			if next[i] == 0 {
				continue
			}
			begin, now := &m.Samples[0].Sample, &m.Samples[next[i]-1].Sample
			s.Inputs += since(begin.Inputs, now.Inputs)
			s.Executions += since(begin.Executions, now.Executions)
			s.Corpus, s.Buckets, s.Unique = max(s.Corpus, now.Corpus), max(s.Buckets, now.Buckets), max(s.Unique, now.Unique)
			for p, n := range now.Covered {
				if p == len(s.Covered) {
					s.Covered = append(s.Covered, 0)
				}
				s.Covered[p] = max(s.Covered[p], n)
			}
		}
		list = append(list, s)
		if !at.Before(last) {
			return list
		}
	}
}

// since returns the growth of a count.
func since(from, to uint64) uint64 {
	if to < from {
		return 0
	}
	return to - from
}

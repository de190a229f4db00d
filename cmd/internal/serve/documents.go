package serve

import (
	"parallax/cmd/internal/finding"
	"parallax/cmd/internal/finding/sample"
)

// The twins of views: the same facts as JSON. The twin of a finding is the record that parallax
// show --json prints.

// Overview is the twin of the view of all campaigns.
type Overview struct {
	Version   int     `json:"version"`
	Campaigns []Brief `json:"campaigns"`
}

// Brief is a campaign in a list.
type Brief struct {
	ID       string             `json:"id"` // in addresses
	Folder   string             `json:"folder"`
	Target   string             `json:"target,omitempty"`
	Mode     string             `json:"mode,omitempty"`
	Problem  string             `json:"problem,omitempty"` // why the folder cannot be read
	Running  bool               `json:"running"`
	Waiting  int                `json:"waiting"` // candidates that wait for triage
	Workers  int                `json:"workers"`
	Restarts uint64             `json:"restarts"` // of workers
	Inputs   uint64             `json:"inputs"`
	Findings int                `json:"findings"` // buckets
	Open     int                `json:"open"`     // buckets that make a run fail
	Coverage []finding.Coverage `json:"coverage,omitempty"`
}

// Whole is the twin of the view of a campaign.
type Whole struct {
	Version int              `json:"version"`
	Brief   Brief            `json:"campaign"`
	Summary *finding.Summary `json:"summary"`
	Samples []sample.Sample  `json:"samples"` // over time, oldest first
}

// List is the twin of a page of the list of findings.
type List struct {
	Version  int     `json:"version"`
	Total    int     `json:"total"` // findings on all pages
	Page     int     `json:"page"`  // from 1
	Pages    int     `json:"pages"`
	Findings []Found `json:"findings"`
}

// Found is a finding in a list.
type Found struct {
	Campaign string      `json:"campaign"` // its id in addresses
	Finding  finding.Row `json:"finding"`
}

// Refusal is the twin of a message, such as that of an error.
type Refusal struct {
	Version int    `json:"version"`
	Error   string `json:"error"`
}

func briefOf(c *Campaign) Brief {
	b := Brief{ID: c.ID, Folder: c.Folder, Problem: c.Problem, Running: c.Running, Waiting: c.Waiting, Workers: c.Workers}
	if c.Campaign == nil {
		return b
	}
	s := c.Campaign.Summary
	b.Target, b.Mode, b.Restarts, b.Inputs, b.Coverage = s.Target, s.Mode, s.Restarts, s.Inputs, s.Coverage
	b.Findings, b.Open = len(s.Findings.Buckets), s.Open()
	return b
}

func overviewOf(list []*Campaign) *Overview {
	o := &Overview{Version: finding.Version, Campaigns: []Brief{}}
	for _, c := range list {
		o.Campaigns = append(o.Campaigns, briefOf(c))
	}
	return o
}

func campaignOf(c *Campaign) *Whole {
	w := &Whole{Version: finding.Version, Brief: briefOf(c), Summary: c.Campaign.Summary.Filled(), Samples: c.Campaign.Samples}
	if w.Samples == nil {
		w.Samples = []sample.Sample{}
	}
	return w
}

func (q *query) document(all []found) *List {
	pages, shown := q.pages(all)
	l := &List{Version: finding.Version, Total: len(all), Page: q.page, Pages: pages, Findings: []Found{}}
	for _, f := range shown {
		b := *f.Row
		if b.Outcomes == nil {
			b.Outcomes = map[string]string{}
		}
		l.Findings = append(l.Findings, Found{Campaign: f.in.ID, Finding: b})
	}
	return l
}

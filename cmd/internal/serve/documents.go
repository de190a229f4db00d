package serve

import (
	"fmt"
	"time"

	"parallax/cmd/internal/finding"
	"parallax/cmd/internal/finding/sample"
	"parallax/cmd/internal/show/page"
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
	Waiting  int                `json:"waiting"`  // candidates that wait for triage
	Workers  int                `json:"workers"`  // of the last run
	Restarts uint64             `json:"restarts"` // of workers
	Inputs   uint64             `json:"inputs"`
	Findings int                `json:"findings"` // buckets
	Open     int                `json:"open"`     // buckets that show and are not accepted; changes of behavior, too
	Coverage []finding.Coverage `json:"coverage,omitempty"`
	Up       int                `json:"workers_up"`       // those that run
	Quiet    float64            `json:"quiet_seconds"`    // of fuzzing without a new bucket, block or kept input
	Hub      bool               `json:"hub,omitempty"`    // a hub holds it, and no folder here does
	Joined   []Joined           `json:"joined,omitempty"` // campaigns at the hub that exchange with it
}

// Joined is a campaign that has joined others at the hub.
type Joined struct {
	Name      string  `json:"name"`
	State     string  `json:"state"`          // up, lost, or left
	Heartbeat string  `json:"last_heartbeat"` // RFC 3339, by the clock of the hub
	Build     string  `json:"build,omitempty"`
	Inputs    uint64  `json:"inputs"`
	Rate      float64 `json:"executions_per_second"`
}

// Whole is the twin of the view of a campaign.
type Whole struct {
	Version int              `json:"version"`
	Brief   Brief            `json:"campaign"`
	Summary *finding.Summary `json:"summary"`
	Samples []sample.Sample  `json:"samples"` // over time, oldest first; those of the part that the address names
}

// Covered is the twin of the coverage by line.
type Covered struct {
	Version  int           `json:"version"`
	Campaign string        `json:"campaign"`         // its id in addresses
	Reason   string        `json:"reason,omitempty"` // why the coverage is not known
	Programs []string      `json:"programs"`
	Files    []CoveredFile `json:"files"`
	Least    []Thin        `json:"tested_least"` // branches with the fewest unique traces
}

// CoveredFile is a source file.
type CoveredFile struct {
	Package string `json:"package,omitempty"`
	Path    string `json:"path"`
	Blocks  int    `json:"blocks"`
	Covered []int  `json:"covered"` // blocks by program; -1 for programs without the file
}

// Thin is a branch that few unique traces execute.
type Thin struct {
	Program  string `json:"program"`
	Location string `json:"location"`
	Traces   int    `json:"traces"`
}

// File is the twin of a source file.
type File struct {
	Version  int      `json:"version"`
	Campaign string   `json:"campaign"`
	Path     string   `json:"path"`
	Problem  string   `json:"problem,omitempty"` // why the text is missing
	Programs []string `json:"programs"`          // that execute it; all that may run it if none does
	Lines    []Line   `json:"lines"`
}

// Line is a line of a source file. Its lists are by program.
type Line struct {
	Line     int      `json:"line"`
	Text     string   `json:"text"`
	Executed []string `json:"executed"` // all, part, none, or empty for a line without code
	Traces   []int    `json:"traces"`   // unique traces; 0 means none or unknown
}

// Input is the twin of an input of the corpus.
type Input struct {
	Version   int        `json:"version"`
	Campaign  string     `json:"campaign"`
	Hash      string     `json:"hash"`
	Input     string     `json:"input"` // quoted, its beginning
	Bytes     int        `json:"bytes"`
	Inputs    uint64     `json:"inputs"`           // that the campaign had run when it was found
	New       string     `json:"new,omitempty"`    // domains in which it showed something new
	Member    string     `json:"member,omitempty"` // of a fleet, that found it
	Ancestors []Ancestor `json:"ancestors"`        // the input itself first, a seed last
}

// Ancestor is an input on the way back to a seed.
type Ancestor struct {
	Hash      string   `json:"hash"`
	Input     string   `json:"input"`               // quoted, its beginning
	Operators []string `json:"operators,omitempty"` // that made it of the next one
	Seed      bool     `json:"seed"`
	From      string   `json:"from,omitempty"` // of a seed: where it is from
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
	b := Brief{ID: c.ID, Folder: c.Folder, Problem: c.Problem, Running: c.Running, Waiting: c.Waiting, Workers: c.Workers, Hub: c.Hub, Up: c.Up()}
	for _, j := range c.Joined {
		b.Joined = append(b.Joined, Joined{j.Name, j.State, j.Last.UTC().Format(time.RFC3339), j.Build, j.Inputs, j.Rate})
	}
	if c.Campaign == nil {
		return b
	}
	s := c.Campaign.Summary
	b.Target, b.Mode, b.Restarts, b.Inputs, b.Coverage = s.Target, s.Mode, s.Restarts, s.Inputs, s.Coverage
	b.Quiet, _ = page.QuietFor(c.Campaign.Samples)
	b.Findings, b.Open = len(s.Findings.Buckets), s.Undecided()
	return b
}

func overviewOf(list []*Campaign) *Overview {
	o := &Overview{Version: finding.Version, Campaigns: []Brief{}}
	for _, c := range list {
		o.Campaigns = append(o.Campaigns, briefOf(c))
	}
	return o
}

func campaignOf(c *Campaign, span page.Span) *Whole {
	w := &Whole{Version: finding.Version, Brief: briefOf(c), Summary: c.Campaign.Summary.Filled(), Samples: c.Campaign.Samples}
	if span != (page.Span{}) && len(w.Samples) > 0 {
		w.Samples = span.Cut(w.Samples)
	}
	if w.Samples == nil {
		w.Samples = []sample.Sample{}
	}
	return w
}

// coveredOf returns the twin of the coverage by line.
func coveredOf(c *Campaign) *Covered {
	d := &Covered{Version: finding.Version, Campaign: c.ID, Programs: []string{}, Files: []CoveredFile{}, Least: []Thin{}}
	for _, p := range c.Campaign.Programs {
		d.Programs = append(d.Programs, p.Name)
	}
	cov, reason := c.Coverage()
	if d.Reason = reason; cov == nil {
		return d
	}
	for i := range cov.Files {
		f := &cov.Files[i]
		d.Files = append(d.Files, CoveredFile{Package: f.Folder, Path: f.Path, Blocks: len(f.Blocks), Covered: f.Covered(len(d.Programs))})
	}
	for _, t := range cov.Thinnest(c.Campaign.Programs) {
		d.Least = append(d.Least, Thin{t.Program, fmt.Sprintf("%s:%d", t.Path, t.Line), t.Traces})
	}
	return d
}

// executions names the states of lines.
var executions = map[string]string{"y": "all", "p": "part", "n": "none", "": ""}

// sourceOf returns the twin of a source file.
func sourceOf(c *Campaign, l *page.Listing) *File {
	d := &File{Version: finding.Version, Campaign: c.ID, Path: l.Path, Problem: l.Problem, Programs: l.Programs, Lines: []Line{}}
	for i, line := range l.Lines {
		one := Line{Line: i + 1, Text: line.Text, Executed: []string{}, Traces: line.Traces}
		for _, state := range line.States {
			one.Executed = append(one.Executed, executions[state])
		}
		d.Lines = append(d.Lines, one)
	}
	return d
}

// inputOf returns the twin of an input.
func inputOf(c *Campaign, hash string, o *page.Origin) *Input {
	d := &Input{Version: finding.Version, Campaign: c.ID, Hash: hash, Input: o.Input, Bytes: o.Size, Inputs: o.Inputs, New: o.New, Member: o.Member, Ancestors: []Ancestor{}}
	for _, a := range o.Ancestors {
		d.Ancestors = append(d.Ancestors, Ancestor{a.Hash, a.Input, a.Operators, a.Seed, a.From})
	}
	return d
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

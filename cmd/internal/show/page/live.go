package page

import (
	_ "embed"
	"fmt"
	"html/template"
	"io"
	"math"
	"net/url"
	"strings"

	"parallax/cmd/internal/base/escape"
	"parallax/cmd/internal/finding"
	"parallax/cmd/internal/finding/sample"
	"parallax/cmd/internal/show/sources"
)

// The views of the live page (package serve). They have the templates of the report, and a script
// that replaces the parts which changed.

//go:embed live.js
var liveScript string

// Site has the parts that all views of the live page have in common.
type Site struct {
	Tool   string // version of parallax
	Twin   string // address of the same view as JSON; empty means none
	Events string // address of the events; empty means none
	State  string // changes with the campaigns
	Signed bool   // the visitor has the token
}

// Member is a campaign on the live page.
type Member struct {
	ID       string    // in addresses
	Folder   string    // as the user would type it
	Problem  string    // why its folder cannot be read; empty means none
	Campaign *Campaign // without findings; nil if it could never be read
	Running  bool
	Waiting  int // candidates that wait for triage
	Workers  int

	Lines  func() (c *Coverage, reason string) // the coverage by line; nil if no folder has the campaign
	Joined []Joined                            // campaigns at the hub that exchange inputs with it
	Hub    bool                                // the hub holds it, and no folder here does
}

// To returns the address of a campaign's view.
func (m *Member) To() string { return "/c/" + url.PathEscape(m.ID) }

// FindingTo returns the address of a finding's view.
func (m *Member) FindingTo(bucket string) string { return m.To() + "/f/" + url.PathEscape(bucket) }

// LivePolicy returns the Content-Security-Policy of the live page. It permits the script and the
// style of the page, and requests to the page itself.
func LivePolicy() string {
	return fmt.Sprintf("default-src 'none'; style-src '%s'; script-src '%s'; connect-src 'self'; img-src data:; base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
		digest(style), digest(script+liveScript))
}

type liveView struct {
	Site
	Title    string
	Style    template.CSS
	Script   template.JS
	Overview *overview
	Campaign *liveCampaign
	List     *List
	One      *oneView
	Coverage *coverageView
	Source   *sourceView
	Origin   *originView
	Login    string
	Message  string
}

func (v *liveView) write(w io.Writer, site Site) error {
	v.Site = site
	v.Tool = escape.Text(site.Tool)
	v.Style, v.Script = template.CSS(style), template.JS(script+liveScript)
	return parsed().ExecuteTemplate(w, "live", v)
}

// WriteLogin writes the form for the token. text says why it is needed.
func WriteLogin(w io.Writer, site Site, text string) error {
	return (&liveView{Title: "Log in: parallax", Login: escape.Text(text)}).write(w, site)
}

// WriteMessage writes a view with a message, such as that of an error.
func WriteMessage(w io.Writer, site Site, title, text string) error {
	return (&liveView{Title: escape.Text(title), Message: escape.Text(text)}).write(w, site)
}

type overview struct {
	Tiles     []tile
	Rows      []*memberRow
	MorePlots string
}

type memberRow struct {
	To, Findings string
	Parts        []string
	Mode         string
	Problem      string
	Condition    condition
	Known        bool // its folder was read
	Verdict      verdict
	Total        int
	Inputs       string
	Rate         string
	Covered      string
	Percent      string
	Waiting      int
	Workers      string
	Quiet        string
	QuietFor     float64 // seconds
	Plots        []Plot
}

type condition struct{ Class, Text string }

// mostPlotted bounds the campaigns whose plots are in the overview.
const mostPlotted = 12

// WriteOverview writes the view of all campaigns.
func WriteOverview(w io.Writer, site Site, members []*Member) error {
	v := &overview{}
	plotted := 0
	var inputs uint64
	running, open, waiting, rate := 0, 0, 0, 0.0
	up, lost := 0, 0
	for _, m := range members {
		r := m.row()
		v.Rows = append(v.Rows, r)
		waiting += m.Waiting
		up, lost = up+m.Up(), lost+m.joined(JoinedLost)
		if m.Running {
			running++
		}
		if m.Campaign == nil {
			continue
		}
		inputs += m.Campaign.Summary.Inputs
		open += m.Campaign.Summary.Undecided()
		if m.Running {
			rate += m.rate()
		}
		if plotted < mostPlotted {
			r.Plots = overviewPlots(m.Campaign)
			plotted += min(1, len(r.Plots))
		}
	}
	if len(members) > mostPlotted {
		v.MorePlots = fmt.Sprintf("The views of the campaigns have the plots of all; here are those of the first %d.", mostPlotted)
	}
	v.Tiles = []tile{
		{"running", thousands(running), "of " + count(uint64(len(members)), "campaign")},
		{"open findings", thousands(open), "new, confirmed or back again"},
		{"inputs", thousands(inputs), "of all campaigns"},
		{"executions a second", number(rate), "of those that run"},
		{"waiting candidates", thousands(waiting), "not confirmed yet"},
		{"workers up", thousands(up), fmt.Sprintf("%s lost", thousands(lost))},
	}
	return (&liveView{Title: "parallax", Overview: v}).write(w, site)
}

// overviewPlots returns the plots of findings, coverage and rate.
func overviewPlots(c *Campaign) (list []Plot) {
	main, _ := plots(c)
	for _, p := range main {
		if p.Name != "Corpus" {
			list = append(list, p)
		}
	}
	return list
}

func (m *Member) condition() condition {
	switch {
	case m.Hub && m.Running:
		return condition{"running", "running at the hub"}
	case m.Hub:
		return condition{"ended", "at the hub"}
	case m.Problem != "":
		return condition{"broken", "not readable"}
	case m.Running:
		return condition{"running", "running"}
	}
	return condition{"ended", "ended"}
}

func (m *Member) row() *memberRow {
	r := &memberRow{
		To: m.To(), Findings: "/findings?campaign=" + url.QueryEscape(m.ID), Problem: escape.Text(m.Problem),
		Condition: m.condition(), Waiting: m.Waiting, Parts: []string{escape.Text(m.ID)},
	}
	c := m.Campaign
	if c == nil {
		return r
	}
	s := c.Summary
	r.Known, r.Parts, r.Mode, r.Verdict = true, strings.SplitAfter(escape.Text(s.Target), "+"), escape.Text(s.Mode), verdictOf(s)
	r.Total, r.Inputs, r.Rate = len(s.Findings.Buckets), thousands(s.Inputs), number(s.ExecutionsPerSecond)
	if m.Running && len(c.Samples) > 1 {
		r.Inputs, r.Rate = thousands(max(s.Inputs, c.Samples[len(c.Samples)-1].Inputs)), number(m.rate())
	}
	covered, blocks := 0, 0
	for _, cov := range s.Coverage {
		a, b := cov.Own()
		covered, blocks = covered+a, blocks+b
	}
	if blocks > 0 {
		share := 100 * float64(covered) / float64(blocks)
		r.Covered, r.Percent = fmt.Sprintf("%s of %s", thousands(covered), thousands(blocks)), fmt.Sprintf("%.3f", share)
	}
	r.Workers = m.workers()
	if quiet, known := QuietFor(c.Samples); known {
		r.QuietFor, r.Quiet = quiet, clock(math.Round(quiet))
	}
	return r
}

// lastRate returns the executions per second between the last two samples.
func lastRate(samples []sample.Sample) float64 {
	if len(samples) < 2 {
		return 0
	}
	return speed(samples, len(samples)-1)
}

// QuietFor returns the seconds of fuzzing since the last new bucket, block or kept input.
func QuietFor(samples []sample.Sample) (seconds float64, known bool) {
	if len(samples) < 2 {
		return 0, false
	}
	last := samples[len(samples)-1]
	for i := len(samples) - 2; i >= 0; i-- {
		if s := samples[i]; s.Buckets != last.Buckets || s.Corpus != last.Corpus || total(s.Covered) != total(last.Covered) {
			return max(0, last.Elapsed-samples[i+1].Elapsed), true
		}
	}
	return last.Elapsed, true
}

func total(list []int) (n int) {
	for _, c := range list {
		n += c
	}
	return n
}

type liveCampaign struct {
	View      *campaignView
	Condition condition
	Problem   string
	Quiet     string
	Waiting   string
	All       string
	Coverage  string // address of the coverage by line
	Inputs    string // address of inputs of the corpus; empty means none
	Joined    []joinedView
}

// firstRows bounds the findings in the view of a campaign.
const firstRows = 20

// WriteCampaign writes the view of a campaign.
func WriteCampaign(w io.Writer, site Site, m *Member, span Span) error {
	v := &liveCampaign{Condition: m.condition(), Problem: escape.Text(m.Problem), All: "/findings?campaign=" + url.QueryEscape(m.ID), Joined: m.joinedViews()}
	c := *m.Campaign
	c.lineTo, c.to, c.span = m.lineTo(), m.To(), span
	if m.Lines != nil {
		v.Coverage, v.Inputs = m.LinesTo(), m.To()+"/inputs"
	}
	r := m.row()
	v.Quiet = r.Quiet
	if m.Waiting > 0 {
		v.Waiting = count(uint64(m.Waiting), "candidate") + " waiting for triage"
	}
	v.View = newCampaign(1, &c, newLister(sources.Of()))
	v.View.Total = len(c.Summary.Findings.Buckets)
	for i := range c.Summary.Findings.Buckets {
		b := &c.Summary.Findings.Buckets[i]
		if len(v.View.Rows) == firstRows {
			break
		}
		if b.Under == "" && b.Shows() {
			v.View.Rows = append(v.View.Rows, m.listed(len(v.View.Rows)+1, b))
		}
	}
	return (&liveView{Title: escape.Text(c.Summary.Target) + ": parallax", Campaign: v}).write(w, site)
}

// listed returns the row of a finding with the address of its view.
func (m *Member) listed(n int, b *finding.Row) *findingRow {
	r := rowOf(n, b, m.Campaign.Summary.Programs)
	r.To = m.FindingTo(b.ID)
	return r
}

// List is a page of the list of findings.
type List struct {
	Choices       []Choice
	Place, Text   string // the filters that are no choices
	Counted       string // the number of findings
	Page, Pages   int
	Before, After string // addresses of the neighboring pages; empty means none
	Rows          []*findingRow
}

// Choice is a filter with fixed values.
type Choice struct {
	Name, Key string
	Options   []Option
}

// Option is a value of a filter.
type Option struct {
	Value, Name string
	Chosen      bool
}

// Add adds a finding to the list.
func (l *List) Add(n int, m *Member, b *finding.Row) {
	r := m.listed(n, b)
	r.Cause = escape.Text(m.Campaign.Summary.Target)
	l.Rows = append(l.Rows, r)
}

// WriteList writes a page of the list of findings.
func WriteList(w io.Writer, site Site, l *List) error {
	c := *l
	c.Choices, c.Place, c.Text = nil, escape.Text(l.Place), escape.Text(l.Text)
	for _, choice := range l.Choices {
		options := choice.Options
		choice.Options = nil
		for _, o := range options {
			o.Name, o.Value = escape.Text(o.Name), escape.Text(o.Value)
			choice.Options = append(choice.Options, o)
		}
		c.Choices = append(c.Choices, choice)
	}
	return (&liveView{Title: "Findings: parallax", List: &c}).write(w, site)
}

type oneView struct {
	Ancestors        []Ancestor
	View             *findingView
	CampaignTo       string
	Parts            []string
	Issue            string
	Owner, Link      string
	NoteTo, AcceptTo string
	Signed           bool
	Hub              bool
}

// WriteFinding writes the view of a finding.
func WriteFinding(w io.Writer, site Site, m *Member, f *Shown) error {
	c := *m.Campaign
	l := newLister(sources.Of(c.folders()...))
	for _, p := range f.Record.Programs {
		l.want(c.place(p.Name, p.Deciding))
		for _, place := range p.Ranked {
			l.want(c.place(p.Name, place.Location))
		}
	}
	view := newFinding(&c, f, l, m.lineTo())
	view.Row = newRow(0, f)
	known := map[string]bool{}
	for i := range c.Summary.Findings.Buckets {
		known[c.Summary.Findings.Buckets[i].ID] = true
	}
	for i := range view.Similar {
		if id := view.Similar[i].bucket; known[id] {
			view.Similar[i].To = m.FindingTo(id)
		}
	}
	to := m.FindingTo(f.Row.ID)
	v := &oneView{
		View: view, CampaignTo: m.To(), Parts: strings.SplitAfter(escape.Text(c.Summary.Target), "+"), Issue: start(escape.Lines(f.Issue)),
		Owner: escape.Text(f.Row.Owner), Link: f.Row.Link, NoteTo: to + "/note", AcceptTo: to + "/accept", Signed: site.Signed, Hub: m.Hub,
		Ancestors: m.ancestors(f.Ancestors),
	}
	return (&liveView{Title: escape.Text(f.Row.ID) + ": parallax", One: v}).write(w, site)
}

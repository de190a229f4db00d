package page

import (
	"cmp"
	"fmt"
	"html/template"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"parallax/cmd/internal/base/escape"
	"parallax/cmd/internal/base/units"
	"parallax/cmd/internal/finding"
	"parallax/cmd/internal/finding/sample"
	"parallax/cmd/internal/show/text"
)

// Limits of long lists. The rest is counted.
const (
	maxRows     = 1000    // of the table of findings
	maxFindings = 250     // in full
	maxText     = 3 << 20 // bytes in all texts of full findings
	maxExamples = 2000
)

// view is the page for its template.
type view struct {
	Title     string
	Home      string // address of the brand
	Made      string
	Machine   string // for programs
	Tool      string
	Policy    string
	Style     template.CSS
	Script    template.JS
	Problems  []string
	Campaigns []*campaignView
	Several   bool
}

type campaignView struct {
	ID       string
	Several  bool // the page has several campaigns
	Target   string
	Parts    []string // of a long target name
	Mode     string
	Folder   string
	Verdict  verdict
	Tiles    []tile
	Programs []programView
	Settings []Setting
	Notes    []string
	Plots    plotLists
	Thin     []thinView
	Scope    []ScopePath
	InScope  int
	Unit     string
	NoPlots  string

	Rows      []*findingRow
	MoreRows  int
	Findings  []*findingView
	Elsewhere []*findingRow  // findings whose cause another one shows
	Folded    []*findingView // the same in full
	MoreText  string         // number of findings that are not shown in full
	Total     int

	Covered    bool
	NoCoverage string
	Counted    string // the inputs that were executed for the coverage
	Folders    []*folderView
	Examples   []exampleView
	MoreHits   int
}

// plotLists are the plots of a campaign. Those for research are folded.
type plotLists struct {
	Main, More []Plot
	Zoom       *zoomView // nil for the report
}

// zoomView is the form that chooses a part of the time.
type zoomView struct {
	From, To string
	Whole    string // address of the view without a choice
	Zoomed   bool
}

// zoom lets the visitor of the live page choose a part of the time.
func (l *plotLists) zoom(c *Campaign) {
	if c.lineTo == nil || l.Main == nil {
		return
	}
	z := &zoomView{Whole: c.to, Zoomed: !c.span.whole()}
	seconds := func(s float64) string {
		if s == 0 {
			return ""
		}
		return strconv.FormatFloat(s, 'f', -1, 64) + "s"
	}
	z.From, z.To = seconds(c.span.From), seconds(c.span.To)
	l.Zoom = z
	t := thin(c.Samples, c.span)
	for _, list := range [][]Plot{l.Main, l.More} {
		for i := range list {
			list[i].From, list[i].End = fmt.Sprintf("%.3f", t.from), fmt.Sprintf("%.3f", t.end)
		}
	}
}

type verdict struct {
	Text  string
	Class string // good, bad, warn
}

type tile struct{ Name, Value, Note string }

type programView struct {
	Name, Class, Function, Module string
	Cell                          cell
}

type exampleView struct {
	ID, Quoted, Hex, Hash, Size, Origin, Replay string
	Outcomes                                    []outcomeView
}

type outcomeView struct{ Program, Class, Outcome string }

func newView(d *Document) *view {
	v := &view{
		Title: "parallax report", Home: "#main", Made: d.Made.UTC().Format("2 January 2006, 15:04 UTC"), Machine: d.Made.UTC().Format(time.RFC3339),
		Tool: escape.Text(d.Tool), Several: len(d.Campaigns) > 1,
	}
	for _, text := range d.Problems {
		v.Problems = append(v.Problems, escape.Text(text))
	}
	if len(d.Campaigns) == 1 {
		v.Title = escape.Text(d.Campaigns[0].Summary.Target) + ": parallax report"
	}
	l := newLister(d.Source)
	for _, c := range d.Campaigns {
		if b := c.Summary.Behavior; b != nil {
			for _, t := range b.Thin {
				l.want(c.place(t.Program, t.Location))
			}
		}
		for _, f := range c.Findings {
			for _, p := range f.Record.Programs {
				l.want(c.place(p.Name, p.Deciding))
				for _, place := range p.Ranked {
					l.want(c.place(p.Name, place.Location))
				}
			}
		}
	}
	for i, c := range d.Campaigns {
		v.Campaigns = append(v.Campaigns, newCampaign(i+1, c, l))
		v.Campaigns[i].Several = v.Several
	}
	return v
}

// place returns a place in a program with the absolute path of its file.
func (c *Campaign) place(program, place string) string {
	if place == "" || filepath.IsAbs(place) {
		return place
	}
	return filepath.Join(cmp.Or(c.Trees[program], c.Dir), place)
}

func newCampaign(n int, c *Campaign, l *lister) *campaignView {
	s := c.Summary
	v := &campaignView{
		ID: fmt.Sprintf("c%d", n), Target: escape.Text(s.Target), Mode: escape.Text(s.Mode), Folder: escape.Text(c.Folder),
		Verdict: verdictOf(s), NoCoverage: escape.Text(c.NoCoverage), Total: len(c.Findings),
	}
	v.Plots.Main, v.Plots.More = plots(c)
	v.Plots.zoom(c)
	v.Parts = strings.SplitAfter(v.Target, "+")
	for _, set := range c.Settings {
		v.Settings = append(v.Settings, Setting{set.Name, escape.Text(set.Value)})
	}
	for _, text := range s.Notes {
		v.Notes = append(v.Notes, escape.Text(finding.Flat(text)))
	}
	if v.Plots.Main == nil {
		v.NoPlots = "The campaign has not run long enough for curves: stats.jsonl has no samples yet."
	}
	v.Tiles = tiles(s)
	v.Programs = programs(c)
	if c.Coverage != nil {
		v.cover(n, c, l)
	}
	lines := map[string]string{} // addresses, by place
	for _, f := range v.Folders {
		for _, file := range f.Files {
			for _, r := range file.Rows {
				place := fmt.Sprintf("%s:%d", file.path, r.N)
				if lines[place] == "" && r.ID != "" {
					lines[place] = "#" + r.ID
				}
			}
		}
	}
	where := func(place string) string { return lines[place] }
	if c.lineTo != nil {
		where = c.lineTo
	}
	v.Thin = thinBranches(c, where)
	v.Scope, v.Unit = c.Scope, cmp.Or(c.ScopeUnit, "path")
	for _, p := range c.Scope {
		if p.InScope {
			v.InScope++
		}
	}
	v.list(n, c, l, where)
	return v
}

// verdictOf summarizes the result in a few words.
func verdictOf(s *finding.Summary) verdict {
	kinds := map[string]int{}
	open, class := 0, "warn"
	for i := range s.Findings.Buckets {
		b := &s.Findings.Buckets[i]
		if b.Undecided() {
			kinds[b.Kind]++
			open++
		}
		if b.Open() {
			class = "bad"
		}
	}
	if open == 0 {
		if n := repeating(s); n > 0 {
			return verdict{fmt.Sprintf("no open findings of %d", n), "good"}
		}
		if s.Flaky > 0 {
			return verdict{"no findings, " + count(s.Flaky, "flaky candidate"), "good"}
		}
		return verdict{"no findings", "good"}
	}
	var parts []string
	for _, k := range text.Kinds {
		if n := kinds[k.Kind]; n > 0 {
			parts = append(parts, k.Count(n))
			open -= n
		}
	}
	if open > 0 {
		parts = append(parts, fmt.Sprintf("%d other", open))
	}
	return verdict{strings.Join(parts, ", "), class}
}

// diversity shows the domain with the most features first.
func diversity(d sample.Diversity) tile {
	most := slices.MaxFunc(d, func(a, b sample.Count) int { return cmp.Compare(a.N, b.N) })
	text, sep := escape.Text(most.Key), "; "
	for _, c := range d {
		if c != most {
			text += fmt.Sprintf("%s%s %s", sep, thousands(c.N), escape.Text(c.Key))
			sep = ", "
		}
	}
	return tile{"diversity", thousands(most.N), text}
}

// repeating counts the findings that are not flaky.
func repeating(s *finding.Summary) (n int) {
	for i := range s.Findings.Buckets {
		if !s.Findings.Buckets[i].Flaky {
			n++
		}
	}
	return n
}

func tiles(s *finding.Summary) []tile {
	elapsed := units.Duration(time.Duration(s.ElapsedSeconds * float64(time.Second)))
	list := []tile{
		{"findings", thousands(repeating(s)), thousands(s.Findings.Total) + " inputs in them"},
		{"inputs", thousands(s.Inputs), "in " + elapsed + " of fuzzing"},
		{"executions a second", number(s.ExecutionsPerSecond), thousands(s.Executions) + " in all"},
		{"corpus", thousands(s.Corpus.Size), "inputs kept, " + units.Bytes(s.Corpus.Bytes)},
	}
	if len(s.Diversity) > 0 {
		list = append(list, diversity(s.Diversity))
	}
	if len(s.Programs) > 1 {
		list = append(list, tile{"discrepant inputs", thousands(s.DiscrepantInputs), thousands(s.UniqueDiscrepancies) + " unique discrepancies"})
	}
	if b := s.Behavior; b != nil && b.Traces > 0 {
		list = append(list, behaviorTile(b))
	}
	if ch := s.Change; ch != nil {
		list = append(list, tile{"change points", thousands(ch.Covered), fmt.Sprintf("executed of %s", thousands(ch.Points))})
	}
	if s.Flaky > 0 {
		list = append(list, tile{"flaky", thousands(s.Flaky), "candidates that could not be reproduced"})
	}
	if s.Restarts > 0 {
		list = append(list, tile{"restarts", thousands(s.Restarts), "of worker processes"})
	}
	return list
}

func programs(c *Campaign) []programView {
	var list []programView
	for p, prog := range c.Programs {
		v := programView{Name: escape.Text(prog.Name), Class: color(p), Function: escape.Text(prog.Function), Module: escape.Text(prog.Module)}
		if prog.Version != "" {
			v.Module += " " + escape.Text(prog.Version)
		}
		for _, cov := range c.Summary.Coverage {
			if cov.Program == prog.Name {
				covered, blocks := cov.Own()
				v.Cell = cell{Program: v.Name, Class: v.Class, Owned: true, Covered: covered, Blocks: blocks}.finish()
			}
		}
		list = append(list, v)
	}
	return list
}

// cover adds the coverage by line.
func (v *campaignView) cover(n int, c *Campaign, l *lister) {
	v.Covered = true
	v.Folders = l.folders(n, c)
	cov := c.Coverage
	v.Counted = fmt.Sprintf("All %s inputs of the corpus were executed again for the coverage.", thousands(cov.Of))
	switch {
	case cov.Of == 1:
		v.Counted = "The only input of the corpus was executed again for the coverage."
	case cov.Inputs < cov.Of:
		v.Counted = fmt.Sprintf("%s of the %s inputs of the corpus were executed again for the coverage.", thousands(cov.Inputs), thousands(cov.Of))
	}
	if cov.Stopped != "" {
		v.Counted += " " + escape.Text(cov.Stopped)
	}
	for i, e := range cov.Examples {
		if i == maxExamples {
			v.MoreHits = len(cov.Examples) - i
			break
		}
		x := exampleView{
			ID: exampleID(n, i), Quoted: escape.Text(e.Quoted), Hex: e.Hex, Hash: escape.Text(e.Hash), Size: units.Bytes(int64(e.Size)), Replay: escape.Text(e.Replay),
		}
		for p, o := range e.Outcomes {
			if p < len(c.Programs) {
				x.Outcomes = append(x.Outcomes, outcomeView{escape.Text(c.Programs[p].Name), color(p), escape.Text(o)})
			}
		}
		x.Origin = "a seed"
		if e.Parent != "" {
			x.Origin = "from " + escape.Text(e.Parent)
		}
		if len(e.Operators) > 0 {
			x.Origin += " by " + escape.Text(strings.Join(e.Operators, ", "))
		}
		v.Examples = append(v.Examples, x)
	}
}

package page

import (
	"fmt"
	"io"
	"net/url"
	"slices"
	"strings"

	"parallax/cmd/internal/base/escape"
	"parallax/cmd/internal/show/sources"
)

// The views of the coverage by line on the live page. They show the blocks that a campaign's folder
// has as executed. The report executes the corpus again instead, and counts its inputs.

// LinesTo returns the address of the coverage by line.
func (m *Member) LinesTo() string { return m.To() + "/coverage" }

// SourceTo returns the address of a source file, or of one of its lines if line is not 0.
func (m *Member) SourceTo(file string, line int) string {
	to := m.To() + "/source?file=" + url.QueryEscape(file)
	if line > 0 {
		to += fmt.Sprintf("#L%d", line)
	}
	return to
}

// Coverage returns the coverage by line, or the reason why it is not known.
func (m *Member) Coverage() (*Coverage, string) {
	if m.Lines == nil {
		return nil, "No folder here has the campaign."
	}
	return m.Lines()
}

// lineTo returns a function that returns the addresses of lines. It is "" for files without counted
// blocks.
func (m *Member) lineTo() func(place string) string {
	known := map[string]bool{}
	if c, _ := m.Coverage(); c != nil {
		for i := range c.Files {
			known[c.Files[i].Path] = true
		}
	}
	return func(place string) string {
		file, line, ok := cutLine(place)
		if !ok || !known[file] {
			return ""
		}
		return m.SourceTo(file, line)
	}
}

// Thin is a block that few unique traces execute.
type Thin struct {
	Program, Path string
	Line          int
	Traces        int

	own bool
}

// mostThin bounds the list of branches that are tested least.
const mostThin = 24

// Thinnest returns the executed branches with the fewest unique traces, one for each line. Those of
// the code under test come first.
func (c *Coverage) Thinnest(programs []Program) (list []Thin) {
	for p, prog := range programs {
		for i := range c.Files {
			f := &c.Files[i]
			for _, b := range f.Blocks {
				if p < len(b.Hits) && b.Hits[p].Traces > 0 {
					list = append(list, Thin{prog.Name, f.Path, b.Line, b.Hits[p].Traces, f.Own})
				}
			}
		}
	}
	slices.SortStableFunc(list, func(a, b Thin) int {
		if a.own != b.own {
			return map[bool]int{true: -1, false: 1}[a.own]
		}
		return a.Traces - b.Traces
	})
	type place struct {
		program, path string
		line          int
	}
	seen := map[place]bool{}
	list = slices.DeleteFunc(list, func(t Thin) bool {
		at := place{t.Program, t.Path, t.Line}
		again := seen[at] || len(seen) == mostThin
		if !again {
			seen[at] = true
		}
		return again
	})
	return list
}

// Covered returns the number of executed blocks by program, -1 for programs that do not have the
// file.
func (f *File) Covered(programs int) []int {
	list := make([]int, programs)
	for p := range list {
		if p >= len(f.Owners) || !f.Owners[p] {
			list[p] = -1
			continue
		}
		for _, b := range f.Blocks {
			if b.Hits[p].seen() {
				list[p]++
			}
		}
	}
	return list
}

// coverageView is the view of all files.
type coverageView struct {
	Parts     []string
	To        string // of the campaign
	Condition condition
	Reason    string // why there is no coverage
	Programs  []programView
	Folders   []*folderView
	Thin      []thinView
}

// WriteCoverage writes the view of the files that a campaign executes.
func WriteCoverage(w io.Writer, site Site, m *Member) error {
	c := *m.Campaign
	v := &coverageView{Parts: parts(c.Summary.Target), To: m.To(), Condition: m.condition()}
	cov, reason := m.Coverage()
	if cov == nil {
		v.Reason = escape.Text(reason)
		return (&liveView{Title: "Coverage: parallax", Coverage: v}).write(w, site)
	}
	c.Coverage = cov
	v.Programs = programs(&c)
	l := newLister(func(string) ([]byte, error) { return nil, nil })
	l.room = 0 // the files have views of their own
	v.Folders = l.folders(0, &c)
	for _, folder := range v.Folders {
		for _, f := range folder.Files {
			f.To = m.SourceTo(f.path, 0)
		}
	}
	for _, t := range cov.Thinnest(c.Programs) {
		v.Thin = append(v.Thin, thinView{escape.Text(t.Program), escape.Text(fmt.Sprintf("%s:%d", escape.ShortPath(t.Path), t.Line)), m.SourceTo(t.Path, t.Line), thousands(t.Traces)})
	}
	return (&liveView{Title: "Coverage: parallax", Coverage: v}).write(w, site)
}

// Listing is a source file with the executions of its lines.
type Listing struct {
	Path     string
	Programs []string // that execute it; all that may run it if none does
	Problem  string   // why its text is missing
	Lines    []ListedLine

	view *fileView
}

// ListedLine is a line of a source file. Its lists are by program of the listing.
type ListedLine struct {
	Text   string
	States []string // "y" for an executed line, "p" for a part of it, "n" for none, "" for no code
	Traces []int    // unique traces that execute it; 0 means unknown
}

// NewListing returns the listing of a file with counted blocks, or nil for others.
func NewListing(m *Member, path string) *Listing {
	cov, _ := m.Coverage()
	if cov == nil {
		return nil
	}
	i := slices.IndexFunc(cov.Files, func(f File) bool { return f.Path == path })
	if i < 0 {
		return nil
	}
	c := m.Campaign
	v := &fileView{ID: "s", Name: escape.Text(cov.Files[i].Name), file: &cov.Files[i], path: path}
	v.Cells = v.file.cells(c.Programs)
	out := &Listing{Path: path, view: v}
	for p, prog := range c.Programs { // those that execute it, or else all that have it
		if v.Cells[p].Covered > 0 || v.Cells[p].Owned && executed(v.Cells) == 0 {
			v.Columns = append(v.Columns, column{escape.Text(prog.Name), color(p), p})
			out.Programs = append(out.Programs, prog.Name)
		}
	}
	l := newLister(sources.Of(c.folders()...))
	text := l.source(path)
	if text == nil {
		out.Problem = "The source cannot be read here."
		text = blank(v.file)
	}
	v.Rows = l.rows(0, v, text)
	for i := range v.Rows {
		r := &v.Rows[i]
		r.ID = fmt.Sprintf("L%d", r.N)
		line := ListedLine{States: []string{}, Traces: []int{}}
		for _, run := range r.Runs {
			line.Text += run.Text
		}
		for _, cell := range r.Cells {
			line.States = append(line.States, cell.State)
			line.Traces = append(line.Traces, cell.traces)
		}
		out.Lines = append(out.Lines, line)
	}
	if len(v.Rows) > maxLines {
		gap := row{Gap: fmt.Sprintf("%s further lines are left out", thousands(len(v.Rows)-maxLines)), Span: len(v.Columns) + 2}
		v.Rows = append(v.Rows[:maxLines:maxLines], gap)
	}
	return out
}

// blank returns the lines of a file that cannot be read.
func blank(f *File) *code {
	n := 0
	for _, b := range f.Blocks {
		n = max(n, b.Line, b.EndLine)
	}
	n = min(n, maxLines)
	c := &code{lines: make([][]Run, n), busy: make([]bool, n)}
	for i := range c.busy {
		c.busy[i] = true
	}
	return c
}

// folders returns the folders that hold the sources of a campaign.
func (c *Campaign) folders() []string {
	dirs := append([]string{c.Dir}, c.Built...)
	for _, tree := range c.Trees {
		dirs = append(dirs, tree)
	}
	return dirs
}

// sourceView is the view of a source file.
type sourceView struct {
	Parts           []string
	To, CoverageTo  string
	Path, Problem   string
	Programs        []cell
	File            *fileView
	Condition       condition
	SeveralPrograms bool
}

// WriteListing writes the view of a source file.
func WriteListing(w io.Writer, site Site, m *Member, l *Listing) error {
	v := &sourceView{
		Parts: parts(m.Campaign.Summary.Target), To: m.To(), CoverageTo: m.LinesTo(), Path: escape.Text(escape.ShortPath(l.Path)), Problem: escape.Text(l.Problem),
		File: l.view, Condition: m.condition(),
	}
	for _, c := range l.view.Cells {
		if c.Owned {
			v.Programs = append(v.Programs, c)
		}
	}
	v.SeveralPrograms = len(v.Programs) > 1
	return (&liveView{Title: l.view.Name + ": parallax", Source: v}).write(w, site)
}

// parts splits the name of a target where it may wrap.
func parts(target string) []string { return strings.SplitAfter(escape.Text(target), "+") }

// originView is the view of an input.
type originView struct {
	Parts     []string
	To        string
	Hash      string
	Input     string
	Facts     []Setting
	Ancestors []Ancestor
}

// InputTo returns the address of an input of the corpus.
func (m *Member) InputTo(hash string) string { return m.To() + "/inputs/" + url.PathEscape(hash) }

// WriteOrigin writes the view of an input of the corpus.
func WriteOrigin(w io.Writer, site Site, m *Member, hash string, o *Origin) error {
	v := &originView{Parts: parts(m.Campaign.Summary.Target), To: m.To(), Hash: escape.Text(hash), Input: start(escape.Lines(o.Input)), Ancestors: m.ancestors(o.Ancestors)}
	put := func(name, value string) {
		if value != "" {
			v.Facts = append(v.Facts, Setting{name, escape.Text(value)})
		}
	}
	put("size", count(uint64(o.Size), "byte"))
	put("found after", count(o.Inputs, "input"))
	put("new in", o.New)
	put("found by", o.Member)
	return (&liveView{Title: escape.Text(hash) + ": parallax", Origin: v}).write(w, site)
}

// ancestors returns the way of an input for the page.
func (m *Member) ancestors(list []Ancestor) (shown []Ancestor) {
	for _, a := range list {
		a.To = m.InputTo(a.Hash)
		a.Hash, a.Input, a.From = escape.Text(a.Hash), escape.Text(a.Input), escape.Text(a.From)
		a.Made = escape.Text(strings.Join(a.Operators, ", "))
		shown = append(shown, a)
	}
	return shown
}

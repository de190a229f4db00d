package page

import (
	"fmt"
	"html/template"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"parallax/cmd/internal/report"
)

// What is shown of long lists. The rest is counted.
const (
	maxRows     = 1000    // of the table of findings
	maxFindings = 250     // in full
	maxText     = 3 << 20 // bytes of all texts of findings in full
	maxExamples = 2000
)

// view is the page as its template sees it.
type view struct {
	Title     string
	Made      string
	Machine   string // the same for programs
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
	Several  bool // it is not alone on the page
	Target   string
	Parts    []string // of the target's name, which is long
	Mode     string
	Folder   string
	Verdict  verdict
	Tiles    []tile
	Programs []programView
	Settings []Setting
	Notes    []string
	Plots    []Plot
	NoPlots  string

	Rows     []findingRow
	MoreRows int
	Findings []*findingView
	MoreText string // findings that are not shown in full
	Total    int

	Covered    bool
	NoCoverage string
	Counted    string // what was executed for it
	Folders    []*folderView
	Examples   []exampleView
	MoreHits   int
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
		Title: "parallax report", Made: d.Made.UTC().Format("2 January 2006, 15:04 UTC"), Machine: d.Made.UTC().Format(time.RFC3339),
		Tool: report.Escape(d.Tool), Several: len(d.Campaigns) > 1,
	}
	for _, text := range d.Problems {
		v.Problems = append(v.Problems, report.Escape(text))
	}
	if len(d.Campaigns) == 1 {
		v.Title = report.Escape(d.Campaigns[0].Summary.Target) + ": parallax report"
	}
	l := newLister(d.Source)
	for _, c := range d.Campaigns {
		for _, f := range c.Findings {
			for _, p := range f.Record.Programs {
				l.want(c.place(p.Deciding))
				for _, place := range p.Ranked {
					l.want(c.place(place.Location))
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

// place is a place with the whole path of its file.
func (c *Campaign) place(place string) string {
	if place == "" || filepath.IsAbs(place) {
		return place
	}
	return filepath.Join(c.Dir, place)
}

func newCampaign(n int, c *Campaign, l *lister) *campaignView {
	s := c.Summary
	v := &campaignView{
		ID: fmt.Sprintf("c%d", n), Target: report.Escape(s.Target), Mode: report.Escape(s.Mode), Folder: report.Escape(c.Folder),
		Verdict: verdictOf(s), Plots: plots(c), NoCoverage: report.Escape(c.NoCoverage), Total: len(c.Findings),
	}
	v.Parts = strings.SplitAfter(v.Target, "+")
	for _, set := range c.Settings {
		v.Settings = append(v.Settings, Setting{set.Name, report.Escape(set.Value)})
	}
	for _, text := range s.Notes {
		v.Notes = append(v.Notes, report.Escape(text))
	}
	if v.Plots == nil {
		v.NoPlots = "The campaign has not run long enough for curves: stats.jsonl has no samples yet."
	}
	v.Tiles = tiles(s)
	v.Programs = programs(c)
	if c.Coverage != nil {
		v.cover(n, c, l)
	}
	where := map[string]string{} // id of a line, by place
	for _, f := range v.Folders {
		for _, file := range f.Files {
			for _, r := range file.Rows {
				place := fmt.Sprintf("%s:%d", file.path, r.N)
				if _, known := where[place]; !known && r.ID != "" {
					where[place] = r.ID
				}
			}
		}
	}
	v.list(n, c, l, where)
	return v
}

// verdictOf says in a few words what came of it.
func verdictOf(s *report.Summary) verdict {
	kinds := map[string]int{}
	open := 0
	for i := range s.Findings.Buckets {
		if b := &s.Findings.Buckets[i]; b.Open() {
			kinds[b.Kind]++
			open++
		}
	}
	if open == 0 {
		if n := len(s.Findings.Buckets); n > 0 {
			return verdict{fmt.Sprintf("no open findings of %d", n), "good"}
		}
		return verdict{"no findings", "good"}
	}
	var parts []string
	for _, k := range report.Kinds {
		if n := kinds[k.Kind]; n > 0 {
			parts = append(parts, k.Count(n))
			open -= n
		}
	}
	if open > 0 {
		parts = append(parts, fmt.Sprintf("%d other", open))
	}
	return verdict{strings.Join(parts, ", "), "bad"}
}

func tiles(s *report.Summary) []tile {
	elapsed := report.Duration(time.Duration(s.ElapsedSeconds * float64(time.Second)))
	list := []tile{
		{"findings", thousands(len(s.Findings.Buckets)), thousands(s.Findings.Total) + " inputs in them"},
		{"inputs", thousands(s.Inputs), "in " + elapsed + " of fuzzing"},
		{"executions a second", number(s.ExecutionsPerSecond), thousands(s.Executions) + " in all"},
		{"corpus", thousands(s.Corpus.Size), "inputs kept, " + report.Bytes(s.Corpus.Bytes)},
	}
	if d := s.Diversity; d != nil {
		list = append(list, tile{"diversity", thousands(d.Fine), fmt.Sprintf("fine; %s coarse, %s output", thousands(d.Coarse), thousands(d.Output))},
			tile{"discrepant inputs", thousands(s.DiscrepantInputs), thousands(s.UniqueDiscrepancies) + " unique discrepancies"})
	}
	if b := s.Behaviour; b != nil {
		list = append(list, tile{"behaviours", thousands(b.Traces), "unique traces"})
	}
	if ch := s.Change; ch != nil {
		list = append(list, tile{"change points", thousands(ch.Covered), fmt.Sprintf("executed of %s", thousands(ch.Points))})
	}
	if s.Flaky > 0 {
		list = append(list, tile{"flaky", thousands(s.Flaky), "candidates that did not show again"})
	}
	if s.Restarts > 0 {
		list = append(list, tile{"restarts", thousands(s.Restarts), "of worker processes"})
	}
	return list
}

func programs(c *Campaign) []programView {
	var list []programView
	for p, prog := range c.Programs {
		v := programView{Name: report.Escape(prog.Name), Class: colour(p), Function: report.Escape(prog.Function), Module: report.Escape(prog.Module)}
		if prog.Version != "" {
			v.Module += " " + report.Escape(prog.Version)
		}
		for _, cov := range c.Summary.Coverage {
			if cov.Program == prog.Name {
				v.Cell = cell{Program: v.Name, Class: v.Class, Owned: true, Covered: cov.Covered, Blocks: cov.Blocks}.finish()
			}
		}
		list = append(list, v)
	}
	return list
}

// cover fills what is known of coverage by line.
func (v *campaignView) cover(n int, c *Campaign, l *lister) {
	v.Covered = true
	v.Folders = l.folders(n, c)
	cov := c.Coverage
	v.Counted = fmt.Sprintf("All %s inputs of the corpus were executed again.", thousands(cov.Of))
	switch {
	case cov.Of == 1:
		v.Counted = "The one input of the corpus was executed again."
	case cov.Inputs < cov.Of:
		v.Counted = fmt.Sprintf("%s of the %s inputs of the corpus were executed again.", thousands(cov.Inputs), thousands(cov.Of))
	}
	if cov.Stopped != "" {
		v.Counted += " " + report.Escape(cov.Stopped)
	}
	for i, e := range cov.Examples {
		if i == maxExamples {
			v.MoreHits = len(cov.Examples) - i
			break
		}
		x := exampleView{
			ID: exampleID(n, i), Quoted: report.Escape(e.Quoted), Hex: e.Hex, Hash: report.Escape(e.Hash), Size: report.Bytes(int64(e.Size)), Replay: report.Escape(e.Replay),
		}
		for p, o := range e.Outcomes {
			if p < len(c.Programs) {
				x.Outcomes = append(x.Outcomes, outcomeView{report.Escape(c.Programs[p].Name), colour(p), report.Escape(o)})
			}
		}
		x.Origin = "a seed"
		if e.Parent != "" {
			x.Origin = "from " + report.Escape(e.Parent)
		}
		if len(e.Operators) > 0 {
			x.Origin += " by " + report.Escape(strings.Join(e.Operators, ", "))
		}
		v.Examples = append(v.Examples, x)
	}
}

// findingRow is a finding in the table.
type findingRow struct {
	N       int
	To      string // id of the finding in full; "" when that is left out
	ID      string
	Kind    string
	Status  string // "", accepted, gone, flaky
	Reason  string
	Input   string
	Size    int
	Groups  []group
	Count   uint64
	First   uint64
	Age     string
	Where   string
	Program string // of Where
}

// A group is the programs that did the same.
type group struct {
	Outcome string
	Class   string
	Result  string
	Names   []string
	Odd     bool
}

// list fills the table of findings and the findings in full.
func (v *campaignView) list(n int, c *Campaign, l *lister, where map[string]string) {
	room := maxText
	for i, f := range c.Findings {
		if i == maxRows {
			v.MoreRows = len(c.Findings) - i
			break
		}
		row := newRow(i+1, &f)
		if i < maxFindings && room > 0 {
			full := newFinding(c, &f, l, where)
			full.Row = &row
			full.ID = findingID(n, f.Row.ID)
			full.Open = len(c.Findings) <= 3
			row.To = full.ID
			room -= full.weight()
			v.Findings = append(v.Findings, full)
		}
		v.Rows = append(v.Rows, row)
		if row.To != "" {
			v.Findings[len(v.Findings)-1].Row = &v.Rows[len(v.Rows)-1]
		}
	}
	full := map[string]bool{}
	for _, f := range v.Findings { // appending has moved the rows
		f.Row = &v.Rows[f.Row.N-1]
		full[f.ID] = true
	}
	for _, f := range v.Findings {
		for i := range f.Similar {
			if to := findingID(n, f.Similar[i].bucket); full[to] {
				f.Similar[i].To = to
			}
		}
	}
	if left := len(c.Findings) - len(v.Findings); left > 0 {
		v.MoreText = fmt.Sprintf("%s further findings are left out to keep the page small: parallax show BUCKET shows them.", thousands(left))
	}
}

func findingID(campaign int, bucket string) string {
	return fmt.Sprintf("c%d-%s", campaign, anchor(bucket))
}

func newRow(n int, f *Finding) findingRow {
	b := &f.Row
	r := findingRow{
		N: n, ID: report.Escape(b.ID), Kind: kindOf(b), Input: report.Cut(report.Escape(b.Quoted), 160), Count: b.Count, First: b.FirstSeen,
		Size: len(f.Record.Minimized), Groups: groups(b, programNames(f.Record)), Where: shortPlace(b.Location), Reason: report.Escape(b.Reason),
	}
	if b.Location == "" {
		r.Where = ""
	}
	switch {
	case b.Gone:
		r.Status = "gone"
	case b.Flaky:
		r.Status = "flaky"
	case b.Accepted:
		r.Status = "accepted"
	}
	r.Age = moment(b.FirstSeenTime)
	return r
}

func programNames(f *report.Finding) []string {
	var names []string
	for _, p := range f.Programs {
		names = append(names, p.Name)
	}
	return names
}

func kindOf(b *report.Bucket) string {
	if b.Layer != "" && b.Layer != "verdict" {
		return report.Escape(b.Layer + " " + b.Kind)
	}
	return report.Escape(b.Kind)
}

// groups are the programs by what they did, those that are most first.
func groups(b *report.Bucket, names []string) []group {
	var list []group
	for _, name := range names {
		g := group{
			Outcome: report.Escape(report.Outcome(b.Kind, b.Outcomes[name])), Result: report.Cut(report.Escape(b.Results[name]), 90),
			Odd: slices.Contains(b.Odd, name),
		}
		g.Class = outcomeClass(b.Outcomes[name])
		i := slices.IndexFunc(list, func(o group) bool { return o.Outcome == g.Outcome && o.Result == g.Result && o.Odd == g.Odd })
		if i < 0 {
			i = len(list)
			list = append(list, g)
		}
		if len(names) > 1 {
			list[i].Names = append(list[i].Names, report.Escape(name))
		}
	}
	slices.SortStableFunc(list, func(a, b group) int { return len(b.Names) - len(a.Names) })
	return list
}

// outcomeClass is the class by which an outcome is coloured.
func outcomeClass(outcome string) string {
	switch outcome {
	case "accepted", "rejected", "declined", "crashed", "timeout", "oom":
		return outcome
	}
	return "declined"
}

// findingView is a finding in full.
type findingView struct {
	ID        string
	Row       *findingRow
	Open      bool
	Title     string
	Facts     []Setting
	Minimized []Argument
	General   string
	Found     []Argument // as it was found; nil when that is the same
	Changes   []Change
	Origin    string
	Operators string
	Outputs   []outputView
	Compared  bool // differences are marked
	Partings  []partingView
	More      int // partings that are not shown
	Places    []placesView
	Single    bool
	Similar   []similarView
	Replay    string
	Repro     string
	ReproFile string
	GoMod     string
}

type outputView struct {
	Name, Class, Outcome, Style string
	Odd                         bool
	What                        string // value, error, message
	Runs                        []Run
	Type                        string
	Truncated                   bool
	Stack, Logged               string
}

type placesView struct {
	Program, Class string
	Places         []placeView
}

type placeView struct {
	Where, To, Function, Branch string
	Score, Bar, Counts          string
	Excerpt                     *excerpt
}

type similarView struct {
	ID, To, Why string
	bucket      string
}

// A partingView is a place in which values differ.
type partingView struct {
	Path   string
	Values []partingValue
}

type partingValue struct {
	Names []string
	Runs  []Run
}

func newFinding(c *Campaign, f *Finding, l *lister, where map[string]string) *findingView {
	r := f.Record
	v := &findingView{
		Title: title(r), Minimized: arguments(r.Shape, r.Minimized, r.Holes), Single: len(r.Programs) == 1,
		General: report.GeneralForm(r.Shape, r.Minimized, r.Holes, 400), Replay: report.Escape(r.Replay),
		Operators: report.Escape(strings.Join(r.Operators, ", ")),
	}
	if string(r.Input) != string(r.Minimized) {
		v.Found = arguments(r.Shape, r.Input, nil)
	}
	if r.Parent != nil {
		v.Changes = changes(r.Shape, r.Parent, r.Input)
	}
	v.Facts = facts(f)
	v.outputs(f)
	v.part(r)
	for _, other := range f.Row.Similar {
		v.Similar = append(v.Similar, similarTo(other))
	}
	for p := range r.Programs {
		if places := newPlaces(c, &r.Programs[p], p, l, where); places != nil {
			v.Places = append(v.Places, *places)
		}
	}
	v.Repro, v.GoMod, v.ReproFile = source(f.Reproducer), source(f.GoMod), report.ReproducerFile
	return v
}

// source escapes a file of several lines.
func source(text string) string {
	lines := strings.Split(strings.TrimRight(start(text), "\n"), "\n")
	for i := range lines {
		lines[i] = escapeSource(lines[i])
	}
	return cut(strings.Join(lines, "\n"), 16<<10)
}

func cut(s string, limit int) string {
	if len(s) <= limit {
		return s
	}
	return strings.ToValidUTF8(s[:limit], "") + fmt.Sprintf("\n… %s more", report.Bytes(int64(len(s)-limit)))
}

// weight is about how many bytes a finding adds to the page.
func (v *findingView) weight() int {
	n := 1000 + len(v.Repro) + len(v.GoMod)
	runs := func(list []Run) {
		for _, r := range list {
			n += len(r.Text)
			if r.Class != "" {
				n += 30
			}
		}
	}
	for _, list := range [][]Argument{v.Minimized, v.Found} {
		for _, a := range list {
			runs(a.Runs)
			n += len(a.Hex)
		}
	}
	for _, c := range v.Changes {
		runs(c.Before)
		runs(c.After)
	}
	for _, o := range v.Outputs {
		runs(o.Runs)
		n += len(o.Stack) + len(o.Logged) + 200
	}
	for _, p := range v.Places {
		n += 1500 * len(p.Places)
	}
	return n
}

func facts(f *Finding) []Setting {
	list := []Setting{{"seen", count(f.Row.Count, "input")}}
	put := func(name string, inputs uint64, stamp string) {
		text := "after " + count(inputs, "input")
		if at := moment(stamp); at != "" {
			text += ", " + at + " UTC"
		}
		list = append(list, Setting{name, text})
	}
	put("first", f.Row.FirstSeen, f.Row.FirstSeenTime)
	if f.Row.LastSeen > f.Row.FirstSeen {
		put("last", f.Row.LastSeen, f.Row.LastSeenTime)
	}
	if f.Folder != "" {
		list = append(list, Setting{"folder", report.Escape(f.Folder)})
	}
	return list
}

// moment is a time of a record for people; "" when there is none.
func moment(stamp string) string {
	t, err := time.Parse(time.RFC3339, stamp)
	if err != nil {
		return ""
	}
	return t.UTC().Format("2006-01-02 15:04")
}

func count(n uint64, noun string) string {
	if n != 1 {
		noun += "s"
	}
	return thousands(n) + " " + noun
}

// title says what happened, in a sentence.
func title(f *report.Finding) string {
	names := escaped(programNames(f))
	all := join(names)
	if f.Kind == "change" {
		return all + " differ"
	}
	if f.Kind != "discrepancy" {
		for _, p := range f.Programs {
			verb := map[string]string{"crashed": "crashes", "timeout": "does not return", "oom": "runs out of memory"}[p.Outcome]
			if verb == "" {
				continue
			}
			if f.Kind == "failure" {
				verb = "fails"
			}
			text := report.Escape(p.Name) + " " + verb
			if line, _, _ := strings.Cut(p.Message, "\n"); line != "" {
				text += ": " + report.Cut(report.Escape(line), 120)
			}
			return text
		}
	}
	switch f.Layer {
	case "value":
		if rest := slices.DeleteFunc(slices.Clone(f.Programs), func(p report.Program) bool { return slices.Contains(f.Odd, p.Name) }); len(f.Odd) > 0 && len(rest) > 0 {
			var others []string
			for _, p := range rest {
				others = append(others, report.Escape(p.Name))
			}
			odd := escaped(f.Odd)
			return join(odd) + " give" + s(odd) + " another value than " + join(others)
		}
		return all + " accept the same input with different values"
	case "class":
		return all + " reject the same input for different reasons"
	}
	by := map[string][]string{}
	for i, p := range f.Programs {
		by[p.Outcome] = append(by[p.Outcome], names[i])
	}
	if len(by["accepted"]) > 0 && len(by["rejected"]) > 0 {
		return join(by["accepted"]) + " accept" + s(by["accepted"]) + " what " + join(by["rejected"]) + " reject" + s(by["rejected"])
	}
	return all + " disagree"
}

func escaped(list []string) []string {
	list = slices.Clone(list)
	for i := range list {
		list[i] = report.Escape(list[i])
	}
	return list
}

func join(names []string) string {
	if n := len(names); n > 1 {
		return strings.Join(names[:n-1], ", ") + " and " + names[n-1]
	}
	return strings.Join(names, "")
}

func s(names []string) string {
	if len(names) == 1 {
		return "s"
	}
	return ""
}

// outputs shows what each program did; what tells a result from that of most others is marked.
func (v *findingView) outputs(f *Finding) {
	r := f.Record
	usual, other := reference(r)
	for p := range r.Programs {
		prog := &r.Programs[p]
		o := outputView{
			Name: report.Escape(prog.Name), Class: colour(p), Outcome: report.Escape(report.Outcome(r.Kind, prog.Outcome)), Style: outcomeClass(prog.Outcome),
			Odd: slices.Contains(r.Odd, prog.Name), Truncated: prog.Truncated, Stack: lines(shortStack(start(prog.Stack)), 60), Logged: lines(start(prog.Output), 60),
		}
		text := prog.Result()
		switch {
		case prog.Message != "":
			o.What = "message"
		case prog.Error != "":
			o.What, o.Type = "error", report.Escape(prog.ErrorType)
		case prog.Value != "":
			o.What = "value"
		}
		against := ""
		switch {
		case usual < 0 || prog.Outcome != r.Programs[usual].Outcome:
		case text != r.Programs[usual].Result():
			against = r.Programs[usual].Result()
		case other >= 0:
			against = r.Programs[other].Result()
		}
		if against != "" {
			_, mine := compare(against, text)
			o.Runs = pieces(mine)
			v.Compared = true
		} else {
			o.Runs = pieces([]report.Piece{{Text: text}})
		}
		v.Outputs = append(v.Outputs, o)
	}
}

// part tells where in the trees of values those of the programs that accepted differ.
func (v *findingView) part(r *report.Finding) {
	if r.Layer != "value" {
		return
	}
	var values []string
	by := map[string][]string{}
	for i := range r.Programs {
		p := &r.Programs[i]
		if p.Outcome != "accepted" || p.Truncated || len(p.Value) > 1<<20 {
			continue
		}
		if by[p.Value] == nil {
			values = append(values, p.Value)
		}
		by[p.Value] = append(by[p.Value], report.Escape(p.Name))
	}
	list, n := report.Partings(values)
	for _, p := range list {
		w := partingView{Path: report.Escape(p.Path)}
		for i, text := range p.Texts {
			w.Values = append(w.Values, partingValue{by[values[i]], pieces([]report.Piece{{Text: text}})})
		}
		v.Partings = append(v.Partings, w)
	}
	v.More = n - len(list)
}

// similarTo is a link to a finding that may have the same cause.
func similarTo(s report.Similar) similarView {
	v := similarView{ID: report.Escape(s.ID), bucket: s.ID}
	switch s.Why {
	case "place":
		v.Why = "is decided at the same place"
	case "input":
		v.Why = fmt.Sprintf("has an input that is alike to %d of 100", s.Score)
	case "input and place":
		v.Why = fmt.Sprintf("is decided at the same place, on an input that is alike to %d of 100", s.Score)
	default:
		v.Why = report.Escape(s.Why)
	}
	return v
}

// reference finds a program whose result most of those with its outcome have, and the only other result if there is
// just one. usual is less than 0 when nothing is to be compared.
func reference(r *report.Finding) (usual, other int) {
	if r.Layer != "value" && r.Layer != "class" && r.Kind != "change" {
		return -1, -1
	}
	how := map[string]int{}
	best := -1
	for i := range r.Programs {
		p := &r.Programs[i]
		if p.Result() == "" {
			continue
		}
		key := p.Outcome + "\x00" + p.Result()
		how[key]++
		if best < 0 || how[key] > how[r.Programs[best].Outcome+"\x00"+r.Programs[best].Result()] {
			best = i
		}
	}
	if best < 0 {
		return -1, -1
	}
	rest := -1
	for i := range r.Programs {
		p := &r.Programs[i]
		if p.Outcome != r.Programs[best].Outcome || p.Result() == "" || p.Result() == r.Programs[best].Result() {
			continue
		}
		if rest >= 0 && p.Result() != r.Programs[rest].Result() {
			return best, -1
		}
		rest = i
	}
	return best, rest
}

// start is as much of a long text as is worth looking at.
func start(s string) string {
	const most = 64 << 10
	if len(s) > most {
		return s[:most] + "\n…"
	}
	return s
}

// shortStack is a stack without the folders of the machine.
func shortStack(s string) string {
	var b strings.Builder
	for line := range strings.Lines(s) {
		text := strings.TrimLeft(line, " \t")
		b.WriteString(line[:len(line)-len(text)])
		if strings.HasPrefix(text, "/") {
			text = report.ShortPath(text)
		}
		b.WriteString(text)
	}
	return b.String()
}

// lines is text of several lines, escaped, and its first ones.
func lines(s string, most int) string {
	s = strings.Trim(s, "\n")
	if s == "" {
		return ""
	}
	list := strings.SplitN(s, "\n", most+1)
	if len(list) > most {
		list[most] = fmt.Sprintf("… %d further lines", strings.Count(list[most], "\n")+1)
	}
	for i := range list {
		list[i] = report.Cut(escapeSource(list[i]), 300)
	}
	return strings.Join(list, "\n")
}

// newPlaces is where a program's path separates, best first.
func newPlaces(c *Campaign, p *report.Program, k int, l *lister, where map[string]string) *placesView {
	ranked := p.Ranked
	if len(ranked) == 0 && p.Deciding != "" {
		ranked = []report.Place{{Location: p.Deciding}}
	}
	if len(ranked) == 0 {
		return nil
	}
	v := &placesView{Program: report.Escape(p.Name), Class: colour(k)}
	for i, r := range ranked {
		w := placeView{Where: report.Escape(report.ShortPath(r.Location)), To: where[c.place(r.Location)]}
		function, did := r.Words()
		w.Function, w.Branch = report.Escape(function), report.Escape(did)
		if r.Score > 0 {
			w.Score, w.Bar = fmt.Sprintf("%.2f", r.Score), unit(min(r.Score, 1)*100)
			w.Counts = fmt.Sprintf("%d that disagree, %d that do not", r.With, r.Without)
		}
		if i < 3 {
			w.Excerpt = l.around(c.place(r.Location), 3)
		}
		v.Places = append(v.Places, w)
	}
	return v
}

package page

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"parallax/cmd/internal/base/escape"
	"parallax/cmd/internal/base/units"
	"parallax/cmd/internal/finding/history"
	"parallax/cmd/internal/finding/reproducer"
	"parallax/cmd/internal/show/text"
)

// findingView is the full view of a finding.
type findingView struct {
	ID        string
	Row       *findingRow
	Open      bool
	Title     string
	Facts     []Setting
	Drawn     string // value drawn from Minimized, or the call that it encodes
	Beneath   string // the kind of Minimized below Drawn
	Minimized []Argument
	General   string
	Found     []Argument // as it was found; nil if that is the same
	Changes   []Change
	Origin    string
	Operators string
	Outputs   []outputView
	Compared  bool // differences are marked
	Partings  []partingView
	More      int // number of partings that are not shown
	Places    []placesView
	Older     string // about the lines of Places; may be empty
	Single    bool
	Variants  []variantView
	Similar   []similarView
	History   []historyView
	Under     []*findingView // similar findings, which fold under it
	Replay    string
	Repro     string
	ReproFile string
	Script    bool // Repro is a script
	GoMod     string
}

type outputView struct {
	Name, Class, Outcome, Style string
	Odd                         bool
	What                        string // a value, an error or a message
	Runs                        []Run
	Type                        string
	Truncated                   bool
	Stack, Logged               string
}

type placesView struct {
	Program, Class string
	Odd            bool
	Note           string // why the first place may decide nothing
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

// variantView is another look of findings with the same cause.
type variantView struct {
	ID, Count, Quoted string
	New               bool
}

// partingView is a place at which values differ.
type partingView struct {
	Path   string
	Values []partingValue
}

type partingValue struct {
	Names []string
	Runs  []Run
}

func newFinding(c *Campaign, f *Shown, l *lister, where func(place string) string) *findingView {
	r := f.Record
	v := &findingView{
		Title: text.Title(r), Minimized: arguments(r.Shape, r.Minimized, r.Holes), Single: len(r.Programs) == 1,
		General: r.GeneralForm(400), Replay: escape.Text(r.Replay),
		Operators: escape.Text(strings.Join(r.Operators, ", ")),
	}
	name(v.Minimized, r.Parameters)
	if string(r.Input) != string(r.Minimized) {
		v.Found = arguments(r.Shape, r.Input, nil)
		name(v.Found, r.Parameters)
	}
	switch {
	case r.FromTape():
		v.Beneath = "The tape that it is drawn from"
	case r.Drawn != "":
		v.Beneath = "As bytes of an input"
	}
	v.Drawn = lines(start(r.Drawn), 200)
	if r.Parent != nil && !r.FromTape() { // bytes of tapes are not readable
		v.Changes = changes(r.Shape, r.Parent, r.Input)
	}
	v.Facts = facts(f)
	if r.FromTape() && v.Operators != "" {
		v.Facts = append(v.Facts, Setting{"made by", v.Operators})
	}
	v.outputs(f)
	v.partValues(r)
	for _, o := range f.Row.Variants {
		v.Variants = append(v.Variants, variantView{escape.Text(o.ID), units.Thousands(o.Count), escape.Text(o.Quoted), o.New})
	}
	for _, other := range f.Row.Similar {
		v.Similar = append(v.Similar, similarTo(other))
	}
	for p := range r.Programs {
		if places := newPlaces(c, &r.Programs[p], p, l, where, f.Row.Older); places != nil {
			places.Odd = slices.Contains(r.Odd, r.Programs[p].Name)
			v.Places = append(v.Places, *places)
		}
	}
	if f.Row.Older {
		v.Older = text.OlderNote
	}
	slices.SortStableFunc(v.Places, func(a, b placesView) int { // the odd one out first
		switch {
		case a.Odd == b.Odd:
			return 0
		case a.Odd:
			return -1
		}
		return 1
	})
	v.History = histories(f.History)
	v.Repro, v.GoMod, v.ReproFile = source(f.Page.Reproducer), source(f.Page.GoMod), reproducer.TestFile
	if f.Page.Reproducer == "" && f.Page.Script != "" { // its programs are of several kinds
		v.Repro, v.ReproFile, v.Script = source(f.Page.Script), reproducer.ScriptFile, true
	}
	return v
}

// source escapes a file with several lines.
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
	return strings.ToValidUTF8(s[:limit], "") + fmt.Sprintf("\n… %s more", units.Bytes(int64(len(s)-limit)))
}

// weight estimates the bytes that a finding adds to the page.
func (v *findingView) weight() int {
	n := 1000 + len(v.Repro) + len(v.GoMod) + len(v.Drawn)
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

func facts(f *Shown) []Setting {
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
	if f.Row.Origin != "" {
		list = append(list, Setting{"origin", escape.Text(f.Row.Origin)})
	}
	if f.Page.Folder != "" {
		list = append(list, Setting{"folder", escape.Text(f.Page.Folder)})
	}
	return list
}

// moment formats a time of a record for people. Empty means none.
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

// historyView is an entry of a finding's history.
type historyView struct {
	When, Who string
	Did       []string
	Comment   string
}

func histories(log history.Log) (list []historyView) {
	for i := range log {
		e := log[i]
		v := historyView{When: moment(e.Time), Who: escape.Text(text.Who(&e)), Comment: lines(e.Comment, 200)}
		e.Comment = ""
		for _, did := range text.Entries(&e) {
			v.Did = append(v.Did, escape.Text(did))
		}
		list = append(list, v)
	}
	return list
}

package page

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"parallax/cmd/internal/base/escape"
	"parallax/cmd/internal/base/parting"
	"parallax/cmd/internal/finding"
	"parallax/cmd/internal/show/text"
)

// outputs shows the result of each program, and marks its differences from that of most others.
func (v *findingView) outputs(f *Shown) {
	r := f.Record
	usual, other := reference(r)
	for p := range r.Programs {
		prog := &r.Programs[p]
		o := outputView{
			Name: escape.Text(prog.Name), Class: color(p), Outcome: escape.Text(finding.Outcome(r.Kind, prog.Outcome)), Style: outcomeClass(prog.Outcome),
			Odd: slices.Contains(r.Odd, prog.Name), Truncated: prog.Truncated, Stack: lines(shortStack(start(prog.Stack)), 60), Logged: lines(start(prog.Output), 60),
		}
		words := prog.Result()
		cost := text.Cost(r, prog)
		if cost != "" {
			words = cost
		}
		switch {
		case cost != "":
			o.What = "cost"
		case prog.Message != "":
			o.What = "message"
		case prog.Error != "":
			o.What, o.Type = "error", escape.Text(cmp.Or(r.ErrorKind(prog), prog.ErrorType))
		case prog.Value != "":
			o.What = "value"
		}
		against := ""
		switch {
		case usual < 0 || prog.Outcome != r.Programs[usual].Outcome:
		case words != r.Programs[usual].Result():
			against = r.Programs[usual].Result()
		case other >= 0:
			against = r.Programs[other].Result()
		}
		if against != "" {
			_, mine := compare(against, words)
			o.Runs = pieces(mine)
			v.Compared = true
		} else {
			o.Runs = pieces([]parting.Piece{{Text: words}})
		}
		v.Outputs = append(v.Outputs, o)
	}
}

// partValues finds the places at which the trees of the accepted values differ.
func (v *findingView) partValues(r *finding.Finding) {
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
		by[p.Value] = append(by[p.Value], escape.Text(p.Name))
	}
	list, n := parting.Of(values)
	for _, p := range list {
		w := partingView{Path: escape.Text(p.Path)}
		for i, text := range p.Texts {
			w.Values = append(w.Values, partingValue{by[values[i]], pieces([]parting.Piece{{Text: text}})})
		}
		v.Partings = append(v.Partings, w)
	}
	v.More = n - len(list)
}

// similarTo returns a link to a finding that may have the same cause.
func similarTo(s finding.Similar) similarView {
	v := similarView{ID: escape.Text(s.ID), bucket: s.ID}
	switch s.Why {
	case "place":
		v.Why = "is decided at the same place"
	case "input":
		v.Why = fmt.Sprintf("has a similar input (%d of 100)", s.Score)
	case "input and place":
		v.Why = fmt.Sprintf("is decided at the same place, and has a similar input (%d of 100)", s.Score)
	default:
		v.Why = escape.Text(s.Why)
	}
	return v
}

// reference returns a program whose result is the most common one with its outcome, and the other
// result if there is only one. A negative usual means that results are not compared.
func reference(r *finding.Finding) (usual, other int) {
	if r.Layer != "value" && r.Layer != "class" && r.Kind != "change" || r.Layer == "cost" {
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

// start returns the beginning of a long text.
func start(s string) string {
	const most = 64 << 10
	if len(s) > most {
		return s[:most] + "\n…"
	}
	return s
}

// shortStack removes the folders of the machine from a stack.
func shortStack(s string) string {
	var b strings.Builder
	for line := range strings.Lines(s) {
		text := strings.TrimLeft(line, " \t")
		b.WriteString(line[:len(line)-len(text)])
		if strings.HasPrefix(text, "/") {
			text = escape.ShortPath(text)
		}
		b.WriteString(text)
	}
	return b.String()
}

// lines escapes the first lines of a text.
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
		list[i] = escape.Cut(escapeSource(list[i]), 300)
	}
	return strings.Join(list, "\n")
}

// newPlaces lists the places at which a program's path separates, the best first. Places in older
// sources have no source lines.
func newPlaces(c *Campaign, p *finding.Program, k int, l *lister, where func(place string) string, older bool) *placesView {
	ranked := p.Ranked
	if len(ranked) == 0 && p.Deciding != "" {
		ranked = []finding.Place{{Location: p.Deciding}}
	}
	if len(ranked) == 0 {
		return nil
	}
	v := &placesView{Program: escape.Text(p.Name), Class: color(k), Note: text.Reservation(p)}
	for i, r := range ranked {
		w := placeView{Where: escape.Text(escape.ShortPath(r.Location))}
		if !older {
			w.To = where(c.place(p.Name, r.Location))
		}
		function, did := r.Words()
		w.Function, w.Branch = escape.Text(function), escape.Text(did)
		if r.Score > 0 {
			w.Score, w.Bar = fmt.Sprintf("%.2f", r.Score), unit(min(r.Score, 1)*100)
			w.Counts = fmt.Sprintf("%d that disagree, %d that do not", r.With, r.Without)
		}
		if i < 3 && !older {
			w.Excerpt = l.excerptAt(c.place(p.Name, r.Location), 3)
		}
		v.Places = append(v.Places, w)
	}
	return v
}

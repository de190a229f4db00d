package report

import (
	"bytes"
	"cmp"
	"fmt"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// Page is what is told of a finding beyond its own record.
type Page struct {
	Source     func(file string) ([]byte, error) // reads a source file; nil: Sources of Dir
	Dir        string                            // where the campaign was started: files below it are named from there
	Here       string                            // the current folder, for paths on a terminal
	Reproducer string                            // the reproducer's text; "": none
	GoMod      string                            // the go.mod beside it
	Script     string                            // the text of reproducer.sh; "": none
	Folder     string                            // the finding's folder, as the user would type it
	Similar    []Related                         // nearest first
	Others     []Other                           // further inputs of the bucket
	Life       *Life                             // nil: not known

	markdown bool
	width    int // of a terminal
}

// A Related is another bucket that may have the same cause.
type Related struct {
	Similar
	Kind     string
	Input    string // as QuoteInput has it
	Location string
}

// Other is a further input of a finding's bucket.
type Other struct {
	Input string   // minimised, as QuoteInput has it
	Where []string // for each program, the place that decides; empty: none
}

// Other is what a finding is among others of its bucket.
func (f *Finding) Other() Other {
	o := Other{Input: QuoteInput(f.Shape, f.Minimized, 100)}
	for _, p := range f.Programs {
		o.Where = append(o.Where, p.Deciding)
	}
	return o
}

// Life is what is known of a finding's bucket by now.
type Life struct {
	Count       uint64
	FirstSeen   uint64 // inputs that the campaign had run
	First, Last time.Time
	Now         time.Time
	Accepted    bool
	Reason      string
	Gone        bool
}

func (f *Finding) document(page Page) *document {
	if page.Source == nil {
		page.Source = Sources(page.Dir)
	}
	if page.markdown {
		page.width = rowWidth
	}
	d := &document{}
	d.add(headingBlock{1, f.title()})
	f.identity(d, page)
	f.runs(d)
	f.did(d, page)
	f.differ(d, page)
	f.inputs(d, page)
	f.origin(d, page)
	f.decided(d, page)
	f.others(d, page)
	f.similar(d, page)
	f.replay(d, page)
	return d
}

func (f *Finding) identity(d *document, page Page) {
	what := []span{{f.Kind, asPlain}}
	if f.Layer != "" {
		what = append(what, say(" ("), span{f.Layer, asPlain}, say(")"))
	}
	target, bucket := cmp.Or(f.Target, "(none)"), cmp.Or(f.Bucket, "(none)")
	p := append(paragraphBlock{say("Found by parallax in target "), named(target), say(": ")}, what...)
	p = append(p, say(", bucket "), named(bucket), say("."))
	if l := page.Life; l != nil && l.Count > 1 {
		p = append(p, say(" %s showed it.", plural(l.Count, "input")))
	}
	if page.markdown {
		d.add(p)
		return
	}
	known := factsBlock{
		{"bucket", append([]span{named(bucket), say(", ")}, what...)},
		{"target", []span{{target, asPlain}}},
	}
	if l := page.Life; l != nil {
		known = append(known, fact{"seen", []span{say("%s", l.seen())}})
		if l.Accepted {
			known = append(known, fact{"accepted", []span{{cmp.Or(l.Reason, "yes"), asPlain}}})
		}
		if l.Gone {
			known = append(known, fact{"gone", []span{say("it did not show any more when it was run again")}})
		}
	}
	d.add(known)
}

func (l *Life) seen() string {
	text := "in " + plural(l.Count, "input")
	first := []string{}
	if !l.First.IsZero() && !l.Now.IsZero() {
		first = append(first, Ago(l.Now.Sub(l.First)))
	}
	if l.FirstSeen > 0 {
		first = append(first, "after "+plural(l.FirstSeen, "input"))
	}
	if len(first) > 0 {
		text += "; first " + strings.Join(first, ", ")
	}
	if !l.Now.IsZero() && l.Last.After(l.First) {
		text += "; last " + Ago(l.Now.Sub(l.Last))
	}
	return text
}

// Ages says when something was first and last seen: "first 2h10m ago, last 3m05s ago". Empty when that is not known.
func Ages(first, last, now time.Time) string {
	if first.IsZero() || now.IsZero() {
		return ""
	}
	text := "first " + Ago(now.Sub(first))
	if !last.IsZero() && last.After(first) {
		text += ", last " + Ago(now.Sub(last))
	}
	return text
}

// Ago is the largest unit of a span, which is all that the age of something tells.
func Ago(d time.Duration) string {
	for _, u := range []struct {
		unit time.Duration
		name string
	}{{24 * time.Hour, "d"}, {time.Hour, "h"}, {time.Minute, "m"}, {time.Second, "s"}} {
		if d >= u.unit {
			return fmt.Sprintf("%d%s ago", d/u.unit, u.name)
		}
	}
	return "just now"
}

// did is what each program did.
// plainErrors are types that say nothing about an error.
var plainErrors = map[string]bool{"*errors.errorString": true, "*fmt.wrapError": true, "*fmt.wrapErrors": true}

func (f *Finding) did(d *document, page Page) {
	title, at := "What each program did", "decided at"
	if f.single() {
		title, at = "What it did", "at"
	}
	d.add(headingBlock{2, []span{say("%s", title)}})
	t := tableBlock{head: []string{"program", "outcome", "result", at}}
	for _, p := range f.Programs {
		result := []span{}
		if text := f.Excerpt(&p, 400, 500); text != "" {
			result = append(result, span{text, asValue})
		}
		if p.Error != "" && p.ErrorType != "" && !plainErrors[p.ErrorType] {
			result = append(result, say(" of type "), span{Cut(p.ErrorType, 200), asValue})
		}
		if p.Truncated {
			result = append(result, say(" (cut)"))
		}
		where := []span{}
		if p.Deciding != "" {
			where = []span{named(page.short(p.Deciding))}
			if !page.markdown {
				where = []span{{path.Base(p.Deciding), asQuiet}} // in full below
			}
		}
		outcome := Outcome(f.Kind, p.Outcome)
		st := map[string]style{"accepted": asGood, "rejected": asMiddle, "declined": asQuiet}[outcome]
		if st == asWords {
			st = asBad
		}
		t.rows = append(t.rows, [][]span{{named(p.Name)}, {{outcome, st}}, result, where})
	}
	d.add(t)
	if len(f.Odd) > 0 {
		d.add(append(append(paragraphBlock{say("Odd one out: ")}, enumerate(f.Odd)...), say(".")))
	}
	for _, p := range f.Programs {
		if p.Stack != "" {
			stack := p.Stack
			if page.markdown {
				stack = shortStack(stack)
			}
			d.add(paragraphBlock{say("The stack of "), named(p.Name), say(":")},
				codeText("", Cut(strings.TrimLeft(stack, "\n"), shown)))
		}
		if p.Output != "" {
			d.add(paragraphBlock{say("What "), named(p.Name), say(" logged:")}, codeText("", Cut(strings.TrimRight(p.Output, "\n"), shown)))
		}
	}
}

// single reports whether there is nothing that the program could be compared with.
func (f *Finding) single() bool { return len(f.Programs) == 1 }

// differ shows where values or errors differ that were compared.
func (f *Finding) differ(d *document, page Page) {
	outcome, what := "accepted", "values"
	text := func(p *Program) string { return p.Value }
	switch f.Layer {
	case "value":
	case "class":
		outcome, what = "rejected", "errors"
		text = func(p *Program) string { return p.Error }
	default:
		return
	}
	var labels, values []string
	var more [][]string // programs with the same value
	most, reference, cut := 0, 0, false
	count := map[string]int{}
	for i := range f.Programs {
		p := &f.Programs[i]
		if p.Outcome != outcome {
			continue
		}
		v := text(p)
		cut = cut || p.Truncated
		k := slices.Index(values, v)
		if k < 0 {
			k = len(values)
			labels, values, more = append(labels, p.Name), append(values, v), append(more, nil)
		} else {
			more[k] = append(more[k], p.Name)
		}
		if count[v]++; count[v] > most {
			most, reference = count[v], k
		}
	}
	if len(values) == 0 {
		return
	}
	d.add(headingBlock{2, []span{say("Where the %s differ", what)}})
	if len(values) == 1 {
		why := "They read the same."
		if cut {
			why = fmt.Sprintf("They are the same in the first %s, which is all that is recorded of them.", size(len(values[0])))
		}
		d.add(paragraphBlock{say("%s", why)})
		return
	}
	for k, names := range more {
		all := strings.Join(append([]string{labels[k]}, names...), ", ")
		switch {
		case len(names) == 0:
		case cells(Escape(all)) <= page.width/3:
			labels[k] = all
		default:
			labels[k] += fmt.Sprintf(" and %d more", len(names))
		}
	}
	f.partings(d, page, labels, values, reference)
}

func (f *Finding) partings(d *document, page Page, labels, values []string, reference int) {
	rows := func(texts []string) codeBlock {
		var list []row
		for i, t := range texts {
			list = append(list, row{labels[i], t})
		}
		return codeBlock{lines: markedRows(list, rowOptions{reference: reference, width: page.width})}
	}
	var trees []tree
	if f.Layer == "value" {
		for _, v := range values {
			t, ok := parseTree(v)
			if !ok {
				break
			}
			trees = append(trees, t)
		}
	}
	var list []parting
	n := 0
	if len(trees) == len(values) {
		list, n = partings(trees)
	}
	if len(list) == 0 || list[0].path == "" {
		d.add(rows(values))
		return
	}
	for _, p := range list {
		d.add(paragraphBlock{say("At "), named(p.path), say(":")}, rows(p.texts))
	}
	if n > len(list) {
		d.add(paragraphBlock{say("And at %s more.", plural(n-len(list), "place"))})
	}
}

// inputs shows the smallest input, its general form, and what was found.
func (f *Finding) inputs(d *document, page Page) {
	d.add(headingBlock{2, []span{say("Input")}},
		paragraphBlock{say("Minimised%s:", f.sized(" to ", f.Minimized))})
	f.showInput(d, f.Minimized)
	if form := GeneralForm(f.Shape, f.Minimized, f.Holes, shown); form != "" {
		d.add(paragraphBlock{say("In general, with anything of the named kind in %s%s:", holeOpen, holeClose)}, codeText("", form))
	}
	if !bytes.Equal(f.Input, f.Minimized) {
		d.add(paragraphBlock{say("As it was found%s:", f.sized(", ", f.Input))})
		f.showInput(d, f.Input)
	}
}

// sized is the size of an input that is one string of bytes; that of several arguments says nothing.
func (f *Finding) sized(before string, flat []byte) string {
	if !f.Shape.Raw() {
		return ""
	}
	return before + size(len(flat))
}

func (f *Finding) showInput(d *document, flat []byte) {
	values := unpack(f.Shape, flat)
	if values == nil {
		values = []any{flat}
	}
	var lines []string
	for _, v := range values {
		switch v := v.(type) {
		case []byte:
			lines = append(lines, "[]byte("+QuoteCut(string(v), shown)+")")
		case string:
			lines = append(lines, QuoteCut(v, shown))
		default:
			lines = append(lines, literal(v))
		}
	}
	d.add(codeText("go", strings.Join(lines, "\n")))
	for i, v := range values {
		data, _ := textOf(v)
		if dump := HexDump([]byte(data), 1024); dump != "" {
			if len(values) > 1 {
				d.add(paragraphBlock{say("Argument %d:", i+1)})
			}
			c := codeText("", dump)
			c.wrap = false
			d.add(c)
		}
	}
}

// textOf is an argument that is text or bytes.
func textOf(v any) (string, bool) {
	switch v := v.(type) {
	case []byte:
		return string(v), true
	case string:
		return v, true
	}
	return "", false
}

// origin shows how the input differs from the one that it was mutated from.
func (f *Finding) origin(d *document, page Page) {
	if f.Parent == nil && len(f.Operators) == 0 {
		return
	}
	d.add(headingBlock{2, []span{say("Where it came from")}})
	var by []span
	if len(f.Operators) > 0 {
		by = append([]span{say(" by ")}, enumerate(f.Operators)...)
	}
	if f.Parent == nil {
		d.add(append(append(paragraphBlock{say("A fresh input")}, by...), say(".")))
		return
	}
	p := append(paragraphBlock{say("From corpus input "), named(cmp.Or(f.hash(f.Parent), "(none)"))}, by...)
	if bytes.Equal(f.Parent, f.Input) {
		d.add(append(p, say(", which is the same.")))
		return
	}
	d.add(append(p, say(". What differs is marked:")))
	before, after := unpack(f.Shape, f.Parent), unpack(f.Shape, f.Input)
	if len(before) < 2 || len(before) != len(after) {
		before, after = []any{f.Parent}, []any{f.Input}
		if f.Shape.Raw() || len(f.Shape) == 0 {
			before, after = []any{string(f.Parent)}, []any{string(f.Input)}
		}
	}
	for i := range before {
		a, text := textOf(before[i])
		b, _ := textOf(after[i])
		if !text {
			a, b = literal(before[i]), literal(after[i])
		}
		if a == b {
			continue
		}
		if len(before) > 1 {
			d.add(paragraphBlock{say("Argument %d:", i+1)})
		}
		switch {
		case !text:
			d.add(codeBlock{lines: markedRows([]row{{"parent", a}, {"input", b}}, rowOptions{width: page.width, always: true})})
		case lined(a) && lined(b):
			d.add(codeBlock{language: "diff", lines: lineDifference(a, b)})
		default:
			d.add(codeBlock{lines: parentRows(a, b, page.width)})
		}
	}
}

// lined reports whether a text is read line by line: it has several, and nothing in them that would be escaped.
func lined(s string) bool {
	return strings.Count(strings.TrimSuffix(s, "\n"), "\n") >= 2 && HexDump([]byte(strings.ReplaceAll(s, "\t", " ")), 1) == ""
}

// others lists further inputs of the bucket: a bucket is a guess that they have one cause.
func (f *Finding) others(d *document, page Page) {
	if len(page.Others) == 0 {
		return
	}
	d.add(headingBlock{2, []span{say("Further inputs of this bucket")}})
	d.add(paragraphBlock{say("Up to eight are kept. That they have the same cause is likely, and not certain: places that differ are a hint.")})
	t := tableBlock{head: []string{"input", "decided at"}}
	for _, o := range page.Others {
		var where []span
		for _, at := range o.Where {
			if at == "" {
				continue
			}
			if len(where) > 0 {
				where = append(where, say(", "))
			}
			where = append(where, named(page.short(at)))
		}
		t.rows = append(t.rows, [][]span{{{o.Input, asValue}}, where})
	}
	d.add(t)
}

// similar lists buckets that may have the same cause.
func (f *Finding) similar(d *document, page Page) {
	if len(page.Similar) == 0 {
		return
	}
	d.add(headingBlock{2, []span{say("Similar findings")}})
	t := tableBlock{head: []string{"bucket", "kind", "input", "similar in"}}
	for _, r := range page.Similar {
		why := []span{say("input, %d of 100", r.Score)}
		switch r.Why {
		case "place":
			why = []span{say("place")}
		case "input and place":
			why = append(why, say("; place"))
		}
		t.rows = append(t.rows, [][]span{{named(r.ID)}, {{r.Kind, asPlain}}, {{Cut(r.Input, 120), asValue}}, why})
	}
	d.add(t)
}

// replay says how to run it again.
func (f *Finding) replay(d *document, page Page) {
	d.add(headingBlock{2, []span{say("How to replay")}})
	if f.Replay != "" {
		d.add(command(f.Replay))
	}
	if page.Script != "" {
		f.script(d, page)
		return
	}
	if page.Reproducer == "" {
		return
	}
	if f.Fuzz != nil {
		copied := []span{named(f.Fuzz.file(f.Bucket)), say(", a new file in the folder of package "), named(f.Fuzz.ImportPath),
			say(", and run "), named(f.fuzzCommand("")), say(" there")}
		if !page.markdown && page.Folder != "" {
			d.add(append(append(paragraphBlock{say("Without parallax: copy "), named(filepath.Join(page.Folder, ReproducerFile)), say(" to ")}, copied...), say(".")))
			return
		}
		d.add(append(append(paragraphBlock{say("Without parallax: put this into ")}, copied...), say(".")), codeText("go", page.Reproducer))
		return
	}
	if !page.markdown && page.Folder != "" {
		if strings.Contains(page.Reproducer, "func TestDiscrepancy(") {
			d.add(paragraphBlock{say("Without parallax:")}, command("cd "+shellWord(page.Folder)+" && "+ReproducerCommand))
		} else {
			d.add(paragraphBlock{say("Without parallax: "), named(filepath.Join(page.Folder, ReproducerFile)), say(", as its first lines say.")})
		}
		return
	}
	p := paragraphBlock{say("Without parallax: put this into "), named(ReproducerFile)}
	if !strings.Contains(page.Reproducer, "func TestDiscrepancy(") {
		d.add(append(p, say(", as its first lines say.")), codeText("go", page.Reproducer))
		return
	}
	if page.GoMod != "" {
		p = append(p, say(" beside this "), named("go.mod"))
	}
	d.add(append(p, say(" and run "), named(ReproducerCommand), say(".")))
	if page.GoMod != "" {
		d.add(codeText("", page.GoMod))
	}
	d.add(codeText("go", page.Reproducer))
}

// script says how the script is run. It needs files beside it, so that its text alone would be of no use in an issue.
func (f *Finding) script(d *document, page Page) {
	if !page.markdown && page.Folder != "" {
		d.add(paragraphBlock{say("Without parallax:")}, command("sh "+shellWord(filepath.Join(page.Folder, ScriptFile))))
		return
	}
	d.add(paragraphBlock{say("Without parallax, with the programs themselves: "), named("sh " + ScriptFile), say(" in the finding's folder, which holds the input and what else it needs.")})
}

// runs shows what runs, of programs that do not share a process.
func (f *Finding) runs(d *document) {
	t := tableBlock{head: []string{"program", "kind", "what runs"}}
	for _, p := range f.Programs {
		if p.Kind == "" {
			return
		}
		t.rows = append(t.rows, [][]span{{named(p.Name)}, {{p.Kind, asPlain}}, {{Cut(p.Runs, 500), asValue}}})
	}
	if len(t.rows) > 0 {
		d.add(headingBlock{2, []span{say("The programs")}}, t)
	}
}

// command is a line for a shell.
func command(s string) codeBlock {
	c := codeText("sh", s)
	c.whole = true
	return c
}

// shellWord quotes a word for a shell where it needs it.
func shellWord(s string) string {
	if s != "" && strings.IndexFunc(s, func(r rune) bool {
		return !(r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("@%+=:,./-_", r))
	}) < 0 {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}

// title is what the finding comes to, in a line.
func (f *Finding) title() []span {
	var names []string
	for _, p := range f.Programs {
		names = append(names, p.Name)
	}
	all := enumerate(names)
	switch {
	case f.Kind == "crash" || f.Kind == "timeout" || f.Kind == "oom" || f.Kind == "failure":
		for _, p := range f.Programs {
			if p.Outcome != "crashed" && p.Outcome != "timeout" && p.Outcome != "oom" {
				continue
			}
			what := map[string]string{"timeout": "does not return", "oom": "runs out of memory"}[p.Outcome]
			switch {
			case what != "":
			case f.Kind == "failure":
				what = "fails"
			default:
				what = "crashes"
			}
			title := []span{named(p.Name), say(" %s", what)}
			if m := firstLine(p.Message); m != "" {
				title = append(title, say(": "), span{Cut(m, 100), asPlain})
			}
			return title
		}
	case f.Kind == "change":
		return append(all, say(" differ"))
	}
	switch f.Layer {
	case "value":
		return append(all, say(" accept the same input with different values"))
	case "class":
		return append(all, say(" reject the same input for different reasons"))
	}
	return append(all, say(" disagree"))
}

func firstLine(s string) string {
	line, _, _ := strings.Cut(s, "\n")
	return line
}

func plural[N uint64 | int](n N, noun string) string {
	s := Thousands(uint64(n)) + " " + noun
	if n != 1 {
		s += "s"
	}
	return s
}

package text

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"parallax/cmd/internal/base/escape"
	"parallax/cmd/internal/base/quote"
	"parallax/cmd/internal/base/units"
	"parallax/cmd/internal/finding"
	"parallax/cmd/internal/show/sources"
)

// A paper is a page with the form that it is printed in.
type paper struct {
	finding.Page
	markdown bool
	width    int // of a terminal
}

// differs returns how each program's answer to the input differs from those of other variants with
// the same deciding places.
func differs(o *finding.Other, list []finding.Other) map[int]string {
	differs := map[int]string{}
	for _, q := range list {
		if q.Variant == o.Variant || !slices.Equal(q.Where, o.Where) || len(q.Did) != len(o.Did) {
			continue
		}
		found := false
		for k := 0; k < 3 && !found; k++ {
			for p := range o.Did {
				if o.Did[p][k] != q.Did[p][k] {
					found = true
					differs[p] = cmp.Or(differs[p], o.Did[p][k])
				}
			}
		}
	}
	return differs
}

func newDocument(f *finding.Finding, page paper) *document {
	if page.Source == nil {
		page.Source = sources.Of(append([]string{page.Dir}, page.Built...)...)
	}
	if page.markdown {
		page.width = rowWidth
	}
	d := &document{}
	d.add(headingBlock{1, findingTitle(f)})
	identity(f, d, page)
	runs(f, d)
	did(f, d, page)
	differ(f, d, page)
	inputs(f, d, page)
	origin(f, d, page)
	decided(f, d, page)
	others(f, d, page)
	sharers(d, page)
	similar(f, d, page)
	lived(d, page)
	replay(f, d, page)
	return d
}

func identity(f *finding.Finding, d *document, page paper) {
	what := []span{{f.Kind, asPlain}}
	if f.Layer != "" {
		what = append(what, say(" ("), span{f.Layer, asPlain}, say(")"))
	}
	target, bucket := cmp.Or(f.Target, "(none)"), cmp.Or(f.Bucket, "(none)")
	p := append(paragraphBlock{say("Found by parallax in target "), named(target), say(": ")}, what...)
	p = append(p, say(", bucket "), named(bucket), say("."))
	if l := page.Life; l != nil && l.Count > 1 {
		p = append(p, say(" %s showed it.", units.Plural(l.Count, "input")))
	}
	how := ConfirmedHow(page.Confirm)
	origin := finding.BucketOrigin(page.Seed, f.From())
	if page.markdown {
		if origin != "" {
			p = append(p, say(" Origin: "), named(origin), say("."))
		}
		if how != "" {
			p = append(p, say(" It was confirmed with %s.", how))
		}
		if page.Remark != "" {
			p = append(p, say(" Remark: %s.", page.Remark))
		}
		if l := page.Life; l != nil {
			for _, f := range lifeFacts(l) {
				p = append(append(p, say(" It is %s: ", f.name)), f.spans...)
				p = append(p, say("."))
			}
			for _, f := range lifeCare(l) {
				p = append(append(p, say(" Its %s is ", f.name)), f.spans...)
				p = append(p, say("."))
			}
		}
		d.add(p)
		return
	}
	known := factsBlock{
		{"bucket", append([]span{named(bucket), say(", ")}, what...)},
		{"target", []span{{target, asPlain}}},
	}
	if origin != "" {
		known = append(known, fact{"origin", []span{{origin, asPlain}}})
	}
	if how != "" {
		known = append(known, fact{"confirmed", []span{say("with %s", how)}})
	}
	if page.Remark != "" {
		known = append(known, fact{"remark", []span{say("%s", page.Remark)}})
	}
	if l := page.Life; l != nil {
		known = append(known, fact{"seen", []span{say("%s", lifeSeen(l))}})
		known = append(append(known, lifeFacts(l)...), lifeCare(l)...)
	}
	d.add(known)
}

// ConfirmedHow describes how the engine of a model confirmed its findings. It returns "" for the
// default, and if there is no engine.
func ConfirmedHow(how string) string {
	if how != "concrete" {
		return ""
	}
	return "--confirm concrete: a deviation counts only if the engine shows it for the call's own values"
}

// others lists further inputs of the bucket by variant. A bucket is a guess that they have one
// cause.
func others(f *finding.Finding, d *document, page paper) {
	own := f.Other()
	list := slices.DeleteFunc(slices.Clone(page.Others), func(o finding.Other) bool {
		return o.Variant == own.Variant && o.Input == own.Input
	})
	if len(list) == 0 {
		return
	}
	order := func(o finding.Other) int {
		if o.Variant == f.Variant { // those that look like the finding come first
			return 0
		}
		return 1
	}
	slices.SortStableFunc(list, func(a, b finding.Other) int {
		by := cmp.Or(order(a)-order(b), cmp.Compare(a.Variant, b.Variant))
		if by == 0 && (a.New || b.New) { // the newest first
			by = cmp.Compare(b.Count, a.Count)
		}
		return by
	})
	several := list[len(list)-1].Variant != f.Variant // it is the last of all, where one is not known, too
	d.add(headingBlock{2, []span{say("Further inputs of this bucket")}})
	if several {
		text := paragraphBlock{say("Up to eight are kept, and one for each further variant: in a variant, another place decides, a program returns another error, or the odd program enters other functions. Most have one cause; " +
			"read them before you accept the finding.")}
		if f.Variant != "" {
			text = append(text, say(" The input above is of variant "), named(f.Variant), say("."))
		}
		d.add(text)
	} else {
		d.add(paragraphBlock{say("Up to eight are kept. Most have one cause; different places are a hint that they do not.")})
	}
	head := []string{"input", "program", "answer", "decided at"}
	if several {
		head = append([]string{"variant"}, head...)
	}
	widened := page.Life != nil && slices.ContainsFunc(list, func(o finding.Other) bool { return o.New })
	if widened {
		head = append(head, "accepted")
	}
	t := tableBlock{head: head}
	shown := map[string]bool{}
	for _, o := range list {
		key := strings.Join(append([]string{o.Variant, o.Input}, o.Where...), "\x00")
		again := func(other finding.Other) bool {
			return other.Variant == o.Variant && other.Input == o.Input && other.Located() && !o.Located()
		}
		if shown[key] || slices.ContainsFunc(list, again) { // several inputs became the same when they were minimized
			continue
		}
		shown[key] = true
		first := [][]span{{{o.Input, asValue}}}
		if several {
			first = append([][]span{{named(o.Variant)}}, first...)
		}
		differs := differs(&o, append(slices.Clip(list), own))
		for p := range max(1, len(o.Answers), len(o.Where)) {
			row := append(slices.Clone(first), answer(&o, p, differs[p], page)...)
			accepted := []span{}
			if widened && p == 0 {
				accepted = append(accepted, say("%s", map[bool]string{true: "came later", false: "yes"}[o.New]))
			}
			if widened {
				row = append(row, accepted)
			}
			t.rows = append(t.rows, row)
			first = make([][]span, len(first)) // once for the programs of an input
		}
	}
	d.add(t)
}

// answer returns the cells of a further input for program p: its name, what it did, and where it
// decided.
func answer(o *finding.Other, p int, differs string, page paper) [][]span {
	name, did, where := []span{}, []span{}, []span{}
	if p < len(o.Answers) {
		a := o.Answers[p]
		name, did = []span{named(a.Program)}, []span{{a.Outcome, outcomeStyle(a.Outcome)}}
		if a.Result != "" {
			did = append(did, say(" "), span{a.Result, asValue})
		}
	}
	if p < len(o.Where) && o.Where[p] != "" {
		at := page.short(o.Where[p])
		if !page.markdown {
			at = path.Base(at)
		}
		if p < len(o.Doubt) && o.Doubt[p] {
			where = append(where, say(perhaps))
		}
		where = append(where, named(at))
	}
	if differs != "" && len(where) > 0 {
		where = append(where, say(" ("), span{differs, asPlain}, say(")"))
	}
	return [][]span{name, did, where}
}

// similar lists buckets that may have the same cause.
func similar(f *finding.Finding, d *document, page paper) {
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
		t.rows = append(t.rows, [][]span{{named(r.ID)}, {{r.Kind, asPlain}}, {{escape.Cut(r.Input, 120), asValue}}, why})
	}
	d.add(t)
}

// findingTitle describes the finding in a line.
func findingTitle(f *finding.Finding) []span {
	var names []string
	for _, p := range f.Programs {
		if f.Kind == "change" || partakes(f, p) {
			names = append(names, p.Name)
		}
	}
	all := enumerate(names)
	switch {
	case f.Kind == "crash" || f.Kind == "timeout" || f.Kind == "oom" || f.Kind == "failure":
		if at := f.Failing(); at >= 0 {
			p := f.Programs[at]
			what := map[string]string{"timeout": "does not return", "oom": "runs out of memory"}[p.Outcome]
			switch {
			case what != "":
			case f.Kind == "failure":
				what = "fails"
			default:
				what = "crashes"
			}
			if p.InGenerator {
				what += " in a generator"
			}
			title := []span{named(p.Name), say(" %s", what)}
			if m := quote.Subject(p.Message); m != "" {
				title = append(title, say(": "), span{escape.Cut(m, 100), asPlain})
			}
			return title
		}
	case f.Layer == finding.CostLayer:
		return append(all, say(" differ in cost: %s", costs(f)))
	case f.Kind == "change":
		return append(all, say(" differ"))
	}
	if skipped(f) {
		return append(all, say(" skip the same input after different results"))
	}
	switch f.Layer {
	case "value":
		if of := operation(f); of != "" {
			return append(all, say(" report different things about "), named(of))
		}
		if call, failing, fine, ok := failing(f); ok {
			return slices.Concat([]span{named(call), say(" returns an error in ")}, enumerate(failing), []span{say(", and none in ")}, enumerate(fine))
		}
		return append(all, say(" accept the same input with different values"))
	case "class":
		return append(all, say(" reject the same input for different reasons"))
	}
	return append(all, say(" disagree"))
}

// Unjudged counts the candidates that wait for triage.
func Unjudged(n int) string { return units.Plural(n, "candidate") + " to judge" }

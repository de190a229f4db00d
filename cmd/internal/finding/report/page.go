package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"parallax/cmd/internal/base/escape"
	"parallax/cmd/internal/base/units"
)

// Page is what is told of a finding beyond its own record.
type Page struct {
	Source     func(file string) ([]byte, error) // reads a source file; nil: Sources of Dir
	Dir        string                            // where the campaign was started: files below it are named from there
	Built      []string                          // folders in which C programs were built
	Trees      map[string]string                 // by program: the folder of its own sources, where programs are versions of one
	Here       string                            // the current folder, for paths on a terminal
	Confirm    string                            // how the engine of a model confirmed it, where that is no default: see ConfirmedHow
	Reproducer string                            // the reproducer's text; "": none
	GoMod      string                            // the go.mod beside it
	Script     string                            // the text of reproducer.sh; "": none
	Folder     string                            // the finding's folder, as the user would type it
	Replay     string                            // the command that runs the finding again; "": the record's, given in its folder
	Minimize   string                            // the command that looks for a smaller input; "": none, or not known
	Waits      bool                              // the next run completes its triage
	Similar    []Related                         // nearest first
	Others     []Other                           // further inputs of the bucket
	Seed       string                            // the origin of a seed that shows the bucket, or empty
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
	Variant string     // of the bucket, or empty
	Input   string     // minimized, as QuoteInput has it
	Where   []string   // for each program, the place that decides; empty: none
	Did     [][]string // for each program, further differences between variants, the most important first
	Count   uint64     // the inputs of the bucket when it was filed, and it
	New     bool       // it came after the bucket was accepted, or its variant did
}

// Other is what a finding is among others of its bucket.
func (f *Finding) Other() Other {
	o := Other{Variant: f.Variant, Input: f.Quote(100), Count: f.Count}
	for _, p := range f.Programs {
		o.Where, o.Did = append(o.Where, p.Deciding), append(o.Did, p.did(f.Kind))
	}
	return o
}

// did returns the differences between variants that one place of a program decides.
func (p *Program) did(kind string) []string {
	outcome, branch, score := Outcome(kind, p.Outcome), "", ""
	if class := cmp.Or(p.ErrorClass, p.Sentinel); class != "" {
		outcome += ": " + escape.Cut(Flat(class), 60)
	}
	if len(p.Ranked) > 0 {
		_, branch = p.Ranked[0].Words()
		score = fmt.Sprintf("separates %.0f of 100", 100*p.Ranked[0].Score)
	}
	return []string{outcome, branch, score}
}

// differs returns, by program, how the input differs from those of other variants with the same deciding places.
func (o *Other) differs(list []Other) map[int]string {
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

func (f *Finding) document(page Page) *document {
	if page.Source == nil {
		page.Source = Sources(append([]string{page.Dir}, page.Built...)...)
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
	how := ConfirmedHow(page.Confirm)
	origin := BucketOrigin(page.Seed, f.From())
	if page.markdown {
		if origin != "" {
			p = append(p, say(" Origin: "), named(origin), say("."))
		}
		if how != "" {
			p = append(p, say(" It was confirmed with %s.", how))
		}
		if l := page.Life; l != nil {
			for _, f := range l.state() {
				p = append(append(p, say(" It is %s: ", f.name)), f.spans...)
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
	if l := page.Life; l != nil {
		known = append(known, fact{"seen", []span{say("%s", l.seen())}})
		known = append(known, l.state()...)
	}
	d.add(known)
}

// ConfirmedHow says how the engine of a model confirmed its findings, as the campaign keeps it; "": by the default, or there is no engine.
func ConfirmedHow(how string) string {
	if how != "symbolic" {
		return ""
	}
	return "--confirm symbolic: a deviation counts also if the engine shows it only with symbols that are held to the call's values"
}

// others lists further inputs of the bucket, by variant: a bucket is a guess that they have one cause.
func (f *Finding) others(d *document, page Page) {
	if len(page.Others) == 0 {
		return
	}
	list := slices.Clone(page.Others)
	order := func(o Other) int {
		if o.Variant == f.Variant { // those that look like the finding come first
			return 0
		}
		return 1
	}
	slices.SortStableFunc(list, func(a, b Other) int {
		by := cmp.Or(order(a)-order(b), cmp.Compare(a.Variant, b.Variant))
		if by == 0 && (a.New || b.New) { // the newest first
			by = cmp.Compare(b.Count, a.Count)
		}
		return by
	})
	several := list[len(list)-1].Variant != f.Variant // it is the last of all, where one is not known, too
	d.add(headingBlock{2, []span{say("Further inputs of this bucket")}})
	if several {
		d.add(paragraphBlock{say("Up to eight are kept, and one for each further variant: a variant is decided at another place, or has another error. They probably have " +
			"the same cause.")})
	} else {
		d.add(paragraphBlock{say("Up to eight are kept. They probably have the same cause; different places are a hint that they do not.")})
	}
	t := tableBlock{head: []string{"input", "decided at"}}
	if several {
		t.head = append([]string{"variant"}, t.head...)
	}
	widened := page.Life != nil && slices.ContainsFunc(list, func(o Other) bool { return o.New })
	if widened {
		t.head = append(t.head, "accepted")
	}
	shown := map[string]bool{}
	for _, o := range list {
		differs := o.differs(append(slices.Clip(list), f.Other()))
		key := strings.Join(append([]string{o.Variant, o.Input}, o.Where...), "\x00")
		if shown[key] { // several inputs became the same when they were minimized
			continue
		}
		shown[key] = true
		var where []span
		for p, at := range o.Where {
			if at == "" && differs[p] == "" {
				continue
			}
			if len(where) > 0 {
				where = append(where, say(", "))
			}
			if at != "" {
				where = append(where, named(page.short(at)))
			}
			if differs[p] != "" {
				where = append(where, say(" ("), span{differs[p], asPlain}, say(")"))
			}
		}
		row := [][]span{{{o.Input, asValue}}, where}
		if several {
			row = append([][]span{{named(o.Variant)}}, row...)
		}
		if widened {
			row = append(row, []span{say("%s", map[bool]string{true: "came later", false: "yes"}[o.New])})
		}
		t.rows = append(t.rows, row)
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
		t.rows = append(t.rows, [][]span{{named(r.ID)}, {{r.Kind, asPlain}}, {{escape.Cut(r.Input, 120), asValue}}, why})
	}
	d.add(t)
}

// title describes the finding in a line.
func (f *Finding) title() []span {
	var names []string
	for _, p := range f.Programs {
		if f.Kind == "change" || f.partakes(p) {
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
			if m := subject(p.Message); m != "" {
				title = append(title, say(": "), span{escape.Cut(m, 100), asPlain})
			}
			return title
		}
	case f.Layer == costLayer:
		return append(all, say(" differ in cost: %s", f.costs()))
	case f.Kind == "change":
		return append(all, say(" differ"))
	}
	if f.skipped() {
		return append(all, say(" skip the same input after different results"))
	}
	switch f.Layer {
	case "value":
		if of := f.operation(); of != "" {
			return append(all, say(" report different things about "), named(of))
		}
		if call, failing, fine, ok := f.failing(); ok {
			return slices.Concat([]span{named(call), say(" returns an error in ")}, enumerate(failing), []span{say(", and none in ")}, enumerate(fine))
		}
		return append(all, say(" accept the same input with different values"))
	case "class":
		return append(all, say(" reject the same input for different reasons"))
	}
	return append(all, say(" disagree"))
}

// Unverified says how many findings were not run again when the fuzzing had ended.
func Unverified(n int) string {
	return plural(n, "finding") + map[bool]string{true: " is", false: " are"}[n == 1] + " unverified"
}

// Unjudged says how many candidates triage has not looked at.
func Unjudged(n int) string { return plural(n, "candidate") + " to judge" }

func plural[N uint64 | int](n N, noun string) string {
	s := units.Thousands(uint64(n)) + " " + noun
	if n != 1 {
		s += "s"
	}
	return s
}

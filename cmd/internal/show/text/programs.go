package text

import (
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"parallax/cmd/internal/base/columns"
	"parallax/cmd/internal/base/escape"
	"parallax/cmd/internal/base/parting"
	"parallax/cmd/internal/base/units"
	"parallax/cmd/internal/finding"
	"parallax/internal/oracle"
)

// runs shows what each program runs, if the programs do not share a process.
func runs(f *finding.Finding, d *document) {
	t := tableBlock{head: []string{"program", "kind", "what runs"}}
	for _, p := range f.Programs {
		if p.Kind == "" {
			return
		}
		t.rows = append(t.rows, [][]span{{named(p.Name)}, {{p.Kind, asPlain}}, {{escape.Cut(p.Runs, 500), asValue}}})
	}
	if len(t.rows) > 0 {
		d.add(headingBlock{2, []span{say("The programs")}}, t)
	}
}

// plainErrors has types that say nothing about an error.
var plainErrors = map[string]bool{"*errors.errorString": true, "*fmt.wrapError": true, "*fmt.wrapErrors": true}

// outcomeStyle returns the style of an outcome. An unknown word is untrusted text.
func outcomeStyle(outcome string) style {
	switch outcome {
	case "accepted":
		return asGood
	case "rejected":
		return asMiddle
	case "declined":
		return asQuiet
	case "crashed", "failed", "timeout", "oom":
		return asBad
	}
	return asValue
}

// did shows the result of each program.
func did(f *finding.Finding, d *document, page paper) {
	title, at := "What each program did", "decided at"
	if single(f) {
		title, at = "What it did", "at"
	}
	d.add(headingBlock{2, []span{say("%s", title)}})
	t := tableBlock{head: []string{"program", "outcome", "result", at}}
	outcomes, texts := map[string]string{}, map[string]string{}
	for _, p := range f.Programs {
		outcomes[p.Name], texts[p.Name] = p.Outcome, f.Excerpt(&p, 500)
	}
	short := maps.Clone(texts) // of calls, those where they part, and how many are left out
	f.Focus(short)
	t.cut = func(row int, s string, width int) string {
		p := &f.Programs[row]
		if s != texts[p.Name] {
			return columns.Cut(s, width)
		}
		lines := texts
		if slices.ContainsFunc(f.Programs, func(p finding.Program) bool { return columns.Fit(texts[p.Name], width) != texts[p.Name] }) {
			lines = short
		}
		return columns.Around(lines[p.Name], finding.Agreeing(f.Layer, p.Outcome, outcomes, lines), width)
	}
	for _, p := range f.Programs {
		result := []span{}
		if text := texts[p.Name]; text != "" {
			result = append(result, span{text, asValue})
		}
		if p.Error != "" && p.ErrorType != "" && !plainErrors[p.ErrorType] && f.ErrorKind(&p) == "" {
			result = append(result, say(" of type "), span{escape.Cut(p.ErrorType, 200), asValue})
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
			if page.Older {
				where = append([]span{say("formerly ")}, where...)
			} else if p.Doubtful() {
				where = append([]span{say(perhaps)}, where...)
			}
		}
		outcome := finding.Outcome(f.Kind, p.Outcome)
		t.rows = append(t.rows, [][]span{{named(p.Name)}, {{outcome, outcomeStyle(outcome)}}, result, where})
	}
	d.add(t)
	for _, p := range f.Programs {
		if p.Refused != "" {
			d.add(paragraphBlock{say("The kernel refused something to "), named(p.Name), say(", as it seems; if it may do that, "), named(p.Refused), say(" permits it.")})
		}
	}
	if len(f.Odd) > 0 {
		d.add(append(append(paragraphBlock{say("Odd one out: ")}, enumerate(f.Odd)...), say(".")))
	}
	for _, p := range f.Programs {
		if p.Stack != "" && strings.TrimSpace(p.Stack) != oracle.CStack { // a process that was too large has no frames
			stack := p.Stack
			if page.markdown {
				stack = shortStack(stack)
			}
			d.add(paragraphBlock{say("The stack of "), named(p.Name), say(":")},
				codeText("", escape.Cut(strings.TrimLeft(stack, "\n"), shown)))
		}
		if p.Output != "" {
			d.add(paragraphBlock{say("What "), named(p.Name), say(" logged:")}, codeText("", escape.Cut(strings.TrimRight(p.Output, "\n"), shown)))
		}
	}
}

// single reports whether the finding has only one program.
func single(f *finding.Finding) bool { return len(f.Programs) == 1 }

// differ shows where compared values or errors differ.
func differ(f *finding.Finding, d *document, page paper) {
	outcome, what := "accepted", "values"
	text := func(p *finding.Program) string { return p.Value }
	switch f.Layer {
	case finding.CostLayer:
		differInCost(f, d)
		return
	case "value":
		if skipped(f) {
			outcome, what = "rejected", "results"
			text = func(p *finding.Program) string { return p.Error }
		}
	case "class":
		outcome, what = "rejected", "errors"
		text = func(p *finding.Program) string { return p.Error }
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
		why := "Their texts are the same."
		if cut {
			why = fmt.Sprintf("They are the same in the first %s; no more is recorded.", escape.Size(len(values[0])))
		}
		if kinds := errorKinds(f); len(kinds) > 1 {
			d.add(paragraphBlock{say("%s Their types differ:", why)}, codeBlock{lines: markedRows(kinds, rowOptions{width: page.width})})
			return
		}
		d.add(paragraphBlock{say("%s", why)})
		return
	}
	for k, names := range more {
		all := strings.Join(append([]string{labels[k]}, names...), ", ")
		switch {
		case len(names) == 0:
		case columns.Width(escape.Text(all)) <= page.width/3:
			labels[k] = all
		default:
			labels[k] += fmt.Sprintf(" and %d more", len(names))
		}
	}
	partings(f, d, page, labels, values, reference)
}

// errorKinds returns the kinds of errors whose texts are the same.
func errorKinds(f *finding.Finding) (rows []row) {
	for i := range f.Programs {
		if p := &f.Programs[i]; f.ErrorKind(p) != "" {
			rows = append(rows, row{p.Name, f.ErrorKind(p)})
		}
	}
	return rows
}

// skipped reports whether a test skipped the input in all versions, which differ in the results of
// earlier calls.
func skipped(f *finding.Finding) bool {
	return f.Layer == "value" && !slices.ContainsFunc(f.Programs, func(p finding.Program) bool { return p.Outcome != "rejected" })
}

func partings(f *finding.Finding, d *document, page paper, labels, values []string, reference int) {
	rows := func(texts []string) codeBlock {
		var list []row
		for i, t := range texts {
			list = append(list, row{labels[i], t})
		}
		return codeBlock{lines: markedRows(list, rowOptions{reference: reference, width: page.width})}
	}
	list, n := parting.OfCalls(values)
	if n == 0 && f.Layer == "value" {
		list, n = parting.OfTrees(values)
	}
	if len(list) == 0 || list[0].Path == "" {
		d.add(rows(values))
		return
	}
	for _, p := range list {
		d.add(paragraphBlock{say("At "), named(p.Path), say(":")}, rows(p.Texts))
	}
	if n > len(list) {
		d.add(paragraphBlock{say("They also differ at %s.", units.Plural(n-len(list), "more place"))})
	}
}

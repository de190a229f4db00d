package report

import (
	"slices"
	"strings"

	"parallax/cmd/internal/base/escape"
	"parallax/internal/sequence"
)

// Title says what happened, in a sentence.
func (f *Finding) Title() string {
	var names, parts []string // parts are those that have a part in a disagreement
	for _, p := range f.Programs {
		names = append(names, escape.Text(p.Name))
		if f.partakes(p) {
			parts = append(parts, escape.Text(p.Name))
		}
	}
	all := joined(parts)
	if f.Layer == costLayer {
		return all + " differ in cost: " + f.costs()
	}
	if f.Kind == "change" {
		return all + " differ"
	}
	if at := f.Failing(); at >= 0 && f.Kind != "discrepancy" {
		p := f.Programs[at]
		verb := map[string]string{"crashed": "crashes", "timeout": "does not return", "oom": "runs out of memory"}[p.Outcome]
		if f.Kind == "failure" {
			verb = "fails"
		}
		if p.InGenerator {
			verb += " in a generator"
		}
		text := escape.Text(p.Name) + " " + verb
		if line := subject(p.Message); line != "" {
			text += ": " + escape.Cut(line, 120)
		}
		return text
	}
	if f.skipped() {
		return all + " skip the same input after different results"
	}
	switch f.Layer {
	case "value":
		if of := f.operation(); of != "" {
			return all + " report different things about " + escape.Text(of)
		}
		if call, failing, fine, ok := f.failing(); ok {
			return escape.Text(call) + " returns an error in " + joined(escapedAll(failing)) + ", and none in " + joined(escapedAll(fine))
		}
		if rest := slices.DeleteFunc(slices.Clone(f.Programs), func(p Program) bool { return !f.partakes(p) || slices.Contains(f.Odd, p.Name) }); len(f.Odd) > 0 && len(rest) > 0 {
			var others []string
			for _, p := range rest {
				others = append(others, escape.Text(p.Name))
			}
			odd := escapedAll(f.Odd)
			return joined(odd) + " give" + ending(odd) + " another value than " + joined(others)
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
		return joined(by["accepted"]) + " accept" + ending(by["accepted"]) + " what " + joined(by["rejected"]) + " reject" + ending(by["rejected"])
	}
	return all + " disagree"
}

// partakes reports whether a program has a part in a disagreement: one that fails has none. Beside a disagreement of verdicts, only those that
// accept are compared by value, or those that reject if no two accept, and by class those that reject.
func (f *Finding) partakes(p Program) bool {
	accepted, rejected := 0, 0
	for _, other := range f.Programs {
		switch other.Outcome {
		case "accepted":
			accepted++
		case "rejected":
			rejected++
		}
	}
	switch {
	case f.Kind != "discrepancy" || accepted == 0 || rejected == 0:
	case f.Layer == "value" && accepted > 1:
		return p.Outcome == "accepted"
	case f.Layer == "value" || f.Layer == "class":
		return p.Outcome == "rejected"
	}
	return !p.failed()
}

func escapedAll(list []string) []string {
	list = slices.Clone(list)
	for i := range list {
		list[i] = escape.Text(list[i])
	}
	return list
}

func joined(names []string) string {
	if n := len(names); n > 1 {
		return strings.Join(names[:n-1], ", ") + " and " + names[n-1]
	}
	return strings.Join(names, "")
}

// ending is that of a verb whose subject the names are.
func ending(names []string) string {
	if len(names) == 1 {
		return "s"
	}
	return ""
}

// operation is the first operation of which two values tell different things, where programs execute sequences of them; "": they do not.
func (f *Finding) operation() string {
	if len(f.Programs) != 2 || !f.call() || f.callLanguage() != "go" {
		return ""
	}
	d, _ := sequence.First(f.Programs[1].Value, f.Programs[0].Value)
	return d.Operation
}

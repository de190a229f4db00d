package text

import (
	"slices"
	"strings"

	"parallax/cmd/internal/base/escape"
	"parallax/cmd/internal/base/parting"
	"parallax/cmd/internal/base/quote"
	"parallax/cmd/internal/finding"
	"parallax/internal/sequence"
)

// Title describes the finding in a sentence.
func Title(f *finding.Finding) string {
	var names, parts []string // parts are those that have a part in a disagreement
	for _, p := range f.Programs {
		names = append(names, escape.Text(p.Name))
		if partakes(f, p) {
			parts = append(parts, escape.Text(p.Name))
		}
	}
	all := joined(parts)
	if f.Layer == finding.CostLayer {
		return all + " differ in cost: " + costs(f)
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
		if line := quote.Subject(p.Message); line != "" {
			text += ": " + escape.Cut(line, 120)
		}
		return text
	}
	if skipped(f) {
		return all + " skip the same input after different results"
	}
	switch f.Layer {
	case "value":
		if of := operation(f); of != "" {
			return all + " report different things about " + escape.Text(of)
		}
		if call, failing, fine, ok := failing(f); ok {
			return escape.Text(call) + " returns an error in " + joined(escapedAll(failing)) + ", and none in " + joined(escapedAll(fine))
		}
		if rest := slices.DeleteFunc(slices.Clone(f.Programs), func(p finding.Program) bool { return !partakes(f, p) || slices.Contains(f.Odd, p.Name) }); len(f.Odd) > 0 && len(rest) > 0 {
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

// partakes reports whether a program has a part in a disagreement. One that fails has none. If some
// programs accept and others reject, the value layer compares those that accept, or those that
// reject if only one accepts. The class layer compares those that reject.
func partakes(f *finding.Finding, p finding.Program) bool {
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
	return !p.Failed()
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

// ending returns the ending of a verb whose subjects are the names.
func ending(names []string) string {
	if len(names) == 1 {
		return "s"
	}
	return ""
}

// operation returns the first operation with different results in two programs that execute
// sequences of operations. It returns "" for other programs.
func operation(f *finding.Finding) string {
	if len(f.Programs) != 2 || !f.IsCall() || f.CallLanguage() != "go" {
		return ""
	}
	d, _ := sequence.First(f.Programs[1].Value, f.Programs[0].Value)
	return d.Operation
}

// failing returns the call that parting.OfErrors finds in the values of programs that all accept.
// It also returns the programs in which the call returned an error, and the others.
func failing(f *finding.Finding) (call string, failing, fine []string, ok bool) {
	if f.Layer != "value" || slices.ContainsFunc(f.Programs, func(p finding.Program) bool { return p.Outcome != "accepted" }) {
		return "", nil, nil, false
	}
	var values []string
	for _, p := range f.Programs {
		values = append(values, p.Value)
	}
	call, errs, ok := parting.OfErrors(values)
	for i := range errs {
		if name := f.Programs[i].Name; errs[i] != "" {
			failing = append(failing, name)
		} else {
			fine = append(fine, name)
		}
	}
	return call, failing, fine, ok
}

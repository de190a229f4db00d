package model

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"parallax/cmd/internal/base/corpus"
	"parallax/cmd/internal/base/escape"
	"parallax/cmd/internal/campaign/triage"
	"parallax/cmd/internal/command/fuzzing"
	"parallax/cmd/internal/finding/state"
	"parallax/cmd/internal/model/scope"
	"parallax/internal/atomicfile"
)

// explained is how many sequences of a corpus are executed again to explain a type.
const explained = 1000

// operations lists the operations of a type and its model. Each has the number of calls on which
// the two agree. The list has operations that the model lacks, and those that no sequence calls.
func operations(ctx context.Context, r *fuzzing.Run, j *triage.Triager, flats, found [][]byte, names map[string]string) (s *scope.Scope, declined int, told string, err error) {
	list, err := j.Operations(ctx, slices.Values(slices.Concat(flats, found)), names)
	if err != nil {
		return nil, 0, "", err
	}
	s = &scope.Scope{Version: scope.Version, Function: r.Name, Samples: len(flats), Unit: "operation"}
	var b strings.Builder
	and := ""
	if len(found) > 0 {
		and = fmt.Sprintf(" and %d of findings", len(found))
	}
	fmt.Fprintf(&b, "\n%s: operations in %d sequences of the corpus%s, each up to the first one on which both differ\n", r.Name, len(flats), and)
	slices.SortFunc(list, func(x, y *triage.Operation) int { return strings.Compare(x.Name, y.Name) })
	for _, o := range list {
		p := &scope.Path{Key: keyOf(o.Name), Runs: o.Runs, Agree: o.Agree, Declined: o.Unknown, InScope: o.Runs > 0, Lines: []string{o.Name}, Findings: o.Findings}
		s.Paths, declined = append(s.Paths, p), declined+o.Unknown
		var parts []string
		if o.Runs > 0 {
			parts = append(parts, fmt.Sprintf("both agree on %d of %d", o.Agree, o.Runs))
		}
		if o.Runs > o.Agree {
			p.Deviations = map[scope.Kind]int{scope.Wrong: o.Runs - o.Agree}
		}
		if o.Unknown > 0 {
			parts = append(parts, fmt.Sprintf("the model does not have it in %d", o.Unknown))
		}
		p.Why = strings.Join(parts, "; ")
		fmt.Fprintf(&b, "  %s: %s\n", escape.Text(o.Name), p.Why)
		if o.Call != "" {
			p.Deviating, p.Original, p.Model = escape.Text(o.Call), came(o.Original), came(o.Model)
			fmt.Fprintf(&b, "    differs on   %s: the original: %s; the model: %s\n", p.Deviating, p.Original, p.Model)
		}
		if len(o.Findings) > 0 {
			fmt.Fprintf(&b, "    findings     %s\n", strings.Join(o.Findings, ", "))
		}
	}
	var others []string
	for _, flat := range found {
		if id := names[string(flat)]; !slices.ContainsFunc(list, func(o *triage.Operation) bool { return slices.Contains(o.Findings, id) }) {
			others = append(others, id)
		}
	}
	if len(others) > 0 {
		fmt.Fprintf(&b, "  findings of no operation, such as processes that end or hang: %s\n", strings.Join(others, ", "))
	}
	var never []string
	for _, k := range r.Target.About().Plan.Operations {
		for _, m := range k.Methods {
			if name := k.Name + "." + m.Name; !slices.ContainsFunc(list, func(o *triage.Operation) bool { return o.Name == name }) {
				never = append(never, name)
			}
		}
	}
	if len(never) > 0 {
		fmt.Fprintf(&b, "  in none of them: %s\n", escape.Text(strings.Join(never, ", ")))
	}
	return s, declined, b.String(), nil
}

// came returns the result of a call in words.
func came(result string) string {
	if result == "" {
		return "nothing"
	}
	return escape.Text(result)
}

// sequences are those of the campaign's corpus, not more than are explained.
func sequences(r *fuzzing.Run) ([]corpus.Entry, error) {
	folder, err := state.OpenExisting(atomicfile.OS, r.Options.Out)
	if err != nil {
		return nil, err
	}
	store, err := corpus.OpenExisting(folder.FS(), folder.CorpusDir(), r.Target.About().Shape)
	if err != nil {
		return nil, err
	}
	entries, _, err := store.Load()
	return entries[:min(len(entries), explained)], err
}

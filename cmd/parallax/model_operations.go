package main

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"parallax/cmd/internal/report"
	"parallax/cmd/internal/state"
	"parallax/cmd/internal/triage"
	"parallax/internal/atomicfile"
	"parallax/internal/corpus"
)

// explained is how many sequences of a corpus are executed again to explain a type.
const explained = 1000

// explainOperations lists the operations of a type and its model: on how many calls the two agree, which ones the model does not have, and which ones no
// sequence calls.
func (f *modelFlags) explainOperations(ctx context.Context, r *testRun) string {
	if r.target == nil || ctx.Err() != nil {
		return ""
	}
	entries, err := sequences(r)
	if err != nil {
		return fmt.Sprintf("\n%s: its operations cannot be listed: %v\n", r.name, err)
	}
	spec := r.target.Spec(&r.options.Options)
	flats := make([][]byte, len(entries))
	for i, e := range entries {
		flats[i], spec.MaxFlat = e.Flat, max(spec.MaxFlat, len(e.Flat))
	}
	list, err := triage.New(r.target, spec, r.options.Layers).Operations(ctx, slices.Values(flats))
	if err != nil {
		return fmt.Sprintf("\n%s: its operations cannot be listed: %v\n", r.name, err)
	}
	var b strings.Builder
	fmt.Fprintf(&b, "\n%s: operations in %d sequences of the corpus, each up to the first one on which both differ\n", r.name, len(flats))
	slices.SortFunc(list, func(x, y *triage.Operation) int { return strings.Compare(x.Name, y.Name) })
	for _, o := range list {
		var parts []string
		if o.Runs > 0 {
			parts = append(parts, fmt.Sprintf("both agree on %d of %d", o.Agree, o.Runs))
		}
		if o.Unknown > 0 {
			parts = append(parts, fmt.Sprintf("the model does not have it in %d", o.Unknown))
		}
		fmt.Fprintf(&b, "  %s: %s\n", report.Escape(o.Name), strings.Join(parts, "; "))
		if o.Call != "" {
			fmt.Fprintf(&b, "    differs on   %s: the original: %s; the model: %s\n", report.Escape(o.Call), came(o.Original), came(o.Model))
		}
	}
	var never []string
	for _, k := range r.target.About().Plan.Operations {
		for _, m := range k.Methods {
			if name := k.Name + "." + m.Name; !slices.ContainsFunc(list, func(o *triage.Operation) bool { return o.Name == name }) {
				never = append(never, name)
			}
		}
	}
	if len(never) > 0 {
		fmt.Fprintf(&b, "  in none of them: %s\n", report.Escape(strings.Join(never, ", ")))
	}
	return b.String()
}

// came is what came of a call, in words.
func came(result string) string {
	if result == "" {
		return "nothing"
	}
	return report.Escape(result)
}

// sequences are those of the campaign's corpus, not more than are explained.
func sequences(r *testRun) ([]corpus.Entry, error) {
	folder, err := state.OpenExisting(atomicfile.OS, r.options.Out)
	if err != nil {
		return nil, err
	}
	store, err := corpus.OpenExisting(atomicfile.OS, folder.CorpusDir(), r.target.About().Shape)
	if err != nil {
		return nil, err
	}
	entries, _, err := store.Load()
	return entries[:min(len(entries), explained)], err
}

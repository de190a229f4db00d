package archive

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"parallax/cmd/internal/base/columns"
	"parallax/cmd/internal/base/escape"
	"parallax/cmd/internal/base/exit"
	"parallax/cmd/internal/base/units"
	"parallax/cmd/internal/campaign/findings"
	"parallax/cmd/internal/finding"
	"parallax/cmd/internal/finding/accept"
	"parallax/cmd/internal/finding/history"
	"parallax/cmd/internal/show/text"
	"parallax/cmd/internal/subject"
	"parallax/internal/atomicfile"
	"parallax/internal/oracle"
)

// accepted returns the file of accepted differences with the entries for the campaign's target.
func (p *Campaign) accepted() (*accept.File, error) {
	all, err := accept.Load(p.Options.AcceptedFile())
	if err != nil {
		return nil, err
	}
	return all.For(p.Config.Target, p.Config.Identity.Names()), nil
}

// targetOfEntries returns the target that the campaign's entries name. Empty means that the names
// of the programs, which the user has chosen, are enough.
func (p *Campaign) targetOfEntries() string {
	if p.Config.Identity.Mode == subject.Diff && p.Config.Options["fuzz"] == "" {
		return ""
	}
	return p.Config.Target
}

// sharesEntries reports whether another campaign has the same accepted entries.
func (p *Campaign) sharesEntries(q *Campaign) bool {
	return p.Options.AcceptedFile() == q.Options.AcceptedFile() && p.targetOfEntries() == q.targetOfEntries() &&
		slices.Equal(p.Config.Identity.Names(), q.Config.Identity.Names())
}

// Accept marks the findings that ids name as known, in the file of each campaign that has them. It
// passes say the process that it waits for. trust means that the user trusts the owners of the
// folders.
func Accept(ctx context.Context, w io.Writer, say func(string), out string, ids []string, reason string, trust bool) error {
	type choice struct {
		campaign *Campaign
		item     Item
		reason   string
		cause    string // names the chosen finding with the same cause, or is empty
	}
	var all []choice // all are found before any is written
	for _, id := range ids {
		if info, err := os.Stat(id); err == nil && info.Mode().IsRegular() {
			return OnlyFindings("accept", []Item{{Name: id}})
		}
		holders, err := holdersOf(out, id)
		if err != nil {
			return err
		}
		same, err := withSharers(out, holders)
		if err != nil {
			return err
		}
		given := reason
		for i, m := range same {
			p, id := m.past, m.id
			for _, text := range p.Renamed {
				say(text)
			}
			if slices.ContainsFunc(all, func(c choice) bool { return c.item.Name == id && c.campaign.folder.Dir() == p.folder.Dir() }) {
				continue // named twice
			}
			b := p.bucket(id)
			file, err := p.accepted()
			if err != nil {
				return err
			}
			why, cause := given, ""
			if e, ok := findings.AcceptedAs(file, &b.Bucket); ok && reason == "" && findings.Names(e, &b.Bucket) {
				why = cmp.Or(e.Reason, why)
			}
			if why == "" {
				return exit.Usage("accept needs a reason for later readers of the file: --reason \"...\"")
			}
			given = cmp.Or(given, why)
			if i >= len(holders) {
				cause = fmt.Sprintf("It has the cause of %s in %s.\n", holders[0].id, escape.Text(holders[0].past.Config.Target))
			}
			all = append(all, choice{p, Item{Bucket: b, Name: id}, why, cause})
		}
	}
	for _, c := range all {
		if trust {
			c.campaign.Trust()
		}
		if err := c.campaign.Trusted(); err != nil {
			return err
		}
	}
	for _, c := range all {
		variants, err := variantsOf(out, c.campaign, c.item.Bucket)
		if err != nil {
			return err
		}
		if err := c.campaign.accept(ctx, w, say, c.item.Bucket, variants, history.Entry{Via: "accept", State: history.Accepted, Reason: c.reason}); err != nil {
			return err
		}
		if _, err := io.WriteString(w, c.cause); err != nil {
			return exit.Infra("writing: %w", err)
		}
	}
	return nil
}

// withSharers appends the open findings with the causes of some to them. Lists say that these show
// the cause too.
func withSharers(out string, chosen []match) ([]match, error) {
	pasts, _, err := Open(out)
	if err != nil {
		return nil, err
	}
	pasts = slices.DeleteFunc(pasts, func(p *Campaign) bool { return p.Config.Identity.Mode != subject.Regress })
	summaries, err := Summaries(pasts)
	if err != nil {
		return nil, err
	}
	all := slices.Clone(chosen)
	for _, m := range chosen {
		own := slices.IndexFunc(pasts, func(p *Campaign) bool { return p.folder.Dir() == m.past.folder.Dir() })
		if own < 0 {
			continue
		}
		for _, s := range finding.SharersOf(summaries, summaries[own], m.id) {
			at := slices.IndexFunc(pasts, func(p *Campaign) bool { return p.Config.Target == s.Target && p.bucket(s.ID) != nil })
			all = append(all, match{past: pasts[at], id: s.ID})
		}
	}
	return all, nil
}

// variantsOf returns the variants of a campaign's bucket, and those of the same bucket in other
// campaigns that share its entries.
func variantsOf(out string, p *Campaign, b *findings.Group) ([]string, error) {
	pasts, _, err := Open(out)
	if err != nil {
		return nil, err
	}
	list := b.VariantIDs()
	if b.Best.Variant != "" { // a bucket may have more variants than it lists
		list = append([]string{b.Best.Variant}, list...)
	}
	for _, q := range pasts {
		if other := q.bucket(b.ID); other != nil && q.sharesEntries(p) {
			list = append(list, other.VariantIDs()...)
		}
	}
	return list, nil
}

// accept adds an entry for a finding, with its known variants, and records as in its history.
func (p *Campaign) accept(ctx context.Context, w io.Writer, say func(string), b *findings.Group, variants []string, as history.Entry) error {
	path := p.Options.AcceptedFile()
	dir, _ := os.Getwd()
	kind, program := "", ""
	if at := b.Best.Failing(); at >= 0 {
		kind, program = b.Kind, b.Best.Programs[at].Name
	} else if b.Best.MayShowOthers() {
		kind = b.Kind
	}
	file, err := p.accepted()
	if err != nil {
		return err
	}
	count := b.AcceptedCount()
	now := accept.Entry{
		Bucket: b.ID, Kind: kind, Program: program, Layer: b.Best.LaterLayer(), Programs: p.Config.Identity.Names(), Outcomes: b.Outcomes, Reason: as.Reason,
		Input: p.Shape.Encode(b.Best.Minimized), Location: escape.ShortPath(b.Location), Target: p.targetOfEntries(),
		Change: b.BestChange(), Variants: accept.Bounded(variants), Count: count, Seed: count > 0 && b.SeedFails(),
	}
	e, already := findings.AcceptedAs(file, &b.Bucket)
	if already = already && (findings.Names(e, &b.Bucket) || findings.WhollyAccepted(file, &b.Bucket)); !already {
		added, err := accept.Add(ctx, atomicfile.OS, path, now, say)
		if err != nil {
			return err
		}
		e, already = now, !added
	}
	if last := b.History; !already || len(last) == 0 || last[len(last)-1].Reason != e.Reason {
		as.Reason = e.Reason
		if err := p.enter(b, as); err != nil {
			return err
		}
	}
	words := fmt.Sprintf("%s accepted in %s\n", b.ID, finding.Relative(dir, path))
	if already {
		later, widened, err := accept.Widen(ctx, atomicfile.OS, path, e, now, say)
		if err != nil {
			return err
		}
		words = fmt.Sprintf("%s is already in %s\n", b.ID, finding.Relative(dir, path))
		if later > 0 {
			words = fmt.Sprintf("%s is in %s, now with %s.%s\n", b.ID, finding.Relative(dir, path), units.Count(later, "further variant", "further variants"), columns.Below(" Check that these inputs have the cause that you accept:", b.VariantInputs()))
		} else if widened && count > 0 {
			words = fmt.Sprintf("%s is in %s, now for %s\n", b.ID, finding.Relative(dir, path), units.Count(int(count), "input", "inputs"))
		}
	}
	if n := len(e.Variants); n > 0 && !already {
		words += fmt.Sprintf("It accepts %s of the finding, and no later one. Two causes are one variant if the same lines decide and the same functions run.%s\n", units.Count(n, "variant", "variants"), columns.Below(" Check that these inputs have the cause that you accept:", b.VariantInputs()))
	}
	if e.Target != "" {
		words += fmt.Sprintf("The entry holds for target %s only.\n", escape.Text(e.Target))
	} else {
		words += fmt.Sprintf("The entry holds for all campaigns of %s that start there.\n", escape.Text(strings.Join(p.Config.Identity.Names(), " and ")))
	}
	if accepts := b.Accepts(); accepts != "" {
		words += fmt.Sprintf("%s accepts %s.\n", b.ID, accepts)
		if b.Kind == oracle.KindFailure {
			words += text.Separate + ".\n"
		}
		if !b.SeedFails() {
			words += "It accepts no failing seed: if one begins to show it, it is open again.\n"
		}
	}
	_, err = io.WriteString(w, words)
	return exit.Doing("writing", err)
}

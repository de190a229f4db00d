package archive

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"parallax/cmd/internal/base/corpus"
	"parallax/cmd/internal/base/exit"
	"parallax/cmd/internal/base/shell"
	"parallax/cmd/internal/campaign/findings"
	"parallax/cmd/internal/finding/causes"
	"parallax/cmd/internal/finding/state"
)

// The choice of campaigns and findings by the arguments of a command.

// Item is an input to replay: the smallest input of a bucket, or a file.
type Item struct {
	Bucket *findings.Group
	Name   string
	Flat   []byte
	listed bool // not named by the user
	// variant is the id of the bucket's variant that the user named; empty means the bucket.
	variant string
}

// Holders returns the folders of all campaigns that have the single finding in args. If fewer than
// two have it, it returns only out.
func Holders(out string, args []string) []string {
	if out == "" && len(args) == 1 {
		if pasts, _, err := Open(out); err == nil {
			if found := matches(pasts, args[0]); len(found) > 1 && sameID(found) {
				var dirs []string
				for _, m := range found {
					dirs = append(dirs, m.past.Shown())
				}
				return dirs
			}
		}
	}
	return []string{out}
}

// match is a bucket that an id may mean.
type match struct {
	past   *Campaign
	id     string
	former string // the id before the end of triage, if the user gave that
}

// chosen returns the meant bucket, and records in its campaign that it has another id now.
func (m match) chosen() (*Campaign, string, error) {
	if m.former != "" {
		m.past.Renamed = append(m.past.Renamed, fmt.Sprintf("%s was filed as %s later", m.former, m.id))
	}
	return m.past, m.id, nil
}

// sameID reports whether all matches have one id.
func sameID(found []match) bool {
	return !slices.ContainsFunc(found, func(m match) bool { return m.id != found[0].id })
}

// oneCause reports whether buckets with one id have one cause. The ids of failures say so. The
// values of two versions may differ in the same way for several changes.
func oneCause(found []match) bool {
	var first *causes.Evidence
	for _, m := range found {
		f, err := m.past.findings()
		if err != nil {
			return false
		}
		row := f.Row(m.past.bucket(m.id))
		if row.Evidence == nil || row.Layer == "" {
			continue
		}
		if first == nil {
			first = row.Evidence
		} else if !first.SameCause(row.Evidence) {
			return false
		}
	}
	return true
}

// matches returns the buckets with an id. Without one, it returns those with a variant of that id,
// then those whose id begins with prefix, and then those whose former id does.
func matches(pasts []*Campaign, prefix string) []match {
	var exact, variants, begin, former []match
	for _, p := range pasts {
		for _, b := range p.buckets {
			switch {
			case b.ID == prefix:
				exact = append(exact, match{past: p, id: b.ID})
			case b.IsVariant(prefix):
				variants = append(variants, match{past: p, id: b.ID})
			case prefix != "" && strings.HasPrefix(b.ID, prefix):
				begin = append(begin, match{past: p, id: b.ID})
			case prefix != "":
				if at := slices.IndexFunc(b.Former(), func(id string) bool { return strings.HasPrefix(id, prefix) }); at >= 0 {
					former = append(former, match{p, b.ID, b.Former()[at]})
				}
			}
		}
	}
	for _, found := range [][]match{exact, variants, begin, former} {
		if len(found) > 0 {
			return found
		}
	}
	return nil
}

// holdersOf returns the campaigns that have the finding which prefix names. Of those that share
// their entries, it returns the first.
func holdersOf(out, prefix string) (list []match, err error) {
	pasts, _, err := Open(out)
	if found := matches(pasts, prefix); err == nil && len(found) > 1 && sameID(found) {
		for _, m := range found {
			if !slices.ContainsFunc(list, func(o match) bool { return o.past.sharesEntries(m.past) }) {
				list = append(list, m)
			}
		}
		if oneCause(list) {
			for i := range list {
				list[i].past, _, _ = list[i].chosen()
			}
			return list, nil
		}
	}
	p, id, err := Find(out, prefix)
	return []match{{past: p, id: id}}, err
}

// Find returns the bucket with an id, or with a variant of that id, or whose id begins with prefix,
// and its campaign.
func Find(out, prefix string) (*Campaign, string, error) {
	pasts, _, err := Open(out)
	if err != nil {
		if holders, _ := otherCampaigns(out, nil, prefix); len(holders) > 0 {
			return nil, "", missing(prefix, cmp.Or(out, state.Home), holders)
		}
		return nil, "", err
	}
	found := matches(pasts, prefix)
	switch {
	case len(found) == 0:
		for _, p := range pasts {
			for _, id := range slices.Sorted(maps.Keys(p.damaged)) {
				if prefix != "" && strings.HasPrefix(id, prefix) {
					return nil, "", exit.Usage("finding %s is damaged: %s", id, strings.Join(p.damaged[id], "; "))
				}
			}
		}
		holders, others := otherCampaigns(out, pasts, prefix)
		if len(holders) > 0 {
			return nil, "", missing(prefix, nameCampaigns(pasts), holders)
		}
		return nil, "", exit.Usage("no finding %q in %s: `parallax show` lists the findings", prefix, nameCampaigns(slices.Concat(pasts, others)))
	case len(found) == 1:
		return found[0].chosen()
	}
	one := sameID(found)
	var list []string
	for _, m := range found {
		line := m.id
		if len(pasts) > 1 {
			line += "  in " + m.past.Shown()
		}
		list = append(list, line)
	}
	if one {
		return nil, "", exit.Usage("%q is a finding of several campaigns: choose one with --campaign\n  %s", prefix, strings.Join(list, "\n  "))
	}
	if !strings.HasPrefix(found[0].id, prefix) && found[0].former == "" {
		return nil, "", exit.Usage("several findings have the variant %q:\n  %s", prefix, strings.Join(list, "\n  "))
	}
	return nil, "", exit.Usage("several findings begin with %q:\n  %s", prefix, strings.Join(list, "\n  "))
}

// nameCampaigns names at most shownCampaigns campaigns.
func nameCampaigns(pasts []*Campaign) string {
	var names []string
	for _, p := range pasts {
		names = append(names, p.Shown())
	}
	if n := len(names) - shownCampaigns; n > 0 {
		return fmt.Sprintf("%s and %d more", strings.Join(names[:shownCampaigns], ", "), n)
	}
	return strings.Join(names, ", ")
}

const shownCampaigns = 6

// missing returns the error for a finding that only other campaigns than the searched ones have.
func missing(prefix, searched string, holders []*Campaign) error {
	return exit.Usage("no finding %q in %s: it is in %s (add `-C %s`)", prefix, searched, nameCampaigns(holders), shell.Word(holders[0].Shown()))
}

// otherCampaigns returns the campaigns that were not searched, and those of them that have a
// finding. It knows the campaigns in .parallax, in the current folder and next to the folder out.
func otherCampaigns(out string, searched []*Campaign, prefix string) (holders, others []*Campaign) {
	for _, dir := range slices.Concat(campaigns(state.Home), campaigns("."), campaigns(filepath.Dir(filepath.Clean(out)))) {
		p, err := open(dir)
		if err != nil || slices.ContainsFunc(slices.Concat(searched, others), func(q *Campaign) bool { return q.folder.Dir() == p.folder.Dir() }) {
			continue
		}
		others = append(others, p)
		if len(matches([]*Campaign{p}, prefix)) > 0 {
			holders = append(holders, p)
		}
	}
	return holders, others
}

// Select resolves the arguments of a command on findings of one campaign: ids or files. No
// arguments mean all findings.
func Select(out string, args []string) (*Campaign, []Item, error) {
	var p *Campaign
	var items []Item
	for _, arg := range args {
		if info, err := os.Stat(arg); err == nil && info.Mode().IsRegular() {
			items = append(items, Item{Name: arg})
			continue
		}
		q, id, err := Find(out, arg)
		if err != nil {
			if strings.ContainsAny(arg, "/.") {
				if _, err := corpus.ReadFile(arg); err != nil && !errors.Is(err, fs.ErrNotExist) {
					return nil, nil, exit.Usage("%w", err)
				}
				return nil, nil, exit.Usage("%s: there is no such file", arg)
			}
			return nil, nil, err
		}
		if p != nil && q.folder.Dir() != p.folder.Dir() {
			return nil, nil, exit.Usage("%s and %s belong to different campaigns: name findings of one campaign", items[0].Name, id)
		}
		if p != nil {
			p.Renamed = append(p.Renamed, q.Renamed...)
			q = p // each Find reads the folder again
		}
		p = q
		b := q.bucket(id)
		one := Item{Bucket: b, Name: id, Flat: b.Best.Minimized}
		if arg != id && b.IsVariant(arg) {
			one.variant = arg
		}
		if slices.ContainsFunc(items, func(it Item) bool { return it.Bucket == b && it.variant == one.variant }) {
			continue // named twice
		}
		items = append(items, one)
	}
	if p == nil {
		var err error
		if p, err = single(out); err != nil {
			return nil, nil, err
		}
	}
	for i := range items {
		it := &items[i]
		if it.Bucket != nil {
			continue
		}
		data, err := corpus.ReadFile(it.Name)
		if err != nil {
			return nil, nil, exit.Usage("%w", err)
		}
		if it.Flat, err = p.Shape.Import(data); err != nil {
			return nil, nil, exit.Usage("%s is not an input of %s, which takes %s: %w", it.Name, p.Config.Target, p.Shape, err)
		}
	}
	if len(args) == 0 {
		items = p.All()
	}
	return p, items, nil
}

// All returns the campaign's findings.
func (p *Campaign) All() []Item {
	var items []Item
	for _, b := range p.buckets {
		items = append(items, Item{Bucket: b, Name: b.ID, Flat: b.Best.Minimized, listed: true})
	}
	return items
}

// single returns the only campaign.
func single(out string) (*Campaign, error) {
	pasts, _, err := Open(out)
	if err != nil {
		return nil, err
	}
	if len(pasts) > 1 {
		var names []string
		for _, p := range pasts {
			names = append(names, shell.Word(p.Shown()))
		}
		return nil, exit.Usage("there are several campaigns: choose one with --campaign\n  %s", strings.Join(names, "\n  "))
	}
	return pasts[0], nil
}

// OnlyFindings rejects files, for commands that change the folders of findings.
func OnlyFindings(command string, items []Item) error {
	for _, it := range items {
		if it.Bucket == nil {
			return exit.Usage("%s is a file: %s takes the ids of findings (`parallax show` lists them)", it.Name, command)
		}
	}
	return nil
}

// IDs returns the ids of all findings for the completion of shells, each with its input after a
// tab.
func IDs(out string) []string {
	pasts, _, err := Open(out)
	if err != nil {
		return nil
	}
	var ids []string
	for _, p := range pasts {
		for _, b := range p.buckets {
			ids = append(ids, b.ID+"\t"+b.Kind+" on "+b.Best.Quote(40))
		}
	}
	return ids
}

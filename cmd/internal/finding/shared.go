package finding

import (
	"cmp"
	"maps"
	"slices"

	"parallax/cmd/internal/finding/causes"
)

// Several targets of one comparison of versions may show one change: a function and those that call
// it. Lists fold such findings under the one with the shortest input. One in which a call fails in
// only one version comes before others.

// Shared relates a bucket to others with its cause, of the same target and of others. Relate fills
// it.
type Shared struct {
	Cause    string           `json:"cause,omitempty"` // between versions, names the findings of all targets with one cause; empty if there is no other
	Shower   *Sharer          `json:"-"`               // the one that lists show for all of them; nil means this one
	Sharers  []Sharer         `json:"-"`               // on that one, all others
	Known    *Sharer          `json:"-"`               // an accepted one with its cause, which another target or bucket has; nil means none
	Evidence *causes.Evidence `json:"-"`               // nil means that it shares its cause with none
	Reading  Reading          `json:"-"`
}

// A Sharer is another bucket with the cause of one.
type Sharer struct {
	Target string `json:"target"`
	ID     string `json:"id"`
	Count  uint64 `json:"count"` // of inputs
	Quoted string `json:"quoted,omitempty"`
}

// Relate finds the open findings with one cause in the summaries of a comparison's targets. An
// accepted finding accepts none of them: an edit of the changed lines may have made them. Relate
// compares each only with the finding that lists would show for it. A chain of similar findings
// could connect causes that have nothing in common.
func Relate(list []*Summary) {
	type row struct {
		*Row
		target string
	}
	var rows, accepted []row
	for _, s := range list {
		for i := range s.Findings.Buckets {
			b := &s.Findings.Buckets[i]
			b.Cause, b.Shower, b.Sharers, b.Known = "", nil, nil, nil
			if b.Evidence == nil || b.Evidence.Change == "" {
				continue
			}
			switch {
			case Rank(*b) == 0:
				rows = append(rows, row{b, s.Target})
			case b.Accepted && !b.Fixed():
				accepted = append(accepted, row{b, s.Target})
			}
		}
	}
	for _, list := range [][]row{rows, accepted} {
		slices.SortFunc(list, func(a, b row) int {
			return cmp.Or(failures(b.Row)-failures(a.Row), a.Reading.compare(b.Reading), cmp.Compare(b.Count, a.Count), cmp.Compare(a.target, b.target), cmp.Compare(a.ID, b.ID))
		})
	}
	var shown []row
	for _, r := range rows {
		at := slices.IndexFunc(shown, func(s row) bool { return s.Evidence.SameCause(r.Evidence) })
		if at < 0 {
			shown = append(shown, r)
			if at = slices.IndexFunc(accepted, func(a row) bool { return a.Evidence.SameCause(r.Evidence) }); at >= 0 {
				a := accepted[at]
				r.Known = &Sharer{a.target, a.ID, a.Count, a.Quoted}
			}
			continue
		}
		s := shown[at]
		s.Sharers = append(s.Sharers, Sharer{r.target, r.ID, r.Count, r.Quoted})
		s.Cause, s.Under = causeID(s.Row), "" // a similar one would hide the others
		r.Cause, r.Shower = s.Cause, &Sharer{s.target, s.ID, s.Count, s.Quoted}
	}
}

// failures returns 1 if more calls fail in one program than in another, and 0 otherwise.
func failures(b *Row) int {
	if s := b.Evidence.Symptoms; s != nil && (slices.Contains(s.Failing, 1) || slices.Contains(s.Failing, -1)) {
		return 1
	}
	return 0
}

// SharersOf returns the other findings with the cause of a target's bucket, after Relate.
func SharersOf(list []*Summary, own *Summary, id string) (sharers []Sharer) {
	at := slices.IndexFunc(own.Findings.Buckets, func(b Row) bool { return b.ID == id })
	if at < 0 || own.Findings.Buckets[at].Cause == "" {
		return nil
	}
	for _, s := range list {
		for _, b := range s.Findings.Buckets {
			if b.Cause == own.Findings.Buckets[at].Cause && (s != own || b.ID != id) {
				sharers = append(sharers, Sharer{s.Target, b.ID, b.Count, b.Quoted})
			}
		}
	}
	return sharers
}

// causeID names the cause of a finding. The id of its bucket does not depend on the target if the
// change is sure.
func causeID(b *Row) string {
	parts := []string{"cause", b.Evidence.Change, b.Kind, b.Layer, b.Status, b.ID}
	for _, name := range slices.Sorted(maps.Keys(b.Outcomes)) {
		parts = append(parts, name, b.Outcomes[name])
	}
	return causes.BucketID(parts...)
}

// Shows reports whether lists show a bucket itself, and not another one for its cause.
func (b *Row) Shows() bool { return b.Shower == nil }

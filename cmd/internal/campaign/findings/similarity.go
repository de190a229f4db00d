package findings

import (
	"fmt"
	"maps"
	"slices"
	"time"

	"parallax/cmd/internal/campaign/similar"
	"parallax/cmd/internal/finding"
	"parallax/internal/input"
)

// item returns a bucket as an item of the index: its smallest input, its line, and all deciding
// lines. Deciding lines stay the same when programs change roles.
func (b *Group) item() similar.Item {
	it := similar.Item{ID: b.ID, Parts: parts(b.Best.Shape, b.Best.Minimized)}
	if b.Location != "" {
		it.Places = append(it.Places, b.Location)
	}
	all, some := "all", false
	for _, p := range b.Best.Programs {
		all += "\x00" + p.Deciding
		some = some || p.Deciding != ""
	}
	if some {
		it.Places = append(it.Places, all)
	}
	return it
}

// parts returns the arguments of an input as text. An input of another shape is a single part.
func parts(shape input.Shape, flat []byte) (list [][]byte) {
	if shape.Check(flat) != nil || shape.Raw() {
		return [][]byte{flat}
	}
	values, err := shape.Unpack(flat)
	if err != nil {
		return [][]byte{flat}
	}
	for _, v := range values {
		switch v := v.(type) {
		case []byte:
			list = append(list, v)
		case string:
			list = append(list, []byte(v))
		default:
			list = append(list, fmt.Append(nil, v))
		}
	}
	return list
}

// maxUnlinked bounds the buckets that index links at once. Each takes a few milliseconds among ten
// thousand.
const maxUnlinked = 500

// index puts the buckets into the index of similar ones. It links the buckets of old campaigns,
// which store no links, unless there are more than maxUnlinked.
func (f *Buckets) index() {
	ids := slices.Sorted(maps.Keys(f.buckets))
	var unlinked []*Group
	for _, id := range ids {
		b := f.buckets[id]
		if b.Extra[UnfinishedKey] != "" {
			continue
		}
		f.near.Put(b.item())
		if b.Similar == nil {
			unlinked = append(unlinked, b)
		}
	}
	if len(unlinked) > maxUnlinked {
		return
	}
	for _, b := range unlinked {
		f.Link(b)
	}
}

// Link finds the buckets similar to b, unless they are known.
func (f *Buckets) Link(b *Group) {
	if b.Similar == nil {
		b.Similar = links(f.near.Near(b.item()))
	}
}

func links(list []similar.Link) []finding.Similar {
	out := []finding.Similar{} // not nil, which means not searched
	for _, l := range list {
		out = append(out, finding.Similar{ID: l.ID, Score: l.Score, Why: l.Why()})
	}
	return out
}

// relate updates the links of a bucket that is new or has another smallest input. It returns the
// changed copies of the buckets at the other ends, which the caller stores.
func (f *Buckets) relate(b *Group) (others []*Group) {
	it := b.item()
	near := f.near.Near(it)
	f.near.Put(it)
	was := map[string]bool{}
	for _, s := range b.Similar {
		was[s.ID] = true
	}
	b.Similar = links(near)
	touched := map[string]similar.Link{}
	for _, l := range near {
		touched[l.ID] = l
		delete(was, l.ID)
	}
	for id := range was {
		touched[id] = similar.Link{}
	}
	for _, id := range slices.Sorted(maps.Keys(touched)) {
		other := f.buckets[id]
		if other == nil {
			continue
		}
		next := *other
		next.Similar = relink(other.Similar, b.ID, touched[id])
		if !slices.Equal(next.Similar, other.Similar) {
			others = append(others, &next)
		}
	}
	return others
}

// relink replaces the link to a bucket. The zero link removes it.
func relink(list []finding.Similar, id string, l similar.Link) []finding.Similar {
	var all []similar.Link
	for _, s := range list {
		if s.ID != id {
			all = append(all, similar.Link{ID: s.ID, Score: s.Score, Input: s.Why != "place", Place: s.Why != "input"})
		}
	}
	if l.ID != "" {
		l.ID = id
		all = append(all, l)
	}
	return links(similar.Best(all))
}

// related describes the buckets that are similar to b.
func (f *Buckets) related(b *Group) []finding.Related {
	var list []finding.Related
	for _, s := range f.SimilarTo(b) {
		other := f.buckets[s.ID]
		list = append(list, finding.Related{
			Similar: s, Kind: other.Kind, Input: other.Best.Quote(60),
		})
	}
	return list
}

// SimilarTo returns the links to buckets that still exist: users may remove folders.
func (f *Buckets) SimilarTo(b *Group) []finding.Similar {
	var list []finding.Similar
	for _, s := range b.Similar {
		if f.buckets[s.ID] != nil && s.ID != b.ID {
			list = append(list, s)
		}
	}
	return list
}

// stamp returns the time in the format of bucket.json.
func (f *Buckets) stamp() string {
	if f.Now == nil {
		return ""
	}
	return f.Now().UTC().Truncate(time.Second).Format(time.RFC3339)
}

// ParseStamp parses a time of bucket.json. It returns the zero time for other texts.
func ParseStamp(s string) time.Time {
	t, _ := time.Parse(time.RFC3339, s)
	return t
}

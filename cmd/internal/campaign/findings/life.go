package findings

import (
	"parallax/cmd/internal/finding/history"
)

// Settle records in the log of a bucket that a run no longer shows it, or shows it again after it
// was fixed. It follows a run of its input, or a new finding.
func (f *Buckets) Settle(id string) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	b := f.buckets[id]
	if b == nil { // its findings moved to another bucket
		return nil
	}
	e, changed := b.History.Shown(b.Extra[GoneKey] == "")
	if !changed {
		return nil
	}
	e.Time, e.Via = f.stamp(), "run"
	if f.Revision != nil {
		e.Revision = f.Revision()
	}
	if e.State == history.Again && b.afresh {
		e.Comment = "through a variant that is new: its cause may be another one"
	}
	if err := f.folder.AppendHistory(id, e.Encode()); err != nil {
		return err
	}
	next := *b
	next.History = append(next.History[:len(next.History):len(next.History)], e)
	f.buckets[id] = &next
	return nil
}

// bequeath appends the log of a bucket that is removed to the log of the bucket that replaces it.
// The log is read again, since people comment while the campaign runs.
func (f *Buckets) bequeath(from, to *Group) error {
	data, err := f.folder.ReadHistory(from.ID)
	if err != nil || len(data) == 0 {
		return err
	}
	log, _ := history.Parse(data)
	for _, e := range log {
		if err := f.folder.AppendHistory(to.ID, e.Encode()); err != nil {
			return err
		}
	}
	to.History = append(to.History[:len(to.History):len(to.History)], log...)
	return nil
}

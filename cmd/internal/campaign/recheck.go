package campaign

import (
	"context"
	"sort"

	"parallax/cmd/internal/triage"
	"parallax/internal/judge"
	"parallax/internal/wire"
)

// goneKey is the entry of a bucket's extra data that says why it counts no more.
const goneKey = "gone"

// slowRechecks is how many findings are run again of which each costs the whole time or memory that a program may use.
const slowRechecks = 3

// recheck runs what earlier invocations found again: programs may have been mended since. A finding that does not show any
// more, in two processes, stays on record and no longer makes the run fail; one that shows again counts again.
func (c *Campaign) recheck(ctx context.Context) error {
	var ids []string
	for id := range c.findings.buckets {
		ids = append(ids, id)
	}
	if len(ids) == 0 {
		return nil
	}
	sort.Strings(ids)
	c.ui.Step("running the findings again")
	s := c.judge().Session()
	defer s.Close()
	slow := 0
	for _, id := range ids {
		if ctx.Err() != nil {
			return nil
		}
		b := c.findings.buckets[id]
		if b.Kind == judge.KindTimeout || b.Kind == judge.KindOOM {
			if slow++; slow > slowRechecks {
				continue
			}
		}
		shows, err := c.shows(s, b)
		if err == nil && !shows {
			s.Fresh()
			shows, err = c.shows(s, b)
		}
		if err != nil {
			c.log.Warn("finding not run again", "bucket", id, "error", err.Error())
			s.Fresh()
			continue
		}
		if err := c.findings.mark(id, !shows); err != nil {
			return err
		}
		if !shows {
			c.log.Info("gone", "bucket", id)
		}
	}
	return nil
}

// shows reports whether a bucket's smallest input still shows a finding of its kind.
func (c *Campaign) shows(s *triage.Session, b *bucket) (bool, error) {
	flags := uint64(0)
	if b.Kind != triage.Discrepancy {
		flags |= wire.WantDetail | wire.Settle
	}
	if len(b.best.Minimized) > s.Spec.MaxFlat {
		return true, nil // the limit is lower now; nothing is known
	}
	results, err := s.Run(b.best.Minimized, flags)
	if err != nil {
		return false, err
	}
	p, failed := triage.Failed(results)
	if b.Kind == triage.Discrepancy {
		layer := triage.Layer(c.opt.Layers, results)
		return failed || layer != 0 && layer.String() == b.best.Layer, nil
	}
	return failed && triage.Kind(&results[p]) == b.Kind, nil
}

// mark records whether a bucket shows no more.
func (f *findings) mark(id string, gone bool) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	b := f.buckets[id]
	if (b.Extra[goneKey] != "") == gone {
		return nil
	}
	next := *b
	next.setGone(gone)
	if err := f.folder.WriteBucket(next.Bucket); err != nil {
		return err
	}
	f.buckets[id] = &next
	return nil
}

func (b *bucket) setGone(gone bool) {
	why := ""
	if gone {
		why = "it did not show any more when its input was run again"
	}
	b.setExtra(goneKey, why)
}

// setExtra changes an entry of the bucket's extra data, in a copy; empty removes it.
func (b *bucket) setExtra(key, value string) {
	extra := map[string]string{}
	for k, v := range b.Extra {
		if k != key {
			extra[k] = v
		}
	}
	if value != "" {
		extra[key] = value
	}
	b.Extra = extra
}

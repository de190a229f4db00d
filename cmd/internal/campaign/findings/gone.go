package findings

import (
	"maps"
	"slices"
	"strings"

	"parallax/internal/oracle"
)

// GoneKey is the entry of a bucket's extra data that says why it counts no more.
const GoneKey = "gone"

// FlakyKey is the entry of a bucket's extra data that says why it counts no more: it does not always show.
const FlakyKey = "flaky"

// codeKey is the entry of a bucket's extra data that identifies the programs that last showed it (subject.Facts.CodeID).
const codeKey = "code"

// Older reports whether other programs than the present ones showed a bucket last.
func (f *Buckets) Older(id string) bool { return f.buckets[id].Extra[codeKey] != f.facts.CodeID }

// seen records that the present programs show the bucket.
func (f *Buckets) seen(b *Bucket) { b.setExtra(codeKey, f.facts.CodeID) }

// lose records that the bucket shows no more. If other programs showed it last, it is not flaky: it is run once more if it shows again.
func (f *Buckets) lose(b *Bucket) {
	b.setGone(true)
	if b.Extra[FlakyKey] != "" && b.Extra[codeKey] != f.facts.CodeID {
		b.setExtra(FlakyKey, "")
		b.doubt("it was flaky in other versions of the programs")
	}
}

// staleKey is the entry of a bucket's extra data with the hashes of findings on disk that showed no more when others took their place.
const staleKey = "stale"

// stale reports whether a finding on disk is such a one.
func (b *Bucket) stale(hash string) bool {
	return slices.Contains(strings.Fields(b.Extra[staleKey]), hash)
}

// lapsed reports whether the next finding takes the place of what is on record: that shows no more, or not always, or was not complete.
func (b *Bucket) lapsed() bool {
	return b.Extra[GoneKey] != "" || b.Extra[FlakyKey] != "" || b.Extra[UnfinishedKey] != ""
}

// maxStale is how many findings of a bucket are kept that show no more.
const maxStale = storedInputs + variantInputs

// supersede records that all findings on disk are stale, and that a new one has no other beside it. It returns those that need not be kept
// once that is on disk: of those that were stale before, as many as are too many.
func (b *Bucket) supersede() (surplus []string) {
	list := slices.Sorted(maps.Keys(b.quoted))
	for _, hash := range list {
		if len(list)-len(surplus) > maxStale && b.stale(hash) {
			surplus = append(surplus, hash)
		}
	}
	b.setExtra(staleKey, strings.Join(list, " "))
	b.setExtra(newestKey, "")
	b.setGone(false)
	b.setExtra(FlakyKey, "")
	b.setExtra(seedKey, "")
	b.Variants, b.Count, b.stored = nil, 0, 0
	return surplus
}

// discard removes findings that need not be kept, but the one in use.
func (f *Buckets) discard(b *Bucket, surplus []string) error {
	for _, hash := range surplus {
		if hash == b.BestHash || hash == "" {
			continue
		}
		if err := f.folder.RemoveFinding(b.ID, hash); err != nil {
			return err
		}
		delete(b.quoted, hash)
	}
	return nil
}

// revive records that a finding on disk shows.
func (b *Bucket) revive(hash string) {
	list := slices.DeleteFunc(strings.Fields(b.Extra[staleKey]), func(h string) bool { return h == hash })
	b.setExtra(staleKey, strings.Join(list, " "))
}

// UnverifiedKey is the entry of a bucket's extra data that says why its smallest input is to be run once more. It is there from when that is filed
// until that has been done, so that no kill loses it.
const UnverifiedKey = "unverified"

// Doubtful reports whether a kind of finding is run once more when the fuzzing has ended: each run of the others takes all the time or memory that
// a program may use.
func Doubtful(kind string) bool { return kind != oracle.KindTimeout && kind != oracle.KindOOM }

func (b *Bucket) doubt(why string) {
	if Doubtful(b.Kind) && b.Extra[FlakyKey] == "" {
		b.setExtra(UnverifiedKey, why)
	}
}

// Doubt records that a bucket's smallest input is to be run once more.
func (f *Buckets) Doubt(id string) error {
	return f.change(id, func(b *Bucket) { b.doubt("it showed only at the second time when its input was run again") })
}

// Looked records that this has been done, and that each run showed the finding: it is not flaky.
func (f *Buckets) Looked(id string) error {
	if extra := f.buckets[id].Extra; extra[UnverifiedKey] == "" && extra[FlakyKey] == "" {
		return nil
	}
	return f.change(id, func(b *Bucket) {
		f.seen(b)
		b.setExtra(UnverifiedKey, "")
		b.setExtra(FlakyKey, "")
	})
}

// Doubted are the buckets of which it has not.
func (f *Buckets) Doubted() []string { return f.having(UnverifiedKey) }

// Flaky are the buckets that do not always show.
func (f *Buckets) Flaky() []string { return f.having(FlakyKey) }

// having are the buckets whose extra data has an entry.
func (f *Buckets) having(key string) (ids []string) {
	for _, id := range f.IDs() {
		if f.buckets[id].Extra[key] != "" {
			ids = append(ids, id)
		}
	}
	return ids
}

// Recorded reports whether what is on record of a bucket's smallest input is of this run: else the programs may have been others.
func (f *Buckets) Recorded(id string) bool { return f.buckets[id].recorded }

// MarkFlaky records that a bucket does not always show.
func (f *Buckets) MarkFlaky(id, why string) error {
	return f.change(id, func(b *Bucket) {
		f.seen(b)
		b.setExtra(FlakyKey, why)
		b.setExtra(UnverifiedKey, "")
	})
}

// change changes a bucket, and its own file.
func (f *Buckets) change(id string, edit func(*Bucket)) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	next := *f.buckets[id]
	edit(&next)
	if err := f.folder.WriteBucket(next.Bucket); err != nil {
		return err
	}
	f.buckets[id] = &next
	return nil
}

// Mark records whether a bucket shows no more.
func (f *Buckets) Mark(id string, gone bool) error {
	b, older := f.buckets[id], f.Older(id)
	if (b.Extra[GoneKey] != "") == gone && (!older || gone && b.Extra[FlakyKey] == "") {
		return nil
	}
	return f.change(id, func(b *Bucket) {
		if gone {
			f.lose(b)
			return
		}
		b.setGone(false)
		f.seen(b)
	})
}

func (b *Bucket) setGone(gone bool) {
	why := ""
	if gone {
		why = "it did not show any more when its input was run again"
	}
	b.setExtra(GoneKey, why)
}

// setExtra changes an entry of the bucket's extra data, in a copy; empty removes it.
func (b *Bucket) setExtra(key, value string) {
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

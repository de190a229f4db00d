package findings

import (
	"maps"
	"slices"
	"strings"

	"parallax/internal/oracle"
)

// GoneKey is the key of Extra with the reason why a bucket no longer counts: its input no longer
// shows it.
const GoneKey = "gone"

// FlakyKey is the key of Extra with the reason why a bucket no longer counts: it shows only in some
// runs.
const FlakyKey = "flaky"

// FlakyLater begins the reason of a bucket that is flaky for a later variant alone.
const FlakyLater = "of a variant that came after it was accepted: "

// codeKey is the key of Extra with the id of the programs that last showed the bucket
// (subject.Facts.CodeID).
const codeKey = "code"

// Older reports whether the programs that last showed a bucket differ from the present ones.
func (f *Buckets) Older(id string) bool { return f.buckets[id].Extra[codeKey] != f.facts.CodeID }

// recordCode records that the present programs show the bucket.
func (f *Buckets) recordCode(b *Group) { b.setExtra(codeKey, f.facts.CodeID) }

// lose records that the bucket no longer shows. If other programs showed it last, it is not flaky,
// and unverified if it shows again.
func (f *Buckets) lose(b *Group) {
	b.setGone(true)
	if b.Extra[FlakyKey] != "" && b.Extra[codeKey] != f.facts.CodeID {
		b.setExtra(FlakyKey, "")
		b.setUnverified("it was flaky in other versions of the programs")
	}
}

// staleKey is the key of Extra with the hashes of stale findings: they no longer showed when new
// ones replaced them.
const staleKey = "stale"

// stale reports whether a finding on disk is stale.
func (b *Group) stale(hash string) bool {
	return slices.Contains(strings.Fields(b.Extra[staleKey]), hash)
}

// replaceable reports whether the next finding replaces those on record, which are gone, flaky or
// unfinished. Accepted findings stay if a later variant is flaky.
func (b *Group) replaceable() bool {
	flaky := b.Extra[FlakyKey]
	return b.Extra[GoneKey] != "" || flaky != "" && !strings.HasPrefix(flaky, FlakyLater) || b.Extra[UnfinishedKey] != ""
}

// maxStale bounds the stale findings of a bucket.
const maxStale = storedInputs + variantInputs

// supersede marks all findings on disk as stale and clears the counts of the bucket. It returns the
// oldest stale findings beyond maxStale, to be removed once the new finding is on disk.
func (b *Group) supersede() (surplus []string) {
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
	b.setExtra(seedHashKey, "")
	b.setExtra(locatedKey, "")
	b.Variants, b.Count, b.stored = nil, 0, 0
	b.inputs, b.minimized = nil, nil
	return surplus
}

// discard removes findings from disk, except the best one.
func (f *Buckets) discard(b *Group, surplus []string) error {
	for _, hash := range surplus {
		if hash == b.BestHash || hash == "" {
			continue
		}
		if err := f.folder.RemoveFinding(b.ID, hash); err != nil {
			return err
		}
		delete(b.quoted, hash)
		delete(b.inputs, hash)
	}
	return nil
}

// revive records that a stale finding shows again.
func (b *Group) revive(hash string) {
	list := slices.DeleteFunc(strings.Fields(b.Extra[staleKey]), func(h string) bool { return h == hash })
	b.setExtra(staleKey, strings.Join(list, " "))
}

// UnverifiedKey is the key of Extra with the reason why the smallest input is to run once more. It
// is set when the input is filed and removed after the run, so that it survives a kill.
const UnverifiedKey = "unverified"

// Verifiable reports whether findings of a kind are run once more after the fuzzing. A timeout or
// an oom is not: each run takes all the time or memory of a program.
func Verifiable(kind string) bool { return kind != oracle.KindTimeout && kind != oracle.KindOOM }

// setUnverified marks a bucket as unverified, unless it is flaky.
func (b *Group) setUnverified(why string) {
	if Verifiable(b.Kind) && b.Extra[FlakyKey] == "" {
		b.setExtra(UnverifiedKey, why)
	}
}

// MarkUnverified records that the shown input of a bucket is to run once more, and why.
func (f *Buckets) MarkUnverified(id, why string) error {
	return f.change(id, func(b *Group) { b.setUnverified(why) })
}

// MarkVerified records that every verifying run showed the finding, so that it is neither
// unverified nor flaky.
func (f *Buckets) MarkVerified(id string) error {
	if extra := f.buckets[id].Extra; extra[UnverifiedKey] == "" && extra[FlakyKey] == "" {
		return nil
	}
	return f.change(id, func(b *Group) {
		f.recordCode(b)
		b.setExtra(UnverifiedKey, "")
		b.setExtra(FlakyKey, "")
	})
}

// Unverified returns the ids of the unverified buckets.
func (f *Buckets) Unverified() []string { return f.having(UnverifiedKey) }

// Flaky returns the ids of the flaky buckets.
func (f *Buckets) Flaky() []string { return f.having(FlakyKey) }

// having returns the ids of the buckets with a key in Extra.
func (f *Buckets) having(key string) (ids []string) {
	for _, id := range f.IDs() {
		if f.buckets[id].Extra[key] != "" {
			ids = append(ids, id)
		}
	}
	return ids
}

// Recorded reports whether this run recorded the smallest input of a bucket. Older records may be
// of other programs.
func (f *Buckets) Recorded(id string) bool { return f.buckets[id].recorded }

// MarkFlaky records that a bucket shows only in some runs.
func (f *Buckets) MarkFlaky(id, why string) error {
	return f.change(id, func(b *Group) {
		f.recordCode(b)
		b.setExtra(FlakyKey, why)
		b.setExtra(UnverifiedKey, "")
	})
}

// change edits a bucket and writes its own file.
func (f *Buckets) change(id string, edit func(*Group)) error {
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

// Mark records whether a bucket no longer shows.
func (f *Buckets) Mark(id string, gone bool) error {
	b, older := f.buckets[id], f.Older(id)
	if (b.Extra[GoneKey] != "") == gone && (!older || gone && b.Extra[FlakyKey] == "") {
		return nil
	}
	return f.change(id, func(b *Group) {
		if gone {
			f.lose(b)
			return
		}
		b.setGone(false)
		f.recordCode(b)
	})
}

func (b *Group) setGone(gone bool) {
	why := ""
	if gone {
		why = "it did not show any more when its input was run again"
	}
	b.setExtra(GoneKey, why)
}

// setExtra sets a key in a copy of Extra. An empty value removes it.
func (b *Group) setExtra(key, value string) {
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

package findings

import (
	"maps"
	"slices"
	"strings"

	"parallax/cmd/internal/base/corpus"
	"parallax/cmd/internal/campaign/triage"
)

// UnfinishedKey is the entry of a bucket's extra data that says that the run ended before its triage was done: it has the key of
// the candidate, which stays on disk. The bucket has the name that it would have by what was known then.
const UnfinishedKey = "unfinished"

// formerKey is the entry of a bucket's extra data with the ids under which its inputs were announced before their triage was done.
const formerKey = "former"

// Former are the ids under which inputs of the bucket were announced before.
func (b *Bucket) Former() []string { return strings.Fields(b.Extra[formerKey]) }

// replace records the ids of the buckets that were filed for a candidate before its triage put it into this one.
func (f *Buckets) replace(b *Bucket, candidate string) {
	ids := b.Former()
	for id, old := range f.buckets {
		if old.Extra[UnfinishedKey] == candidate && id != b.ID {
			ids = append(append(ids, old.Former()...), id)
		}
	}
	slices.Sort(ids)
	b.setExtra(formerKey, strings.Join(slices.Compact(ids), " "))
}

// CandidateKey is the content hash of a candidate's input and, behind it, the aspect that it is a candidate for: those of other aspects
// have buckets of their own.
func (f *Buckets) CandidateKey(c *triage.Candidate) string {
	key := corpus.Hash(f.facts.Shape.Encode(c.Flat))
	if of := c.Aspect().Name(f.facts.Names); of != "" {
		key += " " + of
	}
	return key
}

// Withdraw removes the bucket that was filed for a candidate before its triage was done, since that has put its input into another
// bucket, or nil where it has found that the input does not show it each time: gone says that other programs did.
func (f *Buckets) Withdraw(candidate string, in *Bucket, gone bool) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.withdraw(candidate, in, gone)
}

func (f *Buckets) withdraw(candidate string, in *Bucket, gone bool) error {
	for id, b := range f.buckets {
		if b.Extra[UnfinishedKey] != candidate || in != nil && id == in.ID {
			continue
		}
		if in == nil { // it was announced
			next := *b
			next.setExtra(UnfinishedKey, "")
			if gone {
				f.lose(&next)
			} else {
				next.setExtra(FlakyKey, "it did not show each time when its triage was completed")
				next.setExtra(UnverifiedKey, "")
			}
			return f.store(&next, nil)
		}
		if err := f.folder.RemoveBucket(id); err != nil {
			return err
		}
		delete(f.buckets, id)
		maps.DeleteFunc(f.variants, func(_, of string) bool { return of == id })
		maps.DeleteFunc(f.alias, func(_ string, at place) bool { return at.bucket == id })
	}
	return nil
}

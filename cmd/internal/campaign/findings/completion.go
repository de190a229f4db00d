package findings

import (
	"maps"
	"slices"
	"strings"

	"parallax/cmd/internal/base/corpus"
	"parallax/cmd/internal/campaign/triage"
	"parallax/cmd/internal/finding"
)

// UnfinishedKey is the key of Extra that marks a bucket whose triage the end of the run cut short.
// Its value is the key of the candidate, which stays on disk. The name of the bucket is
// provisional.
const UnfinishedKey = "unfinished"

// formerKey is the key of Extra with former ids of the bucket. Its inputs were announced under them
// before their triage was complete, or before the bucket had all messages of its place.
const formerKey = "former"

// Former returns the ids under which inputs of the bucket were announced before.
func (b *Group) Former() []string { return strings.Fields(b.Extra[formerKey]) }

// replace records the ids of provisional buckets of a candidate whose triage ended in bucket b.
func (f *Buckets) replace(b *Group, candidate string) {
	ids := b.Former()
	for id, old := range f.buckets {
		if old.Extra[UnfinishedKey] == candidate && id != b.ID {
			ids = append(append(ids, old.Former()...), id)
		}
	}
	slices.Sort(ids)
	b.setExtra(formerKey, strings.Join(slices.Compact(ids), " "))
}

// CandidateKey returns the content hash of a candidate's input, and the name of its aspect, if it
// has one. Candidates of other aspects have other buckets.
func (f *Buckets) CandidateKey(c *finding.Candidate) string {
	key := corpus.Hash(f.facts.Shape.Encode(c.Flat))
	if of := triage.AspectOf(c).Name(f.facts.Names); of != "" {
		key += " " + of
	}
	return key
}

// Withdraw removes the provisional bucket of a candidate whose triage ended in bucket in. A nil
// bucket means that triage could not show the finding each time. The provisional bucket then stays,
// as gone if other programs showed it, else as flaky.
func (f *Buckets) Withdraw(candidate string, in *Group, gone bool) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.withdraw(candidate, in, gone)
}

func (f *Buckets) withdraw(candidate string, in *Group, gone bool) error {
	for id, b := range f.buckets {
		if b.Extra[UnfinishedKey] != candidate || in != nil && id == in.ID {
			continue
		}
		if in == nil { // the bucket was announced, so it stays
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
		if err := f.bequeath(b, in); err != nil {
			return err
		}
		if err := f.folder.RemoveBucket(id); err != nil {
			return err
		}
		delete(f.buckets, id)
		maps.DeleteFunc(f.variants, func(_, of string) bool { return of == id })
		maps.DeleteFunc(f.alias, func(_ string, at bucketVariant) bool { return at.bucket == id })
	}
	return nil
}

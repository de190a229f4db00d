package findings

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	"parallax/cmd/internal/campaign/triage"
	"parallax/cmd/internal/finding/causes"
	"parallax/cmd/internal/finding/report"
	"parallax/cmd/internal/finding/state"
)

// A bucket is a cause. Its variants are what findings of one cause look like: another branch, or another error. The first finding of a cause
// names its bucket, but between versions, where what was changed does.

// Bounds of what is kept of a bucket's variants; inputs of further ones are counted.
const (
	maxVariants   = 100
	variantInputs = 24 // inputs kept on disk beyond storedInputs: the first of each variant, and what is smaller than all before
)

// one reports whether a finding has the cause of the bucket: whether it is one of its variants, or has one cause with the first. Were it asked
// of each, one thing would lead to another in a long campaign, and the last have nothing in common with the first.
func (b *Bucket) one(found *triage.Finding) bool {
	return b.ID == found.Bucket || len(b.Variants) > 0 && b.Variants[0].Symptoms.One(found.Symptoms) ||
		slices.ContainsFunc(b.Variants, func(v state.Variant) bool {
			// What is put down to no change of those between two versions may be of any.
			return v.ID == found.Variant && !v.Symptoms.Apart(found.Symptoms) && v.Symptoms.Changes() == found.Symptoms.Changes()
		})
}

// Named reports whether the cause of a bucket's findings is on record. Between versions, the cause is a change.
func (b *Bucket) Named(versions bool) bool {
	if !triage.Disagrees(b.Kind) {
		return true
	}
	return len(b.Variants) > 0 && (b.Variants[0].Symptoms.Changes() || !versions)
}

// Change returns the hash of the change that the findings of a bucket are attributed to. Empty means that none is on record.
func (b *Bucket) Change() string {
	if len(b.Variants) == 0 || !b.Variants[0].Symptoms.Changes() {
		return ""
	}
	return b.Variants[0].Symptoms.Change
}

// BestChange is like Change for the smallest finding: several vague changes may share a bucket.
func (b *Bucket) BestChange() string {
	for _, v := range b.Variants {
		if v.ID == b.Best.Variant && v.Symptoms.Changes() {
			return v.Symptoms.Change
		}
	}
	return b.Change()
}

// Name records what the smallest finding of a bucket looks like.
func (f *Buckets) Name(id string, found *triage.Finding) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	b := f.buckets[id]
	if b == nil || b.Named(found.Symptoms.Changes()) || found.Variant == "" {
		return nil
	}
	next := *b
	if next.Variants = slices.Clone(b.Variants); len(next.Variants) == 0 {
		next.Variants = []state.Variant{{ID: found.Variant, Count: b.Count, Hash: b.BestHash}}
	}
	next.Variants[0].Symptoms = found.Symptoms // the first is what other findings are compared with
	if err := f.folder.WriteBucket(next.Bucket); err != nil {
		return err
	}
	best := *b.Best
	best.Variant = next.variantOf(b.BestHash)
	next.Best = &best
	f.buckets[id] = &next
	f.know(&next)
	return nil
}

// variantOf returns the variant of an input on disk whose record names none: the one that the input stands for, or else the first.
// Empty means that the bucket has no variants.
func (b *Bucket) variantOf(hash string) string {
	for _, v := range b.Variants {
		if v.Hash == hash {
			return v.ID
		}
	}
	if len(b.Variants) > 0 {
		return b.Variants[0].ID
	}
	return ""
}

// know makes the variants of a bucket known to those that look for theirs.
func (f *Buckets) know(b *Bucket) {
	for _, v := range b.Variants {
		f.learn(v.ID, v.Symptoms, b.ID)
	}
}

// learn makes a variant known as one of a bucket, if it is not yet as one of another.
func (f *Buckets) learn(variant string, s *causes.Symptoms, id string) {
	for _, key := range []string{variant, variantKey(variant, s)} {
		if f.variants[key] == "" {
			f.variants[key] = id
		}
	}
}

// variantKey is a variant among those of all buckets: between versions, findings that come from different changes, or from none that is known, may
// look alike.
func variantKey(variant string, s *causes.Symptoms) string {
	if s == nil {
		return variant + " "
	}
	return variant + " " + s.Change
}

// inOrder are the buckets as they were first seen: to which of several a finding belongs must not depend on chance.
func (f *Buckets) inOrder() []*Bucket {
	return slices.SortedFunc(maps.Values(f.buckets), func(a, b *Bucket) int {
		return cmp.Or(cmp.Compare(a.FirstSeen, b.FirstSeen), cmp.Compare(a.ID, b.ID))
	})
}

// home is the bucket to which a finding belongs.
func (f *Buckets) home(found *triage.Finding) string {
	if found.Results == nil { // it was not minimized, since its bucket needs no more
		return f.resolve(found.Before).bucket
	}
	if id := f.variants[variantKey(cmp.Or(found.Variant, found.Bucket), found.Symptoms)]; id != "" {
		return id
	}
	if f.buckets[found.Bucket] != nil || found.Symptoms == nil {
		return found.Bucket
	}
	for _, e := range f.expected {
		if e.symptoms.One(found.Symptoms) {
			return e.id
		}
	}
	for _, b := range f.inOrder() {
		if b.one(found) {
			return b.ID
		}
	}
	return found.Bucket
}

// variant counts a finding for the variant that it is, or, if it was not minimized, for the one that others of its looks were. fresh says that
// there was no such variant.
func (b *Bucket) variant(found *triage.Finding, others string) (at int, fresh bool) {
	id := cmp.Or(found.Variant, others)
	b.Variants = slices.Clone(b.Variants)
	at = slices.IndexFunc(b.Variants, func(v state.Variant) bool { return v.ID == id })
	if at < 0 && (found.Results == nil || found.Variant == "" || len(b.Variants) >= maxVariants) {
		return -1, false
	}
	if at < 0 {
		at, fresh = len(b.Variants), true
		b.Variants = append(b.Variants, state.Variant{ID: id, Symptoms: found.Symptoms})
	}
	b.Variants[at].Count++
	return at, fresh
}

// IsVariant reports whether an id is that of one of the bucket's variants.
func (b *Bucket) IsVariant(id string) bool {
	return slices.ContainsFunc(b.Variants, func(v state.Variant) bool { return v.ID == id })
}

// As is the bucket with a variant's finding in place of its smallest: itself, if the id is none of a variant of which a finding is on record.
func (f *Buckets) As(b *Bucket, variant string) (*Bucket, error) {
	at := slices.IndexFunc(b.Variants, func(v state.Variant) bool { return v.ID == variant && v.ID != b.ID })
	if at < 0 || b.Variants[at].Hash == "" || b.Variants[at].Hash == b.BestHash {
		return b, nil
	}
	return f.At(b, b.Variants[at].Hash)
}

// Further are the hashes of the inputs of a bucket on disk beside its smallest, those that stand for variants first, without stale ones.
func (b *Bucket) Further() (hashes []string) {
	for _, v := range b.Variants {
		hashes = append(hashes, v.Hash)
	}
	for _, hash := range slices.Sorted(maps.Keys(b.quoted)) {
		if !slices.Contains(hashes, hash) {
			hashes = append(hashes, hash)
		}
	}
	return slices.DeleteFunc(hashes, func(hash string) bool { return hash == "" || hash == b.BestHash || b.stale(hash) })
}

// At is the bucket with another input on disk in place of its smallest.
func (f *Buckets) At(b *Bucket, hash string) (*Bucket, error) {
	as := *b
	as.BestHash = hash
	var err error
	if as.Best, err = read(f.folder, b.ID, hash); err != nil {
		return nil, err
	}
	return &as, nil
}

// read reads a finding's record.
func read(folder *state.Folder, id, hash string) (*report.Finding, error) {
	data, err := folder.ReadFinding(id, hash, OutputsFile)
	if err != nil {
		return nil, err
	}
	found, err := report.ParseFinding(data)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", folder.FindingPath(id, hash, OutputsFile), err)
	}
	return found, nil
}

// folded are the variants of a bucket as a row has them, but that of its smallest input, and those whose input became the same one: those that
// are seen most come first.
func (f *Buckets) folded(b *Bucket) (list []report.Variant) {
	for _, v := range b.Variants {
		// Several inputs become the same: another one of its variant may be the smallest, and one of another variant equal to it.
		if v.Hash == b.BestHash || v.ID == b.Best.Variant || v.Hash != "" && b.quoted[v.Hash] == b.quoted[b.BestHash] {
			continue
		}
		one := report.Variant{ID: v.ID, Count: v.Count}
		if v.Hash != "" {
			one.Minimized, one.Quoted = f.folder.FindingPath(b.ID, v.Hash, MinimizedFile), b.quoted[v.Hash]
		}
		list = append(list, one)
	}
	slices.SortStableFunc(list, func(a, b report.Variant) int {
		return cmp.Or(cmp.Compare(b.Count, a.Count), cmp.Compare(a.ID, b.ID))
	})
	return list
}

package findings

import (
	"bytes"
	"cmp"
	"fmt"
	"iter"
	"maps"
	"slices"
	"strings"

	"parallax/cmd/internal/campaign/triage"
	"parallax/cmd/internal/finding"
	"parallax/cmd/internal/finding/causes"
	"parallax/cmd/internal/finding/state"
)

// A bucket is a cause. Its variants are the different looks of findings with that cause, as another
// branch or another error. The first finding names the bucket. Between versions, the changed place
// names it.

// Bounds of the kept variants of a bucket. Inputs of further ones are counted.
const (
	maxVariants   = 100
	variantInputs = 24 // inputs on disk beyond storedInputs: the first of each variant, and smaller ones
)

// sameCause reports whether a finding has the cause of the bucket: it is one of the variants, or
// has the cause of the first. A comparison with every variant would drift: the last findings of a
// long campaign could have nothing in common with the first.
func (b *Group) sameCause(found *triage.Result) bool {
	return b.ID == found.Bucket && !b.renamed(b.ID) || len(b.Variants) > 0 && b.Variants[0].Symptoms.SameCause(found.Symptoms) ||
		slices.ContainsFunc(b.Variants, func(v finding.Variant) bool {
			// A finding that is attributed to no change between two versions may come from any.
			return current(v) == found.Variant && !v.Symptoms.DifferentChanges(found.Symptoms) && v.Symptoms.Changes() == found.Symptoms.Changes()
		})
}

// Named reports whether the cause of a bucket's findings is on record. Between versions, the cause
// is a change.
func (b *Group) Named(versions bool) bool {
	if !triage.Disagrees(b.Kind) {
		return true
	}
	return len(b.Variants) > 0 && (b.Variants[0].Symptoms.Changes() || !versions)
}

// Change returns the hash of the change that the findings of a bucket are attributed to. Empty
// means that none is on record.
func (b *Group) Change() string {
	if len(b.Variants) == 0 || !b.Variants[0].Symptoms.Changes() {
		return ""
	}
	return b.Variants[0].Symptoms.Change
}

// BestChange returns the change of the smallest finding, or Change if it has none. Several vague
// changes may share a bucket.
func (b *Group) BestChange() string {
	for _, v := range b.Variants {
		if v.ID == b.Best.Variant && v.Symptoms.Changes() {
			return v.Symptoms.Change
		}
	}
	return b.Change()
}

// Name records the variant of the smallest finding of a bucket.
func (f *Buckets) Name(id string, found *triage.Result) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	b := f.buckets[id]
	if b == nil || b.Named(found.Symptoms.Changes()) || found.Variant == "" {
		return nil
	}
	next := *b
	if next.Variants = slices.Clone(b.Variants); len(next.Variants) == 0 {
		next.Variants = []finding.Variant{{ID: found.Variant, Count: b.Count, Hash: b.BestHash}}
	}
	next.Variants[0].Symptoms = found.Symptoms // other findings are compared with the first
	if err := f.folder.WriteBucket(next.Bucket); err != nil {
		return err
	}
	best := *b.Best
	best.Variant = next.variantOf(b.BestHash)
	next.Best = &best
	f.buckets[id] = &next
	f.addVariants(&next)
	return nil
}

// variantOf returns the variant of an input on disk whose record names none: the variant that lists
// the input, or else the first. Empty means that the bucket has no variants.
func (b *Group) variantOf(hash string) string {
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

// addVariants registers the variants of a bucket.
func (f *Buckets) addVariants(b *Group) {
	for _, v := range b.Variants {
		f.addVariant(current(v), v.Symptoms, b.ID)
	}
	if variant, change, ok := strings.Cut(b.Extra[nowKey], " "); ok {
		f.addVariant(variant, &causes.Symptoms{Change: change}, b.ID)
	}
}

// The id of a variant contains the numbers of branches in their functions. An edit changes them. A
// variant keeps the id under which it was filed, and Now has the one that triage gives it since.

// current returns the id that triage gives a variant.
func current(v finding.Variant) string { return cmp.Or(v.Now, v.ID) }

// renamed reports whether a variant was filed under an id that triage now gives to others.
func (b *Group) renamed(id string) bool {
	return slices.ContainsFunc(b.Variants, func(v finding.Variant) bool { return v.ID == id && current(v) != id })
}

// filed returns the id under which the bucket has the variant that triage calls id.
func (b *Group) filed(id string) string {
	for _, v := range b.Variants {
		if current(v) == id {
			return v.ID
		}
	}
	if b.renamed(id) {
		return reassigned(id)
	}
	return id
}

// reassigned returns another id in place of one that is given to something else.
func reassigned(id string) string { return causes.BucketID("again", id) }

// rename records the id that triage gives a variant in edited programs, unless another bucket has
// that one.
func (f *Buckets) rename(b *Group, variant string, found *triage.Result) {
	now := cmp.Or(found.Variant, found.Bucket)
	key := variantKey(now, found.Symptoms)
	if owner := f.variants[key]; owner != "" && owner != b.ID || f.buckets[now] != nil && now != b.ID ||
		found.Symptoms != nil && found.Symptoms.Change != b.Change() {
		return
	}
	if len(b.Variants) == 0 {
		b.setExtra(nowKey, key)
		return
	}
	at := slices.IndexFunc(b.Variants, func(v finding.Variant) bool { return v.ID == variant })
	if at < 0 || current(b.Variants[at]) == now {
		return
	}
	v := b.Variants[at]
	f.removeVariant(v, b.ID)
	if v.Now = now; now == v.ID {
		v.Now = ""
	}
	b.Variants = slices.Clone(b.Variants)
	b.Variants[at] = v
	f.addVariants(b)
}

// Rename records what the input of a variant shows in edited programs.
func (f *Buckets) Rename(id, variant string, found *triage.Result) error {
	return f.change(id, func(b *Group) { f.rename(b, variant, found) })
}

// removeVariant removes a variant of a bucket from those of all buckets.
func (f *Buckets) removeVariant(v finding.Variant, id string) {
	for _, key := range []string{current(v), variantKey(current(v), v.Symptoms)} {
		if f.variants[key] == id {
			delete(f.variants, key)
		}
	}
}

// addVariant registers a variant of a bucket, unless another bucket has it.
func (f *Buckets) addVariant(variant string, s *causes.Symptoms, id string) {
	for _, key := range []string{variant, variantKey(variant, s)} {
		if f.variants[key] == "" {
			f.variants[key] = id
		}
	}
}

// variantKey returns the key of a variant among those of all buckets. Between versions, it has the
// change: findings with different changes, or with none, may look alike.
func variantKey(variant string, s *causes.Symptoms) string {
	if s == nil {
		return variant + " "
	}
	return variant + " " + s.Change
}

// inOrder returns the buckets in the order of their first findings. The choice among several
// buckets for a finding must be deterministic.
func (f *Buckets) inOrder() []*Group {
	return slices.SortedFunc(maps.Values(f.buckets), func(a, b *Group) int {
		return cmp.Or(cmp.Compare(a.FirstSeen, b.FirstSeen), cmp.Compare(a.ID, b.ID))
	})
}

// home returns the id of the bucket to which a finding belongs.
func (f *Buckets) home(found *triage.Result) string {
	if found.Results == nil { // not minimized, since its bucket has enough inputs
		return f.resolve(found.Before).bucket
	}
	if id := f.byMessage(found); id != "" {
		return id
	}
	if id := f.variants[variantKey(cmp.Or(found.Variant, found.Bucket), found.Symptoms)]; id != "" {
		return id
	}
	id := found.Bucket
	if b := f.buckets[id]; b != nil && b.renamed(id) || f.reused(found) {
		id = reassigned(id)
	}
	if f.buckets[id] != nil || found.Symptoms == nil {
		return id
	}
	for _, e := range f.expected {
		if e.symptoms.SameCause(found.Symptoms) {
			return e.id
		}
	}
	for _, b := range f.inOrder() {
		if b.sameCause(found) {
			return b.ID
		}
	}
	return id
}

// reused reports whether the id of a finding is that of an accepted difference with one variant,
// which has another id since an edit.
func (f *Buckets) reused(found *triage.Result) bool {
	entry, ok := f.Accepted.Find(found.Bucket)
	return ok && len(entry.Variants) == 1 && slices.ContainsFunc(f.expected, func(e expected) bool {
		return e.id == found.Bucket && e.variant != "" && e.variant != entry.Variants[0] && e.variant != found.Variant
	})
}

// variant counts a finding for its variant. If the finding was not minimized, its variant is that
// of similar ones, given by others. fresh reports that the variant is new. at is negative if the
// finding has none.
func (b *Group) variant(found *triage.Result, others string) (at int, fresh bool) {
	id := cmp.Or(found.Variant, others)
	b.Variants = slices.Clone(b.Variants)
	at = slices.IndexFunc(b.Variants, func(v finding.Variant) bool { return v.ID == id })
	if at < 0 && (found.Results == nil || found.Variant == "" || len(b.Variants) >= maxVariants) {
		return -1, false
	}
	if at < 0 {
		at, fresh = len(b.Variants), true
		b.Variants = append(b.Variants, finding.Variant{ID: id, Symptoms: found.Symptoms})
	}
	b.Variants[at].Count++
	return at, fresh
}

// IsVariant reports whether the bucket has a variant with the id.
func (b *Group) IsVariant(id string) bool {
	return slices.ContainsFunc(b.Variants, func(v finding.Variant) bool { return v.ID == id })
}

// WithVariant returns the bucket with the recorded finding of a variant as Best. Without such a
// finding, it returns b.
func (f *Buckets) WithVariant(b *Group, variant string) (*Group, error) {
	at := slices.IndexFunc(b.Variants, func(v finding.Variant) bool { return v.ID == variant && v.ID != b.ID })
	if at < 0 || b.Variants[at].Hash == "" || b.Variants[at].Hash == b.BestHash {
		return b, nil
	}
	return f.WithInput(b, b.Variants[at].Hash)
}

// IsLater reports whether a variant came after its bucket was accepted.
func (f *Buckets) IsLater(b *Group, variant string) bool {
	e, ok := AcceptedAs(f.Accepted, &b.Bucket)
	return ok && slices.Contains(laterVariants(e, &b.Bucket), variant)
}

// InputsOf returns the hashes of a variant's inputs on disk, except stale ones. The one that
// represents the variant comes first.
func (b *Group) InputsOf(v finding.Variant) (hashes []string) {
	for _, hash := range append([]string{v.Hash}, slices.Sorted(maps.Keys(b.inputs))...) {
		if hash != "" && !slices.Contains(hashes, hash) && !b.stale(hash) && (hash == v.Hash || b.inputs[hash].Variant == v.ID) {
			hashes = append(hashes, hash)
		}
	}
	return hashes
}

// DropVariant removes a variant from a bucket, since its inputs no longer show it. They stay on
// disk as stale ones. A later finding that looks like it is filed again.
func (f *Buckets) DropVariant(id, variant string) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	next, surplus := f.withoutVariant(id, variant)
	if err := f.write(next); err != nil {
		return err
	}
	return f.discard(next, surplus)
}

// ReplaceVariant files a finding in place of a variant, whose input shows it now. A kill loses
// neither: the bucket's own file lists the variant until the finding is on disk.
func (f *Buckets) ReplaceVariant(id, variant string, found *triage.Result, cand finding.Candidate) error {
	f.mu.Lock()
	next, surplus := f.withoutVariant(id, variant)
	f.buckets[id] = next
	f.mu.Unlock()
	if _, _, err := f.Add(found, cand); err != nil {
		return err
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if next = f.buckets[id]; next == nil { // its findings moved to another bucket
		return nil
	}
	if err := f.write(next); err != nil {
		return err
	}
	return f.discard(next, surplus)
}

// withoutVariant returns a bucket without a variant, and the stale findings beyond maxStale. Flaky
// runs were those of a later variant: without one, the bucket is accepted.
func (f *Buckets) withoutVariant(id, variant string) (without *Group, surplus []string) {
	b := f.buckets[id]
	at := slices.IndexFunc(b.Variants, func(v finding.Variant) bool { return v.ID == variant })
	if at < 0 {
		return b, nil
	}
	next := *b
	next.Variants = slices.Delete(slices.Clone(b.Variants), at, at+1)
	next.inputs, next.quoted = maps.Clone(b.inputs), maps.Clone(b.quoted)
	list := strings.Fields(b.Extra[staleKey])
	for _, hash := range b.InputsOf(b.Variants[at]) {
		if hash != b.BestHash {
			list = append(list, hash)
			delete(next.inputs, hash)
			next.stored--
		}
	}
	surplus = list[:max(0, len(list)-maxStale)]
	next.setExtra(staleKey, strings.Join(list[len(surplus):], " "))
	if !WhollyAccepted(f.Accepted, &b.Bucket) && WhollyAccepted(f.Accepted, &next.Bucket) {
		next.setExtra(FlakyKey, "")
	}
	f.removeVariant(b.Variants[at], id)
	return &next, surplus
}

// Represent records the input that represents a variant.
func (f *Buckets) Represent(id, variant, hash string) error {
	return f.change(id, func(b *Group) {
		b.Variants = slices.Clone(b.Variants)
		for i := range b.Variants {
			if b.Variants[i].ID == variant {
				b.Variants[i].Hash = hash
			}
		}
	})
}

// OtherInputs returns the hashes of a bucket's inputs on disk, except the smallest and stale ones.
// Those of variants come first.
func (b *Group) OtherInputs() (hashes []string) {
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

// WithInput returns the bucket with another input on disk as Best.
func (f *Buckets) WithInput(b *Group, hash string) (*Group, error) {
	as := *b
	as.BestHash = hash
	var err error
	if as.Best, err = read(f.folder, b.ID, hash); err != nil {
		return nil, err
	}
	return &as, nil
}

// manyInputs bounds the other inputs of a finding that run if its smallest no longer shows it.
const manyInputs = 16

// Inputs yields the bucket with each of its inputs on disk as Best, as minimized and as found,
// except that of Best itself. It yields at most 16, none twice, and errors of damaged files.
func (f *Buckets) Inputs(b *Group) iter.Seq2[*Group, error] {
	return func(yield func(*Group, error) bool) {
		tried := [][]byte{b.Best.Minimized}
		for _, hash := range append([]string{b.BestHash}, b.OtherInputs()...) {
			as, err := f.WithInput(b, hash)
			if err != nil {
				if !yield(nil, fmt.Errorf("input %s: %w", hash, err)) {
					return
				}
				continue
			}
			for _, flat := range [][]byte{as.Best.Minimized, as.Best.Input} {
				if slices.ContainsFunc(tried, func(was []byte) bool { return bytes.Equal(was, flat) }) {
					continue
				}
				if tried = append(tried, flat); len(tried)-1 > manyInputs {
					return
				}
				one, best := *as, *as.Best
				best.Input, best.Minimized = flat, flat
				one.Best = &best
				if !yield(&one, nil) {
					return
				}
			}
		}
	}
}

// read reads the record of a finding.
func read(folder *state.Folder, id, hash string) (*finding.Finding, error) {
	data, err := folder.ReadFinding(id, hash, OutputsFile)
	if err != nil {
		return nil, err
	}
	found, err := finding.ParseFinding(data)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", folder.FindingPath(id, hash, OutputsFile), err)
	}
	return found, nil
}

// VariantInputs returns the minimized inputs of the variants on disk, if there are several.
func (b *Group) VariantInputs() (list []string) {
	for _, v := range b.Variants {
		if text := b.quoted[v.Hash]; text != "" && !slices.Contains(list, text) {
			list = append(list, text)
		}
	}
	if len(list) < 2 {
		return nil
	}
	return list
}

// mostFurther bounds the further inputs in a bucket's row.
const mostFurther = 10

// further returns the minimized inputs on disk other than the best one, the shortest first. Stale
// ones do not count.
func (b *Group) further() (list []string) {
	for hash, text := range b.quoted {
		if hash != b.BestHash && text != "" && text != b.quoted[b.BestHash] && !b.stale(hash) {
			list = append(list, text)
		}
	}
	slices.SortFunc(list, func(a, b string) int { return cmp.Or(cmp.Compare(len(a), len(b)), cmp.Compare(a, b)) })
	list = slices.Compact(list)
	return list[:min(len(list), mostFurther)]
}

// otherVariants returns the variants of a bucket for its row, most frequent first. It leaves out
// the variant of the smallest input, and variants whose minimized input is the same.
func (f *Buckets) otherVariants(b *Group) (list []finding.VariantRow) {
	for _, v := range b.Variants {
		// Several inputs may minimize to the same one, also inputs of different variants.
		if v.Hash == b.BestHash || v.ID == b.Best.Variant || v.Hash != "" && b.quoted[v.Hash] == b.quoted[b.BestHash] {
			continue
		}
		one := finding.VariantRow{ID: v.ID, Count: v.Count}
		if v.Hash != "" {
			one.Minimized, one.Quoted = f.folder.FindingPath(b.ID, v.Hash, MinimizedFile), b.quoted[v.Hash]
		}
		list = append(list, one)
	}
	slices.SortStableFunc(list, func(a, b finding.VariantRow) int {
		return cmp.Or(cmp.Compare(b.Count, a.Count), cmp.Compare(a.ID, b.ID))
	})
	return list
}

package findings

import (
	"bytes"
	"cmp"
	"slices"
	"strings"

	"parallax/cmd/internal/base/corpus"
	"parallax/cmd/internal/base/escape"
	"parallax/cmd/internal/campaign/triage"
	"parallax/cmd/internal/finding"
	"parallax/cmd/internal/finding/accept"
	"parallax/cmd/internal/finding/causes"
	"parallax/cmd/internal/finding/state"
	"parallax/internal/oracle"
)

// This file decides which entries of the file of accepted differences accept a bucket.

// AsKey is the key of Extra with the other id under which a bucket's cause is accepted.
const AsKey = "accepted_as"

// expected is a cause that an accepted difference gives an id.
type expected struct {
	id       string
	symptoms *causes.Symptoms
	variant  string // the variant that the entry's input shows now
}

// Expect has findings with the cause of found filed under an id, which an accepted difference
// gives. Findings with that cause that an earlier invocation filed under another id count as
// accepted, too. They do not if a bucket has the id: then they were other findings when that bucket
// was accepted.
func (f *Buckets) Expect(id string, found *triage.Result) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.addVariant(cmp.Or(found.Variant, found.Bucket), found.Symptoms, id)
	f.expected = append(f.expected, expected{id, found.Symptoms, found.Variant})
	filed := f.buckets[id] != nil
	for _, b := range f.inOrder() {
		if b.ID == id && b.Extra[ownVariantKey] != found.Variant {
			next := *b
			next.setExtra(ownVariantKey, found.Variant)
			if err := f.write(&next); err != nil {
				return err
			}
			continue
		}
		if _, still := f.Accepted.Find(b.Extra[AsKey]); filed || still || !b.sameCause(found) {
			continue
		}
		next := *b
		next.setExtra(AsKey, id)
		if err := f.write(&next); err != nil {
			return err
		}
	}
	return nil
}

// ownVariantKey is the key of Extra with the variant that the input of a bucket's accepted entry
// shows now. The ids of variants change with the deciding code.
const ownVariantKey = "accepted_variant"

// AcceptedAs returns the entry that accepts a bucket. The entry names the bucket's id, the id of
// one of its variants, or the id under AsKey, or lists a variant. Between versions, several changes
// may have the same variant, so that no entry names a bucket by it. An entry that has lapsed for
// the bucket accepts nothing of it.
func AcceptedAs(file *accept.File, b *finding.Bucket) (accept.Entry, bool) {
	lapsed := strings.Fields(b.Extra[lapsedKey])
	find := func(id string) (accept.Entry, bool) {
		at := slices.IndexFunc(file.Entries, func(e accept.Entry) bool { return e.Bucket == id && !slices.Contains(lapsed, entryHash(e)) })
		if at < 0 {
			return accept.Entry{}, false
		}
		return file.Entries[at], true
	}
	if e, ok := find(b.ID); ok {
		return e, true
	}
	for _, v := range b.Variants {
		if v.Symptoms != nil && v.Symptoms.Change != "" {
			continue
		}
		if e, ok := find(v.ID); ok {
			return e, true
		}
	}
	if as := b.Extra[AsKey]; as != "" {
		if e, ok := find(as); ok {
			return e, true
		}
	}
	at := slices.IndexFunc(file.Entries, func(e accept.Entry) bool { return lists(e, b) && !slices.Contains(lapsed, entryHash(e)) })
	if at < 0 {
		return accept.Entry{}, false
	}
	return file.Entries[at], true
}

// Names reports whether an entry is of a bucket, rather than of another one with a variant of it.
func Names(e accept.Entry, b *finding.Bucket) bool {
	return e.Bucket == b.ID || e.Bucket == b.Extra[AsKey] ||
		slices.ContainsFunc(b.Variants, func(v finding.Variant) bool { return v.ID == e.Bucket })
}

// lists reports whether an entry lists a variant of a bucket. A campaign that finds another variant
// first gives the bucket another id. Between versions, the variant must have the entry's change.
func lists(e accept.Entry, b *finding.Bucket) bool {
	return slices.ContainsFunc(b.Variants, func(v finding.Variant) bool {
		change := ""
		if v.Symptoms != nil {
			change = v.Symptoms.Change
		}
		return change == e.Change && slices.Contains(e.Variants, v.ID)
	})
}

// addAccepted registers the variants that entries list, unless a bucket has them. The first finding
// of a campaign may look like any of them, and the others need not look like it.
func (f *Buckets) addAccepted() {
	for _, e := range f.Accepted.Entries {
		for _, v := range e.Variants {
			key := variantKey(v, &causes.Symptoms{Change: e.Change})
			if f.variants[key] == "" {
				f.variants[key] = e.Bucket
			}
		}
	}
}

// WhollyAccepted reports whether the file accepts all variants of a bucket. Variants that came
// after the bucket was accepted are findings. After an edit, the present ids of the accepted
// variants may be unknown. All variants are accepted then.
func WhollyAccepted(file *accept.File, b *finding.Bucket) bool {
	e, ok := AcceptedAs(file, b)
	return ok && !seedCameLater(e, b) && (len(laterVariants(e, b)) == 0 || !knowsIDs(e, b))
}

// seedCameLater reports whether a seed shows the failure of a bucket that was accepted when no seed
// did. An entry for a failure accepts other causes of the same message and place as well. A seed
// that begins to fail shows that the code got worse. The accepted input itself may become a seed.
func seedCameLater(e accept.Entry, b *finding.Bucket) bool {
	return e.Count > 0 && !e.Seed && b.Extra[seedKey] != "" && b.Extra[seedHashKey] != corpus.Hash(e.Input)
}

// ReopeningSeed returns the hash of the seed that reopened an accepted bucket, or empty. accepted
// is the hash of the accepted input, which may be a seed, too.
func (f *Buckets) ReopeningSeed(b *Group) (seed, accepted string) {
	if e, ok := AcceptedAs(f.Accepted, &b.Bucket); ok && seedCameLater(e, &b.Bucket) {
		return b.Extra[seedHashKey], corpus.Hash(e.Input)
	}
	return "", ""
}

// ForgetSeed removes the seed that showed a bucket from its record.
func (f *Buckets) ForgetSeed(id string) error {
	return f.change(id, func(b *Group) {
		b.setExtra(seedKey, "")
		b.setExtra(seedHashKey, "")
	})
}

// SeedFails reports whether a seed shows the bucket.
func (b *Group) SeedFails() bool { return b.Extra[seedKey] != "" }

// lapsedKey is the key of Extra with the hashes of lapsed entries. Such an entry would accept the
// bucket, but its own input no longer shows the difference.
const lapsedKey = "lapsed"

// entryHash returns a name for an entry that depends on its bucket and its input.
func entryHash(e accept.Entry) string {
	return corpus.Hash([]byte(e.Bucket + " " + string(e.Input)))
}

// Lapse has an entry accept nothing, since its own input no longer shows the difference. Other
// inputs of the bucket are findings then.
func (f *Buckets) Lapse(e accept.Entry) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, b := range f.inOrder() {
		next := *b
		if next.lapse(e); len(next.Extra[lapsedKey]) == len(b.Extra[lapsedKey]) {
			continue
		}
		if err := f.write(&next); err != nil {
			return err
		}
	}
	left := *f.Accepted
	left.Entries = slices.DeleteFunc(slices.Clone(left.Entries), e.Same)
	f.Accepted, f.lapsed = &left, append(f.lapsed, e)
	return nil
}

// Hold has a lapsed entry accept again, since its own input shows the difference.
func (f *Buckets) Hold(e accept.Entry) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, b := range f.inOrder() {
		list := strings.Fields(b.Extra[lapsedKey])
		at := slices.Index(list, entryHash(e))
		if at < 0 {
			continue
		}
		next := *b
		next.setExtra(lapsedKey, strings.Join(slices.Delete(list, at, at+1), " "))
		if err := f.write(&next); err != nil {
			return err
		}
	}
	return nil
}

// write updates Accepted, then writes a bucket's own file.
func (f *Buckets) write(b *Group) error {
	b.Accepted = WhollyAccepted(f.Accepted, &b.Bucket)
	if err := f.folder.WriteBucket(b.Bucket); err != nil {
		return err
	}
	f.buckets[b.ID] = b
	return nil
}

// lapse records a lapsed entry, if it would accept the bucket.
func (b *Group) lapse(e accept.Entry) {
	if _, accepts := AcceptedAs(&accept.File{Entries: []accept.Entry{e}}, &b.Bucket); accepts {
		b.setExtra(lapsedKey, strings.TrimSpace(b.Extra[lapsedKey]+" "+entryHash(e)))
	}
}

// AcceptedBy reports whether the file accepts a bucket, and whether the bucket's best input is of a
// later variant. The accepted input itself is never later: the id of its variant may have changed
// with the code.
func (b *Group) AcceptedBy(file *accept.File) (ok, later bool) {
	e, ok := AcceptedAs(file, &b.Bucket)
	return ok, !b.showsInput(e) && slices.Contains(laterVariants(e, &b.Bucket), b.Best.Variant)
}

// laterVariants returns the variants that came after a bucket was accepted. It returns none if the
// entry lists no variants. The variant of the entry's own input is not later.
func laterVariants(e accept.Entry, b *finding.Bucket) []string {
	if len(e.Variants) == 0 {
		return nil
	}
	own := b.Extra[ownVariantKey]
	return slices.DeleteFunc(e.Unlisted(b.VariantIDs()), func(id string) bool { return id == own })
}

// knowsIDs reports whether the present ids of the variants in an entry are known. They are if no
// edit has changed that of the entry's own input, or if the bucket has them all.
func knowsIDs(e accept.Entry, b *finding.Bucket) bool {
	own := b.Extra[ownVariantKey]
	if own == "" || slices.Contains(e.Variants, own) || len(e.Variants) == 1 {
		return true
	}
	for _, id := range e.Variants {
		if !slices.ContainsFunc(b.Variants, func(v finding.Variant) bool { return v.ID == id && v.Now != "" }) {
			return false
		}
	}
	return true
}

// Open returns a bucket as it counts as a finding. If later variants are not accepted, the first
// input of such a variant replaces Best.
func (f *Buckets) Open(b *Group) *Group {
	e, ok := AcceptedAs(f.Accepted, &b.Bucket)
	if !ok || WhollyAccepted(f.Accepted, &b.Bucket) {
		return b
	}
	for _, id := range laterVariants(e, &b.Bucket) {
		if as, err := f.WithVariant(b, id); err == nil && as != b {
			return as
		}
	}
	return b
}

// Accepts describes the other failures that an entry for the bucket accepts, if the bucket is a
// crash or the failure of a check. They have no variants, since neither the place nor the message
// shows the cause. Accepts returns "" for other kinds.
func (b *Group) Accepts() string {
	if b.Kind != oracle.KindFailure && b.Kind != oracle.KindCrash || b.Best == nil {
		return ""
	}
	text, message := "every "+b.Kind, "with this message"
	if b.Best.Program != "" {
		text += " of " + b.Best.Program
	}
	if b.Best.Location != "" {
		text += " at " + escape.ShortPath(b.Best.Location)
	}
	switch {
	case b.Extra[placedKey] != "":
		message = "whatever its message"
	case b.shared() > 0:
		message = "with one of its messages"
	case b.Kind == oracle.KindCrash && b.Best.Location != "":
		message += " and from the same callers"
	}
	return text + " " + message + ", also those of other causes and those that come later"
}

// AcceptedCount returns the number of inputs that an entry for the bucket records. It is 0 if the
// entry records variants.
func (b *Group) AcceptedCount() uint64 {
	if b.Accepts() == "" {
		return 0
	}
	return b.Count
}

// isLater reports whether an input on disk came after the bucket was accepted. It is of the given
// variant, and the count-th that was filed.
func (b *Group) isLater(e accept.Entry, variant string, count uint64) bool {
	if e.Count == 0 || b.Accepts() == "" {
		return slices.Contains(laterVariants(e, &b.Bucket), variant)
	}
	first := b.minimized[corpus.Hash(e.Input)]
	// If the accepted input is missing, all inputs of the campaign came later.
	return count > e.Count || first == "" || b.inputs[first].Count > e.Count
}

// newestKey is the key of Extra with the hash of the newest input on disk. It was kept only because
// it came after the bucket was accepted.
const newestKey = "newest"

// keepsNewest reports whether the next input of a bucket is kept because it came after the bucket
// was accepted. For such a bucket, only new inputs hint at another cause.
func (f *Buckets) keepsNewest(b *Group) bool {
	e, ok := AcceptedAs(f.Accepted, &b.Bucket)
	return ok && e.Count > 0 && b.Count > e.Count && b.Accepts() != ""
}

// keepsBest reports whether the best input of a bucket is the one for which it is accepted.
func (f *Buckets) keepsBest(b *Group) bool {
	e, ok := AcceptedAs(f.Accepted, &b.Bucket)
	return ok && b.showsInput(e)
}

// showsInput reports whether the best input of a bucket is that of an entry.
func (b *Group) showsInput(e accept.Entry) bool {
	return b.Best != nil && bytes.Equal(b.Best.Shape.Encode(b.Best.Minimized), e.Input)
}

// Keep makes the accepted input the best one of a bucket, if it is on disk and not stale. The
// reason in the entry is about that input.
func (b *Group) Keep(folder *state.Folder, accepted *accept.File) error {
	e, ok := AcceptedAs(accepted, &b.Bucket)
	hash := b.minimized[corpus.Hash(e.Input)]
	if !ok || hash == "" || hash == b.BestHash {
		return nil
	}
	best, err := read(folder, b.ID, hash)
	if err == nil {
		if best.Variant == "" {
			best.Variant = b.variantOf(hash)
		}
		b.Best, b.BestHash = best, hash
	}
	return err
}

package findings

import (
	"bytes"
	"cmp"
	"slices"
	"strings"

	"parallax/cmd/internal/base/corpus"
	"parallax/cmd/internal/campaign/triage"
	"parallax/cmd/internal/finding/accept"
	"parallax/cmd/internal/finding/causes"
	"parallax/cmd/internal/finding/state"
	"parallax/internal/oracle"
)

// Accepted buckets: which entries of the file of accepted differences accept a bucket, and which no longer do.

// AsKey is the entry of a bucket's extra data that says under which other id its cause is accepted.
const AsKey = "accepted_as"

// expected is a cause that is on record elsewhere under an id of its own.
type expected struct {
	id       string
	symptoms *causes.Symptoms
	variant  string // what its input looks like now
}

// Expect has findings of a cause filed under an id, which an accepted difference gives. A finding with that cause which an earlier
// invocation filed under another id counts as accepted, too.
func (f *Buckets) Expect(id string, found *triage.Finding) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.learn(cmp.Or(found.Variant, found.Bucket), found.Symptoms, id)
	f.expected = append(f.expected, expected{id, found.Symptoms, found.Variant})
	for _, b := range f.inOrder() {
		if b.ID == id && b.Extra[ownVariantKey] != found.Variant {
			next := *b
			next.setExtra(ownVariantKey, found.Variant)
			if err := f.write(&next); err != nil {
				return err
			}
			continue
		}
		if _, still := f.Accepted.Find(b.Extra[AsKey]); b.ID == id || still || !b.one(found) {
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

// ownVariantKey is the entry of a bucket's extra data with the variant that the input of its accepted entry is now. The ids of variants change
// with the code that decides.
const ownVariantKey = "accepted_variant"

// AcceptedAs is the entry that accepts a bucket, by its id, by that of one of its variants, or by that under which its cause was found to
// be accepted. Between versions, several changes may have one variant, so that it accepts none of them. An entry that has lapsed for the
// bucket accepts nothing of it.
func AcceptedAs(file *accept.File, b *state.Bucket) (accept.Entry, bool) {
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
		return find(as)
	}
	return accept.Entry{}, false
}

// WhollyAccepted reports whether the file accepts a whole bucket. It does not if variants came after the bucket was accepted: those are findings.
// If the ids of variants have changed since, all of them are accepted.
func WhollyAccepted(file *accept.File, b *state.Bucket) bool {
	e, ok := AcceptedAs(file, b)
	return ok && (len(laterVariants(e, b)) == 0 || !sameIDs(e, b))
}

// lapsedKey is the entry of a bucket's extra data with the hashes of accepted entries that would accept it, if their own inputs still showed
// what they accept.
const lapsedKey = "lapsed"

// entryHash names an entry by what it accepts, and for which input.
func entryHash(e accept.Entry) string {
	return corpus.Hash([]byte(e.Bucket + " " + string(e.Input)))
}

// Lapse has an entry accept nothing any more, as its own input does not show what it accepts: other inputs of its bucket are findings.
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

// Hold has an entry accept again what it accepts, as its own input shows that.
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

// write writes a bucket's own file, with whether it is accepted now.
func (f *Buckets) write(b *Bucket) error {
	b.Accepted = WhollyAccepted(f.Accepted, &b.Bucket)
	if err := f.folder.WriteBucket(b.Bucket); err != nil {
		return err
	}
	f.buckets[b.ID] = b
	return nil
}

// lapse notes an entry that would accept the bucket, and has lapsed.
func (b *Bucket) lapse(e accept.Entry) {
	if _, accepts := AcceptedAs(&accept.File{Entries: []accept.Entry{e}}, &b.Bucket); accepts {
		b.setExtra(lapsedKey, strings.TrimSpace(b.Extra[lapsedKey]+" "+entryHash(e)))
	}
}

// AcceptedBy reports whether a bucket is accepted, and whether the input that stands for it is of a variant that came later. The accepted
// input itself did not, whatever the id of its variant is since the code was changed.
func (b *Bucket) AcceptedBy(file *accept.File) (ok, later bool) {
	e, ok := AcceptedAs(file, &b.Bucket)
	return ok, !b.showsInput(e) && slices.Contains(laterVariants(e, &b.Bucket), b.Best.Variant)
}

// laterVariants returns the variants that came after a bucket was accepted. An entry that lists no variants accepts all.
func laterVariants(e accept.Entry, b *state.Bucket) []string {
	if len(e.Variants) == 0 {
		return nil
	}
	return e.Later(b.VariantIDs())
}

// sameIDs reports whether the variants of a bucket have the ids that they had when the entry was written.
func sameIDs(e accept.Entry, b *state.Bucket) bool {
	own := b.Extra[ownVariantKey]
	return own == "" || slices.Contains(e.Variants, own)
}

// Open returns the bucket with the first input of a variant that came after it was accepted in place of its own, if there is one.
func (f *Buckets) Open(b *Bucket) *Bucket {
	e, ok := AcceptedAs(f.Accepted, &b.Bucket)
	if !ok || WhollyAccepted(f.Accepted, &b.Bucket) {
		return b
	}
	for _, id := range laterVariants(e, &b.Bucket) {
		if as, err := f.As(b, id); err == nil && as != b {
			return as
		}
	}
	return b
}

// Accepts describes the failures that an entry for the failure of a check accepts, too. A check has no variants, since its line and its
// message do not show the cause. Accepts returns "" for other kinds.
func (b *Bucket) Accepts() string {
	if b.Kind != oracle.KindFailure || b.Best == nil {
		return ""
	}
	text, message := "every failure", "with this message"
	if b.Best.Program != "" {
		text += " of " + b.Best.Program
	}
	if b.Best.Location != "" {
		text += " at " + b.Best.Location
	}
	switch {
	case b.Extra[placedKey] != "":
		message = "whatever its message"
	case b.shared() > 0:
		message = "with one of its messages"
	}
	return text + " " + message + ", also those of other causes and those that come later"
}

// AcceptedCount returns the number of inputs that an entry for the bucket records. It is 0 if the entry records variants.
func (b *Bucket) AcceptedCount() uint64 {
	if b.Accepts() == "" {
		return 0
	}
	return b.Count
}

// came reports whether an input on disk, of a variant and filed as the count-th of the bucket, came after the bucket was accepted.
func (b *Bucket) came(e accept.Entry, variant string, count uint64) bool {
	if e.Count == 0 || b.Accepts() == "" {
		return slices.Contains(laterVariants(e, &b.Bucket), variant)
	}
	first := b.minimized[corpus.Hash(e.Input)]
	// The inputs of a campaign without the one that was accepted all came later.
	return count > e.Count || first == "" || b.inputs[first].Count > e.Count
}

// newestKey is the entry of a bucket's extra data with the hash of the newest input on disk, of those that came after it was accepted and are
// kept for that alone.
const newestKey = "newest"

// newer reports whether the next input of a bucket is kept because it came after the bucket was accepted: the only sign of another cause is
// an input that the bucket did not have.
func (f *Buckets) newer(b *Bucket) bool {
	e, ok := AcceptedAs(f.Accepted, &b.Bucket)
	return ok && e.Count > 0 && b.Count > e.Count && b.Accepts() != ""
}

// keeps reports whether the input that stands for a bucket is that for which it is accepted.
func (f *Buckets) keeps(b *Bucket) bool {
	e, ok := AcceptedAs(f.Accepted, &b.Bucket)
	return ok && b.showsInput(e)
}

// showsInput reports whether the input that stands for a bucket is that of an entry.
func (b *Bucket) showsInput(e accept.Entry) bool {
	return b.Best != nil && bytes.Equal(b.Best.Shape.Encode(b.Best.Minimized), e.Input)
}

// Keep has the input for which a bucket is accepted stand for it, where that is on record and shows still: its reason is about that input.
func (b *Bucket) Keep(folder *state.Folder, accepted *accept.File) error {
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

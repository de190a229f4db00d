package findings

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"parallax/cmd/internal/campaign/triage"
	"parallax/internal/oracle"
)

// A message that a program reports at one place has a bucket of its own. So has a message with
// which a program ends without a stack. Once many such buckets are open, further messages share one
// bucket, which notes them. An accepted shared bucket takes no other messages. The next ones share
// another bucket, so that no user accepts a message unseen.

const (
	// sharedKey is the key of Extra with the number of a shared bucket among those of its place,
	// from 1.
	sharedKey = "shared"
	// placedKey is the key of Extra that marks a bucket with all messages of its place. These are
	// computed from the input.
	placedKey = "placed"
	// messagesKey is the key of Extra with the messages of a shared bucket, as ids of the buckets
	// that would be their own.
	messagesKey = "messages"

	// maxOwn bounds the open buckets of one place. Without a stack, only the message separates
	// causes. At a line, the bound is maxLocated, as the message there often has computed parts.
	maxOwn     = 256
	maxLocated = 8

	maxMessage = 1024 // messages that a shared bucket notes; once it is accepted, further ones count as new
)

// Shared implements triage.Known.
func (f *Buckets) Shared(place, own string, located bool) int {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.buckets[own] != nil {
		return 0
	}
	open, settled := 0, map[int]bool{}
	for _, b := range f.buckets {
		if b.Extra[placeKey] != place {
			continue
		}
		_, accepted := AcceptedAs(f.Accepted, &b.Bucket)
		switch n := b.shared(); {
		case n > 0 && b.holds(own):
			return n
		case n > 0:
			settled[n] = accepted
		case !accepted && b.Extra[GoneKey] == "" && b.Extra[FlakyKey] == "":
			open++
		}
	}
	if open < maxOpen(located) {
		return 0
	}
	n := 1
	for settled[n] {
		n++
	}
	return n
}

// maxOpen returns the bound of the open buckets of a place.
func maxOpen(located bool) int {
	if located {
		return maxLocated
	}
	return maxOwn
}

// shared returns the number of a shared bucket among those of its place. It is 0 for other buckets.
func (b *Group) shared() int {
	n, _ := strconv.Atoi(b.Extra[sharedKey])
	return n
}

// holds reports whether a shared bucket has noted a message.
func (b *Group) holds(own string) bool {
	return slices.Contains(strings.Fields(b.Extra[messagesKey]), own)
}

// byMessage returns the bucket of a failure if entries or other buckets of its place decide it. An
// accepted bucket takes the failures that its entry accepts. The bucket of all messages of a place
// takes later ones, too: judges learn at different times that messages are computed. byMessage
// returns "" for other findings.
func (f *Buckets) byMessage(found *triage.Result) string {
	if found.Whole == "" {
		return ""
	}
	whole := f.buckets[found.Whole]
	_, own := f.Accepted.Find(found.Own)
	_, all := f.Accepted.Find(found.Whole)
	switch {
	case own && found.Placed:
		return found.Own
	case own:
		return ""
	case all, whole != nil && whole.Extra[placedKey] != "":
		return found.Whole
	}
	return ""
}

// Placed returns the places whose bucket has all messages.
func (f *Buckets) Placed() (places []string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, b := range f.inOrder() {
		if b.Extra[placedKey] != "" {
			places = append(places, b.Extra[placeKey])
		}
	}
	return places
}

// absorb moves the open buckets of single messages of a place into the bucket of all its messages.
// They were filed before the messages were known to be computed. An accepted one stays.
func (f *Buckets) absorb(into *Group) error {
	for _, b := range f.inOrder() {
		if b.ID == into.ID || b.Kind != into.Kind || b.Extra[placeKey] != into.Extra[placeKey] || !maps.Equal(b.Outcomes, into.Outcomes) ||
			b.replaceable() {
			continue
		}
		if _, accepted := AcceptedAs(f.Accepted, &b.Bucket); accepted {
			continue
		}
		if err := f.take(into, b); err != nil {
			return err
		}
	}
	return nil
}

// take moves a bucket with its smallest finding into another one. A kill loses neither.
func (f *Buckets) take(into, b *Group) error {
	into.Count += b.Count
	ids := append(append(into.Former(), b.Former()...), b.ID)
	slices.Sort(ids)
	into.setExtra(formerKey, strings.Join(slices.Compact(ids), " "))
	if b.SeedFails() && !into.SeedFails() {
		into.setExtra(seedKey, b.Extra[seedKey])
		into.setExtra(seedHashKey, b.Extra[seedHashKey])
	}
	if !into.readable(b.BestHash) && !f.keepsBest(into) && b.Best.Smaller(into.Best) {
		rep := *b.Best
		rep.Bucket, rep.Replay, rep.Count = into.ID, ReplayCommand(fromFinding, into.ID), into.Count
		files, err := f.filesOf(&rep, into)
		if err != nil {
			return err
		}
		if _, err := f.folder.WriteFinding(into.ID, b.BestHash, files); err != nil {
			return err
		}
		into.Best, into.BestHash = &rep, b.BestHash
		into.stored++
		into.quote(b.BestHash, &rep)
		into.setUnverified("its input was not run once more when the fuzzing had ended")
		into.describe()
	}
	if err := f.bequeath(b, into); err != nil {
		return err
	}
	if err := f.store(into, nil); err != nil {
		return err
	}
	if err := f.folder.RemoveBucket(b.ID); err != nil {
		return err
	}
	delete(f.buckets, b.ID)
	for before, at := range f.alias {
		if at.bucket == b.ID {
			f.alias[before] = bucketVariant{into.ID, into.ID}
		}
	}
	f.alias[b.ID] = bucketVariant{into.ID, into.ID}
	return nil
}

// share adds a message to a shared bucket.
func (b *Group) share(n int, own string) {
	b.setExtra(sharedKey, strconv.Itoa(n))
	if list := strings.Fields(b.Extra[messagesKey]); len(list) < maxMessage && !slices.Contains(list, own) {
		b.setExtra(messagesKey, strings.Join(append(list, own), " "))
	}
}

// Crowded returns a note for each open bucket that messages share: it may have several causes.
func (f *Buckets) Crowded() (notes []string) {
	for _, id := range f.IDs() {
		b := f.buckets[id]
		if row := f.Row(b); b.shared() == 0 || !row.Open() {
			continue
		}
		where, remedy := "ended in one way, without a stack, with more than "+strconv.Itoa(maxOwn)+" messages", ""
		if b.Best.Location != "" {
			where = "fails at " + b.Best.Location + " with more than " + strconv.Itoa(maxLocated) + " messages"
		}
		if b.Kind == oracle.KindFailure {
			remedy = ". A constant message makes them one finding, and parallax.Diff separates them by the lines that decide"
		}
		notes = append(notes, b.Best.Program+" "+where+": further ones share the finding "+id+", which may have several causes"+remedy)
	}
	return notes
}

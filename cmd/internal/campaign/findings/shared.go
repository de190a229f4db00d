package findings

import (
	"slices"
	"strconv"
	"strings"

	"parallax/internal/oracle"
)

// The messages that a program reports at one place, or with which it ends without a stack, have buckets of their own, as long as few of
// these are open. Further messages share a bucket, which notes them. Once the shared bucket is accepted, it takes no other message, and the
// next ones share another bucket. So nobody accepts a message unseen.

const (
	sharedKey   = "shared"   // entry of a bucket's extra data: which of the shared buckets of its place it is, from 1
	placedKey   = "placed"   // entry of a bucket's extra data: it holds all messages of its place, since they are computed from the input
	messagesKey = "messages" // entry of a shared bucket's extra data: the messages that it holds, by the buckets that would be their own

	// Open buckets of one place, before further messages share one. A message is all that tells causes without a stack apart. At a line,
	// it often holds what was computed from the input, although compute did not notice.
	maxOwn     = 256
	maxLocated = 8

	maxMessage = 1024 // messages that a shared bucket notes: once it is accepted, others that it has counted are taken for new ones
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
	if open < most(located) {
		return 0
	}
	n := 1
	for settled[n] {
		n++
	}
	return n
}

func most(located bool) int {
	if located {
		return maxLocated
	}
	return maxOwn
}

// shared says which of the shared buckets of its place a bucket is; 0: it is none.
func (b *Bucket) shared() int {
	n, _ := strconv.Atoi(b.Extra[sharedKey])
	return n
}

// holds reports whether a shared bucket notes a message.
func (b *Bucket) holds(own string) bool {
	return slices.Contains(strings.Fields(b.Extra[messagesKey]), own)
}

// share notes a message in a shared bucket.
func (b *Bucket) share(n int, own string) {
	b.setExtra(sharedKey, strconv.Itoa(n))
	if list := strings.Fields(b.Extra[messagesKey]); len(list) < maxMessage && !slices.Contains(list, own) {
		b.setExtra(messagesKey, strings.Join(append(list, own), " "))
	}
}

// Crowded names the open buckets that messages share, which may have several causes.
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

package findings

import (
	"slices"
	"strconv"
	"strings"
)

// A crash without a stack is told from others by its message alone. The messages of a program that ends its process with one status have buckets
// of their own, up to maxOwn that are open. Further ones share a bucket. It notes which messages it holds. Once it is accepted, it takes
// no other, and the next ones share another bucket: so nobody accepts what was not seen.

const (
	sharedKey   = "shared"   // entry of a bucket's extra data: which of the shared buckets of its place it is, from 1
	messagesKey = "messages" // entry of a shared bucket's extra data: the messages that it holds, by the buckets that would be their own

	maxOwn     = 256
	maxMessage = 1024 // messages that a shared bucket notes: once it is accepted, others that it has counted are taken for new ones
)

// Shared implements triage.Known.
func (f *Buckets) Shared(place, own string) int {
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
	if open < maxOwn {
		return 0
	}
	n := 1
	for settled[n] {
		n++
	}
	return n
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

// Crowded says of the programs that have more messages than buckets of their own for them.
func (f *Buckets) Crowded() (notes []string) {
	for _, id := range f.IDs() {
		b := f.buckets[id]
		if row := f.Row(b); b.shared() > 0 && row.Open() {
			notes = append(notes, b.Best.Program+" ended in one way, without a stack, with more than "+strconv.Itoa(maxOwn)+
				" messages: further ones share the finding "+id+", which may have several causes")
		}
	}
	return notes
}

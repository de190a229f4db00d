package findings

import (
	"fmt"
	"parallax/cmd/internal/finding"
	"strings"
	"testing"

	"parallax/cmd/internal/campaign/findings/findingstest"
	"parallax/cmd/internal/campaign/triage"
	"parallax/cmd/internal/finding/accept"
	"parallax/cmd/internal/finding/causes"
	"parallax/internal/oracle"
	"parallax/internal/wire"
)

// crashed files the end of a program's process with a message, named as by triage.
func crashed(t *testing.T, f *Buckets, place, message string) *Group {
	t.Helper()
	found := &triage.Result{
		Kind: oracle.KindCrash, Flat: []byte(place + message), Minimized: []byte(message), Deciding: []int{triage.None, triage.None},
		Results: []wire.RunResult{{Outcome: uint64(oracle.Crashed), Panic: message}, {Outcome: uint64(oracle.Accepted)}},
		Place:   place, Own: causes.BucketID(place, message),
	}
	found.Bucket = found.Own
	if found.Shared = f.Shared(place, found.Own, false); found.Shared > 0 {
		found.Bucket = causes.BucketID(place, fmt.Sprint(found.Shared))
	}
	found.Before = found.Bucket
	b, _, err := f.Add(found, finding.Candidate{Flat: found.Flat})
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// TestShared checks that messages of crashes without a stack have their own buckets, up to a bound
// of open ones per place. Further messages share a bucket, and a note says so. An accepted shared
// bucket hides no message that it does not hold.
func TestShared(t *testing.T) {
	folder := findingstest.OpenFolder(t, t.TempDir())
	f := newFindings(t, folder)
	ids := map[string]bool{}
	add := func(n int) *Group { return crashed(t, f, "status 1", fmt.Sprint("message ", n)) }
	for n := range maxOwn {
		ids[add(n).ID] = true
	}
	if len(ids) != maxOwn || len(f.Crowded()) > 0 {
		t.Fatalf("%d buckets of %d messages, %q", len(ids), maxOwn, f.Crowded())
	}
	first := add(1000)
	if add(1001).ID != first.ID || ids[first.ID] || !ids[add(1).ID] {
		t.Error("further messages do not share a bucket, or what has one does")
	}
	if other := crashed(t, f, "status 2", "message 1002"); other.shared() > 0 {
		t.Error("another status shares it")
	}
	if notes := f.Crowded(); len(notes) != 1 || !strings.Contains(notes[0], first.ID) {
		t.Errorf("the notes are %q", notes)
	}
	f.Accepted.Entries = append(f.Accepted.Entries, accept.Entry{Bucket: first.ID})
	for range 2 {
		second := add(1003)
		if second.ID == first.ID || second.shared() != 2 || add(1000).ID != first.ID || add(1001).ID != first.ID || add(1004).ID != second.ID {
			t.Error("the accepted bucket does not hold the messages that it held, and no others")
		}
		if notes := f.Crowded(); len(notes) != 1 || !strings.Contains(notes[0], second.ID) {
			t.Errorf("the notes are %q", notes)
		}
		entries := f.Accepted.Entries
		f = newFindings(t, folder)
		f.Accepted.Entries = entries
	}
	// A closed bucket makes room for another message.
	for n, closing := range []func(id string) error{
		func(id string) error { return f.Mark(id, true) },
		func(id string) error { return f.MarkFlaky(id, "chance") },
		func(id string) error {
			f.Accepted.Entries = append(f.Accepted.Entries, accept.Entry{Bucket: id})
			return nil
		},
	} {
		if err := closing(causes.BucketID("status 1", fmt.Sprint("message ", n))); err != nil {
			t.Fatal(err)
		}
		if own := add(2000 + n); own.shared() > 0 {
			t.Errorf("%d: the message has no bucket of its own", n)
		}
	}
}

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

// said returns the failure of a check with a message. placed means that the judge knows that the
// messages of the place are computed.
func said(message, in string, placed bool) *triage.Result {
	found := &triage.Result{
		Kind: oracle.KindFailure, Flat: []byte(in), Minimized: []byte(in), Deciding: []int{triage.None, triage.None},
		Results: []wire.RunResult{{Outcome: uint64(oracle.Crashed), Panic: message, Failure: true}, {Outcome: uint64(oracle.Accepted)}},
		Place:   "check", Own: causes.BucketID("check", message), Whole: causes.BucketID("check"), Placed: placed,
	}
	found.Bucket = found.Own
	if placed {
		found.Bucket = found.Whole
	}
	found.Before = found.Bucket
	return found
}

// TestComputedMessages checks that the bucket of all messages of a place takes the open buckets of
// single messages, which were filed before. Ids that were announced lead to it. It takes later
// messages, also of judges that do not know yet, and in later invocations.
func TestComputedMessages(t *testing.T) {
	folder := findingstest.OpenFolder(t, t.TempDir())
	f := newFindings(t, folder)
	addAll(t, f, said("a", "a", false), said("b", "bb", false), said("a", "long", false), said("c", "ccc", true))
	whole := said("", "", true).Whole
	for range 2 {
		b := f.Find(whole)
		if f.Count() != 1 || b == nil || b.Count != 4 || string(b.Best.Minimized) != "a" || b.Best.Bucket != whole {
			t.Fatalf("%d buckets, %+v", f.Count(), b)
		}
		if former := strings.Join(b.Former(), " "); !strings.Contains(former, said("a", "", false).Own) || !strings.Contains(former, said("b", "", false).Own) {
			t.Errorf("former ids are %q", former)
		}
		if places := f.Placed(); len(places) != 1 || places[0] != "check" {
			t.Errorf("computed at %q", places)
		}
		f = newFindings(t, folder)
	}
	addAll(t, f, said("d", "d", false), said("b", "dddd", false))
	if b := f.Find(whole); f.Count() != 1 || b.Count != 6 {
		t.Errorf("%d buckets, %d inputs", f.Count(), b.Count)
	}
}

// TestAcceptedMessages checks that accepted failures stay accepted, whenever a judge learns that
// the messages of a place are computed. An accepted message accepts no other one.
func TestAcceptedMessages(t *testing.T) {
	open := func(accepted string) *Buckets {
		f := newFindings(t, findingstest.OpenFolder(t, t.TempDir()))
		f.Accepted = &accept.File{Entries: []accept.Entry{{Bucket: accepted}}}
		return f
	}
	own, whole := said("a", "", false).Own, said("", "", true).Whole

	f := open(whole) // of another campaign, perhaps
	addAll(t, f, said("a", "a", false), said("b", "b", false), said("c", "c", true))
	if b := f.Find(whole); f.Count() != 1 || !f.Row(b).Accepted || !strings.Contains(b.Accepts(), "whatever its message") {
		t.Errorf("%d buckets: %+v", f.Count(), f.Rows())
	}

	f = open(own)
	addAll(t, f, said("a", "a", false), said("b", "b", true), said("a", "aa", true), said("c", "c", true))
	if f.Count() != 2 || f.Find(own).Count != 2 || !f.Row(f.Find(own)).Accepted || f.Find(whole).Count != 2 || f.Row(f.Find(whole)).Accepted ||
		strings.Contains(f.Find(own).Accepts(), "whatever") {
		t.Errorf("%d buckets: %+v", f.Count(), f.Rows())
	}
	saturated := said("d", "d", true)
	saturated.Results = nil
	addAll(t, f, saturated)
	if f.Find(whole).Count != 3 {
		t.Error("an accepted message accepts another one that was not minimized")
	}
}

package exchange

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"parallax/cmd/internal/campaign/intake"
	"parallax/cmd/internal/finding"
	"parallax/cmd/internal/finding/event"
)

// shortLife is the life of the keys of a hub whose tests wait for their end.
const shortLife = 2 * time.Second

// newBriefServer returns a hub on which keys end soon.
func newBriefServer(t *testing.T) *server {
	t.Helper()
	s := newServer(t)
	conn, err := nats.Connect("nats://" + s.address)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	js, err := jetstream.New(conn)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := contextOf(t)
	defer cancel()
	for _, bucket := range []string{memberBucket, leaseBucket} { // before any member makes them
		if _, err := js.CreateKeyValue(ctx, jetstream.KeyValueConfig{Bucket: bucket, TTL: shortLife, Storage: jetstream.MemoryStorage}); err != nil {
			t.Fatal(err)
		}
	}
	return s
}

// outlive waits until the hub has ended keys that are not renewed.
func (f *folder) outlive() {
	f.t.Helper()
	ctx, cancel := contextOf(f.t)
	defer cancel()
	kv, err := f.hub.js.KeyValue(ctx, leaseBucket)
	if err != nil {
		f.t.Fatal(err)
	}
	for _, key := range []string{"first", "second"} {
		if _, err := kv.Put(ctx, key, nil); err != nil {
			f.t.Fatal(err)
		}
		eventually(f.t, "a key ends", func() bool {
			_, err := kv.Get(ctx, key)
			return errors.Is(err, jetstream.ErrKeyNotFound)
		})
	}
}

// turn asks whose turn a candidate is.
func (f *folder) turn(key, text string) intake.Turn {
	ctx, cancel := contextOf(f.t)
	defer cancel()
	return f.member.Turn(ctx, key, []byte(text), 0)
}

// becomes waits for a turn.
func (f *folder) becomes(key, text string, want intake.Turn) {
	f.t.Helper()
	eventually(f.t, fmt.Sprintf("the turn for %q is %d", text, want), func() bool { return f.turn(key, text) == want })
}

// TestTurns checks that the member that announced an input triages it, and another one if that
// member is gone.
func TestTurns(t *testing.T) {
	s := newBriefServer(t)
	a, b, c := newFolder(t).join(s.address), newFolder(t).join(s.address), newFolder(t).join(s.address)
	a.keep("first", "second")
	for _, f := range []*folder{b, c} {
		f.gets("first", "second")
	}
	if got := a.turn("1", "first"); got != intake.Mine {
		t.Errorf("the finder's turn is %d", got)
	}
	if got := b.turn("9", "unknown to others"); got != intake.Mine {
		t.Errorf("the turn for an own input is %d", got)
	}
	b.becomes("1", "first", intake.Theirs)
	c.becomes("1", "first", intake.Theirs)
	a.member.Triaged("3", []byte("first"), "")         // it wavers there
	accepted := event.Found{Bucket: finding.Bucket{ID: "accepted", Kind: "crash", Accepted: true}, Best: &finding.Finding{Input: []byte("first"), Minimized: []byte("first")}}
	if err := a.member.Handle(accepted); err != nil {
		t.Fatal(err)
	}
	a.member.Triaged("4", []byte("first"), "accepted")
	a.find("bucket", "first")
	a.member.Triaged("1", []byte("first"), "bucket")
	b.becomes("1", "first", intake.Done)
	c.becomes("1", "first", intake.Done)
	for _, key := range []string{"3", "4"} {
		if got := b.turn(key, "first"); got != intake.Theirs {
			t.Errorf("the turn for a candidate without an announced finding is %d", got)
		}
	}
	if got := b.turn("2", "second"); got != intake.Theirs {
		t.Errorf("the turn for a candidate that the finder has not triaged is %d", got)
	}
	a.kill() // without triaging the second
	b.becomes("2", "second", intake.Mine)
	b.outlive() // which renews its lease
	if got := c.turn("2", "second"); got != intake.Theirs {
		t.Errorf("two members triage: %d", got)
	}
	b.member.Triaged("2", []byte("second"), "")
	c.becomes("2", "second", intake.Mine) // the verdict of b counts for b
	b.becomes("2", "second", intake.Theirs)
	c.kill()
	b.becomes("2", "second", intake.Mine)
	s.stop()
	eventually(t, "the loss is noticed", func() bool { return b.member.lost() != nil })
	if got := b.turn("2", "second"); got != intake.Mine {
		t.Errorf("without a hub, the turn is %d", got)
	}
}

// TestBusyFinder checks that others triage after a while if the finder does not.
func TestBusyFinder(t *testing.T) {
	s := newServer(t)
	a, b, c := newFolder(t).join(s.address), newFolder(t).join(s.address), newFolder(t).join(s.address)
	a.keep("input")
	b.gets("input")
	c.gets("input")
	ctx, cancel := contextOf(t)
	defer cancel()
	b.becomes("1", "input", intake.Theirs)
	eventually(t, "the finder has waited for long", func() bool { return b.member.Turn(ctx, "1", []byte("input"), 2*finderFirst) == intake.Mine })
	if got := c.member.Turn(ctx, "1", []byte("input"), 2*finderFirst); got != intake.Theirs {
		t.Errorf("a second member triages, too: %d", got)
	}
	if got := c.member.Turn(ctx, "1", []byte("input"), 2*othersFirst); got != intake.Mine {
		t.Errorf("a member waits for ever: %d", got)
	}
}

// left returns the hashes of leftovers at the hub.
func (f *folder) left() (hashes []string) {
	f.t.Helper()
	ctx, cancel := contextOf(f.t)
	defer cancel()
	stream, err := f.hub.js.Stream(ctx, workStream)
	if err != nil {
		return nil // the hub starts
	}
	info, err := stream.Info(ctx, jetstream.WithSubjectFilter(f.member.workSubject("left", "")+">"))
	if err != nil {
		return nil
	}
	for _, subject := range slices.Sorted(maps.Keys(info.State.Subjects)) {
		hashes = append(hashes, subject[strings.LastIndexByte(subject, '.')+1:])
	}
	return hashes
}

// wait sets the inputs of the candidates that wait in a folder.
func (f *folder) wait(texts ...string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.candidates = texts
}

// waiting is the function of a campaign with candidates.
func (f *folder) waiting(most int) (flats [][]byte) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, text := range f.candidates[:min(most, len(f.candidates))] {
		flats = append(flats, []byte(text))
	}
	return flats
}

// TestLeftovers checks that one other member takes over the candidates of a member that is killed.
// If that one is killed too, another one does.
func TestLeftovers(t *testing.T) {
	s := newBriefServer(t)
	members := []*folder{newFolder(t).join(s.address), newFolder(t).join(s.address), newFolder(t).join(s.address)}
	a := members[0]
	const text = "a candidate"
	hash := hashOf([]byte(text))
	a.wait(text)
	eventually(t, "the candidate is announced", func() bool { return slices.Equal(a.left(), []string{hash}) })
	for _, f := range members[1:] {
		f.execute()
	}
	a.outlive()
	for i, f := range members[1:] {
		if f.execute(); len(f.taken) > 0 {
			t.Fatalf("member %d took over a candidate of a present member", 1+i)
		}
	}
	a.kill()
	var heir, other *folder
	eventually(t, "a member takes over", func() bool {
		for i, f := range members[1:] {
			if f.execute(); f.taken[text].Claim {
				heir, other = f, members[2-i]
				heir.wait(text) // its worker reports the candidate
			}
		}
		return heir != nil
	})
	heir.outlive() // which renews its lease
	if other.execute(); len(other.taken) > 0 {
		t.Error("two members took over")
	}
	heir.kill() // before it triaged the candidate
	other.gets(text)
	other.wait(text)
	if got := other.left(); !slices.Equal(got, []string{hash}) {
		t.Errorf("left is %q during the triage", got)
	}
	other.wait()
	eventually(t, "the announcement is removed", func() bool { return len(other.left()) == 0 })
	if notes := other.close(); !strings.Contains(notes, "took over 1 candidate of members that ended") {
		t.Errorf("notes %q", notes)
	}
	a.join(s.address)
	eventually(t, "the finder announces again", func() bool { return slices.Equal(a.left(), []string{hash}) })
	a.wait()
	eventually(t, "the finder removes the announcement", func() bool { return len(a.left()) == 0 })
}

// TestLeftoversAtEnd checks that a member that ends announces its candidates, and that other builds
// leave them.
func TestLeftoversAtEnd(t *testing.T) {
	s := newBriefServer(t)
	a, b, c := newFolder(t), newFolder(t), newFolder(t)
	b.build = "two"
	a.join(s.address)
	b.join(s.address)
	a.wait("candidate")
	a.sent()
	a.close()
	for range 3 {
		b.execute()
		b.outlive()
	}
	if len(b.taken) > 0 {
		t.Error("another build took over")
	}
	c.join(s.address)
	c.gets("candidate")
}

// TestHostileLeftovers checks that invalid leftovers are removed and counted.
func TestHostileLeftovers(t *testing.T) {
	s := newBriefServer(t)
	a := newFolder(t).join(s.address)
	ctx, cancel := contextOf(t)
	defer cancel()
	for _, name := range []string{hashOf([]byte("other")), "garbage"} {
		if _, err := a.hub.js.Publish(ctx, a.member.workSubject("left", name), []byte("content")); err != nil {
			t.Fatal(err)
		}
	}
	eventually(t, "invalid work is rejected", func() bool {
		a.execute()
		a.member.mu.Lock()
		defer a.member.mu.Unlock()
		return a.member.counts.rejected > 0
	})
	if len(a.taken) > 0 {
		t.Error("an invalid leftover is executed")
	}
}

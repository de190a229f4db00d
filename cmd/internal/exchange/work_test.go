package exchange

import (
	"errors"
	"fmt"
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
	a.member.Triaged("3", []byte("first"), "") // it wavers there
	accepted := event.Found{Bucket: finding.Bucket{ID: "accepted", Kind: "crash", Accepted: true}, Best: &finding.Finding{Input: []byte("first"), Minimized: []byte("first")}}
	if err := a.member.Handle(accepted); err != nil {
		t.Fatal(err)
	}
	a.member.Triaged("4", []byte("first"), "accepted")
	c.find("other", "x") // which is smaller, and perhaps shows nothing to others
	c.sent()
	a.find("other", "first")
	a.member.Triaged("5", []byte("first"), "other")
	a.find("bucket", "first")
	a.member.Triaged("1", []byte("first"), "bucket")
	b.becomes("1", "first", intake.Done)
	c.becomes("1", "first", intake.Done)
	for _, key := range []string{"3", "4", "5"} {
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

// TestQuestions checks that a hub that does not answer costs a judge one question.
func TestQuestions(t *testing.T) {
	s := newServer(t)
	p := newProxy(t, s.address)
	a, b := newFolder(t).join(s.address), newFolder(t).join(p.address)
	a.keep("input")
	b.gets("input")
	b.becomes("1", "input", intake.Theirs)
	p.cut(true)
	b.member.work.askTime = time.Millisecond
	if got := b.turn("1", "input"); got != intake.Mine {
		t.Errorf("without an answer, the turn is %d", got)
	}
	b.member.mu.Lock()
	first := b.member.work.unanswered
	b.member.mu.Unlock()
	for i := range 100 {
		if got := b.turn(fmt.Sprint(i), "input"); got != intake.Mine {
			t.Errorf("without an answer, the turn is %d", got)
		}
	}
	b.member.mu.Lock()
	if first.IsZero() || b.member.work.unanswered != first && time.Since(first) < askPause {
		t.Error("the hub is asked for each candidate")
	}
	b.member.work.unanswered = time.Time{} // the pause is over
	b.member.mu.Unlock()
	b.member.work.askTime = patience
	p.heal()
	b.becomes("1", "input", intake.Theirs)
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

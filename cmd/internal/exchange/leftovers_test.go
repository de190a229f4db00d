package exchange

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// left returns the hashes of leftovers at the hub.
func (f *folder) left() (hashes []string) {
	f.t.Helper()
	ctx, cancel := contextOf(f.t)
	defer cancel()
	stream, err := f.hub.js.Stream(ctx, workStream)
	if err != nil {
		return nil // the hub starts
	}
	info, err := stream.Info(ctx, jetstream.WithSubjectFilter(f.member.leftSubject("*", ">")))
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
	for _, subject := range []string{
		a.member.workSubject("finder", "gone"), a.member.leftSubject("gone", hashOf([]byte("other"))), a.member.leftSubject("gone", "garbage"),
		a.member.workSubject("finder", "one.two"), a.member.leftSubject("one.two", hashOf([]byte("content"))),
	} {
		if _, err := a.hub.js.Publish(ctx, subject, []byte("content")); err != nil {
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

// TestOversizedLeftover checks that a member leaves a leftover above its limit to another one.
func TestOversizedLeftover(t *testing.T) {
	s := newBriefServer(t)
	a, b, c := newFolder(t).join(s.address), newFolder(t), newFolder(t)
	b.maxFlat = 4
	a.wait("candidate")
	a.sent()
	a.close()
	b.join(s.address)
	b.sent()
	if _, err := b.member.Take(1); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := contextOf(t)
	defer cancel()
	for range 2 {
		if err := b.member.takeLeftovers(ctx, b.session()); err != nil {
			t.Fatal(err)
		}
	}
	c.join(s.address) // b is there, and would keep its lease
	c.gets("candidate")
}

// session returns the streams of the present session.
func (f *folder) session() *streams {
	f.member.mu.Lock()
	defer f.member.mu.Unlock()
	return f.member.streams
}

// TestEndOfLeftovers checks that a leftover is removed only if this member has executed it and has
// no candidate of it. Otherwise, another member can take it.
func TestEndOfLeftovers(t *testing.T) {
	s := newServer(t)
	a := newFolder(t).join(s.address)
	a.sent()
	session := a.session()
	ctx, cancel := contextOf(t)
	defer cancel()
	var waits []string
	for i := range mostLeft {
		waits = append(waits, fmt.Sprint("older ", i))
	}
	a.wait(append(waits, "waits")...)
	if err := a.member.publishWork(ctx, nats.NewMsg(a.member.workSubject("finder", "gone"))); err != nil {
		t.Fatal(err)
	}
	eventually(t, "the mark is received", func() bool { return a.knows("gone") })
	tests := []struct {
		name        string
		at          place // empty means that it is not on the shelf
		known       bool
		taken, left bool // afterwards
	}{
		{"executed", claimed, false, false, false},
		{"known", "", true, false, false},
		{"damaged", "", false, false, true},
		{"quarantined", quarantine, false, false, true},
		{"to be executed", claims, false, true, true},
		{"waits", claimed, false, true, true},
	}
	for _, test := range tests {
		hash := hashOf([]byte(test.name))
		if mine, err := a.member.lease(ctx, session, leftover, hash); err != nil || !mine {
			t.Fatal(mine, err)
		}
		msg := nats.NewMsg(a.member.leftSubject("gone", hash))
		msg.Data = []byte(test.name)
		if err := a.member.publishWork(ctx, msg); err != nil {
			t.Fatal(err)
		}
		a.member.mu.Lock()
		a.member.known[hash] = test.known
		if test.at != "" {
			if err := a.member.shelf.put(test.at, hash, "gone", msg.Data); err != nil {
				t.Error(err)
			}
		}
		a.member.work.theirs[hash] = taken{finder: "gone"}
		a.member.mu.Unlock()
	}
	for range 2 {
		if err := a.member.finishLeftovers(ctx, session); err != nil {
			t.Fatal(err)
		}
	}
	left := a.left()
	a.member.mu.Lock()
	for _, test := range tests {
		hash := hashOf([]byte(test.name))
		_, taken := a.member.work.theirs[hash]
		_, leased := a.member.work.leases[a.member.leaseKey(leftover, hash)]
		if taken != test.taken || leased != test.taken || slices.Contains(left, hash) != test.left {
			t.Errorf("%s: taken %v, leased %v, left %v", test.name, taken, leased, slices.Contains(left, hash))
		}
	}
	a.member.mu.Unlock()
	a.wait()
	a.member.mu.Lock()
	a.member.work.waited = map[string]bool{} // of an earlier pass
	a.member.mu.Unlock()
	if _, err := a.member.Take(1); err != nil { // so that it takes leftovers
		t.Fatal(err)
	}
	if err := a.member.takeLeftovers(ctx, session); err != nil {
		t.Fatal(err)
	}
	a.member.mu.Lock()
	defer a.member.mu.Unlock()
	for name, want := range map[string]bool{"damaged": true, "quarantined": false} {
		if _, taken := a.member.work.theirs[hashOf([]byte(name))]; taken != want {
			t.Errorf("%s is taken again: %v", name, taken)
		}
	}
}

// knows reports whether a member knows that another one has leftovers.
func (f *folder) knows(finder string) bool {
	f.member.mu.Lock()
	defer f.member.mu.Unlock()
	_, ok := f.member.work.finders[finder]
	return ok
}

// TestCostOfLeftovers counts the messages and bytes that a member receives in a pass. They do not
// depend on the number of leftovers of a present finder.
func TestCostOfLeftovers(t *testing.T) {
	s := newServer(t)
	finder, idle := newFolder(t).join(s.address), newFolder(t).join(s.address)
	ctx, cancel := contextOf(t)
	defer cancel()
	finder.sent()
	idle.sent()
	const passes = 20
	cost := func(leftovers int) (messages, bytes uint64) {
		var texts []string
		for i := range leftovers {
			texts = append(texts, fmt.Sprint(i, strings.Repeat(" content", 200)))
		}
		finder.wait(texts...)
		if err := finder.member.offerLeftovers(ctx, finder.session(), true); err != nil {
			t.Fatal(err)
		}
		if n := len(finder.left()); n != leftovers {
			t.Fatalf("%d leftovers are announced, want %d", n, leftovers)
		}
		eventually(t, "the mark is received", func() bool { return idle.knows(finder.member.name()) })
		before := idle.hub.conn.Stats()
		for range passes {
			idle.execute() // so that it takes leftovers
			if err := idle.member.takeLeftovers(ctx, idle.session()); err != nil {
				t.Fatal(err)
			}
		}
		after := idle.hub.conn.Stats()
		return after.InMsgs - before.InMsgs, after.InBytes - before.InBytes
	}
	for _, leftovers := range []int{2, 200} {
		messages, bytes := cost(leftovers)
		t.Logf("%d leftovers: %d messages with %d bytes in %d passes", leftovers, messages, bytes, passes)
		if messages >= 5*passes || bytes >= 2000*passes { // one answer per pass, and those of other tasks
			t.Errorf("%d leftovers: %d messages with %d bytes in %d passes", leftovers, messages, bytes, passes)
		}
	}
}

// TestManyFinders checks that a pass asks for a bounded number of finders, and that marks of
// members without leftovers are removed.
func TestManyFinders(t *testing.T) {
	s := newServer(t)
	a := newFolder(t).join(s.address)
	a.sent()
	ctx, cancel := contextOf(t)
	defer cancel()
	const finders = 5 * mostAsked
	for i := range finders {
		if err := a.member.publishWork(ctx, nats.NewMsg(a.member.workSubject("finder", fmt.Sprint("gone", i)))); err != nil {
			t.Fatal(err)
		}
	}
	last := fmt.Sprint("gone", finders-1)
	hash := hashOf([]byte("candidate"))
	msg := nats.NewMsg(a.member.leftSubject(last, hash))
	msg.Data = []byte("candidate")
	if err := a.member.publishWork(ctx, msg); err != nil {
		t.Fatal(err)
	}
	eventually(t, "the marks are received", func() bool { return a.knows(last) })
	for range finders/mostAsked + 1 { // the one with a leftover may be asked for in each
		if _, err := a.member.Take(0); err != nil {
			t.Fatal(err)
		}
		if err := a.member.takeLeftovers(ctx, a.session()); err != nil {
			t.Fatal(err)
		}
	}
	a.gets("candidate")
	stream, err := a.hub.js.Stream(ctx, workStream)
	if err != nil {
		t.Fatal(err)
	}
	eventually(t, "the other marks are removed", func() bool {
		if err := a.member.takeLeftovers(ctx, a.session()); err != nil {
			t.Fatal(err)
		}
		info, err := stream.Info(ctx, jetstream.WithSubjectFilter(a.member.workSubject("finder", ">")))
		return err == nil && len(info.State.Subjects) <= 1
	})
}

// TestLostWork checks that leftovers are announced again if their stream is lost, and removed once
// they no longer wait. The member has too many of its own to take those of others.
func TestLostWork(t *testing.T) {
	s := newBriefServer(t)
	a := newFolder(t).join(s.address)
	var candidates []string
	for i := range fewWait {
		candidates = append(candidates, fmt.Sprint("candidate ", i))
	}
	a.wait(candidates...)
	announced := func() bool { return len(a.left()) == fewWait }
	eventually(t, "the candidate is announced", announced)
	ctx, cancel := contextOf(t)
	defer cancel()
	if err := a.hub.js.DeleteStream(ctx, workStream); err != nil {
		t.Fatal(err)
	}
	eventually(t, "it is announced again", func() bool { a.execute(); return announced() })
	a.wait()
	eventually(t, "it is removed", func() bool { return len(a.left()) == 0 })
}

package exchange

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/nats-io/nats.go/jetstream"

	"parallax/cmd/internal/campaign/intake"
)

// upTo shows the features 1 to n for an input "n something".
func upTo(text string) (list []uint64) {
	n, _ := strconv.Atoi(strings.Fields(text)[0])
	for i := range n {
		list = append(list, uint64(i+1))
	}
	return list
}

// fuzz executes the waiting inputs as a campaign does that keeps those with new features. It
// returns the number of executions.
func (f *folder) fuzz() (executed int) {
	f.t.Helper()
	for {
		list, err := f.member.Take(10)
		if err != nil {
			f.t.Fatal(err)
		}
		for _, in := range list {
			executed++
			text := string(in.Flat)
			f.taken[text] = in
			if f.novel(text) {
				f.keep(text)
			}
			if err := f.member.Settle(in, false); err != nil {
				f.t.Fatal(err)
			}
		}
		if len(list) == 0 {
			return executed
		}
	}
}

// novel reports whether an input shows a new feature.
func (f *folder) novel(text string) bool {
	f.member.mu.Lock()
	defer f.member.mu.Unlock()
	return !f.member.features.covers(f.shows(text))
}

// fuzzUntil fuzzes until the folder has received so many inputs.
func (f *folder) fuzzUntil(received int) (executed int) {
	f.t.Helper()
	eventually(f.t, fmt.Sprintf("%d inputs are received", received), func() bool {
		executed += f.fuzz()
		f.member.mu.Lock()
		defer f.member.mu.Unlock()
		return f.member.counts.received >= received && len(f.member.waiting) == 0
	})
	return executed + f.fuzz()
}

// newShowing returns a folder whose inputs show the features of upTo.
func newShowing(t *testing.T) *folder {
	f := newFolder(t)
	f.shows = upTo
	return f
}

// TestFront checks that a joiner executes few inputs of a large union, and has all of them. The
// front is made again if it is deleted.
func TestFront(t *testing.T) {
	s := newServer(t)
	a := newShowing(t).join(s.address)
	const n = 400
	for i := range n {
		a.keep(fmt.Sprintf("%d input", i+1))
	}
	a.sent()
	front := func() bool {
		ctx, cancel := contextOf(t)
		defer cancel()
		objects, err := a.hub.js.ObjectStore(ctx, objectBucket)
		if err != nil {
			return false
		}
		text, err := objects.GetBytes(ctx, a.member.frontName())
		return err == nil && string(text) == hashOf([]byte(fmt.Sprintf("%d input", n)))+"\n"
	}
	eventually(t, "there is a front", front)
	b := newShowing(t).join(s.address)
	if executed := b.fuzzUntil(n); executed > n/4 {
		t.Errorf("%d of %d inputs were executed", executed, n)
	}
	if _, ok := b.taken[fmt.Sprintf("%d input", n)]; !ok {
		t.Error("the input of the front was not executed")
	}
	for i := range n {
		if !b.member.has(hashOf([]byte(fmt.Sprintf("%d input", i+1)))) {
			t.Fatalf("input %d is not in the folder", i)
		}
	}
	if notes := b.close(); !strings.Contains(notes, " skipped") {
		t.Errorf("notes %q", notes)
	}
	b.build = "two" // all are executed by another build
	b.taken = nil
	b.taken = map[string]intake.Input{}
	b.join(s.address)
	b.fuzz()
	if len(b.taken) < n-2 {
		t.Errorf("another build executed %d of %d inputs", len(b.taken), n)
	}
	ctx, cancel := contextOf(t)
	defer cancel()
	if err := a.hub.js.DeleteObjectStore(ctx, objectBucket); err != nil {
		t.Fatal(err)
	}
	a.kill()
	a.join(s.address)
	for i := range n {
		a.keep(fmt.Sprintf("%d input", i+1)) // as the replay reports them
	}
	eventually(t, "there is a front again", front)
}

// TestFalseClaims checks that a member whose claims are wrong is not believed, and that its inputs
// are executed.
func TestFalseClaims(t *testing.T) {
	s := newServer(t)
	liar, b := newShowing(t), newShowing(t).join(s.address)
	liar.shows = func(string) []uint64 { return []uint64{uint64(len(liar.taken) + 1)} }
	liar.join(s.address)
	b.keep("10 features are known")
	b.sent()
	liar.gets("10 features are known")
	lie := func(i, features int) string {
		liar.taken[fmt.Sprint(i)] = intake.Input{} // another known feature
		for len(liar.taken) > 9 {
			for text := range liar.taken {
				delete(liar.taken, text)
				break
			}
		}
		clear(liar.member.features.owner)
		text := fmt.Sprintf("%d of input %d", features, i)
		liar.keep(text)
		return text
	}
	const honest, lies = 40, 400
	for i := range honest { // it earns trust
		lie(i, 1+i%9)
	}
	b.fuzzUntil(1 + honest - 1)
	b.member.mu.Lock()
	trusted := b.member.features.records[liar.member.memory.Member].good()
	b.member.mu.Unlock()
	if !trusted {
		t.Fatal("honest claims are not believed")
	}
	var hidden []string
	for i := range lies {
		hidden = append(hidden, lie(honest+i, 100+i))
	}
	eventually(t, "all hidden inputs are executed", func() bool {
		b.fuzz()
		return !slices.ContainsFunc(hidden, func(text string) bool { _, ok := b.taken[text]; return !ok })
	})
}

// TestClaims checks which claims a member reads.
func TestClaims(t *testing.T) {
	s := newServer(t)
	a := newShowing(t).join(s.address)
	a.keep("3 features")
	a.sent()
	ctx, cancel := contextOf(t)
	defer cancel()
	stream, err := a.hub.js.Stream(ctx, inputStream)
	if err != nil {
		t.Fatal(err)
	}
	var msg *jetstream.RawStreamMsg
	if msg, err = stream.GetMsg(ctx, 1); err != nil {
		t.Fatal(err)
	}
	if got := a.member.shows(msg.Header); !slices.Equal(got, []uint64{1, 2, 3}) {
		t.Errorf("features %v", got)
	}
	for name, change := range map[string]func(){
		"another build": func() { msg.Header.Set(buildHeader, "two") },
		"no base64":     func() { msg.Header.Set(showsHeader, "...") },
		"half a number": func() { msg.Header.Set(showsHeader, "AAAA") },
		"too many":      func() { msg.Header.Set(showsHeader, strings.Repeat("A", 1<<16)) },
	} {
		old := msg.Header.Get(showsHeader)
		change()
		if got := a.member.shows(msg.Header); got != nil {
			t.Errorf("%s: %v", name, got)
		}
		msg.Header.Set(showsHeader, old)
		msg.Header.Set(buildHeader, "one")
	}
}

// TestCorpusAfterReplay checks that the corpus is announced after the replay, with its features,
// and at the latest at the end.
func TestCorpusAfterReplay(t *testing.T) {
	s := newServer(t)
	a, b := newShowing(t), newShowing(t).join(s.address)
	a.replays = true
	a.open()
	a.put("3 features")
	a.state.Close()
	a.join(s.address)
	a.keep("4 more") // which the replay reports
	if n := a.member.unsent(); n == 0 {
		t.Error("announced before the end of the replay")
	}
	a.find("bucket", "5 crash")
	b.gets("5 crash") // findings do not wait
	if _, early := b.taken["3 features"]; early {
		t.Error("inputs are announced before the end of the replay")
	}
	a.close()
	b.gets("3 features", "4 more")
}

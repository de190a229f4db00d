package exchange

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/nats-io/nats.go"

	"parallax/cmd/internal/base/corpus"
	"parallax/cmd/internal/base/exit"
	"parallax/cmd/internal/campaign/intake"
	"parallax/cmd/internal/exchange/hub"
	"parallax/cmd/internal/finding"
	"parallax/cmd/internal/finding/event"
	"parallax/cmd/internal/finding/state"
	"parallax/internal/atomicfile"
	"parallax/internal/atomicfile/faultfs"
	"parallax/internal/input"
)

var shape = input.Shape{input.Bytes}

// patience bounds the wait for other goroutines on a busy machine.
const patience = 2 * time.Minute

// eventually waits until a condition holds.
func eventually(t *testing.T, what string, is func() bool) {
	t.Helper()
	for end := time.Now().Add(patience); time.Now().Before(end); time.Sleep(5 * time.Millisecond) {
		if is() {
			return
		}
	}
	t.Fatalf("after %v, still not: %s", patience, what)
}

// server is a hub that a test stops and starts again at the same address.
type server struct {
	t       *testing.T
	options hub.Options
	hub     *hub.Hub
	address string
	stop    func()
}

func newServer(t *testing.T) *server {
	s := &server{t: t, options: hub.Options{Listen: "127.0.0.1:0", Dir: t.TempDir()}, stop: func() {}}
	s.start()
	t.Cleanup(func() { s.stop() })
	return s
}

func (s *server) start() {
	s.t.Helper()
	h, err := hub.Start(s.options)
	if err != nil {
		s.t.Fatal(err)
	}
	s.hub, s.address = h, h.Address()
	s.options.Listen = s.address
	ctx, cancel := contextOf(s.t)
	done := make(chan error, 1)
	go func() { done <- h.Run(ctx) }()
	s.stop = func() {
		cancel()
		if err := <-done; err != nil {
			s.t.Error(err)
		}
		s.stop = func() {}
	}
}

func contextOf(*testing.T) (context.Context, context.CancelFunc) {
	return context.WithTimeout(context.Background(), 5*patience)
}

// folder is the folder of a campaign that joins a hub.
type folder struct {
	t     *testing.T
	dir   string
	fs    atomicfile.FS
	build string

	replays bool // the campaign replays its corpus
	maxFlat int
	state   *state.Folder
	corpus  *corpus.Store
	member  *Member
	hub     *Hub

	mu         sync.Mutex
	candidates []string                   // inputs of candidates that wait
	shows      func(text string) []uint64 // features that an input shows; nil means that they are unknown
	said       []string
	taken      map[string]intake.Input
}

func newFolder(t *testing.T) *folder {
	return &folder{t: t, dir: filepath.Join(t.TempDir(), "out"), fs: atomicfile.OS, build: "one", maxFlat: 1 << 20, taken: map[string]intake.Input{}}
}

var identity = state.Identity{Mode: "fuzz", Programs: []state.Program{{Name: "p", Function: "example.com/p.FuzzP"}}, Shape: shape.String()}

// open opens the folder, without joining.
func (f *folder) open() {
	f.t.Helper()
	var err error
	if f.state, _, err = state.Open(f.fs, f.dir, state.Config{Identity: identity}); err != nil {
		f.t.Fatal(err)
	}
	if f.corpus, err = corpus.Open(f.state.FS(), f.state.CorpusDir(), shape); err != nil {
		f.t.Fatal(err)
	}
}

// join opens the folder and joins a hub.
func (f *folder) join(address string) *folder {
	f.t.Helper()
	f.open()
	a, err := ParseAddress("nats://" + address)
	if err != nil {
		f.t.Fatal(err)
	}
	if f.hub, err = Dial(a); err != nil {
		f.t.Fatal(err)
	}
	x, err := f.hub.Join(intake.Joining{
		Identity: identity, Target: "p", Build: f.build, Shape: shape, MaxFlat: f.maxFlat, Replays: f.replays, Folder: f.state, Corpus: f.corpus, Waiting: f.waiting, Report: f.say, Log: func(string) {},
	})
	if err != nil {
		f.t.Fatal(err)
	}
	f.member = x.(*Member)
	f.member.work.askTime = patience
	f.t.Cleanup(f.kill)
	return f
}

func (f *folder) say(text string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.said = append(f.said, text)
}

// kill ends the member without announcing anything, as the end of its process would.
func (f *folder) kill() {
	if f.hub == nil {
		return
	}
	f.hub.Close()
	f.member.stop()
	<-f.member.stopped
	f.state.Close()
	f.hub = nil
}

// close ends the member, and returns its notes.
func (f *folder) close() string {
	f.t.Helper()
	notes, err := f.member.Close()
	if err != nil {
		f.t.Fatal(err)
	}
	f.kill()
	return strings.Join(notes, "\n")
}

// put puts an input into the corpus, as a campaign that is killed before announcing it.
func (f *folder) put(text string) {
	f.t.Helper()
	if _, _, err := f.corpus.Put([]byte(text), corpus.Meta{}); err != nil {
		f.t.Fatal(err)
	}
}

// keep keeps an input.
func (f *folder) keep(texts ...string) {
	f.t.Helper()
	for _, text := range texts {
		if f.shows != nil {
			if err := f.member.Handle(event.Shown{Flat: []byte(text), Features: f.shows(text)}); err != nil {
				f.t.Fatal(err)
			}
		}
		f.put(text)
		if err := f.member.Handle(event.Kept{Flat: []byte(text)}); err != nil {
			f.t.Fatal(err)
		}
	}
}

// find announces a finding.
func (f *folder) find(bucket, text string) {
	f.t.Helper()
	b := finding.Bucket{ID: bucket, Kind: "crash"}
	if err := f.member.Handle(event.Found{Bucket: b, Best: &finding.Finding{Input: []byte(text), Minimized: []byte(text)}}); err != nil {
		f.t.Fatal(err)
	}
}

// execute takes all inputs that wait, and settles them.
func (f *folder) execute() {
	f.t.Helper()
	for {
		list, err := f.member.Take(10)
		if err != nil {
			f.t.Fatal(err)
		}
		for _, in := range list {
			if old, ok := f.taken[string(in.Flat)]; !ok || in.Claim || !old.Claim {
				f.taken[string(in.Flat)] = in
			}
			if err := f.member.Settle(in, false); err != nil {
				f.t.Fatal(err)
			}
		}
		if len(list) == 0 {
			return
		}
	}
}

// gets waits until the campaign has executed an input of others.
func (f *folder) gets(texts ...string) {
	f.t.Helper()
	for _, text := range texts {
		eventually(f.t, fmt.Sprintf("input %.20q arrives", text), func() bool {
			f.execute()
			_, ok := f.taken[text]
			return ok
		})
	}
}

// sent waits until everything is announced.
func (f *folder) sent() {
	f.t.Helper()
	eventually(f.t, "all is announced", func() bool { return f.member.unsent() == 0 && f.member.lost() == nil })
}

func TestExchange(t *testing.T) {
	s := newServer(t)
	a, b := newFolder(t).join(s.address), newFolder(t).join(s.address)
	large := strings.Repeat("large ", largest/6+1) // an object
	a.keep("one", "two", large)
	b.keep("three")
	b.gets("one", "two", large)
	a.gets("three")
	if len(a.taken) != 1 || len(b.taken) != 3 {
		t.Errorf("%d and %d inputs: own ones came back", len(a.taken), len(b.taken))
	}
	if from := b.taken["one"].From; from != a.member.memory.Member || b.taken["one"].Claim {
		t.Errorf("an input of %q, claim %v", from, b.taken["one"].Claim)
	}
	b.keep("two") // it is new here
	if b.member.shelf.has(hashOf([]byte("two"))) {
		t.Error("a kept input is still on the shelf")
	}
	if notes := b.close(); !strings.Contains(notes, "announced 1 input and 0 findings, received 3 inputs of 1 member, 1 of them new here") {
		t.Errorf("notes %q", notes)
	}
	c := newFolder(t).join(s.address) // later than all others
	c.gets("one", "two", "three", large)
}

// TestOtherIdentity checks that campaigns of other programs exchange nothing.
func TestOtherIdentity(t *testing.T) {
	base := identity
	other := identity
	other.Programs = []state.Program{{Name: "p", Function: "example.com/p.FuzzQ"}}
	same := identity
	same.Meaning = map[string]string{}
	if base.Key() == other.Key() || base.Key() != same.Key() {
		t.Errorf("keys %s, %s, %s", base.Key(), other.Key(), same.Key())
	}
}

// TestKilled checks that a kill between keeping and announcing, or between receiving and executing,
// loses nothing.
func TestKilled(t *testing.T) {
	s := newServer(t)
	a, b := newFolder(t), newFolder(t).join(s.address)
	a.open()
	a.put("kept")
	a.state.Close()
	a.join(s.address)
	a.keep("announced")
	eventually(t, "both are received", func() bool { return b.member.has(hashOf([]byte("kept"))) && b.member.has(hashOf([]byte("announced"))) })
	if list, err := b.member.Take(1); err != nil || len(list) != 1 { // it is in a worker now
		t.Fatal(list, err)
	}
	b.kill()
	b.join(s.address)
	b.gets("kept", "announced")
	b.kill()
	b.taken = map[string]intake.Input{}
	b.join(s.address)
	a.keep("last")
	b.gets("last")
	if len(b.taken) != 1 {
		t.Errorf("%d inputs were executed twice", len(b.taken)-1)
	}
}

// TestHub checks that members survive their hub in any state.
func TestHub(t *testing.T) {
	copyOf := func(t *testing.T, dir string) string {
		to := filepath.Join(t.TempDir(), "copy")
		if err := os.CopyFS(to, os.DirFS(dir)); err != nil {
			t.Fatal(err)
		}
		return to
	}
	for _, test := range []struct {
		name   string
		change func(t *testing.T, s *server, old string) // while the hub is down
	}{
		{"restarted", func(*testing.T, *server, string) {}},
		{"emptied", func(t *testing.T, s *server, _ string) { s.options.Dir = t.TempDir() }},
		{"set back", func(t *testing.T, s *server, old string) { s.options.Dir = old }},
	} {
		t.Run(test.name, func(t *testing.T) {
			s := newServer(t)
			a, b := newFolder(t).join(s.address), newFolder(t).join(s.address)
			a.keep("first")
			b.gets("first")
			s.stop()
			old := copyOf(t, s.options.Dir)
			s.start()
			a.keep("second")
			a.find("bucket", "crash")
			b.gets("second", "crash")
			s.stop()
			test.change(t, s, old)
			a.keep("third")
			b.keep("fourth")
			b.find("other", "crash of b")
			eventually(t, "the loss is noticed", func() bool { return a.member.lost() != nil && b.member.lost() != nil })
			s.start()
			a.gets("fourth", "crash of b")
			b.gets("third")
			a.sent()
			b.sent()
			c := newFolder(t).join(s.address)
			c.gets("first", "second", "third", "fourth", "crash", "crash of b")
			if len(a.said) < 2 || !strings.Contains(a.said[0], "is away") || !strings.Contains(a.said[1], "is back") {
				t.Errorf("said %q", a.said)
			}
		})
	}
}

// TestSetBackAndGrown checks that a hub is recognized that was set back, and has as many messages
// again when the member returns.
func TestSetBackAndGrown(t *testing.T) {
	s := newServer(t)
	a, b := newFolder(t).join(s.address), newFolder(t).join(s.address)
	a.keep("first")
	b.gets("first")
	b.sent()
	s.stop()
	old := filepath.Join(t.TempDir(), "copy")
	if err := os.CopyFS(old, os.DirFS(s.options.Dir)); err != nil {
		t.Fatal(err)
	}
	s.start()
	a.keep("second")
	b.gets("second")
	a.kill()
	b.kill()
	s.stop()
	s.options.Dir = old
	s.start()
	c := newFolder(t).join(s.address)
	c.keep("third", "fourth")
	c.sent()
	b.join(s.address)
	b.gets("third", "fourth")
	c.gets("second")
}

// TestStreamsDeleted checks that members notice when streams disappear while they are connected.
func TestStreamsDeleted(t *testing.T) {
	s := newServer(t)
	a, b := newFolder(t).join(s.address), newFolder(t).join(s.address)
	a.keep("first")
	a.find("bucket", "crash")
	b.gets("first", "crash")
	ctx, cancel := contextOf(t)
	defer cancel()
	for _, name := range []string{inputStream, findStream, statsStream, "KV_" + memberBucket, "OBJ_" + objectBucket} {
		if err := a.hub.js.DeleteStream(ctx, name); err != nil {
			t.Fatal(name, err)
		}
	}
	a.keep("second")
	b.gets("second")
	newFolder(t).join(s.address).gets("first", "second", "crash")
}

// TestPartition checks that both sides of a partition go on and agree afterwards.
func TestPartition(t *testing.T) {
	s := newServer(t)
	for _, cut := range []string{"refused", "silent"} {
		t.Run(cut, func(t *testing.T) {
			p := newProxy(t, s.address)
			a, b := newFolder(t).join(p.address), newFolder(t).join(s.address)
			a.keep("before " + cut)
			b.gets("before " + cut)
			p.cut(cut == "silent")
			a.keep("a " + cut)
			b.keep("b " + cut)
			b.sent()
			eventually(t, "the partition is noticed", func() bool { return a.member.lost() != nil })
			p.heal()
			a.gets("b " + cut)
			b.gets("a " + cut)
		})
	}
}

// TestAnnouncedFindings checks that a member receives the findings that were announced before it
// asks, and does not wait for a hub that is away.
func TestAnnouncedFindings(t *testing.T) {
	s := newServer(t)
	a, b := newFolder(t).join(s.address), newFolder(t)
	if list, err := a.member.Claims(t.Context(), 10); err != nil || len(list) != 0 {
		t.Fatal(list, err)
	}
	a.keep("input")
	a.find("one", "crash")
	a.find("two", "another")
	a.sent()
	b.join(s.address)
	claims := func(most, want int) {
		t.Helper()
		list, err := b.member.Claims(t.Context(), most)
		if err != nil || len(list) != want || want > 0 && !list[0].Claim {
			t.Fatal(list, err)
		}
	}
	claims(1, 1)
	claims(10, 1)
	claims(10, 0)
	s.stop()
	eventually(t, "the loss is noticed", func() bool { return b.member.lost() != nil })
	claims(10, 0)
	if notes := b.close(); !strings.Contains(notes, "2 findings of other members came too late: the next run executes their inputs") {
		t.Errorf("notes %q", notes)
	}
	s.start()
	b.join(s.address).gets("crash", "another")
}

// proxy passes connections on, unless it is cut.
type proxy struct {
	t       *testing.T
	address string
	to      string
	mu      sync.Mutex
	healed  *sync.Cond
	silent  bool
	refuses bool
	open    []net.Conn
}

func newProxy(t *testing.T, to string) *proxy {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	p := &proxy{t: t, address: l.Addr().String(), to: to}
	p.healed = sync.NewCond(&p.mu)
	t.Cleanup(func() {
		l.Close()
		p.heal()
		p.cut(false)
	})
	go func() {
		for {
			in, err := l.Accept()
			if err != nil {
				return
			}
			p.mu.Lock()
			refuses := p.refuses
			p.mu.Unlock()
			out, err := net.Dial("tcp", to)
			if err != nil || refuses {
				in.Close()
				continue
			}
			p.mu.Lock()
			p.open = append(p.open, in, out)
			p.mu.Unlock()
			go p.pass(in, out)
			go p.pass(out, in)
		}
	}()
	return p
}

// pass copies bytes. While the proxy is silent, they wait.
func (p *proxy) pass(to io.WriteCloser, from io.Reader) {
	defer to.Close()
	b := make([]byte, 4096)
	for {
		n, err := from.Read(b)
		p.mu.Lock()
		for p.silent {
			p.healed.Wait()
		}
		p.mu.Unlock()
		if err == nil {
			_, err = to.Write(b[:n])
		}
		if err != nil {
			return
		}
	}
}

func (p *proxy) cut(silent bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.silent, p.refuses = silent, !silent; silent {
		return
	}
	for _, c := range p.open {
		c.Close()
	}
	p.open = nil
}

func (p *proxy) heal() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.silent, p.refuses = false, false
	p.healed.Broadcast()
}

// TestFindings checks that others execute the smallest input of a finding as a claim, and that
// findings are announced once.
func TestFindings(t *testing.T) {
	s := newServer(t)
	a, b := newFolder(t).join(s.address), newFolder(t).join(s.address)
	a.find("bucket", "long crash")
	b.gets("long crash")
	if !b.taken["long crash"].Claim {
		t.Error("the input of a finding is no claim")
	}
	b.find("bucket", "long crash") // it is confirmed
	b.find("bucket", "crash")      // and minimized
	a.gets("crash")
	a.find("bucket", "crash")
	b.find("bucket", "longer crash") // no better example
	a.sent()
	b.sent()
	ctx, cancel := contextOf(t)
	defer cancel()
	stream, err := a.hub.js.Stream(ctx, findStream)
	if err != nil {
		t.Fatal(err)
	}
	info, err := stream.Info(ctx)
	if err != nil || info.State.Msgs != 1 || info.State.LastSeq != 2 {
		t.Errorf("%+v, %v: not two announcements of one finding", info.State, err)
	}
	a.close()
	b.close()
	a.join(s.address)
	a.find("bucket", "crash") // as at each start
	a.sent()
	if stream, err = a.hub.js.Stream(ctx, findStream); err != nil {
		t.Fatal(err)
	}
	if info, err = stream.Info(ctx); err != nil || info.State.LastSeq != 2 {
		t.Errorf("%+v, %v: announced again", info.State, err)
	}
}

// TestClaimedOnce checks that each build executes the input of a finding once, even if its worker
// dies or the hub is emptied. The input does not become one of the corpora.
func TestClaimedOnce(t *testing.T) {
	s := newServer(t)
	a, b := newFolder(t).join(s.address), newFolder(t).join(s.address)
	a.find("bucket", "crash")
	var list []intake.Input
	eventually(t, "the claim arrives", func() bool {
		var err error
		if list, err = b.member.Take(1); err != nil {
			t.Fatal(err)
		}
		return len(list) == 1
	})
	if err := b.member.Settle(list[0], true); err != nil {
		t.Fatal(err)
	}
	b.kill()
	s.stop()
	s.options.Dir = t.TempDir()
	s.start()
	b.join(s.address)
	a.keep("input")
	b.gets("input")
	a.sent()
	b.execute()
	if len(b.taken) != 1 {
		t.Errorf("%d inputs: the claim came again", len(b.taken))
	}
	ctx, cancel := contextOf(t)
	defer cancel()
	stream, err := b.hub.js.Stream(ctx, inputStream)
	if err != nil {
		t.Fatal(err)
	}
	if info, err := stream.Info(ctx); err != nil || info.State.Msgs != 1 {
		t.Errorf("%+v, %v: not one input", info.State, err)
	}
	b.close()
	b.build = "two"
	b.join(s.address)
	b.gets("crash")
}

// TestHostile checks that a member believes nothing that it can check.
func TestHostile(t *testing.T) {
	s := newServer(t)
	b := newFolder(t).join(s.address)
	key := identity.Key()
	good := hashOf([]byte("good"))
	subject := func(hash string) string { return "px." + key + ".input." + hash[:1] + "." + hash }
	conn, err := nats.Connect("nats://" + s.address)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	send := func(subject, data string, headers ...string) {
		m := nats.NewMsg(subject)
		m.Data = []byte(data)
		for i := 0; i+1 < len(headers); i += 2 {
			m.Header.Set(headers[i], headers[i+1])
		}
		if err := conn.PublishMsg(m); err != nil {
			t.Fatal(err)
		}
	}
	bad := 0
	for _, m := range [][]string{
		{subject(hashOf([]byte("other"))), "not the content"},
		{"px." + key + ".input.x.notahash", "x"},
		{"px." + key + ".input.0." + good, "good"},
		{"px." + key + ".input.0.0.0", "good"},
		{subject(hashOf([]byte("object"))), "", objectHeader, "../../etc/passwd"},
		{subject(hashOf([]byte("object2"))), "", objectHeader, key + "." + hashOf([]byte("object2"))},
		{"px." + key + ".find.crash.b", "{"},
		{"px." + key + ".find.crash.c", `{"version":1,"bucket":"../x","kind":"crash"}`},
		{"px." + key + ".find.crash.d", `{"version":1,"bucket":"d","kind":"crash","hash":"` + good + `","input":"AAAA"}`},
		{"px." + key + ".find.crash.e", strings.Repeat("[", 100000)},
	} {
		send(m[0], m[1], m[2:]...)
		bad++
	}
	send(subject(good), "good", memberHeader, "../../../x\n")
	send(subject(good), "good") // twice
	b.gets("good")
	eventually(t, "all are rejected", func() bool {
		b.member.mu.Lock()
		defer b.member.mu.Unlock()
		return b.member.counts.rejected == bad
	})
	if from := b.taken["good"].From; from != "unknown" || len(b.taken) != 1 {
		t.Errorf("an input of %q, %d inputs", from, len(b.taken))
	}
	if notes := b.close(); !strings.Contains(notes, fmt.Sprintf("%d messages of other members were invalid", bad)) {
		t.Errorf("notes %q", notes)
	}
}

// TestQuarantine checks that an input on which workers die is not executed for ever, and that the
// count survives a kill.
func TestQuarantine(t *testing.T) {
	s := newServer(t)
	a, b := newFolder(t).join(s.address), newFolder(t).join(s.address)
	a.keep("deadly")
	for n := range deathLimit {
		var list []intake.Input
		eventually(t, "the input waits", func() bool {
			var err error
			if list, err = b.member.Take(1); err != nil {
				t.Fatal(err)
			}
			return len(list) == 1
		})
		if err := b.member.Settle(list[0], true); err != nil {
			t.Fatal(err)
		}
		if n == 1 {
			b.kill()
			b.join(s.address)
		}
	}
	b.kill()
	b.join(s.address)
	a.keep("harmless")
	b.gets("harmless")
	if len(b.taken) != 1 || b.member.shelf.at[hashOf([]byte("deadly"))].place != quarantine {
		t.Errorf("%d inputs, %+v", len(b.taken), b.member.shelf.at)
	}
}

// TestOtherBuild checks that inputs that showed nothing are executed again by other programs.
func TestOtherBuild(t *testing.T) {
	s := newServer(t)
	a, b := newFolder(t).join(s.address), newFolder(t).join(s.address)
	a.keep("one")
	b.gets("one")
	for _, build := range []string{"one", "two", "two"} {
		b.close()
		changed := b.build != build
		b.build, b.taken = build, map[string]intake.Input{}
		b.join(s.address)
		if b.execute(); (len(b.taken) == 1) != changed {
			t.Errorf("build %s: %d inputs, changed %v", build, len(b.taken), changed)
		}
	}
}

// TestFullHub checks that a hub without room delays announcements only.
func TestFullHub(t *testing.T) {
	s := newServer(t)
	a, b := newFolder(t).join(s.address), newFolder(t).join(s.address)
	a.keep("first")
	b.gets("first")
	ctx, cancel := contextOf(t)
	defer cancel()
	stream, err := a.hub.js.Stream(ctx, inputStream)
	if err != nil {
		t.Fatal(err)
	}
	full := stream.CachedInfo().Config
	full.MaxBytes = 1000
	if _, err := a.hub.js.UpdateStream(ctx, full); err != nil {
		t.Fatal(err)
	}
	second := strings.Repeat("second", 500)
	a.keep(second)
	eventually(t, "the hub refuses", func() bool { return a.member.lost() != nil })
	full.MaxBytes = -1
	if _, err := a.hub.js.UpdateStream(ctx, full); err != nil {
		t.Fatal(err)
	}
	b.gets(second)
	a.sent()
}

// TestSlow checks that a member receives no more than it has room for, and that others do not wait
// for it.
func TestSlow(t *testing.T) {
	s := newServer(t)
	a, slow, fast := newFolder(t).join(s.address), newFolder(t).join(s.address), newFolder(t).join(s.address)
	const room, inputs = 10, 500
	slow.member.mu.Lock()
	slow.member.room = room
	slow.member.mu.Unlock()
	var texts []string
	for i := range inputs {
		texts = append(texts, fmt.Sprint("input ", i))
	}
	a.keep(texts...)
	fast.gets(texts...)
	slow.member.mu.Lock()
	waiting := len(slow.member.waiting)
	slow.member.mu.Unlock()
	if waiting > room+2*fetched {
		t.Errorf("%d inputs wait at a member with room for %d", waiting, room)
	}
	slow.gets(texts...)
}

// TestFullDisk checks that a member whose disk is full ends its campaign with code 4, and that the
// next run has everything.
func TestFullDisk(t *testing.T) {
	s := newServer(t)
	a, b := newFolder(t).join(s.address), newFolder(t)
	faults := faultfs.New(atomicfile.OS)
	b.fs = faults
	b.join(s.address)
	a.keep("first")
	b.gets("first")
	faults.Full(0)
	a.keep("second")
	eventually(t, "the member fails", func() bool {
		_, err := b.member.Take(1)
		return exit.Code(err) == exit.InfraCode
	})
	if err := b.member.Handle(event.Sampled{}); exit.Code(err) != exit.InfraCode {
		t.Errorf("an event: %v", err)
	}
	if _, err := b.member.Close(); exit.Code(err) != exit.InfraCode || !strings.Contains(err.Error(), "disk full") {
		t.Errorf("the end: %v", err)
	}
	b.kill()
	b.fs = atomicfile.OS
	b.join(s.address)
	b.gets("second")
}

// TestShelf checks that a damaged shelf loses only what is damaged.
func TestShelf(t *testing.T) {
	s := newServer(t)
	a, b := newFolder(t).join(s.address), newFolder(t).join(s.address)
	a.keep("one", "two")
	eventually(t, "both are received", func() bool { return b.member.has(hashOf([]byte("one"))) && b.member.has(hashOf([]byte("two"))) })
	b.kill()
	files, err := filepath.Glob(filepath.Join(b.dir, "peers", "inputs", "*"))
	if err != nil || len(files) != 2 {
		t.Fatal(files, err)
	}
	i := slices.IndexFunc(files, func(f string) bool { return strings.HasPrefix(filepath.Base(f), hashOf([]byte("one"))) })
	if err := os.WriteFile(files[i], []byte("on"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(b.dir, "peers", "state.json"), []byte("{"), 0o644); err != nil {
		t.Fatal(err)
	}
	b.join(s.address)
	b.execute()
	b.gets("two")
	if data, err := os.ReadFile(files[i]); err == nil && !bytes.Equal(data, []byte("one")) {
		t.Errorf("%q is still there", data)
	}
}

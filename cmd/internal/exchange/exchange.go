// Package exchange lets campaigns of one identity exchange inputs and findings over NATS JetStream.
// Commands that fuzz join a campaign to others with it. A campaign knows it by intake.Exchange.
//
// Each folder is complete without the others: the hub is a meeting place, and never the only copy
// of anything. The hub holds streams, which any member makes if they are missing:
//
//	PX_INPUT   px.<c>.input.<digit>.<hash>    inputs, each stored once; large ones are objects
//	PX_FIND    px.<c>.find.<kind>.<bucket>    manifests of findings, the smallest input of each
//	PX_STATS   px.<c>.stats.<member>          samples, in memory, for an hour
//	PX_WORK    px.<c>.work.<kind>.<build>...  candidates that wait, their members, and triaged candidates
//
// PX_MEMBER is a key-value store with a key for each connected member, and PX_LEASE one with the
// leases of work (lease.go). PX_OBJECT stores large inputs. <c> is the key of the campaign's
// identity (state.Identity.Key).
//
// Invariants:
//
//   - An input is in the announcer's folder before it is announced.
//   - Messages are idempotent by content: an input is named by its hash, a finding by its bucket.
//     So lost, repeated and reordered messages do no harm.
//   - A member believes nothing that it can check. Received inputs must have their hash, the shape
//     of the target and a bounded size. They are executed again, and a finding of others is shown
//     only if the campaign confirms it.
//   - A received input is in the folder (shelf.go) before the member's position in the stream
//     moves past it.
//   - After each connection, the member checks that the hub still is where it was (reconcile.go).
//     If not, or if announcements may be missing, it compares hashes and announces the rest again.
//   - A lost hub delays announcements, and nothing else. Only an error of the own folder ends the
//     campaign.
//
// No clock of a member matters to another: the server orders messages and expires keys.
package exchange

import (
	"context"
	"crypto/rand"
	"fmt"
	"os"
	"strings"
	"sync"
	"time"

	"parallax/cmd/internal/base/corpus"
	"parallax/cmd/internal/base/units"
	"parallax/cmd/internal/campaign/intake"
	"parallax/cmd/internal/finding/event"
	"parallax/internal/wire"
)

// Member is a campaign that has joined others. Several goroutines call its methods.
type Member struct {
	hub   *Hub
	about intake.Joining
	key   string // of the campaign's identity
	shelf *shelf

	stop    context.CancelFunc
	stopped chan struct{} // closed when all goroutines have ended
	wake    chan struct{} // receives when there is something to announce
	idle    chan struct{} // receives when all is announced

	mu       sync.Mutex
	memory   Memory
	saved    time.Time
	known    map[string]bool     // hashes of the corpus
	waiting  []string            // hashes of inputs to be executed, claims first
	room     int                 // the number of waiting inputs beyond which none is received
	spool    []string            // hashes to be announced
	held     bool                // no input is announced yet, since the workers replay the corpus
	behind   bool                // the spool was full: the hub lacks more than the spool holds
	findings map[string]manifest // of this campaign, by bucket
	untold   map[string]bool     // the findings that are to be announced
	theirs   map[string][]byte   // the input of each finding at the hub, by bucket
	sample   []byte              // the latest sample, not yet announced
	failure  error               // of the own folder
	link     link
	streams  *streams // nil means that the hub is away
	work     work
	features features
	counts   counts
}

// link is the state of the connection for the user.
type link struct {
	lost    time.Time // zero means that the hub is there
	why     error
	refused error // the hub is there, and refuses announcements
}

// counts counts what this invocation exchanged.
type counts struct {
	announced, claimed       int // inputs and findings announced
	received, kept, rejected int // inputs received; those that were new here; messages that were invalid
	skipped                  int // inputs received and not executed
	taken                    int // candidates taken over from others
	from                     map[string]bool
}

// Bounds of what waits. Beyond them, a member receives nothing more until its workers have caught
// up, and compares hashes with the hub instead of remembering what to announce.
const (
	mostWaiting = 1 << 17
	mostSpool   = 1 << 14
)

// closeTime bounds the announcements at the end of a campaign.
const closeTime = 5 * time.Second

// Join joins a campaign to those at the hub, which may be away for now. An error means that the
// folder cannot be written.
func (h *Hub) Join(about intake.Joining) (intake.Exchange, error) {
	m := &Member{
		room: mostWaiting, hub: h, about: about, key: about.Identity.Key(), known: map[string]bool{}, findings: map[string]manifest{}, untold: map[string]bool{}, theirs: map[string][]byte{},
		wake: make(chan struct{}, 1), idle: make(chan struct{}, 1), stopped: make(chan struct{}), behind: true,
		counts: counts{from: map[string]bool{}}, work: newWork(), features: newFeatures(), held: about.Replays,
	}
	if err := m.restore(); err != nil {
		return nil, err
	}
	ctx, stop := context.WithCancel(context.Background())
	m.stop = stop
	go m.run(ctx)
	return m, nil
}

// restore reads the folder.
func (m *Member) restore() error {
	var err error
	if m.shelf, err = openShelf(m.about.Folder.FS(), m.about.Folder.Dir()); err != nil {
		return err
	}
	problem := ""
	if m.memory, problem = m.shelf.load(); problem != "" {
		m.about.Log(problem)
	}
	if m.memory.Member == "" {
		m.memory.Member = newName()
	}
	if m.memory.Build != m.about.Build { // other programs may show more on inputs that showed nothing
		if err := m.shelf.moveAll(seen, inputs); err != nil {
			return err
		}
		if err := m.shelf.moveAll(claimed, claims); err != nil {
			return err
		}
		m.memory.Build = m.about.Build
	}
	for _, hash := range m.about.Corpus.Hashes() {
		m.known[hash] = true
	}
	for _, of := range places {
		list, err := m.shelf.list(of)
		if err != nil {
			return err
		}
		for _, hash := range list {
			if (of == inputs || of == seen) && m.known[hash] { // a kill came between keeping it and clearing the shelf
				if err := m.shelf.remove(hash); err != nil {
					return err
				}
				continue
			}
			if of == claims || of == inputs {
				m.waiting = append(m.waiting, hash)
			}
		}
	}
	return m.save(true)
}

// newName returns a name for the member of a folder: that of the machine, and a random part.
func newName() string {
	host, _ := os.Hostname()
	host = strings.Map(func(r rune) rune {
		if r < 0x80 && (r == '-' || r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z') {
			return r
		}
		return '-'
	}, host)
	return host[:min(len(host), 40)] + "-" + strings.ToLower(rand.Text()[:8])
}

// Handle implements event.Subscriber.
func (m *Member) Handle(e event.Event) error {
	switch e := e.(type) {
	case event.Kept:
		return m.kept(corpus.Hash(m.about.Shape.Encode(e.Flat)))
	case event.Shown:
		m.shown(e)
	case event.Resumed:
		m.announceCorpus()
	case event.Found:
		m.found(e)
	case event.Sampled:
		m.sampled(e)
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.failure
}

// kept announces an input that was written to the corpus, unless others have announced it.
func (m *Member) kept(hash string) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.known[hash] = true
	if suspect := m.features.kept(hash); suspect != "" {
		if err := m.distrust(suspect); err != nil {
			return err
		}
	}
	if m.shelf.has(hash) {
		m.counts.kept++
		return m.shelf.remove(hash)
	}
	m.announce(hash)
	return m.failure
}

// announceCorpus begins the announcements of inputs, after the workers have replayed the corpus.
func (m *Member) announceCorpus() {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.held = false
	m.rouse()
}

// announce puts a hash into the spool. The caller holds mu.
func (m *Member) announce(hash string) {
	if len(m.spool) >= mostSpool {
		m.behind = true
		return
	}
	m.spool = append(m.spool, hash)
	m.rouse()
}

func (m *Member) rouse() {
	select {
	case m.wake <- struct{}{}:
	default:
	}
}

// Take implements intake.Exchange. The inputs stay on the shelf until they are settled.
func (m *Member) Take(most int) (list []intake.Input, err error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.work.asked = time.Now()
	return m.take(most, false)
}

// take returns at most so many inputs that wait. The caller holds mu.
func (m *Member) take(most int, onlyClaims bool) (list []intake.Input, err error) {
	for skips := 0; len(m.waiting) > 0 && len(list) < most && skips < skipsAtOnce && m.failure == nil; {
		hash := m.waiting[0]
		if onlyClaims && m.shelf.at[hash].place != claims {
			break
		}
		m.waiting = m.waiting[1:]
		file, of, from, err := m.shelf.read(hash)
		if err != nil {
			return list, err
		}
		claim := m.features.release(hash)
		if of != inputs && of != claims {
			continue // it was kept meanwhile
		}
		if of == inputs {
			switch m.features.decide(from, claim) {
			case skip:
				skips++
				m.counts.skipped++
				if err := m.shelf.move(hash, seen); err != nil {
					return list, err
				}
				continue
			case verify:
				m.features.watch(hash, from)
			}
		}
		flat, err := m.about.Shape.Decode(file)
		if err != nil || len(flat) > m.about.MaxFlat {
			continue // a run with a larger limit executes it
		}
		if of == inputs {
			m.work.from[hash] = from
		} else {
			delete(m.work.from, hash) // each member confirms a claim
		}
		list = append(list, intake.Input{Hash: hash, From: from, Offer: wire.Offer{Flat: flat, Claim: of == claims}})
	}
	return list, m.failure
}

// Claims implements intake.Exchange.
func (m *Member) Claims(ctx context.Context, most int) ([]intake.Input, error) {
	ctx, end := context.WithTimeout(ctx, startTime)
	defer end()
	m.receiveAnnounced(ctx)
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.take(most, true)
}

// deathLimit is the number of workers that may die on an input before it is quarantined. One death
// may have another reason, such as a machine without memory.
const deathLimit = 3

// Settle implements intake.Exchange.
func (m *Member) Settle(in intake.Input, died bool) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	switch {
	case in.Claim: // a death of its worker is a candidate already
		return m.shelf.move(in.Hash, claimed)
	case !died:
		m.features.executed(in.Hash)
		return m.shelf.move(in.Hash, seen)
	}
	m.memory.Deaths[in.Hash]++
	if m.memory.Deaths[in.Hash] < deathLimit {
		m.waiting = append(m.waiting, in.Hash)
	} else {
		delete(m.memory.Deaths, in.Hash)
		if err := m.shelf.move(in.Hash, quarantine); err != nil {
			return err
		}
		m.about.Log(fmt.Sprintf("input %s of %s is quarantined: %d workers ended on it", in.Hash, in.From, deathLimit))
	}
	return m.save(true)
}

// Close implements intake.Exchange.
func (m *Member) Close() (notes []string, err error) {
	m.announceCorpus()
	for end := time.Now().Add(closeTime); m.unsent() > 0 && m.lost() == nil && time.Now().Before(end); {
		select {
		case <-m.idle:
		case <-time.After(100 * time.Millisecond):
		}
	}
	m.leaveWork()
	m.stop()
	<-m.stopped
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.failure == nil {
		m.failure = m.save(true)
	}
	return m.notes(), m.failure
}

// unsent returns the number of inputs and findings that are not announced.
func (m *Member) unsent() int {
	m.mu.Lock()
	defer m.mu.Unlock()
	n := len(m.spool) + len(m.untold) + len(m.work.triaged)
	if m.behind {
		n++
	}
	return n
}

// lost returns the reason why the hub is away, or nil.
func (m *Member) lost() error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.link.refused != nil {
		return m.link.refused
	}
	return m.link.why
}

// notes describes what was exchanged. The caller holds mu.
func (m *Member) notes() (list []string) {
	c := &m.counts
	text := fmt.Sprintf("joined at %s: announced %s and %s, received %s", m.hub.shown, units.Count(c.announced, "input", "inputs"),
		units.Count(c.claimed, "finding", "findings"), units.Count(c.received, "input", "inputs"))
	if c.received > 0 {
		text += fmt.Sprintf(" of %s, %d of them new here", units.Count(len(c.from), "member", "members"), c.kept)
		if c.skipped > 0 {
			text += fmt.Sprintf(", %d skipped", c.skipped)
		}
	}
	list = append(list, text)
	if c.taken > 0 {
		list = append(list, fmt.Sprintf("took over %s of members that ended", units.Count(c.taken, "candidate", "candidates")))
	}
	if c.rejected > 0 {
		list = append(list, fmt.Sprintf("%s of other members were invalid and are ignored: log.txt names them", units.Count(c.rejected, "message", "messages")))
	}
	late := 0
	for _, at := range m.shelf.at {
		if at.place == claims {
			late++
		}
	}
	if late > 0 {
		list = append(list, fmt.Sprintf("%s of other members came too late: the next run executes their inputs", units.Count(late, "finding", "findings")))
	}
	left := len(m.spool) + len(m.untold)
	switch {
	case !m.link.lost.IsZero():
		list = append(list, fmt.Sprintf("the hub %s has been away since %s (%v). The next run with --join announces what it lacks", m.hub.shown, m.link.lost.Format(time.TimeOnly), m.link.why))
	case m.link.refused != nil:
		list = append(list, fmt.Sprintf("the hub %s refuses announcements (%v). The next run with --join announces what it lacks", m.hub.shown, m.link.refused))
	case left > 0 || m.behind:
		list = append(list, fmt.Sprintf("not all inputs were announced to %s in time. The next run with --join announces the rest", m.hub.shown))
	}
	return list
}

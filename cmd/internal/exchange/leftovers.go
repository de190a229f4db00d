package exchange

import (
	"context"
	"errors"
	"maps"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"parallax/cmd/internal/base/corpus"
)

// A member announces the inputs of candidates that wait. If it is gone, another member with the
// same build takes each, under a lease. It executes the input as a claim and triages what it shows.
// Then it removes the announcement. The folder of the finder still has the candidate.

// work is the member's part in work that is divided.
type work struct {
	leases   map[string]uint64 // revisions of the own leases, by key
	from     map[string]string // members that announced the inputs that were executed here, by hash
	triaged  []verdict         // to be announced
	patience time.Duration     // see finderFirst

	mine   map[string]bool // hashes of the own leftovers at the hub; false means that an earlier session announced it
	waited map[string]bool // those that waited at the last pass
	theirs map[string]bool // leftovers of others that were taken; true means that they were executed at the last pass
	asked  time.Time       // when the campaign last asked for inputs
}

const (
	mostLeft  = 256 // leftovers of a member at the hub
	mostTaken = 16  // leftovers of others that a member has taken at the same time
	fewWait   = 8   // a member with more candidates takes none of others
	passEvery = 5 * time.Second
	// eager bounds the time since the campaign asked for inputs: others would wait for a member
	// that executes nothing.
	eager = 10 * time.Second
)

func newWork() work {
	return work{
		leases: map[string]uint64{}, from: map[string]string{}, patience: finderFirst,
		mine: map[string]bool{}, waited: map[string]bool{}, theirs: map[string]bool{},
	}
}

// divide keeps the leases, announces what waits, and takes over what others have left.
func (m *Member) divide(ctx context.Context, s *streams) error {
	renewed, distilled := time.Now(), time.Time{}
	for {
		select {
		case <-time.After(min(passEvery, s.leaseLife/renewals)):
		case <-ctx.Done():
			return ctx.Err()
		}
		if time.Since(renewed) >= s.leaseLife/renewals {
			renewed = time.Now()
			if err := m.renew(ctx, s); err != nil {
				return err
			}
		}
		err := m.offerLeftovers(ctx, s, false)
		if err == nil {
			err = m.finishLeftovers(ctx, s)
		}
		if err == nil {
			err = m.takeLeftovers(ctx, s)
		}
		if err == nil {
			err = m.distill(ctx, s, &distilled)
		}
		if err != nil && (!apiError(err) || errors.Is(err, jetstream.ErrStreamNotFound)) { // a full hub keeps no leftovers
			return err
		}
	}
}

// offerLeftovers announces the inputs of candidates that wait since the last pass, or all at the
// end. It removes those that no longer wait.
func (m *Member) offerLeftovers(ctx context.Context, s *streams, end bool) error {
	files := map[string][]byte{}
	for _, flat := range m.about.Waiting(mostLeft) {
		if file := m.about.Shape.Encode(flat); len(file) <= largest {
			files[hashOf(file)] = file
		}
	}
	m.mu.Lock()
	before := m.work.waited
	m.work.waited = map[string]bool{}
	var due, over []string
	for hash := range files {
		m.work.waited[hash] = true
		if (end || before[hash]) && !m.work.mine[hash] && m.work.from[hash] == "" {
			due = append(due, hash)
		}
	}
	for hash := range m.work.mine {
		if files[hash] == nil {
			over = append(over, hash)
		}
	}
	m.mu.Unlock()
	slices.Sort(due)
	for _, hash := range due {
		msg := nats.NewMsg(m.workSubject("left", hash))
		msg.Header.Set(memberHeader, m.name())
		msg.Data = files[hash]
		if err := m.publishWork(ctx, msg); err != nil {
			return err
		}
		m.mu.Lock()
		m.work.mine[hash] = true
		m.mu.Unlock()
		m.about.Log("announced candidate " + hash + ", which waits")
	}
	for _, hash := range over {
		if err := m.dropLeftover(ctx, s, hash); err != nil {
			return err
		}
		m.mu.Lock()
		delete(m.work.mine, hash)
		m.mu.Unlock()
	}
	return nil
}

// publishWork publishes a message of PX_WORK, unless it is there.
func (m *Member) publishWork(ctx context.Context, msg *nats.Msg) error {
	call, end := context.WithTimeout(ctx, callTime)
	defer end()
	if _, err := m.hub.js.PublishMsg(call, msg); err != nil && !duplicate(err) {
		return err
	}
	return nil
}

// dropLeftover removes an announcement.
func (m *Member) dropLeftover(ctx context.Context, s *streams, hash string) error {
	call, end := context.WithTimeout(ctx, callTime)
	defer end()
	return s.work.Purge(call, jetstream.WithPurgeSubject(m.workSubject("left", hash)))
}

// takeLeftovers takes leftovers of members that are gone, if few candidates wait here.
func (m *Member) takeLeftovers(ctx context.Context, s *streams) error {
	m.mu.Lock()
	busy := len(m.work.waited) >= fewWait || time.Since(m.work.asked) > eager
	room := mostTaken - len(m.work.theirs)
	m.mu.Unlock()
	if busy || room <= 0 {
		return nil
	}
	prefix := m.workSubject("left", "")
	call, end := context.WithTimeout(ctx, callTime)
	info, err := s.work.Info(call, jetstream.WithSubjectFilter(prefix+">"))
	end()
	if err != nil {
		return err
	}
	gone := map[string]bool{} // by member
	for _, subject := range slices.Sorted(maps.Keys(info.State.Subjects)) {
		hash := strings.TrimPrefix(subject, prefix)
		m.mu.Lock()
		_, taken := m.work.theirs[hash]
		taken = taken || m.work.waited[hash] || m.work.mine[hash] || m.shelf.at[hash].place == quarantine
		m.mu.Unlock()
		if taken || !corpus.IsHash(hash) {
			continue
		}
		took, err := m.takeLeftover(ctx, s, subject, hash, gone)
		if err != nil {
			return err
		}
		if took {
			room--
		}
		if room == 0 {
			break
		}
	}
	return nil
}

// takeLeftover takes a leftover if its finder is gone and no other member has it.
func (m *Member) takeLeftover(ctx context.Context, s *streams, subject, hash string, gone map[string]bool) (took bool, err error) {
	call, end := context.WithTimeout(ctx, callTime)
	defer end()
	msg, err := s.work.GetLastMsgForSubject(call, subject)
	if errors.Is(err, jetstream.ErrMsgNotFound) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	from := sender(msg.Header)
	if _, known := gone[from]; !known {
		gone[from] = from == m.name() || !m.present(ctx, s, from)
	}
	if !gone[from] {
		return false, nil
	}
	if flat, err := m.about.Shape.Decode(msg.Data); err == nil && len(flat) > m.about.MaxFlat {
		return false, nil // a member with a larger limit executes it
	}
	if mine, err := m.lease(ctx, s, leftover, hash); err != nil || !mine {
		return false, err
	}
	if err := m.check(msg.Data, hash); err != nil {
		m.reject(subject, from, err)
		return false, m.endLeftover(ctx, s, hash)
	}
	if err := m.accept(claims, hash, from, msg.Data); err != nil {
		return false, m.fail(err)
	}
	m.mu.Lock()
	m.work.theirs[hash] = false
	m.counts.taken++
	m.mu.Unlock()
	m.about.Log("took over candidate " + hash + " of " + from)
	return true, nil
}

// finishLeftovers removes leftovers that were executed here, once none of their candidates waits.
// Candidates may arrive shortly after the execution, so a leftover stays for two passes. One that
// was not executed as a claim is left to others.
func (m *Member) finishLeftovers(ctx context.Context, s *streams) error {
	m.mu.Lock()
	taken := len(m.work.theirs)
	m.mu.Unlock()
	if taken == 0 {
		return nil
	}
	waits := map[string]bool{}
	for _, flat := range m.about.Waiting(math.MaxInt) {
		waits[hashOf(m.about.Shape.Encode(flat))] = true
	}
	m.mu.Lock()
	over := map[string]bool{} // true means that the leftover was executed
	for hash, executed := range m.work.theirs {
		at := m.shelf.at[hash].place
		is := at != claims && at != inputs && !waits[hash]
		if m.work.theirs[hash] = is; is && executed {
			over[hash] = at == claimed || m.known[hash]
		}
	}
	m.mu.Unlock()
	for hash, executed := range over {
		var err error
		if executed {
			err = m.endLeftover(ctx, s, hash)
		} else {
			err = m.release(ctx, s, leftover, hash)
		}
		if err != nil {
			return err
		}
		m.mu.Lock()
		delete(m.work.theirs, hash)
		m.mu.Unlock()
	}
	return nil
}

// endLeftover removes a leftover and its lease.
func (m *Member) endLeftover(ctx context.Context, s *streams, hash string) error {
	if err := m.dropLeftover(ctx, s, hash); err != nil {
		return err
	}
	return m.release(ctx, s, leftover, hash)
}

// leaveWork announces the candidates that the campaign leaves and its front, and ends the leases.
func (m *Member) leaveWork() {
	m.mu.Lock()
	s := m.streams
	m.mu.Unlock()
	if s == nil {
		return
	}
	ctx, end := context.WithTimeout(context.Background(), closeTime)
	defer end()
	err := errors.Join(m.offerLeftovers(ctx, s, true), m.distill(ctx, s, new(time.Time)))
	m.mu.Lock()
	left := m.work.leases
	m.work.leases = map[string]uint64{}
	m.mu.Unlock()
	for key, revision := range left {
		if err == nil {
			err = s.leases.Delete(ctx, key, jetstream.LastRevision(revision))
		}
	}
	if err != nil {
		m.about.Log("the work that is left is not announced: " + err.Error())
	}
}

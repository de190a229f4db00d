package exchange

import (
	"context"
	"errors"
	"maps"
	"math"
	"math/rand/v2"
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
//
// Leftovers may be many, and most are triaged by their finders. So others receive one mark of each
// finder, and ask from time to time whether some of these members are present. Only if one is gone,
// they ask for the names of its leftovers, and then for those that they take.

// work is the member's part in work that is divided.
type work struct {
	leases   map[string]uint64 // revisions of the own leases, by key
	from     map[string]string // members that announced the inputs that were executed here, by hash
	triaged  []verdict         // to be announced
	patience time.Duration     // see finderFirst

	askTime    time.Duration // see askTime
	unanswered time.Time     // when the hub gave no answer to a question of a judge

	mine    map[string]bool   // hashes of the own leftovers at the hub; false means that an earlier session announced it
	waited  map[string]bool   // those that waited at the last pass
	theirs  map[string]taken  // leftovers of others that were taken, by hash
	refused map[string]bool   // leftovers that are too large for this campaign, by hash
	finders map[string]uint64 // members with leftovers, and the number of the mark's message
	asked   time.Time         // when the campaign last asked for inputs
}

// taken is a leftover that this member has taken.
type taken struct {
	finder   string
	executed bool // at the last pass
}

const (
	mostAsked = 8   // finders per pass that may be gone
	mostTried = 16  // leftovers per pass that others may have taken
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
		leases: map[string]uint64{}, from: map[string]string{}, patience: finderFirst, askTime: askTime,
		mine: map[string]bool{}, waited: map[string]bool{}, theirs: map[string]taken{}, refused: map[string]bool{}, finders: map[string]uint64{},
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
		_, taken := m.work.theirs[hash] // its announcement is there
		if (end || before[hash]) && !taken && !m.work.mine[hash] && m.work.from[hash] == "" {
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
	if len(due) > 0 { // also if it was there: others remove the mark of a member that seems to be gone
		if err := m.publishWork(ctx, nats.NewMsg(m.workSubject("finder", m.name()))); err != nil {
			return err
		}
	}
	for _, hash := range due {
		msg := nats.NewMsg(m.leftSubject(m.name(), hash))
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
		if err := m.dropLeftover(ctx, s, m.name(), hash); err != nil {
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

// leftSubject returns the subject of a leftover.
func (m *Member) leftSubject(finder, hash string) string {
	return m.workSubject("left", finder) + "." + hash
}

// dropLeftover removes an announcement.
func (m *Member) dropLeftover(ctx context.Context, s *streams, finder, hash string) error {
	call, end := context.WithTimeout(ctx, callTime)
	defer end()
	return s.work.Purge(call, jetstream.WithPurgeSubject(m.leftSubject(finder, hash)))
}

// receiveFinders receives the marks of members with leftovers.
func (m *Member) receiveFinders(ctx context.Context, s *streams) error {
	m.mu.Lock()
	clear(m.work.finders) // another stream may have their numbers
	m.mu.Unlock()
	prefix := m.workSubject("finder", "")
	return m.follow(ctx, s.work, prefix+">", &Position{}, func(msg jetstream.Msg) error {
		finder := strings.TrimPrefix(msg.Subject(), prefix)
		meta, err := msg.Metadata()
		if err != nil || !token(finder) {
			return err
		}
		m.mu.Lock()
		defer m.mu.Unlock()
		if _, known := m.work.finders[finder]; known || len(m.work.finders) < mostSuspects {
			m.work.finders[finder] = meta.Sequence.Stream
		}
		return nil
	})
}

// takeLeftovers takes leftovers of members that are gone, if few candidates wait here.
func (m *Member) takeLeftovers(ctx context.Context, s *streams) error {
	m.mu.Lock()
	busy := len(m.work.waited) >= fewWait || time.Since(m.work.asked) > eager
	room := mostTaken - len(m.work.theirs)
	finders := slices.Sorted(maps.Keys(m.work.finders))
	m.mu.Unlock()
	if busy {
		return nil
	}
	rand.Shuffle(len(finders), func(i, j int) { finders[i], finders[j] = finders[j], finders[i] })
	tries := mostTried
	for _, finder := range finders[:min(len(finders), mostAsked)] {
		if room <= 0 || tries <= 0 {
			break
		}
		if finder != m.name() && m.present(ctx, s, finder) {
			continue
		}
		hashes, err := m.leftBy(ctx, s, finder)
		if err != nil {
			return err
		}
		for _, hash := range hashes[:min(len(hashes), tries)] {
			took, err := m.takeLeftover(ctx, s, finder, hash)
			if err != nil {
				return err
			}
			if tries--; took {
				room--
			}
			if room <= 0 {
				break
			}
		}
	}
	return nil
}

// leftBy returns the leftovers of a member that is gone, in any order, without those that this
// member has or cannot execute. If the member left none, its mark is removed.
func (m *Member) leftBy(ctx context.Context, s *streams, finder string) (hashes []string, err error) {
	call, end := context.WithTimeout(ctx, callTime)
	defer end()
	prefix := m.leftSubject(finder, "")
	info, err := s.work.Info(call, jetstream.WithSubjectFilter(prefix+">"))
	if err != nil {
		return nil, err
	}
	if len(info.State.Subjects) == 0 && finder != m.name() {
		m.mu.Lock()
		mark := m.work.finders[finder]
		delete(m.work.finders, finder)
		m.mu.Unlock()
		if err := s.work.Purge(call, jetstream.WithPurgeSubject(m.workSubject("finder", finder)), jetstream.WithPurgeSequence(mark+1)); err != nil {
			return nil, err
		}
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	for subject := range info.State.Subjects {
		hash := strings.TrimPrefix(subject, prefix)
		_, has := m.work.theirs[hash]
		if has || m.work.waited[hash] || m.work.mine[hash] || m.work.refused[hash] || m.shelf.at[hash].place == quarantine || !corpus.IsHash(hash) {
			continue
		}
		hashes = append(hashes, hash)
	}
	return hashes, nil
}

// takeLeftover takes a leftover if no other member has it.
func (m *Member) takeLeftover(ctx context.Context, s *streams, finder, hash string) (took bool, err error) {
	if mine, err := m.lease(ctx, s, leftover, hash); err != nil || !mine {
		return false, err
	}
	call, end := context.WithTimeout(ctx, callTime)
	defer end()
	subject := m.leftSubject(finder, hash)
	msg, err := s.work.GetLastMsgForSubject(call, subject)
	if errors.Is(err, jetstream.ErrMsgNotFound) {
		return false, m.release(ctx, s, leftover, hash)
	}
	if err != nil {
		return false, errors.Join(err, m.release(ctx, s, leftover, hash))
	}
	if flat, err := m.about.Shape.Decode(msg.Data); err == nil && len(flat) > m.about.MaxFlat {
		m.mu.Lock()
		m.work.refused[hash] = true // a member with a larger limit executes it
		m.mu.Unlock()
		return false, m.release(ctx, s, leftover, hash)
	}
	if err := m.check(msg.Data, hash); err != nil {
		m.reject(subject, finder, err)
		return false, m.endLeftover(ctx, s, finder, hash)
	}
	if err := m.accept(claims, hash, finder, msg.Data); err != nil {
		return false, m.fail(err)
	}
	m.mu.Lock()
	m.work.theirs[hash] = taken{finder: finder}
	m.counts.taken++
	m.mu.Unlock()
	m.about.Log("took over candidate " + hash + " of " + finder)
	return true, nil
}

// finishLeftovers removes leftovers that were executed here, once none of their candidates waits.
// Candidates may arrive shortly after the execution, so a leftover stays for two passes. One that
// was not executed as a claim is left to others.
func (m *Member) finishLeftovers(ctx context.Context, s *streams) error {
	m.mu.Lock()
	n := len(m.work.theirs)
	m.mu.Unlock()
	if n == 0 {
		return nil
	}
	waits := map[string]bool{}
	for _, flat := range m.about.Waiting(math.MaxInt) {
		waits[hashOf(m.about.Shape.Encode(flat))] = true
	}
	m.mu.Lock()
	over := map[string]taken{} // executed means that it was a claim or is an input of the corpus
	for hash, t := range m.work.theirs {
		at := m.shelf.at[hash].place
		is := at != claims && at != inputs && !waits[hash]
		if is && t.executed {
			over[hash] = taken{t.finder, at == claimed || m.known[hash]}
		}
		m.work.theirs[hash] = taken{t.finder, is}
	}
	m.mu.Unlock()
	for hash, t := range over {
		var err error
		if t.executed {
			err = m.endLeftover(ctx, s, t.finder, hash)
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
func (m *Member) endLeftover(ctx context.Context, s *streams, finder, hash string) error {
	if err := m.dropLeftover(ctx, s, finder, hash); err != nil {
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

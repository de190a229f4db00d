package exchange

import (
	"context"
	"errors"
	"maps"
	"time"

	"github.com/nats-io/nats.go/jetstream"
)

// Leases are for work that one member should do and any can. A lease is a key of PX_LEASE, which
// the hub's clock expires. It saves work and decides nothing: if the hub loses leases, several
// members do the same work, with the same result. Campaigns neither bisect nor minimize corpora by
// themselves, so there are no leases for these.
const (
	leaseBucket = "PX_LEASE"
	leaseLife   = 30 * time.Second
)

// Kinds of work with leases. The name of a piece of work is a hash of its content.
const (
	judging  = "judge" // the triage of a candidate whose finder has ended
	leftover = "take"  // the execution of such a candidate's input, which its finder left
)

// leaseKey returns the key of a piece of work. Members of other builds do it for themselves.
func (m *Member) leaseKey(kind, name string) string {
	return m.key + "." + m.build() + "." + kind + "." + name
}

// build returns the build as a part of subjects and keys.
func (m *Member) build() string { return hashOf([]byte(m.about.Build))[:16] }

// lease reserves a piece of work, unless another member has. An error means that the hub does not
// answer.
func (m *Member) lease(ctx context.Context, s *streams, kind, name string) (mine bool, err error) {
	key := m.leaseKey(kind, name)
	m.mu.Lock()
	_, mine = m.work.leases[key]
	m.mu.Unlock()
	if mine {
		return true, nil
	}
	call, end := context.WithTimeout(ctx, callTime)
	defer end()
	revision, err := s.leases.Create(call, key, []byte(m.name()))
	if errors.Is(err, jetstream.ErrKeyExists) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.work.leases[key] = revision
	return true, nil
}

// release ends a lease.
func (m *Member) release(ctx context.Context, s *streams, kind, name string) error {
	key := m.leaseKey(kind, name)
	m.mu.Lock()
	revision, ok := m.work.leases[key]
	delete(m.work.leases, key)
	m.mu.Unlock()
	if !ok {
		return nil
	}
	call, end := context.WithTimeout(ctx, callTime)
	defer end()
	if err := s.leases.Delete(call, key, jetstream.LastRevision(revision)); err != nil && !apiError(err) {
		return err
	}
	return nil
}

// renew keeps the leases. One that the hub does not know any more is given up.
func (m *Member) renew(ctx context.Context, s *streams) error {
	m.mu.Lock()
	name, held := m.memory.Member, make(map[string]uint64, len(m.work.leases))
	maps.Copy(held, m.work.leases)
	m.mu.Unlock()
	for key, revision := range held {
		call, end := context.WithTimeout(ctx, callTime)
		next, err := s.leases.Update(call, key, []byte(name), revision)
		end()
		if err != nil && !apiError(err) && !errors.Is(err, jetstream.ErrKeyRevisionMismatch) {
			return err
		}
		m.mu.Lock()
		if _, ok := m.work.leases[key]; ok && err != nil {
			delete(m.work.leases, key)
		} else if ok {
			m.work.leases[key] = next
		}
		m.mu.Unlock()
	}
	return nil
}

// name returns the member's name.
func (m *Member) name() string {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.memory.Member
}

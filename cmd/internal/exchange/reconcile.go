package exchange

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/nats-io/nats.go/jetstream"
)

// digits are the first digits of hashes. Comparing digit by digit bounds the memory.
const digits = "0123456789abcdef"

// reconcile compares the hub with the member's memory of it. If the hub is another one, or went
// back to an earlier state, the member receives all again, and announceAll compares hashes. A
// message with the member's number and another subject shows an earlier state that has grown since.
func (m *Member) reconcile(ctx context.Context, s *streams) error {
	finds, err := m.resume(ctx, s.finds, &m.memory.Finds)
	if err != nil {
		return err
	}
	if !finds {
		m.mu.Lock()
		clear(m.theirs)
		for bucket := range m.findings {
			m.untold[bucket] = true
		}
		m.mu.Unlock()
	}
	same, err := m.resume(ctx, s.inputs, &m.memory.Inputs)
	if err != nil {
		return err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.behind = m.behind || !same
	for hash := range m.work.mine {
		m.work.mine[hash] = false // it is announced again
	}
	return nil
}

// compareAll announces all inputs of the folder that the hub lacks.
func (m *Member) compareAll(ctx context.Context, s *streams) error {
	m.mu.Lock()
	m.behind = false // unless the spool fills up meanwhile
	m.mu.Unlock()
	for _, d := range digits {
		if err := m.compare(ctx, s.inputs, string(d)); err != nil {
			m.mu.Lock()
			m.behind = true
			m.mu.Unlock()
			return err
		}
	}
	return nil
}

// resume checks a position in a stream. If the stream is not where it was, the position moves to
// the beginning.
func (m *Member) resume(ctx context.Context, s jetstream.Stream, at *Position) (same bool, err error) {
	call, end := context.WithTimeout(ctx, callTime)
	defer end()
	info, err := s.Info(call)
	if err != nil {
		return false, err
	}
	epoch := info.Created.UTC().Format(time.RFC3339Nano)
	m.mu.Lock()
	was := *at
	m.mu.Unlock()
	same = was.Epoch == epoch && was.Seq <= info.State.LastSeq
	if same && was.Seq > 0 {
		msg, err := s.GetMsg(call, was.Seq)
		if err != nil && !errors.Is(err, jetstream.ErrMsgNotFound) {
			return false, err
		}
		same = err == nil && msg.Subject == was.Subject
	}
	if same {
		return true, nil
	}
	if was.Epoch != "" {
		m.about.Log(fmt.Sprintf("hub: stream %s is not where it was: compared with the folder", info.Config.Name))
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	*at = Position{Epoch: epoch}
	return false, nil
}

// compare announces the inputs of the folder that the hub lacks, among those that begin with a
// digit.
func (m *Member) compare(ctx context.Context, s jetstream.Stream, digit string) error {
	call, end := context.WithTimeout(ctx, startTime)
	defer end()
	info, err := s.Info(call, jetstream.WithSubjectFilter(m.inputSubject(digit)))
	if err != nil {
		return err
	}
	m.mu.Lock()
	var lacks []string
	has := func(hash string) bool {
		_, ok := info.State.Subjects[m.inputSubject(hash)]
		return ok
	}
	for hash := range m.known {
		if strings.HasPrefix(hash, digit) && !has(hash) {
			lacks = append(lacks, hash)
		}
	}
	for hash, at := range m.shelf.at {
		if strings.HasPrefix(hash, digit) && (at.place == inputs || at.place == seen) && !has(hash) {
			lacks = append(lacks, hash)
		}
	}
	m.mu.Unlock()
	for len(lacks) > 0 {
		n := min(len(lacks), mostPending)
		left, err := m.publishInputs(ctx, lacks[:n])
		if err != nil {
			return err
		}
		if left > 0 { // the hub refuses them; announceAll tries again
			m.mu.Lock()
			for _, hash := range lacks {
				m.announce(hash)
			}
			m.mu.Unlock()
			return nil
		}
		lacks = lacks[n:]
	}
	return nil
}

// inputSubject returns the subject of a hash, or of all hashes that begin with a digit.
func (m *Member) inputSubject(hash string) string {
	if len(hash) == 1 {
		return "px." + m.key + ".input." + hash + ".>"
	}
	return "px." + m.key + ".input." + hash[:1] + "." + hash
}

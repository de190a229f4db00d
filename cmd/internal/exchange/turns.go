package exchange

import (
	"bytes"
	"context"
	"errors"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"parallax/cmd/internal/campaign/intake"
)

// A candidate on a received input is triaged by the member that announced the input, while that
// member is there. Other members wait for its verdict. If it announces the finding, they leave out
// the candidate. Findings arrive as claims, which each member confirms by itself.
//
// If the announcer is gone, announces no finding, or is busy for finderFirst, one other member
// triages the candidate, under a lease. Its verdict counts for itself only, so the rest triage
// later.
//
// A judge waits for the answers of the hub. So their time is bounded, and after a question without
// an answer, the member asks none for a while.
const (
	finderFirst = time.Minute
	othersFirst = 10 * time.Minute // after that, a member waits for no lease
	askTime     = time.Second      // for the questions about a candidate
	askPause    = 10 * time.Second // after a question without an answer
)

// Turn implements intake.Peers.
func (m *Member) Turn(ctx context.Context, key string, flat []byte, waited time.Duration) intake.Turn {
	m.mu.Lock()
	s, from, paused := m.streams, m.work.from[hashOf(m.about.Shape.Encode(flat))], time.Since(m.work.unanswered) < askPause
	m.mu.Unlock()
	if s == nil || from == "" || from == m.name() || paused {
		return intake.Mine
	}
	ctx, end := context.WithTimeout(ctx, m.work.askTime)
	defer end()
	turn, err := m.ask(ctx, s, key, from, waited)
	if err != nil {
		m.mu.Lock()
		m.work.unanswered = time.Now()
		m.mu.Unlock()
		return intake.Mine
	}
	return turn
}

// ask asks the hub who triages a candidate on an input of a member.
func (m *Member) ask(ctx context.Context, s *streams, key, from string, waited time.Duration) (intake.Turn, error) {
	done, err := m.triagedBy(ctx, s, key, from)
	switch {
	case err != nil:
		return intake.Mine, err
	case done:
		return intake.Done, nil
	case waited < m.work.patience && m.present(ctx, s, from):
		return intake.Theirs, nil
	case waited > othersFirst:
		return intake.Mine, nil
	}
	mine, err := m.lease(ctx, s, judging, key)
	if err == nil && !mine {
		return intake.Theirs, nil
	}
	return intake.Mine, err
}

// triagedBy reports whether a member has triaged a candidate.
func (m *Member) triagedBy(ctx context.Context, s *streams, key, member string) (bool, error) {
	if !token(member) {
		return false, nil
	}
	call, end := context.WithTimeout(ctx, callTime)
	defer end()
	_, err := s.work.GetLastMsgForSubject(call, m.workSubject("triaged", key)+"."+member)
	if errors.Is(err, jetstream.ErrMsgNotFound) {
		return false, nil
	}
	return err == nil, err
}

// present reports whether a member is connected. An unknown answer means that it is not.
func (m *Member) present(ctx context.Context, s *streams, member string) bool {
	if !token(member) {
		return false
	}
	call, end := context.WithTimeout(ctx, callTime)
	defer end()
	_, err := s.members.Get(call, m.key+"."+member)
	return err == nil
}

// verdict is a candidate that this member has triaged.
type verdict struct {
	key    string
	own    bool   // this member announced its input
	bucket string // of the finding; empty means none
}

// Triaged implements intake.Peers. Others hear of it after the findings. Without an announced
// finding, they hear nothing: the input may show something to them. The same is true if the hub
// has another input of its bucket, which may show nothing to them.
func (m *Member) Triaged(key string, flat []byte, bucket string) {
	hash := hashOf(m.about.Shape.Encode(flat))
	m.mu.Lock()
	defer m.mu.Unlock()
	if !m.known[hash] && !m.shelf.has(hash) || len(m.work.triaged) >= mostSpool {
		return // others do not have the input
	}
	m.work.triaged = append(m.work.triaged, verdict{key: key, own: m.work.from[hash] == "", bucket: bucket})
	m.rouse()
}

// publishTriaged announces which candidates on own inputs have announced findings, and ends the
// leases of others. again reports that the hub refused an announcement.
func (m *Member) publishTriaged(ctx context.Context, s *streams) (again bool, err error) {
	for {
		m.mu.Lock()
		if len(m.work.triaged) == 0 {
			m.mu.Unlock()
			return false, nil
		}
		v := m.work.triaged[0]
		f, announced := m.findings[v.bucket]
		announced = announced && bytes.Equal(m.theirs[v.bucket], f.Input) // the hub's input shows it here
		m.mu.Unlock()
		if v.own && announced {
			err = m.publishWork(ctx, nats.NewMsg(m.workSubject("triaged", v.key)+"."+m.name()))
		} else {
			err = m.release(ctx, s, judging, v.key)
		}
		if apiError(err) {
			m.setRefused(err)
			return true, nil
		}
		if err != nil {
			return false, err
		}
		m.mu.Lock()
		m.work.triaged = m.work.triaged[1:]
		m.mu.Unlock()
	}
}

// workSubject returns the subject of a piece of work in PX_WORK.
func (m *Member) workSubject(kind, name string) string {
	return "px." + m.key + ".work." + kind + "." + m.build() + "." + name
}

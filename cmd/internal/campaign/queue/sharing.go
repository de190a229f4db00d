package queue

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"time"

	"parallax/cmd/internal/campaign/intake"
)

// sharing divides the triage with campaigns elsewhere. The zero value is that of a campaign that is
// alone.
type sharing struct {
	peers intake.Peers
	alone bool    // the fuzzing has ended: findings of others no longer arrive
	away  []*Case // another campaign triages them, those first that were asked for longest ago
	again time.Duration
	held  map[string][]byte // the inputs of candidates on disk, by name; nil if alone
}

// Others are asked again each askEvery, about at most askAtOnce candidates.
const (
	askEvery  = 2 * time.Second
	askAtOnce = 16
)

// Share divides the triage with others from now on. It is called before Run.
func (q *Queue) Share(peers intake.Peers) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.shared.peers, q.shared.again, q.shared.held = peers, cmp.Or(q.shared.again, askEvery), map[string][]byte{}
	for _, e := range q.waiting {
		q.shared.held[e.Cand.Name] = e.Cand.Flat
	}
}

// Held returns the inputs of at most so many candidates on disk, oldest first.
func (q *Queue) Held(most int) (flats [][]byte) {
	q.mu.Lock()
	defer q.mu.Unlock()
	for _, name := range slices.Sorted(maps.Keys(q.shared.held)) {
		if len(flats) == most {
			break
		}
		flats = append(flats, q.shared.held[name])
	}
	return flats
}

// keyText returns the key of a candidate for others.
func (q *Queue) keyText(e *Case) string { return fmt.Sprintf("%016x", q.key(&e.Cand)) }

// turn says who triages a candidate.
func (q *Queue) turn(ctx context.Context, e *Case) intake.Turn {
	q.mu.Lock()
	peers, alone := q.shared.peers, q.shared.alone
	q.mu.Unlock()
	if peers == nil || alone || e.mine {
		return intake.Mine
	}
	waited := time.Duration(0)
	if !e.since.IsZero() {
		waited = time.Since(e.since)
	}
	return peers.Turn(ctx, q.keyText(e), e.Cand.Flat, waited)
}

// sendAway keeps a candidate aside that another campaign triages.
func (q *Queue) sendAway(e *Case) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.under--
	if e.since.IsZero() {
		e.since = time.Now()
	}
	q.shared.away = append(q.shared.away, e)
}

// recall queues candidates again that another campaign triages.
func (q *Queue) recall(most int) {
	q.mu.Lock()
	defer q.mu.Unlock()
	n := min(most, len(q.shared.away))
	for _, e := range q.shared.away[:n] {
		q.insert(e)
	}
	q.shared.away = slices.Delete(q.shared.away, 0, n)
}

// recalls returns a channel that receives when others are to be asked again.
func (q *Queue) recalls() (<-chan time.Time, func()) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.shared.peers == nil {
		return nil, func() {}
	}
	t := time.NewTicker(q.shared.again)
	return t.C, t.Stop
}

package campaign

import (
	"context"
	"encoding/json"
	"fmt"
	"sync"

	"parallax/cmd/internal/event"
	"parallax/cmd/internal/state"
	"parallax/cmd/internal/triage"
)

// queue has candidates triaged, one after another in the order of their arrival, while the fuzzing goes on. A candidate
// is on disk from before it is in the queue until its verdict has been taken.
type queue struct {
	folder  *state.Folder
	triager *triage.Triager
	out     chan verdict

	mu      sync.Mutex
	waiting []entry
	later   []entry // that could not be triaged beside the fuzzing
	wake    chan struct{}
	open    int             // pushed and not taken
	seen    map[string]bool // inputs pushed, ever
	next    uint64
	acted   chan struct{} // a verdict was acted on
	ended   chan struct{}
}

type entry struct {
	name string
	cand triage.Candidate
}

type verdict struct {
	entry
	finding *triage.Finding // nil: flaky
	wavered uint64          // then: the programs that did otherwise
	err     error
}

// newQueue returns a queue that begins with what an earlier run left.
//
// filed are the inputs of findings on record, by content hash: a kill may have left their candidates behind.
func newQueue(folder *state.Folder, j *triage.Triager, filed map[string]bool) (q *queue, problems []string, err error) {
	q = &queue{folder: folder, triager: j, seen: map[string]bool{}, out: make(chan verdict), wake: make(chan struct{}, 1), acted: make(chan struct{}, 1), ended: make(chan struct{})}
	left, err := folder.Pending()
	if err != nil {
		return nil, nil, err
	}
	for _, p := range left {
		var c triage.Candidate
		err := json.Unmarshal(p.Data, &c)
		if err == nil {
			err = j.Shape.Check(c.Flat)
		}
		if err != nil {
			problems = append(problems, fmt.Sprintf("pending/%s is damaged and was removed: %v", p.Name, err))
			folder.RemovePending(p.Name)
			continue
		}
		if q.seen[string(c.Flat)] || filed[hashOf(j.Shape, c.Flat)] {
			folder.RemovePending(p.Name)
			continue
		}
		q.seen[string(c.Flat)] = true
		var n uint64
		if _, err := fmt.Sscanf(p.Name, "%d.json", &n); err == nil {
			q.next = max(q.next, n)
		}
		q.waiting = append(q.waiting, entry{p.Name, c})
		q.open++
	}
	for hash := range filed {
		q.seen[hash] = true
	}
	return q, problems, nil
}

// offer makes an event of a candidate, unless its input was one before: workers find the same, and a resumed campaign finds it again.
func (q *queue) offer(c triage.Candidate) (e event.Candidate, ok bool) {
	if q.known(c.Flat) {
		return e, false
	}
	q.next++
	return event.Candidate{Name: fmt.Sprintf("%012d.json", q.next), Candidate: c}, true
}

// Take implements event.Subscriber: a candidate that is on disk waits to be triaged.
func (q *queue) Take(e event.Event) error {
	c, ok := e.(event.Candidate)
	if !ok {
		return nil
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	q.waiting = append(q.waiting, entry{c.Name, c.Candidate})
	q.open++
	select {
	case q.wake <- struct{}{}:
	default:
	}
	return nil
}

// known reports whether the input was pushed before, and notes that it is now. Only the loop calls it.
func (q *queue) known(flat []byte) bool {
	if q.seen[string(flat)] || q.seen[hashOf(q.triager.Shape, flat)] {
		return true
	}
	q.seen[string(flat)] = true
	return false
}

// pending returns the number of candidates whose verdict has not been taken.
func (q *queue) pending() int {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.open
}

// taken removes a candidate whose verdict has been acted on. Only then is the next triaged, since what is known of
// buckets decides how much work it gets.
func (q *queue) taken(name string) error {
	defer func() { q.acted <- struct{}{} }()
	q.mu.Lock()
	q.open--
	q.mu.Unlock()
	return q.folder.RemovePending(name)
}

// leave keeps a candidate on disk for the next run.
func (q *queue) leave() {
	q.mu.Lock()
	q.open--
	q.mu.Unlock()
	q.acted <- struct{}{}
}

// postpone has a candidate triaged again after resume: what prevents it may end with the fuzzing.
func (q *queue) postpone(e entry) {
	q.mu.Lock()
	q.later = append(q.later, e)
	q.mu.Unlock()
	q.acted <- struct{}{}
}

// resume takes up what was postponed.
func (q *queue) resume() {
	q.mu.Lock()
	defer q.mu.Unlock()
	if len(q.later) == 0 {
		return
	}
	q.waiting, q.later = append(q.waiting, q.later...), nil
	select {
	case q.wake <- struct{}{}:
	default:
	}
}

// run triages until ctx is done.
func (q *queue) run(ctx context.Context) {
	defer close(q.ended)
	defer q.triager.Close()
	q.triager.Stop = func() bool { return ctx.Err() != nil }
	for {
		q.mu.Lock()
		var e entry
		have := len(q.waiting) > 0
		if have {
			e = q.waiting[0]
			q.waiting = q.waiting[1:]
		}
		q.mu.Unlock()
		if !have {
			select {
			case <-q.wake:
				continue
			case <-ctx.Done():
				return
			}
		}
		f, wavered, err := q.triager.Triage(ctx, e.cand)
		if ctx.Err() != nil {
			return // it stays on disk
		}
		select {
		case q.out <- verdict{e, f, wavered, err}:
		case <-ctx.Done():
			return
		}
		select {
		case <-q.acted:
		case <-ctx.Done():
			return
		}
	}
}

// wait returns when run has.
func (q *queue) wait() { <-q.ended }

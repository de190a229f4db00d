package campaign

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"math/bits"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"parallax/cmd/internal/campaign/event"
	"parallax/cmd/internal/campaign/triage"
	"parallax/cmd/internal/finding/state"
	"parallax/cmd/internal/process/execute"
	"parallax/internal/feature"
	"parallax/internal/input"
	"parallax/internal/oracle"
)

// queue has candidates triaged while the fuzzing goes on, by as many judges as the processors allow that the fuzzing leaves. A candidate
// is on disk from before it is in the queue until its verdict has been taken.
//
// Verdicts are taken one at a time. In a campaign that is to repeat they are taken in the order in which the candidates arrived, and each is
// what it would be if no other candidate had been judged beside it (verdict.holds). In others, what looks new comes first.
type queue struct {
	folder  *state.Folder
	shape   input.Shape
	hire    func(context.Context, *memory) *judge // one more
	hurry   atomic.Bool                           // no other candidate is taken up, and inputs are made no smaller
	cut     []*verdict                            // of confirmed findings, whose triage ended before it was done
	ordered bool                                  // verdicts are taken in the order of arrival
	wide    atomic.Int32                          // how many judges may work at once
	builds  atomic.Int32                          // how many of them wait for a build
	out     chan verdict

	mu      sync.Mutex
	waiting []*entry // in the order in which they are taken up
	later   []*entry // that could not be triaged beside the fuzzing
	wake    chan struct{}
	open    int      // pushed and not taken
	under   int      // taken up, and not acted on
	popped  int      // taken up, ever
	names   []string // of the programs
	code    string   // identity of the programs
	filed   func(aspect, hash string) bool
	seen    recent         // aspects and inputs pushed
	looks   map[uint64]int // candidates pushed, by what they look like
	handed  *entry         // whose verdict is being acted on
	bytes   int            // of the inputs of those that are open or left
	refused int            // candidates, by repeats
	left    []uint64       // what those look like that are left on disk for the next run
	arrived int
	next    uint64
	acted   chan struct{} // a verdict was acted on
	ended   chan struct{}
}

type entry struct {
	name string
	cand triage.Candidate
	look uint64 // lookOf it
	rank int    // where it stands among those that wait: small is first

	by     *judge   // that works on it
	beside bool     // others were judged at the same time
	single bool     // it is to be judged again, without others
	said   *verdict // once it has been judged
}

type verdict struct {
	*entry
	finding *triage.Finding // nil: flaky
	wavered triage.Wavering // then
	err     error
	asked   []question // that decided how much work it got
	learned []string   // places whose messages hold what was computed
}

// What looks new comes before what does not, however many wait, and of the others the first four before the next four.
const (
	repeatBits = 40 // where the rank of a candidate has how often others looked like it before, by powers of two
	fairTurn   = 4  // one candidate in so many is the one that has waited for longest, so that none waits for ever
)

// newQueue returns a queue that begins with what an earlier run left.
//
// filed reports whether an input, given by its content hash, is on record as a finding of an aspect that counts. A candidate that is
// on disk is triaged whatever is filed: a kill may have left it there after its finding, or between two findings of it.
func newQueue(folder *state.Folder, triager func() *triage.Triager, ordered bool, filed func(aspect, hash string) bool) (q *queue, problems []string, err error) {
	of := triager()
	q = &queue{
		folder: folder, shape: of.Shape, names: of.Names, code: of.Code, ordered: ordered, filed: filed, looks: map[uint64]int{},
		out: make(chan verdict), wake: make(chan struct{}, 1), acted: make(chan struct{}, 1), ended: make(chan struct{}),
	}
	q.hire = func(ctx context.Context, known *memory) *judge {
		t := triager()
		if ordered := t.Ordered; ordered != nil {
			t.Ordered = func(ctx context.Context) (execute.Spec, error) {
				defer q.building()()
				return ordered(ctx)
			}
		}
		return judgeOf(ctx, t, known, q.hurry.Load)
	}
	q.wide.Store(1)
	left, problems, err := folder.Pending()
	if err != nil {
		return nil, nil, err
	}
	for _, p := range left {
		var n uint64
		if _, err := fmt.Sscanf(p.Name, "%d.json", &n); err == nil {
			q.next = max(q.next, n) // also of one that is damaged: its name is not used again
		}
		var c triage.Candidate
		err := json.Unmarshal(p.Data, &c)
		if err == nil {
			err = q.shape.Check(c.Flat)
		}
		if err != nil {
			problems = append(problems, folder.BreakPending(p.Name, err))
			continue
		}
		if !q.seen.add(q.key(&c)) {
			if err := folder.RemovePending(p.Name); err != nil {
				return nil, problems, err
			}
			continue
		}
		q.push(p.Name, c)
	}
	return q, problems, nil
}

// key is the hash of what a candidate is known by: an aspect and an input.
func (q *queue) key(c *triage.Candidate) uint64 {
	h := sha256.New()
	io.WriteString(h, c.Aspect().Name(q.names)+" ")
	h.Write(c.Flat)
	return binary.LittleEndian.Uint64(h.Sum(nil))
}

// offer makes an event of a candidate, unless its input was one before for the same aspect: workers find the same, and a resumed campaign
// finds it again. Nor does it if many wait, and enough of them look like it.
func (q *queue) offer(c triage.Candidate) (e event.Candidate, ok bool) {
	key := q.key(&c)
	if q.seen.has(key) || q.filed != nil && q.filed(c.Aspect().Name(q.names), hashOf(q.shape, c.Flat)) || q.repeats(&c) {
		return e, false
	}
	q.seen.add(key)
	q.next++
	c.Code = q.code
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
	q.push(c.Name, c.Candidate)
	q.rouse()
	return nil
}

// push puts a candidate in its place among those that wait.
func (q *queue) push(name string, c triage.Candidate) {
	e := &entry{name: name, cand: c, rank: q.arrived, look: lookOf(&c)}
	q.arrived++
	if !q.ordered {
		if len(q.looks) >= maxRecent {
			clear(q.looks) // what was seen long ago looks new
		}
		e.rank += (bits.Len(uint(q.looks[e.look])) + slow(&c)) << repeatBits
		q.looks[e.look]++
	}
	at, _ := slices.BinarySearchFunc(q.waiting, e.rank+1, func(e *entry, rank int) int { return cmp.Compare(e.rank, rank) })
	q.waiting = slices.Insert(q.waiting, at, e)
	q.open++
	q.bytes += size(&c)
}

// slow returns 1 for a candidate that uses all the time or memory that a program may have: each run of it is slow, so it ranks with
// those that look like another.
func slow(c *triage.Candidate) int {
	if slices.ContainsFunc(c.Seen, func(o oracle.Observation) bool { return o.Outcome == oracle.Timeout || o.Outcome == oracle.OOM }) {
		return 1
	}
	return 0
}

// lookOf is what a candidate looks like to who does not execute it: outcomes, error classes, and which values are equal.
func lookOf(c *triage.Candidate) uint64 {
	look := feature.Chain(uint64(c.Layer), uint64(c.Failing))
	if c.Death != "" {
		look = feature.Chain(look, hashText(c.Death))
	}
	for p, o := range c.Seen {
		same := slices.IndexFunc(c.Seen, func(other oracle.Observation) bool { return other.Outcome == o.Outcome && other.Value == o.Value })
		look = feature.Chain(feature.Chain(feature.Chain(look, uint64(o.Outcome)), o.Class), uint64(p-same))
	}
	return look
}

// Bounds of the candidates that wait on disk. Where manyWait do, one more joins them only if it is the first of a kind, or fewer than
// enoughAlike of them look like it. Kinds have no bound, so no candidate joins mostWait others, or inputs of mostBytes.
const (
	manyWait    = 1024
	enoughAlike = 8
	mostWait    = 16 << 10
	mostBytes   = 256 << 20
)

// repeats reports whether a candidate is one too many, and counts it as refused. In an ordered campaign no candidate is: the number that
// wait depends on time there, and the budget bounds it.
func (q *queue) repeats(c *triage.Candidate) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	n := q.open + len(q.left)
	if q.ordered || n < manyWait {
		return false
	}
	if n >= mostWait || q.bytes+size(c) > mostBytes {
		q.refused++
		return true
	}
	if c.Fresh {
		return false
	}
	look, alike := lookOf(c), 0
	for _, list := range [][]*entry{q.waiting, q.later} {
		for _, e := range list {
			if e.look == look {
				alike++
			}
		}
	}
	for _, l := range q.left {
		if l == look {
			alike++
		}
	}
	if alike < enoughAlike {
		return false
	}
	q.refused++
	return true
}

// size returns how many bytes the inputs of a candidate have.
func size(c *triage.Candidate) int {
	n := len(c.Flat) + len(c.Parent)
	for _, flat := range c.Before {
		n += len(flat)
	}
	return n
}

// recent is a set of hashes that holds the latest maxRecent at least, and twice as many at most.
type recent struct{ now, before map[uint64]struct{} }

const maxRecent = 1 << 16

func (r *recent) has(key uint64) bool {
	_, now := r.now[key]
	_, before := r.before[key]
	return now || before
}

// add reports whether the hash is new.
func (r *recent) add(key uint64) (fresh bool) {
	fresh = !r.has(key)
	if r.now == nil || len(r.now) >= maxRecent {
		r.now, r.before = map[uint64]struct{}{}, r.now
	}
	r.now[key] = struct{}{}
	return fresh
}

func (r *recent) drop(key uint64) {
	delete(r.now, key)
	delete(r.before, key)
}

// rouse has the queue look at what has changed.
func (q *queue) rouse() {
	select {
	case q.wake <- struct{}{}:
	default:
	}
}

// widen says how many judges may work at once.
func (q *queue) widen(n int) {
	if q.wide.Swap(int32(n)) != int32(n) {
		q.rouse()
	}
}

// buildLong is how long a build is in coming that is not there yet.
const buildLong = 100 * time.Millisecond

// building notes that a judge waits for a build, unless it is there, until the returned function is called.
func (q *queue) building() (built func()) {
	add := func(n int32) {
		q.builds.Add(n)
		q.rouse()
	}
	long := time.AfterFunc(buildLong, func() { add(1) })
	return func() {
		if !long.Stop() {
			add(-1)
		}
	}
}

// waits reports whether judges wait for a build with which disagreements are located.
func (q *queue) waits() bool { return !q.ordered && q.builds.Load() > 0 }

// pop takes up the first that waits, nil if none does. While judges wait for the build with which disagreements are located, it is the first failure,
// or the first disagreement that looks like none of those that are under way: these are confirmed meanwhile.
func (q *queue) pop(under []*entry) *entry {
	q.mu.Lock()
	defer q.mu.Unlock()
	if len(q.waiting) == 0 || q.hurry.Load() {
		return nil
	}
	at := 0
	if q.waits() {
		at = slices.IndexFunc(q.waiting, func(e *entry) bool {
			return e.cand.Layer == 0 || !slices.ContainsFunc(under, func(u *entry) bool { return u.look == e.look })
		})
		if at < 0 {
			return nil
		}
	}
	q.under++
	if q.popped++; !q.ordered && !q.waits() && q.popped%fairTurn == 0 {
		for i, e := range q.waiting {
			if e.rank&(1<<repeatBits-1) < q.waiting[at].rank&(1<<repeatBits-1) {
				at = i
			}
		}
	}
	e := q.waiting[at]
	q.waiting = slices.Delete(q.waiting, at, at+1)
	return e
}

// finish has triage take up no other candidate, and end soon with those that it is at.
func (q *queue) finish() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.hurry.Store(true)
}

// busy reports whether a candidate is being looked into.
func (q *queue) busy() bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.under > 0
}

// again lets a candidate be one once more: chance may have kept from showing what its input shows the next time.
func (q *queue) again(c *triage.Candidate) { q.seen.drop(q.key(c)) }

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
	q.under--
	if q.handed != nil {
		q.bytes -= size(&q.handed.cand)
	}
	q.mu.Unlock()
	return q.folder.RemovePending(name)
}

// leave keeps a candidate on disk for the next run.
func (q *queue) leave() {
	q.mu.Lock()
	q.open--
	q.under--
	if q.handed != nil {
		q.left = append(q.left, q.handed.look)
	}
	q.mu.Unlock()
	q.acted <- struct{}{}
}

// postpone has a candidate triaged again after resume: what prevents it may end with the fuzzing.
func (q *queue) postpone(e *entry) {
	q.mu.Lock()
	q.under--
	e.said = nil
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
	slices.SortStableFunc(q.waiting, func(a, b *entry) int { return cmp.Compare(a.rank, b.rank) })
	q.rouse()
}

// run triages until ctx is done.
func (q *queue) run(ctx context.Context) {
	defer close(q.ended)
	p := &panel{queue: q, ctx: ctx, done: make(chan *verdict)}
	defer p.close()
	for {
		p.occupy()
		if e := p.due(); e != nil {
			if !q.deliver(ctx, e) {
				return
			}
			continue
		}
		select {
		case v := <-p.done:
			p.take(v)
		case <-q.wake:
		case <-ctx.Done():
			return // what has no verdict stays on disk
		}
	}
}

// deliver hands a verdict to the loop, and reports whether it was acted on.
func (q *queue) deliver(ctx context.Context, e *entry) bool {
	q.mu.Lock()
	q.handed = e
	q.mu.Unlock()
	select {
	case q.out <- *e.said:
	case <-ctx.Done():
		return false
	}
	select {
	case <-q.acted:
		return true
	case <-ctx.Done():
		return false
	}
}

// wait returns when run has.
func (q *queue) wait() { <-q.ended }

// Package queue has the candidates of a campaign triaged while it fuzzes. A Queue keeps candidates
// on disk, ranks them, and has judges triage them, each in a goroutine and with processes of its
// own. The loop of package campaign offers candidates and receives verdicts.
//
// Invariants: A candidate is on disk before it is queued, and until the loop has handled its
// verdict. In a campaign that repeats, verdicts depend neither on the number of judges nor on time.
package queue

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

	"parallax/cmd/internal/base/corpus"
	"parallax/cmd/internal/campaign/triage"
	"parallax/cmd/internal/finding"
	"parallax/cmd/internal/finding/state"
	"parallax/cmd/internal/process/execute"
	"parallax/internal/feature"
	"parallax/internal/input"
	"parallax/internal/oracle"
)

// Queue has candidates triaged by as many judges as there are processors that the fuzzing leaves.
//
// Verdicts are received one at a time. In a campaign that repeats, they come in the order of the
// candidates' arrival. Each is the verdict that the candidate would get without concurrent triage
// (Case.holds). In other campaigns, new looks come first.
type Queue struct {
	folder  *state.Folder
	shape   input.Shape
	hire    func(context.Context, *memory) *judge // returns one more judge
	hurry   atomic.Bool                           // no new candidate enters triage, and inputs are not minimized
	Cut     []*Case                               // on confirmed findings whose triage was cut short, after Run
	ordered bool                                  // verdicts are taken in the order of arrival
	wide    atomic.Int32                          // number of judges that may work at once
	waited  delay
	out     chan *Case

	mu        sync.Mutex
	waiting   []*Case // in the order of their triage
	postponed []*Case // triage was not possible during the fuzzing
	wake      chan struct{}
	open      int      // candidates pushed and not taken
	under     int      // candidates under triage, or with a verdict in hand
	popped    int      // candidates that have entered triage
	names     []string // of the programs
	code      string   // identity of the programs
	filed     func(aspect, hash string) bool
	seen      recent         // aspects and inputs of pushed candidates
	looks     map[uint64]int // pushed candidates by look
	handed    *Case          // the case whose verdict the loop handles
	bytes     int            // size of the inputs of open and left candidates
	shared    sharing
	refused   int      // candidates that repeats refused
	left      []uint64 // looks of candidates that stay on disk for the next run
	arrived   int
	next      uint64
	acted     chan struct{} // receives after the loop has handled a verdict
	ended     chan struct{}
}

// Case is a candidate in the queue, and its verdict once it has been judged.
type Case struct {
	Cand finding.Candidate
	look uint64 // see lookOf
	rank int    // position among those that wait, smallest first

	by         *judge // the judge that works on it
	concurrent bool   // others were judged at the same time
	single     bool   // to be judged again, alone

	mine  bool      // this campaign triages it
	since time.Time // when another campaign was first said to triage it; zero means never

	judged    bool            // the fields below are its verdict
	Elsewhere bool            // the campaign that found the input has triaged it: there is no verdict here
	Finding   *triage.Result  // nil means flaky
	Wavered   triage.Wavering // set if flaky
	Err       error
	Bucket    string     // the bucket of the published finding, set by the loop; empty means none
	asked     []question // answers that decided how much work it got
	learned   []string   // places with computed messages
}

// New failures come first, then new looks, and then the first four of each other look (level).
const (
	repeatBits = 40 // the bits of a rank above these hold the number of earlier looks, in powers of two
	fairTurn   = 4  // every fourth candidate is the one that has waited for longest
)

// New returns a queue with the candidates of earlier runs.
//
// filed reports whether an input, given by its content hash, is on record as a finding of an aspect
// that counts. Candidates on disk are triaged in any case: a kill may have left them after their
// finding, or between two findings.
func New(folder *state.Folder, triager func() *triage.Triager, ordered bool, filed func(aspect, hash string) bool) (q *Queue, problems []string, err error) {
	of := triager()
	q = &Queue{
		folder: folder, shape: of.Shape, names: of.Names, code: of.Code, ordered: ordered, filed: filed, looks: map[uint64]int{},
		out: make(chan *Case), wake: make(chan struct{}, 1), acted: make(chan struct{}, 1), ended: make(chan struct{}),
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
	for _, name := range left {
		var n uint64
		if _, err := fmt.Sscanf(name, "%d.json", &n); err == nil {
			q.next = max(q.next, n) // also for a damaged file, whose name is not used again
		}
		data, err := folder.ReadPending(name)
		if err != nil {
			problems = append(problems, err.Error())
		}
		if data == nil {
			continue
		}
		c := finding.Candidate{Name: name}
		if err = json.Unmarshal(data, &c); err == nil {
			err = q.shape.Check(c.Flat)
		}
		if err != nil {
			problems = append(problems, folder.BreakPending(name, err))
			continue
		}
		if !q.seen.add(q.key(&c)) {
			if err := folder.RemovePending(name); err != nil {
				return nil, problems, err
			}
			continue
		}
		q.push(c)
	}
	return q, problems, nil
}

// key returns the hash of a candidate's identity: an aspect and an input.
func (q *Queue) key(c *finding.Candidate) uint64 {
	h := sha256.New()
	io.WriteString(h, triage.AspectOf(c).Name(q.names)+" ")
	h.Write(c.Flat)
	return binary.LittleEndian.Uint64(h.Sum(nil))
}

// Offer names a candidate. It returns false if the input was a candidate for the same aspect
// before, or if many candidates wait and enough look alike.
func (q *Queue) Offer(c finding.Candidate) (named finding.Candidate, ok bool) {
	key := q.key(&c)
	if q.seen.has(key) || q.filed != nil && q.filed(triage.AspectOf(&c).Name(q.names), corpus.Hash(q.shape.Encode(c.Flat))) || q.repeats(&c) {
		return c, false
	}
	q.seen.add(key)
	q.next++
	c.Name, c.Code = fmt.Sprintf("%012d.json", q.next), q.code
	return c, true
}

// Accept writes a candidate to the folder, and then queues it.
func (q *Queue) Accept(c finding.Candidate) error {
	data, err := json.Marshal(c)
	if err != nil {
		return err
	}
	if err := q.folder.PutPending(c.Name, data); err != nil {
		return err
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	q.push(c)
	q.rouse()
	return nil
}

// push inserts a candidate by its rank.
func (q *Queue) push(c finding.Candidate) {
	e := &Case{Cand: c, rank: q.arrived, look: lookOf(&c)}
	q.arrived++
	if !q.ordered {
		if len(q.looks) >= maxRecent {
			clear(q.looks) // old looks count as new
		}
		e.rank += q.level(e) << repeatBits
	}
	q.insert(e)
	q.open++
	q.bytes += size(&c)
	if q.shared.held != nil {
		q.shared.held[c.Name] = c.Flat
	}
}

// insert puts a case among those that wait, by its rank.
func (q *Queue) insert(e *Case) {
	at, _ := slices.BinarySearchFunc(q.waiting, e.rank+1, func(e *Case, rank int) int { return cmp.Compare(e.rank, rank) })
	q.waiting = slices.Insert(q.waiting, at, e)
}

// level counts the looks of a candidate and returns its level, smallest first. If each run is slow,
// it ranks with repeated looks. The first of each kind of failure comes before all disagreements:
// these have many looks, and candidates of one failure have many looks too.
func (q *Queue) level(e *Case) int {
	level, c := bits.Len(uint(q.looks[e.look])), &e.Cand
	q.looks[e.look]++
	if slices.ContainsFunc(c.Seen, func(o oracle.Observation) bool { return o.Outcome == oracle.Timeout || o.Outcome == oracle.OOM }) {
		return level + 1
	}
	if c.Layer == 0 {
		failure := feature.Chain(triage.Hash(c.Death), uint64(c.Failing))
		if c.Failing > 0 && c.Failing <= len(c.Seen) {
			failure = feature.Chain(failure, c.Seen[c.Failing-1].Class)
		}
		if q.looks[failure]++; q.looks[failure] == 1 {
			return -1
		}
	}
	return level
}

// lookOf returns the look of a candidate: outcomes, error classes, and equality of values.
func lookOf(c *finding.Candidate) uint64 {
	look := feature.Chain(uint64(c.Layer), uint64(c.Failing))
	if c.Death != "" {
		look = feature.Chain(look, triage.Hash(c.Death))
	}
	for p, o := range c.Seen {
		same := slices.IndexFunc(c.Seen, func(other oracle.Observation) bool { return other.Outcome == o.Outcome && other.Value == o.Value })
		look = feature.Chain(feature.Chain(feature.Chain(look, uint64(o.Outcome)), o.Class), uint64(p-same))
	}
	return look
}

// Bounds of the candidates that wait on disk. Beyond manyWait, a candidate must be the first of a
// kind, or look like fewer than enoughAlike. The other two bound all candidates.
const (
	manyWait    = 1024
	enoughAlike = 8
	mostWait    = 16 << 10
	mostBytes   = 256 << 20
)

// repeats reports whether a candidate is refused, and counts it. An ordered campaign refuses none:
// the number that waits depends on time, and the budget bounds it.
func (q *Queue) repeats(c *finding.Candidate) bool {
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
	for _, list := range [][]*Case{q.waiting, q.postponed, q.shared.away} {
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

// size returns the bytes of a candidate's inputs.
func size(c *finding.Candidate) int {
	n := len(c.Flat) + len(c.Parent)
	for _, flat := range c.Before {
		n += len(flat)
	}
	return n
}

// rouse wakes the queue after a change.
func (q *Queue) rouse() {
	select {
	case q.wake <- struct{}{}:
	default:
	}
}

// Widen sets the number of judges that may work at once.
func (q *Queue) Widen(n int) {
	if q.wide.Swap(int32(n)) != int32(n) {
		q.rouse()
	}
}

// pop returns the first waiting candidate, or nil. While judges wait for the build that locates
// disagreements, it returns a candidate that can be confirmed meanwhile. That is the first failure,
// or the first disagreement with a look that is not under triage.
func (q *Queue) pop(under []*Case) *Case {
	q.mu.Lock()
	defer q.mu.Unlock()
	if len(q.waiting) == 0 || q.hurry.Load() {
		return nil
	}
	at := 0
	if q.Waits() {
		at = slices.IndexFunc(q.waiting, func(e *Case) bool {
			return e.Cand.Layer == 0 || !slices.ContainsFunc(under, func(u *Case) bool { return u.look == e.look })
		})
		if at < 0 {
			return nil
		}
	}
	q.under++
	if q.popped++; !q.ordered && !q.Waits() && q.popped%fairTurn == 0 {
		arrival := func(e *Case) int { return e.rank & (1<<repeatBits - 1) }
		at = slices.Index(q.waiting, slices.MinFunc(q.waiting, func(a, b *Case) int { return cmp.Compare(arrival(a), arrival(b)) }))
	}
	e := q.waiting[at]
	q.waiting = slices.Delete(q.waiting, at, at+1)
	return e
}

// Finish ends triage soon, without new candidates.
func (q *Queue) Finish() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.hurry.Store(true)
}

// Busy reports whether a candidate is under triage.
func (q *Queue) Busy() bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.under > 0
}

// Readmit lets the input of a candidate be one again: it may show the next time.
func (q *Queue) Readmit(c *finding.Candidate) {
	delete(q.seen.now, q.key(c))
	delete(q.seen.before, q.key(c))
}

// Pending returns the number of candidates whose verdicts have not been taken.
func (q *Queue) Pending() int {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.open
}

// Settle removes a candidate whose verdict has been handled. The next is triaged only then.
func (q *Queue) Settle(name string) error {
	defer func() { q.acted <- struct{}{} }()
	q.mu.Lock()
	q.open--
	q.under--
	delete(q.shared.held, name)
	peers, e := q.shared.peers, q.handed
	if e != nil {
		q.bytes -= size(&e.Cand)
	}
	q.mu.Unlock()
	if peers != nil && e != nil && !e.Elsewhere {
		peers.Triaged(q.keyText(e), e.Cand.Flat, e.Bucket)
	}
	return q.folder.RemovePending(name)
}

// Leave keeps a candidate on disk for the next run.
func (q *Queue) Leave() {
	q.mu.Lock()
	q.open--
	q.under--
	if q.handed != nil {
		q.left = append(q.left, q.handed.look)
	}
	q.mu.Unlock()
	q.acted <- struct{}{}
}

// Postpone has a candidate triaged again after Resume. The obstacle may disappear with the fuzzing.
func (q *Queue) Postpone(e *Case) {
	q.mu.Lock()
	q.under--
	e.judged = false
	q.postponed = append(q.postponed, e)
	q.mu.Unlock()
	q.acted <- struct{}{}
}

// Resume queues the postponed candidates, and those that other campaigns triage.
func (q *Queue) Resume() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.shared.alone = true
	q.waiting, q.postponed, q.shared.away = slices.Concat(q.waiting, q.postponed, q.shared.away), nil, nil
	slices.SortStableFunc(q.waiting, func(a, b *Case) int { return cmp.Compare(a.rank, b.rank) })
	q.rouse()
}

// Run triages until ctx is done.
func (q *Queue) Run(ctx context.Context) {
	defer close(q.ended)
	p := &panel{queue: q, ctx: ctx, done: make(chan *Case)}
	defer p.close()
	recalls, stop := q.recalls()
	defer stop()
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
			p.receive(v)
		case <-q.wake:
		case <-recalls:
			q.recall(askAtOnce)
		case <-ctx.Done():
			return // candidates without a verdict stay on disk
		}
	}
}

// deliver passes a verdict to the loop and reports whether the loop handled it.
func (q *Queue) deliver(ctx context.Context, e *Case) bool {
	q.mu.Lock()
	q.handed = e
	q.mu.Unlock()
	select {
	case q.out <- e:
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

// Wait waits for the end of Run.
func (q *Queue) Wait() { <-q.ended }

// Skip makes Wait return if Run is never called.
func (q *Queue) Skip() { close(q.ended) }

// Verdicts receives each verdict. Settle, Leave or Postpone must follow it, and then comes the
// next.
func (q *Queue) Verdicts() <-chan *Case { return q.out }

// Refused returns the number of candidates that Offer refused, since enough like them wait.
func (q *Queue) Refused() int { return q.refused }

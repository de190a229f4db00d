package intake

import (
	"context"
	"time"

	"parallax/internal/wire"
)

// After the fuzzing, the findings of others are executed that were announced by then, and that no
// worker has executed. So a short run lists them, too. They run in processes of their own, since
// the workers have ended.

// mostLate bounds the findings that are executed after the fuzzing. The others wait for the next
// run.
const mostLate = 256

// late holds the claims that are executed after the fuzzing.
type late struct {
	begun, over bool
	events      chan Executed // closed at the end
}

// Executed is a claim that was executed after the fuzzing.
type Executed struct {
	Input
	Results []wire.RunResult
	err     error // of the folder; there is no input
}

// Runner executes inputs in processes of its own.
type Runner interface {
	Run(flat []byte, flags uint64) ([]wire.RunResult, error)
	Close()
}

// Open reports whether findings of others may still be executed.
func (q *Intake) Open() bool { return q.Exchange != nil && !q.late.over }

// Conclude begins to execute findings of others after the fuzzing, until ctx ends or the time is
// over. A zero time means no limit. Only the first call has an effect. Late receives the results.
func (q *Intake) Conclude(ctx context.Context, until time.Time, runner func(context.Context) Runner) {
	if q.late.begun || !q.Open() {
		return
	}
	q.late.begun, q.late.events = true, make(chan Executed)
	stop := context.CancelFunc(func() {})
	if !until.IsZero() {
		ctx, stop = context.WithDeadline(ctx, until)
	}
	left := q.left(mostLate)
	go func() {
		defer stop()
		defer close(q.late.events)
		list, err := q.Exchange.Claims(ctx, mostLate-len(left))
		if err != nil {
			q.send(ctx, Executed{err: err})
			return
		}
		if list = append(left, list...); len(list) == 0 {
			return
		}
		r := runner(ctx)
		defer r.Close()
		for _, in := range list {
			results, err := r.Run(in.Flat, wire.WantDetail)
			if err != nil || !q.send(ctx, Executed{Input: in, Results: results}) {
				return // the rest waits for the next run
			}
		}
	}()
}

// send passes a result to Late, and reports false if ctx ends before.
func (q *Intake) send(ctx context.Context, e Executed) bool {
	select {
	case q.late.events <- e:
		return true
	case <-ctx.Done():
		return false
	}
}

// left takes the claims that ended processes have not begun, at most so many.
func (q *Intake) left(most int) (claims []Input) {
	var rest []Input
	for _, in := range q.again {
		if in.Claim && len(claims) < most {
			claims = append(claims, in)
		} else {
			rest = append(rest, in)
		}
	}
	q.again = rest
	return claims
}

// Late receives what Conclude executes. Done must follow each result, and get false at the end.
func (q *Intake) Late() <-chan Executed {
	if q.late.over {
		return nil
	}
	return q.late.events
}

// Done settles a result of Late, whose candidates are on disk. more is false if Late is closed.
func (q *Intake) Done(e Executed, more bool) error {
	switch {
	case !more:
		q.late.over = true
		return nil
	case e.err != nil:
		return e.err
	}
	q.record([]Input{e.Input})
	return q.Exchange.Settle(e.Input, false)
}

// Abandon has no further finding of others executed. The context of Conclude has ended, if it was
// called.
func (q *Intake) Abandon() {
	for q.late.begun && !q.late.over {
		_, more := <-q.late.events
		q.late.over = !more
	}
	q.late.over = true
}

package extract

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"sync"
	"time"

	"parallax/cmd/internal/base/buildcache"
)

// Options configures an engine.
type Options struct {
	Workers  int                // processes; 0 is one
	Timeout  time.Duration      // for a request; 0 is a minute
	Start    time.Duration      // until an engine greets; 0 is five minutes
	MemoryMB int                // of data for each process, by RLIMIT_DATA; 0 is 4096
	Kept     buildcache.Results // where answers are kept; "" keeps none
}

// Engine is a running version of an engine. Its methods are safe for concurrent use.
type Engine struct {
	Env     *Env
	Options Options

	free    chan *worker // workers without a request
	all     []*worker
	closing sync.Once
}

// ErrClosed is the error of an engine after Close.
var ErrClosed = errors.New("the engine is closed")

// Open makes an engine of an environment. Nothing starts before it is asked.
func Open(env *Env, o Options) *Engine {
	if o.Workers <= 0 {
		o.Workers = 1
	}
	if o.Timeout <= 0 {
		o.Timeout = time.Minute
	}
	if o.Start <= 0 {
		o.Start = 5 * time.Minute
	}
	if o.MemoryMB <= 0 {
		o.MemoryMB = 4096
	}
	e := &Engine{Env: env, Options: o, free: make(chan *worker, o.Workers)}
	for range o.Workers {
		w := &worker{engine: e}
		e.all = append(e.all, w)
		e.free <- w
	}
	return e
}

// Close ends the engine's processes, after their current requests.
func (e *Engine) Close() {
	e.closing.Do(func() {
		for range e.all {
			w := <-e.free
			w.kill()
		}
		close(e.free)
	})
}

// ask sends a request to a free worker.
func (e *Engine) ask(ctx context.Context, m message, within time.Duration) (Answer, error) {
	select {
	case w, open := <-e.free:
		if !open {
			return Answer{}, ErrClosed
		}
		defer func() { e.free <- w }()
		return w.ask(ctx, m, within)
	case <-ctx.Done():
		return Answer{}, ctx.Err()
	}
}

// List returns the engine's own list of functions with models.
func (e *Engine) List(ctx context.Context) ([]Listed, error) {
	a, err := e.kept(ctx, message{Mode: list})
	if err != nil {
		return nil, err
	}
	if a.Status != OK || len(a.Listed) == 0 {
		return nil, fault(ErrUnavailable, nil, "%s %s does not list its models: %s", e.Env.Engine, e.Env.Version, a.Reason)
	}
	return a.Listed, nil
}

// Extract requests models, of several functions at once if there are several workers. The answers
// are in the order of the requests. If done is not nil, it is called with each answer as it
// arrives, one call at a time.
func (e *Engine) Extract(ctx context.Context, requests []Request, done func(int, Answer)) ([]Answer, error) {
	answers := make([]Answer, len(requests))
	var mu sync.Mutex
	err := each(ctx, len(requests), e.Options.Workers, func(ctx context.Context, i int) error {
		r := requests[i]
		m := message{Function: r.Function, Prototype: r.Prototype, Mode: r.Mode, Sizes: r.Sizes, Null: r.Null}
		if m.Sizes.Buffer == 0 {
			m.Sizes.Buffer = DefaultBuffer
		}
		for k, v := range r.Held {
			for len(m.Input) <= k {
				m.Input = append(m.Input, nil)
			}
			m.Input[k] = &v
		}
		a, err := e.kept(ctx, m)
		if err != nil {
			return err
		}
		answers[i] = a
		if done != nil {
			mu.Lock()
			defer mu.Unlock()
			done(i, a)
		}
		return nil
	})
	return answers, err
}

// batch is the number of inputs that share the timeout of a request.
const batch = 32

// Ask asks for the engine's own answers to inputs, in their order. If the engine's process ends in
// a batch, Ask repeats each input alone.
func (e *Engine) Ask(ctx context.Context, q Question) ([]Outcome, error) {
	outcomes := make([]Outcome, len(q.Inputs))
	m := message{Function: q.Function, Prototype: q.Prototype, Mode: Concrete, Symbolic: q.Symbolic, Sizes: q.Sizes, Plain: q.Plain}
	batches := (len(q.Inputs) + batch - 1) / batch
	err := each(ctx, batches, e.Options.Workers, func(ctx context.Context, i int) error {
		from := i * batch
		to := min(from+batch, len(q.Inputs))
		m := m
		m.Inputs = q.Inputs[from:to]
		a, err := e.ask(ctx, m, e.Options.Timeout)
		if err != nil {
			return err
		}
		if a.Status == OK {
			copy(outcomes[from:], a.Outcomes)
			return nil
		}
		for k := from; k < to; k++ {
			if to-from > 1 {
				m.Inputs = q.Inputs[k : k+1]
				if a, err = e.ask(ctx, m, e.Options.Timeout); err != nil {
					return err
				}
			}
			if a.Status == OK {
				outcomes[k] = a.Outcomes[0]
			} else {
				outcomes[k] = Outcome{Status: a.Status, Reason: a.Reason, Seconds: a.Seconds}
			}
		}
		return nil
	})
	return outcomes, err
}

// Calls runs calls of a function on one side, each a JSON list of arguments, and returns the
// results. A call that ends the engine's process, or takes too long, is repeated alone.
func (e *Engine) Calls(ctx context.Context, function string, side Side, list []json.RawMessage) ([]Said, error) {
	said := make([]Said, 0, len(list))
	for from := 0; from < len(list); from += callBatch {
		part := list[from:min(from+callBatch, len(list))]
		a, err := e.ask(ctx, message{Function: function, Mode: calls, Side: side, Calls: part}, e.Options.Timeout)
		if err != nil {
			return nil, err
		}
		if a.Status == OK {
			said = append(said, a.Said...)
			continue
		}
		for i := range part {
			if len(part) > 1 {
				if a, err = e.ask(ctx, message{Function: function, Mode: calls, Side: side, Calls: part[i : i+1]}, e.Options.Timeout); err != nil {
					return nil, err
				}
			}
			if a.Status == OK {
				said = append(said, a.Said[0])
			} else {
				said = append(said, Said{How: Failed, Value: string(a.Status) + ": " + a.Reason})
			}
		}
	}
	return said, nil
}

// callBatch is the number of calls that share the timeout of a request.
const callBatch = 8

// kept sends a request, unless its answer is cached. Failures of the process rather than the model,
// such as timeouts, are not cached.
func (e *Engine) kept(ctx context.Context, m message) (Answer, error) {
	key := e.key(m)
	if data := e.Options.Kept.Read(key); data != nil {
		var a Answer
		if json.Unmarshal(data, &a) == nil && a.Function == m.Function && a.wrong(message{ID: a.ID, Function: m.Function, Mode: m.Mode}) == "" {
			return a, nil
		}
	}
	a, err := e.ask(ctx, m, e.Options.Timeout)
	if err != nil || a.passing {
		return a, err
	}
	a.ID = 0 // it counts the requests of the process
	if data, err := json.Marshal(a); err == nil {
		e.Options.Kept.Write(key, data)
	}
	return a, nil
}

// key names an answer by all that it depends on.
func (e *Engine) key(m message) string {
	m.ID, m.Limits = 0, Limits{MemoryMB: e.Options.MemoryMB}
	data, err := json.Marshal(m)
	if err != nil {
		return ""
	}
	h := sha256.New()
	fmt.Fprintf(h, "%d %q %q %q %s", Protocol, e.Env.Engine, e.Env.Version, e.Env.Adapter, data)
	return fmt.Sprintf("%x", h.Sum(nil)[:16])
}

// each calls f for 0 to n-1, some at once, until all are done or one fails.
func each(ctx context.Context, n, atOnce int, f func(context.Context, int) error) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	next := make(chan int)
	var wg sync.WaitGroup
	for range min(n, atOnce) {
		wg.Go(func() {
			for i := range next {
				if err := f(ctx, i); err != nil {
					cancel(err)
				}
			}
		})
	}
	for i := range n {
		select {
		case next <- i:
			continue
		case <-ctx.Done():
		}
		break
	}
	close(next)
	wg.Wait()
	return context.Cause(ctx)
}

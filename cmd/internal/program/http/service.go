// Package http runs programs of kind http: an input is a request, and the observation is the
// service's answer. The service runs somewhere, or parallax starts it. Package lockstep calls it.
//
// Only an answer is a verdict. A failed connection is unrelated to the input: it is retried, and
// finally ends the campaign with a Failure. So does a connection closed without an answer, unless
// the service demonstrably answers other requests before and after, or died of it (started.go).
//
// Redirects are answers, and are not followed. There are no cookies and no proxies. One persistent
// connection is used.
package http

import (
	"bytes"
	"context"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"strings"
	"time"

	"parallax/internal/oracle"

	"parallax/cmd/internal/base/exit"
	"parallax/cmd/internal/program"
)

// Executor is a program.Executor for a service.
type Executor struct {
	c         Config
	clock     clock
	pace      pace
	transport *http.Transport
	unasked   *unsolicited
	apart     bool // each request gets a connection of its own
	body      bytes.Buffer

	port        int      // value of {port}
	process     *started // nil if parallax does not start the service, or has to restart it
	sandboxes   sandboxes
	last        []byte // the last input with an answer
	hasLast     bool   // last is set
	outputStart int64  // position in the service's output before the input
	notes       []string
}

var _ program.Executor = (*Executor)(nil)

// Open creates the executor, starts the service if configured, and returns when the service can be
// reached. An error is a *program.Failure or ctx's.
func Open(ctx context.Context, c Config) (*Executor, error) {
	return open(ctx, c, realClock{}, &lazySandbox{})
}

func open(ctx context.Context, c Config, clock clock, sandboxes sandboxes) (*Executor, error) {
	if err := c.check(); err != nil {
		return nil, c.usage(err)
	}
	watch := &unsolicited{}
	e := &Executor{c: c, clock: clock, pace: newPace(&c), transport: newTransport(watch), unasked: watch, sandboxes: sandboxes}
	err := e.reach(ctx)
	if err != nil {
		e.Close()
		return nil, err
	}
	return e, nil
}

// reach waits until the service can be reached for the first time.
func (e *Executor) reach(ctx context.Context) error {
	if len(e.c.Start) > 0 {
		return e.start(ctx, exit.UsageCode)
	}
	for try := 0; ; try++ {
		err := e.ready(ctx)
		if err == nil || ctx.Err() != nil {
			return ctx.Err()
		}
		if try >= e.c.Retries {
			return e.silentFailure(err, try+1)
		}
		if err := e.clock.Sleep(ctx, backoff(try+1), nil); err != nil {
			return err
		}
	}
}

// ready checks that the service is there: by its ready URL, or by a connection.
func (e *Executor) ready(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	if e.c.Ready == "" {
		conn, err := (&net.Dialer{}).DialContext(ctx, "tcp", e.address(e.c.URL))
		if err == nil {
			conn.Close()
		}
		return err
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, fillURL(e.c.Ready, nil, e.port), nil)
	if err != nil {
		return err
	}
	resp, err := e.transport.RoundTrip(req)
	if err != nil {
		return err
	}
	resp.Body.Close()
	if resp.StatusCode/100 != 2 {
		return fmt.Errorf("%s answers with status %d", req.URL, resp.StatusCode)
	}
	return nil
}

// address returns host and port of a URL that check has validated.
func (e *Executor) address(text string) string {
	u, _ := url.Parse(fillURL(text, nil, e.port))
	return hostPort(u)
}

func hostPort(u *url.URL) string {
	port := u.Port()
	if port == "" {
		port = map[string]string{"http": "80", "https": "443"}[u.Scheme]
	}
	return net.JoinHostPort(u.Hostname(), port)
}

// where returns the service's address for people.
func (e *Executor) where() string {
	return strings.ReplaceAll(e.c.URL, portMark, fmt.Sprint(e.port))
}

// silentFailure returns the failure of a service that does not answer.
func (e *Executor) silentFailure(err error, tries int) *program.Failure {
	hint := "Start it, or add start = [...] to the program for parallax to start it."
	if len(e.c.Start) > 0 {
		hint = ""
	}
	return e.c.failure(exit.InfraCode, hint, "the service at %s does not answer: %v (%d tries)", e.where(), err, tries)
}

// Features implements program.Executor: services have no features.
func (e *Executor) Features() int { return 0 }

// Batch implements program.Executor.
func (e *Executor) Batch() int { return 16 }

// Notes returns notes for the user about the service.
func (e *Executor) Notes() []string { return append(e.sandboxes.notes(), e.notes...) }

// Close implements program.Executor.
func (e *Executor) Close() error {
	e.drop()
	e.stop()
	return e.sandboxes.close()
}

// Execute implements program.Executor.
func (e *Executor) Execute(ctx context.Context, inputs [][]byte, obs []program.Observation) error {
	for i, input := range inputs {
		var before *program.Observation
		if i > 0 {
			before = &obs[i-1]
		}
		obs[i].Reset()
		if err := e.run(ctx, input, &obs[i], before); err != nil {
			if ctx.Err() != nil {
				return ctx.Err()
			}
			return err
		}
	}
	// A service may die of an input after its answer.
	if n := len(inputs); n > 0 && e.process.dead() {
		e.blame(&obs[n-1])
	}
	return nil
}

// attempt is an input without a verdict yet.
type attempt struct {
	send maker
	o    *program.Observation

	failed, late, wrong, busy int  // numbers of failed tries, by kind
	arrived                   bool // it was sent on a connection
}

// run executes one input. before is the observation of the previous input in the batch, or nil.
func (e *Executor) run(ctx context.Context, input []byte, o, before *program.Observation) error {
	t := attempt{o: o, send: func(ctx context.Context) (*http.Request, error) { return e.request(ctx, input) }}
	for {
		if e.process.dead() {
			guilty := before // if the service died before this input
			if t.arrived {
				guilty = o
			}
			s := e.process
			if e.blame(guilty) && t.arrived {
				return nil
			}
			if t.failed > max(e.c.Retries, 1) {
				return e.diesRepeatedly(s)
			}
			before = nil
		}
		if err := e.revive(ctx); err != nil {
			return err
		}
		if !t.arrived {
			e.outputStart = e.process.place()
		}
		a, err := e.exchange(ctx, t.send)
		if err != nil {
			return err
		}
		again := false
		switch a.fault {
		case none:
			if !e.busy(&a) {
				e.observe(&a, o)
				e.last, e.hasLast = append(e.last[:0], input...), true
				return nil
			}
			again, err = e.waitBusy(ctx, &t, &a)
		case slow:
			again, err = e.handleTimeout(ctx, &t)
		case misfit:
			err = e.c.failure(exit.UsageCode, "", "the service at %s: %v", e.where(), a.err)
		default:
			t.arrived = t.arrived || a.fault != unreachable
			if err := e.awaitDeath(ctx, a.fault); err != nil {
				return err
			}
			switch {
			case e.process.dead():
				t.failed++
				again = true
			case a.fault == broken:
				again, err = e.handleBroken(ctx, &t, &a)
			case a.fault == dropped:
				again, err = e.handleDropped(ctx, &t, &a)
			default:
				again, err = e.handleUnreachable(ctx, &t, &a)
			}
		}
		if err != nil || !again {
			return err
		}
	}
}

// busy reports whether an answer asks to retry instead of being a verdict.
func (e *Executor) busy(a *answer) bool {
	if e.c.listed(a.status) {
		return false
	}
	return a.status == http.StatusTooManyRequests || a.status == http.StatusServiceUnavailable && a.header.Get("Retry-After") != ""
}

// waitBusy waits as long as a busy service asks.
func (e *Executor) waitBusy(ctx context.Context, t *attempt, a *answer) (again bool, err error) {
	t.busy++
	if t.busy > e.c.Retries {
		return false, e.c.failure(exit.InfraCode, "Set rate, for fewer requests a second, or raise retries.",
			"the service at %s is still busy after %d tries: status %d", e.where(), t.busy, a.status)
	}
	pause, ok := retryAfter(a.header, e.clock.Now())
	if !ok {
		pause = backoff(t.busy)
	}
	return true, e.clock.Sleep(ctx, pause, nil)
}

// handleTimeout handles a request without an answer in time. The second one is the verdict. A
// service that parallax starts is restarted each time, because it may still be busy with the first.
func (e *Executor) handleTimeout(ctx context.Context, t *attempt) (again bool, err error) {
	if len(e.c.Start) > 0 {
		e.stop()
	}
	if t.late++; t.late < 2 {
		return true, nil
	}
	t.o.Outcome = oracle.Timeout
	t.o.Message = fmt.Sprintf("no answer within %v", e.c.Limits.Timeout)
	if len(e.c.Start) > 0 {
		return false, nil
	}
	// A service that answers no request any more must not turn all later inputs into timeouts.
	for try := 1; ; try++ {
		ok, err := e.control(ctx)
		if ok || err != nil {
			return false, err
		}
		if try > e.c.Retries {
			return false, e.c.failure(exit.InfraCode, "Start it again; or the limit on the time of an input is too small for it.",
				"the service at %s no longer answers any request within %v", e.where(), e.c.Limits.Timeout)
		}
		if err := e.clock.Sleep(ctx, backoff(try), nil); err != nil {
			return false, err
		}
	}
}

// handleBroken handles a broken answer. It retries, to exclude a network fault.
func (e *Executor) handleBroken(ctx context.Context, t *attempt, a *answer) (again bool, err error) {
	if t.wrong++; t.wrong <= max(e.c.Retries, 1) {
		return true, e.clock.Sleep(ctx, backoff(t.wrong), e.process.ended())
	}
	t.o.Outcome, t.o.Message = oracle.Crashed, "the answer is broken: "+a.err.Error()
	return false, nil
}

// handleUnreachable handles a failed connection.
func (e *Executor) handleUnreachable(ctx context.Context, t *attempt, a *answer) (again bool, err error) {
	if t.failed++; t.failed <= e.c.Retries {
		return true, e.clock.Sleep(ctx, backoff(t.failed), e.process.ended())
	}
	return false, e.silentFailure(a.err, t.failed)
}

// handleDropped handles a connection closed without an answer. Many servers do that when a handler
// panics, and go on.
func (e *Executor) handleDropped(ctx context.Context, t *attempt, a *answer) (again bool, err error) {
	t.failed++
	if e.process != nil {
		// No other party between the two processes could close it.
		if t.failed < 3 {
			return true, nil
		}
	} else {
		if t.failed <= e.c.Retries {
			return true, e.clock.Sleep(ctx, backoff(t.failed)/5, nil)
		}
		if closes, err := e.closes(ctx, t.send); err != nil || !closes {
			if err == nil {
				err = e.silentFailure(a.err, t.failed)
			}
			return false, err
		}
		t.o.Detail = "The service answers other requests, before and after."
	}
	t.o.Outcome, t.o.Message = oracle.Crashed, "the connection was closed without an answer"
	t.o.Detail += e.process.tail(e.outputStart)
	return false, nil
}

// closes reports whether the service closes the connection because of this input: other requests in
// between are answered.
func (e *Executor) closes(ctx context.Context, send maker) (bool, error) {
	for range 3 {
		if ok, err := e.control(ctx); !ok || err != nil {
			return false, err
		}
		if a, err := e.exchange(ctx, send); err != nil || a.fault != dropped {
			return false, err
		}
	}
	return true, nil
}

// control reports whether the service answers another request: the last input with an answer, or
// else one of a few other requests. Some servers answer the last of these without a handler.
func (e *Executor) control(ctx context.Context) (bool, error) {
	u, err := url.Parse(fillURL(e.c.URL, nil, e.port))
	if err != nil {
		return false, err
	}
	plain := func(method, url string) maker {
		return func(ctx context.Context) (*http.Request, error) { return e.newRequest(ctx, method, url, http.NoBody) }
	}
	tries := []maker{
		plain(http.MethodGet, u.Scheme+"://"+u.Host+"/"),
		func(ctx context.Context) (*http.Request, error) { return e.request(ctx, []byte("0")) },
		func(ctx context.Context) (*http.Request, error) {
			req, err := e.newRequest(ctx, http.MethodOptions, u.Scheme+"://"+u.Host, http.NoBody)
			if err == nil {
				req.URL.Opaque = "*"
			}
			return req, err
		},
	}
	switch {
	case e.hasLast:
		tries = []maker{func(ctx context.Context) (*http.Request, error) { return e.request(ctx, e.last) }}
	case e.c.Ready != "":
		tries = []maker{plain(http.MethodGet, fillURL(e.c.Ready, nil, e.port))}
	}
	for _, try := range tries {
		a, err := e.exchange(ctx, try)
		if err != nil || a.fault == none {
			return err == nil, err
		}
	}
	return false, nil
}

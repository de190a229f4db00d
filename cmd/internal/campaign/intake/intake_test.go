package intake

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"parallax/cmd/internal/base/corpus"
	"parallax/cmd/internal/finding/event"
	"parallax/internal/wire"
)

// exchange has inputs 0, 1, 2 and so on.
type exchange struct {
	Peers
	next    int
	settled []string
	err     error
}

func (e *exchange) Handle(event.Event) error { return e.err }

func (e *exchange) Take(most int) (list []Input, err error) {
	for range most {
		text := fmt.Sprint(e.next)
		list = append(list, Input{Hash: text, From: "other", Offer: wire.Offer{Flat: []byte(text)}})
		e.next++
	}
	return list, e.err
}

func (e *exchange) Settle(in Input, died bool) error {
	text := in.Hash
	if died {
		text += " died"
	}
	e.settled = append(e.settled, text)
	return e.err
}

func (e *exchange) Claims(context.Context, int) ([]Input, error) { return nil, e.err }

func (e *exchange) Close() ([]string, error) { return nil, nil }

// next calls Next and Sent, and returns the hashes.
func next(t *testing.T, q *Intake, l *Line, counted uint64) string {
	t.Helper()
	list, err := q.Next(l, counted)
	if err != nil {
		t.Fatal(err)
	}
	q.Sent(l, list, true)
	var hashes []string
	for _, in := range list {
		hashes = append(hashes, in.Hash)
	}
	return strings.Join(hashes, " ")
}

// TestShare checks that a process executes at least as many inputs of its own as offers.
func TestShare(t *testing.T) {
	e := &exchange{}
	q, l := &Intake{Exchange: e}, &Line{}
	for _, step := range []struct {
		counted uint64 // inputs of the process
		done    uint64 // offers that it is done with
		want    string
	}{
		{0, 0, ""}, {2, 0, "0 1"}, {2, 0, ""}, {2, 2, ""}, {3, 2, "2"}, {3, 1 << 40, ""},
	} {
		if err := q.Count(l, step.done); err != nil {
			t.Fatal(err)
		}
		if got := next(t, q, l, step.counted); got != step.want {
			t.Errorf("%+v: %q", step, got)
		}
	}
	if got := fmt.Sprint(e.settled); got != "[0 1]" {
		t.Errorf("settled %s", got)
	}
	if n := len(strings.Fields(next(t, q, l, 1000))); n != mostOpen-1 {
		t.Errorf("%d offers on their way besides one", n)
	}
	if q.From("1") != "other" || q.From("999") != "" {
		t.Error("the members are not known")
	}
}

// TestDeath checks that a death blames one offer, and that the next process gets the others. That
// process has to execute inputs of its own first.
func TestDeath(t *testing.T) {
	e := &exchange{}
	q, l := &Intake{Exchange: e}, &Line{}
	next(t, q, l, 4)
	if err := q.Count(l, 1); err != nil {
		t.Fatal(err)
	}
	if offered, err := q.Died(l, []byte("own")); offered || err != nil {
		t.Error("an own input is no offer", err)
	}
	if offered, err := q.Died(l, []byte("1")); !offered || err != nil {
		t.Error("the offer is not known", err)
	}
	q.Ended(l)
	if got := fmt.Sprint(e.settled); got != "[0 1 died]" {
		t.Errorf("settled %s", got)
	}
	for counted, want := range map[uint64]string{ownFirst - 1: "", ownFirst + 1: "2"} {
		if got := next(t, q, l, counted); got != want {
			t.Errorf("after %d own inputs: %q, want %q", counted, got, want)
		}
	}
	if _, err := q.Died(l, []byte("2")); err != nil {
		t.Fatal(err)
	}
	q.Ended(l)
	if got := next(t, q, l, 2*ownFirst-1); got != "" {
		t.Errorf("after two deaths: %q", got)
	}
	for range 2 { // two offers without a death
		counted := l.sent + 2*ownFirst + 1
		if got := next(t, q, l, counted); len(strings.Fields(got)) != 1 {
			t.Errorf("%q", got)
		}
		if err := q.Count(l, l.sent); err != nil {
			t.Fatal(err)
		}
	}
	if got := len(strings.Fields(next(t, q, l, 1000))); got != mostOpen {
		t.Errorf("%d offers", got)
	}
}

// TestUnsent checks that offers that were not sent come again.
func TestUnsent(t *testing.T) {
	q, l := &Intake{Exchange: &exchange{}}, &Line{}
	list, err := q.Next(l, 3)
	if err != nil || len(list) != 3 {
		t.Fatal(list, err)
	}
	q.Sent(l, list, false)
	if got := next(t, q, l, 4); got != "0 1 2 3" {
		t.Errorf("%q", got)
	}
}

// runner executes inputs by returning them.
type runner struct{}

func (runner) Close() {}
func (runner) Run(flat []byte, _ uint64) ([]wire.RunResult, error) {
	return []wire.RunResult{{Rendered: string(flat)}}, nil
}

// TestClaimsAfterFuzzing checks that claims that no process has begun are executed after the
// fuzzing. Offers wait for the next process.
func TestClaimsAfterFuzzing(t *testing.T) {
	e := &exchange{}
	q, l := &Intake{Exchange: e}, &Line{}
	claim := func(hash string) Input {
		return Input{Hash: hash, From: "member", Offer: wire.Offer{Flat: []byte(hash), Claim: true}}
	}
	q.Sent(l, []Input{claim("a"), {Hash: "b"}, claim("c")}, true)
	q.Ended(l)
	q.from = nil
	for range 2 {
		q.Conclude(t.Context(), time.Time{}, func(context.Context) Runner { return runner{} })
	}
	for n := 0; q.Open(); n++ {
		in, more := <-q.Late()
		if more && (len(in.Results) != 1 || in.Results[0].Rendered != in.Hash) {
			t.Errorf("%+v", in)
		}
		if err := q.Done(in, more); err != nil {
			t.Fatal(err)
		}
	}
	if fmt.Sprint(e.settled) != "[a c]" || q.From("a") != "member" {
		t.Errorf("settled %v", e.settled)
	}
	if got := next(t, q, l, 1); got != "b" {
		t.Errorf("the next process gets %q", got)
	}
	q.Abandon()
}

// TestAbandonedClaims checks that claims wait for the next run if their time is over.
func TestAbandonedClaims(t *testing.T) {
	e := &exchange{}
	q := &Intake{Exchange: e, again: []Input{{Hash: "a", Offer: wire.Offer{Claim: true}}}}
	ctx, cancel := context.WithCancel(t.Context())
	q.Conclude(ctx, time.Time{}, func(context.Context) Runner { return runner{} })
	cancel()
	q.Abandon()
	if q.Open() || q.Late() != nil || len(e.settled) > 0 {
		t.Errorf("settled %v", e.settled)
	}
}

func TestNoExchange(t *testing.T) {
	var q Intake
	l := &Line{}
	if got := next(t, &q, l, 1000); got != "" {
		t.Errorf("%q", got)
	}
	q.Ended(l)
	if offered, err := q.Died(l, []byte("x")); offered || err != nil || q.Count(l, 0) != nil {
		t.Error("a campaign without an exchange has offers")
	}
}

func TestErrors(t *testing.T) {
	full := errors.New("disk full")
	e := &exchange{}
	q, l := &Intake{Exchange: e}, &Line{}
	next(t, q, l, 2)
	e.err = full
	if _, err := q.Next(l, 10); err != full {
		t.Error(err)
	}
	if err := q.Count(l, 1); err != full {
		t.Error(err)
	}
	if _, err := q.Died(l, []byte("1")); err != full {
		t.Error(err)
	}
}

// recorder records events.
type recorder struct{ heard []string }

func (r *recorder) Handle(e event.Event) error {
	r.heard = append(r.heard, fmt.Sprintf("%T", e))
	return nil
}

// TestWritten checks that an input is announced after its write, and other events at once.
func TestWritten(t *testing.T) {
	var writes []func() error
	r := &recorder{}
	s := Written(func(f func() error) error { writes = append(writes, f); return nil }, r)
	for _, e := range []event.Event{event.Kept{Meta: corpus.Meta{}}, event.Found{}} {
		if err := s.Handle(e); err != nil {
			t.Fatal(err)
		}
	}
	if !slices.Equal(r.heard, []string{"event.Found"}) || len(writes) != 1 {
		t.Fatalf("%q, %d writes", r.heard, len(writes))
	}
	if err := writes[0](); err != nil || !slices.Equal(r.heard, []string{"event.Found", "event.Kept"}) {
		t.Errorf("%q, %v", r.heard, err)
	}
}

package http

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"parallax/cmd/internal/base/limits"
	"parallax/cmd/internal/program"
)

// Fakes for the tests of answers: a clock without pauses, services in the test, and their
// executors.

// fakeClock is a clock on which pauses take no time.
type fakeClock struct {
	now    time.Time
	slept  []time.Duration
	during func() // called in each pause
}

func (c *fakeClock) Now() time.Time { return c.now }

func (c *fakeClock) Sleep(ctx context.Context, d time.Duration, _ <-chan struct{}) error {
	c.slept = append(c.slept, d)
	c.now = c.now.Add(d)
	if c.during != nil {
		c.during()
	}
	return ctx.Err()
}

func (c *fakeClock) Ticks() time.Duration { return time.Duration(c.now.UnixNano()) }

func newClock() *fakeClock { return &fakeClock{now: time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)} }

func testLimits() limits.Limits { return limits.Limits{Timeout: time.Minute, Output: 1 << 16} }

func serve(t *testing.T, h http.HandlerFunc) *httptest.Server {
	t.Helper()
	s := httptest.NewServer(h)
	t.Cleanup(s.Close)
	return s
}

func mustOpen(t *testing.T, c Config, clock clock) *Executor {
	t.Helper()
	if c.Name == "" {
		c.Name = "svc"
	}
	if c.Value == nil {
		c.Value = []string{"body"}
	}
	e, err := open(context.Background(), c, clock, noSandbox{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { e.Close() })
	return e
}

// noSandbox starts no service.
type noSandbox struct{ sandboxes }

func (noSandbox) notes() []string { return nil }
func (noSandbox) close() error    { return nil }

// failed checks that err is a Failure with the code and all of the words.
func failed(t *testing.T, err error, code int, words ...string) {
	t.Helper()
	var f *program.Failure
	if !errors.As(err, &f) {
		t.Fatalf("error %v, want a Failure", err)
	}
	if f.Code != code || f.Program != "svc" {
		t.Errorf("code %d of program %q, want %d of svc", f.Code, f.Program, code)
	}
	for _, w := range words {
		if !strings.Contains(f.Error(), w) {
			t.Errorf("%q does not say %q", f.Error(), w)
		}
	}
}

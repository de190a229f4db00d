package http

import (
	"context"
	"net/http"
	"strconv"
	"time"

	"golang.org/x/sys/unix"
)

// clock is the time source for pauses between requests. The limit of a request uses the real clock.
type clock interface {
	Now() time.Time
	// Ticks returns a time that all processes of the machine share and that is never set.
	Ticks() time.Duration
	// Sleep returns early with ctx's error when ctx ends, and with nil when early is closed.
	Sleep(ctx context.Context, d time.Duration, early <-chan struct{}) error
}

type realClock struct{}

func (realClock) Now() time.Time { return time.Now() }

func (realClock) Ticks() time.Duration {
	var t unix.Timespec
	unix.ClockGettime(unix.CLOCK_MONOTONIC, &t) // it cannot fail
	return time.Duration(t.Nano())
}

func (realClock) Sleep(ctx context.Context, d time.Duration, early <-chan struct{}) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-early:
	case <-timer.C:
	}
	return nil
}

const (
	firstPause   = 100 * time.Millisecond
	longestPause = 5 * time.Second
	// A service may ask for hours, which would only stop the campaign.
	longestRetryAfter = 30 * time.Second
)

// backoff returns the pause before try n, counted from 1.
func backoff(n int) time.Duration {
	d := firstPause
	for ; n > 1 && d < longestPause; n-- {
		d *= 2
	}
	return min(d, longestPause)
}

// retryAfter returns the wait that an answer asks for (RFC 9110, section 10.2.3), at most
// longestRetryAfter. ok is false if there is none, or in an unknown form.
func retryAfter(h http.Header, now time.Time) (d time.Duration, ok bool) {
	text := h.Get("Retry-After")
	if seconds, err := strconv.ParseUint(text, 10, 32); err == nil {
		return min(time.Duration(seconds)*time.Second, longestRetryAfter), true
	}
	if at, err := http.ParseTime(text); err == nil {
		return min(max(at.Sub(now), 0), longestRetryAfter), true
	}
	return 0, false
}

package http

import (
	"context"
	"fmt"
	"hash/fnv"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"golang.org/x/sys/unix"
)

// pace limits the request rate of all processes that fuzz and triage a target, to spare the
// service. They share a file with the time of the next permitted request. A process that reads it
// writes the time of the one after it.
type pace struct {
	every time.Duration
	path  string        // path of the file; empty if this process is the only client
	next  time.Duration // the next time known to this process, of clock.Ticks
}

func newPace(c *Config) pace {
	if c.Rate <= 0 {
		return pace{}
	}
	p := pace{every: time.Duration(float64(time.Second) / c.Rate)}
	// Only this process uses a service with a port of its own.
	if c.TempDir != "" && !strings.Contains(c.URL, portMark) {
		p.path = filepath.Join(c.TempDir, "pace-"+host(c.URL))
	}
	return p
}

// host returns a file name for the service's address.
func host(text string) string {
	u, err := url.Parse(fillURL(text, nil, 1))
	if err != nil {
		return "none" // check has validated the URL
	}
	h := fnv.New64a()
	fmt.Fprintf(h, "%s://%s", strings.ToLower(u.Scheme), strings.ToLower(hostPort(u)))
	return fmt.Sprintf("%016x", h.Sum64())
}

// wait sleeps until another request may be sent. Unused time is not saved up.
func (p *pace) wait(ctx context.Context, c clock) error {
	if p.every == 0 {
		return nil
	}
	// Without the file, as on a full disk, the process keeps at least its own pace.
	ahead, err := p.takeSlot(ctx, c)
	if err != nil {
		ahead = p.reserve(c, 0)
	}
	if ahead > 0 {
		return c.Sleep(ctx, ahead, nil)
	}
	return ctx.Err()
}

// farthest is the maximum number of requests ahead. More means that the file is older than the
// machine's start.
const farthest = 256

// reserve takes the next slot, and returns the wait until it. next is the time that others have
// left.
func (p *pace) reserve(c clock, next time.Duration) time.Duration {
	now := c.Ticks()
	if next > now+farthest*p.every {
		next = 0
	}
	slot := max(now, next, p.next)
	p.next = slot + p.every
	return slot - now
}

// takeSlot is after with the slot of the file.
func (p *pace) takeSlot(ctx context.Context, c clock) (time.Duration, error) {
	if p.path == "" {
		return p.reserve(c, 0), nil
	}
	file, err := p.lock(ctx)
	if err != nil {
		return 0, err
	}
	defer file.Close() // unlocks it
	var text [32]byte
	n, _ := file.ReadAt(text[:], 0)
	// Text that is not a number counts as none, as in a new file.
	next, _ := strconv.ParseInt(strings.TrimSpace(string(text[:n])), 10, 64)
	ahead := p.reserve(c, time.Duration(next))
	// The width is fixed, so that nothing of the previous number remains.
	if _, err := file.WriteAt(fmt.Appendf(nil, "%020d\n", int64(p.next)), 0); err != nil {
		return ahead, nil // its own slot is taken
	}
	return ahead, nil
}

// lock opens the file for this process alone, and waits for it until ctx ends. If the file was
// removed meanwhile, it locks the new one.
func (p *pace) lock(ctx context.Context) (*os.File, error) {
	for {
		file, err := os.OpenFile(p.path, os.O_RDWR|os.O_CREATE, 0o600)
		if err != nil {
			return nil, err
		}
		for {
			if err = unix.Flock(int(file.Fd()), unix.LOCK_EX|unix.LOCK_NB); err == unix.EWOULDBLOCK {
				select {
				case <-ctx.Done():
					err = ctx.Err()
				// a process holds the lock for less, unless it is stopped
				case <-time.After(time.Millisecond):
					continue
				}
			}
			if err != unix.EINTR {
				break
			}
		}
		if err != nil {
			file.Close()
			return nil, err
		}
		mine, err := file.Stat()
		if theirs, failed := os.Stat(p.path); err == nil && failed == nil && os.SameFile(mine, theirs) {
			return file, nil
		}
		file.Close()
		if err != nil {
			return nil, err
		}
	}
}

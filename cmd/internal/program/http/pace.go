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

// pace keeps requests a distance apart: those of all processes that fuzz and triage a target, since it is the service that is
// to be spared. They meet in a file, which holds when the next request may be sent; whoever reads it puts the time of the one
// after it there.
type pace struct {
	every time.Duration
	path  string        // of the file; "" where nobody else asks the service
	next  time.Duration // as this process knows it, of clock.Ticks
}

func newPace(c *Config) pace {
	if c.Rate <= 0 {
		return pace{}
	}
	p := pace{every: time.Duration(float64(time.Second) / c.Rate)}
	// A service with a port of its own has this process for its only client.
	if c.TempDir != "" && !strings.Contains(c.URL, portMark) {
		p.path = filepath.Join(c.TempDir, "pace-"+host(c.URL))
	}
	return p
}

// host is a name for the service's address that can be a file's.
func host(text string) string {
	u, err := url.Parse(fillURL(text, nil, 1))
	if err != nil {
		return "none" // check has seen the URL
	}
	h := fnv.New64a()
	fmt.Fprintf(h, "%s://%s", strings.ToLower(u.Scheme), strings.ToLower(hostPort(u)))
	return fmt.Sprintf("%016x", h.Sum64())
}

// wait sleeps until another request may be sent. A pause is not made up for.
func (p *pace) wait(ctx context.Context, c clock) error {
	if p.every == 0 {
		return nil
	}
	// Without the file, which may be on a disk that is full, there is at least the process's own pace.
	ahead, err := p.take(ctx, c)
	if err != nil {
		ahead = p.after(c, 0)
	}
	if ahead > 0 {
		return c.Sleep(ctx, ahead, nil)
	}
	return ctx.Err()
}

// farthest is how many requests may be waited for. More are not waiting: the file is of before the machine was started.
const farthest = 256

// after is how long to wait for the next slot, which is taken, when others have left next.
func (p *pace) after(c clock, next time.Duration) time.Duration {
	now := c.Ticks()
	if next > now+farthest*p.every {
		next = 0
	}
	slot := max(now, next, p.next)
	p.next = slot + p.every
	return slot - now
}

// take is after with the slot of the file.
func (p *pace) take(ctx context.Context, c clock) (time.Duration, error) {
	if p.path == "" {
		return p.after(c, 0), nil
	}
	file, err := p.lock(ctx)
	if err != nil {
		return 0, err
	}
	defer file.Close() // which unlocks
	var text [32]byte
	n, _ := file.ReadAt(text[:], 0)
	// What is no number is none: a file of nobody, or a new one.
	next, _ := strconv.ParseInt(strings.TrimSpace(string(text[:n])), 10, 64)
	ahead := p.after(c, time.Duration(next))
	// Always as long, so that nothing of the number before is left.
	if _, err := file.WriteAt(fmt.Appendf(nil, "%020d\n", int64(p.next)), 0); err != nil {
		return ahead, nil // its own slot is taken
	}
	return ahead, nil
}

// lock opens the file for this process alone, and waits for it until ctx ends. Somebody may remove it at any time; then there is
// another one.
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
				case <-time.After(time.Millisecond): // a process holds the lock for less, unless it is stopped
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

package process

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// Patience returns the longest wall time of a command with a budget of CPU time. A busy machine has
// several programs for each processor.
func Patience(cpu time.Duration) time.Duration { return 20*cpu + time.Minute }

// grace is the time in which an interrupted command may end. Its work in that time counts.
const grace = 20 * time.Second

// Within waits for a process to end, and interrupts it when the CPU time is used up. It returns an
// error if the process then does not end.
func (p *Process) Within(ctx context.Context, limit time.Duration) error {
	deadline := time.After(Patience(limit))
	var over <-chan time.Time
	for {
		left := limit - p.CPU()
		if left <= 0 && over == nil {
			p.Interrupt()
			over = time.After(grace)
		}
		select {
		case <-p.Ended():
			return nil
		case <-time.After(min(max(left/4, 5*time.Millisecond), time.Second)):
		case <-over:
			p.Kill()
			return fmt.Errorf("interrupted, it went on for %v", grace)
		case <-deadline:
			p.Kill()
			return errors.New("it does next to nothing")
		case <-ctx.Done():
			p.Kill()
			return ctx.Err()
		}
	}
}

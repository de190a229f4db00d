package process

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// Patience is how long on the wall a command with a budget of CPU time may take: a busy machine has
// several programs for each processor.
func Patience(cpu time.Duration) time.Duration { return 20*cpu + time.Minute }

// grace is how long an interrupted command may take to end. What it does meanwhile counts.
const grace = 20 * time.Second

// Within waits for a process to end, and interrupts it when the CPU time is used up. What does not
// end then is an error.
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

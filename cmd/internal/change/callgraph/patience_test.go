package callgraph

import (
	"context"
	"testing"
	"time"
)

// TestPatience checks that an analysis that gets little of the processor has more time, up to a
// bound.
func TestPatience(t *testing.T) {
	began := time.Unix(1000, 0)
	p := patience{limit: 20 * time.Second, began: began, used: 3 * time.Second}
	for _, c := range []struct {
		passed, used time.Duration
		want         bool
	}{
		{19 * time.Second, 90 * time.Second, false}, // several processors
		{20 * time.Second, 23 * time.Second, true},
		{60 * time.Second, 22 * time.Second, false}, // a busy machine
		{70 * time.Second, 23 * time.Second, true},
		{200 * time.Second, 3 * time.Second, true},
	} {
		if got := p.over(began.Add(c.passed), c.used); got != c.want {
			t.Errorf("after %v, %v of the processor: %v", c.passed, c.used, got)
		}
	}
	done := make(chan struct{})
	close(done)
	if p := (patience{limit: time.Hour, began: time.Now()}); !p.wait(context.Background(), done) {
		t.Error("a finished analysis is waited for")
	}
	if before := processorTime(); before <= 0 || processorTime() < before {
		t.Errorf("the time of the processor is %v, then %v", before, processorTime())
	}
}

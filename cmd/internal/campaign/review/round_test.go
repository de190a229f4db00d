package review

import (
	"context"
	"log/slog"
	"slices"
	"strings"
	"testing"
	"time"

	"parallax/cmd/internal/campaign/findings/findingstest"
	"parallax/internal/oracle"
	"parallax/internal/wire"
)

// clockwork executes inputs in the time that each program needs for one, all programs at once.
type clockwork struct {
	now    time.Time
	needs  []time.Duration // by program
	late   bool            // the first chunk of several inputs does not end
	begun  time.Time
	chunks int
	slow   []int
}

func (c *clockwork) round() *round {
	return &round{
		start: func() error { return nil }, now: func() time.Time { return c.now },
		slow: func(p int) { c.slow = append(c.slow, p) },
		run: func(flats [][]byte, skip uint64, limit time.Duration) (all [][]wire.RunResult, err error) {
			c.chunks++
			if limit > 0 && c.late {
				c.now, c.late = c.now.Add(limit), false
				return nil, errLate
			}
			most := time.Duration(0)
			for range flats {
				results := make([]wire.RunResult, len(c.needs))
				for p, d := range c.needs {
					if skip>>p&1 == 0 {
						results[p] = wire.RunResult{Outcome: uint64(oracle.OOM), Took: uint64(d)}
						most = max(most, d)
					}
				}
				all = append(all, results)
			}
			c.now = c.now.Add(most * time.Duration(len(flats)))
			return all, nil
		},
	}
}

// TestProbeIsBounded checks that a round ends in time, and that only slow programs are left out.
func TestProbeIsBounded(t *testing.T) {
	const inputs = 64
	ms := time.Millisecond
	for _, tt := range []struct {
		name     string
		needs    []time.Duration
		late     bool
		answered []int
		slow     []int         // programs that are named
		lasts    time.Duration // at most
	}{
		{"all are fast", []time.Duration{ms, 2 * ms}, false, []int{inputs, inputs}, nil, time.Second},
		{"one is slow", []time.Duration{ms, 1500 * ms, ms}, false, []int{inputs, 2, inputs}, []int{1}, roundTime + 2*time.Second},
		{"all are slow", []time.Duration{2000 * ms, 2100 * ms}, false, []int{2, 2}, []int{1}, roundTime + 3*time.Second},
		{"a chunk hangs", []time.Duration{ms, ms}, true, []int{inputs, inputs}, nil, 2 * time.Second},
		{"a run exceeds the limit", []time.Duration{time.Minute, ms}, false, []int{1, inputs}, []int{0}, time.Minute + time.Second},
	} {
		c := &clockwork{needs: tt.needs, late: tt.late}
		r := c.round()
		if err := r.execute(make([][]byte, inputs), slices.Repeat([]int{inputs}, len(tt.needs))); err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(r.answered, tt.answered) {
			t.Errorf("%s: answered %d, want %d", tt.name, r.answered, tt.answered)
		}
		if slices.Sort(c.slow); !slices.Equal(slices.Compact(c.slow), tt.slow) {
			t.Errorf("%s: named %d, want %d", tt.name, c.slow, tt.slow)
		}
		if lasted := c.now.Sub(c.begun); lasted > tt.lasts {
			t.Errorf("%s: %s", tt.name, lasted)
		}
		if len(r.results) != slices.Max(tt.answered) {
			t.Errorf("%s: %d results", tt.name, len(r.results))
		}
	}
}

// TestSecondRoundOfProbe checks that programs run a second time on the inputs of the first round.
func TestSecondRoundOfProbe(t *testing.T) {
	c := &clockwork{needs: []time.Duration{1, 1, 1}}
	r := c.round()
	if err := r.execute(make([][]byte, 64), []int{5, 64, 9}); err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(r.answered, []int{5, 64, 9}) || len(r.results) != 64 || c.chunks > 12 {
		t.Errorf("answered %d, %d results in %d chunks", r.answered, len(r.results), c.chunks)
	}
}

// TestCutShort checks the note on a program that was left out of the rest of the probe.
func TestCutShort(t *testing.T) {
	oom := []wire.RunResult{{Outcome: uint64(oracle.OOM)}}
	r := &Review{Facts: findingstest.Target().About(), View: silent{}, Log: slog.New(slog.DiscardHandler)}
	r.cutShort("old", 0, 64, 1, [][]wire.RunResult{oom, oom})
	if len(r.Problems) != 1 || !strings.Contains(r.Problems[0], "because of old, and ended for it after 2 of 64 inputs. It runs out of memory on 2 of them. Whether its answers repeat is unknown for 63 of the inputs;") {
		t.Errorf("%q", r.Problems)
	}
}

// TestWithin checks that only the limit of a chunk is late, and not the end of the campaign.
func TestWithin(t *testing.T) {
	wait := func(ctx context.Context, _ [][]byte, _ uint64) ([][]wire.RunResult, error) {
		<-ctx.Done()
		return nil, ctx.Err()
	}
	if _, err := within(context.Background(), wait)(nil, 0, 1); err != errLate {
		t.Errorf("%v", err)
	}
	ended, stop := context.WithCancel(context.Background())
	stop()
	if _, err := within(ended, wait)(nil, 0, time.Hour); err != context.Canceled {
		t.Errorf("%v", err)
	}
}

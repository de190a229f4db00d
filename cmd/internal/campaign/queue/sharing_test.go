package queue

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	"parallax/cmd/internal/campaign/findings/findingstest"
	"parallax/cmd/internal/campaign/intake"
	"parallax/cmd/internal/finding"
	"parallax/internal/oracle"
)

// peers answers whose turn the candidates are.
type peers struct {
	mu      sync.Mutex
	turns   map[string]intake.Turn // by input
	asked   map[string]int
	triaged []string
}

func (p *peers) Turn(_ context.Context, _ string, flat []byte, waited time.Duration) intake.Turn {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.asked[string(flat)]++
	return p.turns[string(flat)]
}

func (p *peers) Triaged(_ string, flat []byte, bucket string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.triaged = append(p.triaged, string(flat)+bucket)
}

func (p *peers) set(flat string, turn intake.Turn) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.turns[flat] = turn
}

func (p *peers) askedAgain(flat string) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.asked[flat] > 1
}

// TestSharing checks that candidates of others wait until their turn, are left out if others have
// triaged them, and are triaged here after the fuzzing.
func TestSharing(t *testing.T) {
	f := findingstest.OpenFolder(t, t.TempDir())
	q, _, err := New(f, noTriager, false, nil)
	if err != nil {
		t.Fatal(err)
	}
	p := &peers{turns: map[string]intake.Turn{"theirs": intake.Theirs, "late": intake.Theirs, "done": intake.Done}, asked: map[string]int{}}
	q.shared.again = time.Millisecond
	q.Widen(4)
	for i, text := range []string{"theirs", "late", "done", "mine"} {
		if i == 2 { // the first candidates are those of an earlier run
			if held := q.Held(10); len(held) > 0 {
				t.Errorf("a campaign alone holds %q", held)
			}
			q.Share(p)
		}
		c := finding.Candidate{Flat: []byte(text), Layer: oracle.VerdictLayer, Seen: []oracle.Observation{{Outcome: oracle.Accepted}, {Outcome: oracle.Rejected, Class: uint64(i)}}}
		if err := push(q, c); err != nil {
			t.Fatal(err)
		}
	}
	if held := fmt.Sprintf("%s", q.Held(3)); held != "[theirs late done]" {
		t.Errorf("the folder holds %s", held)
	}
	ctx, cancel := context.WithCancel(context.Background())
	defer q.Wait()
	defer cancel()
	go q.Run(ctx)
	verdict := func() *Case {
		t.Helper()
		select {
		case v := <-q.Verdicts():
			if string(v.Cand.Flat) == "late" {
				v.Bucket = " in a bucket"
			}
			if err := q.Settle(v.Cand.Name); err != nil {
				t.Fatal(err)
			}
			return v
		case <-time.After(time.Minute):
			t.Fatal("no verdict")
			return nil
		}
	}
	var got []string
	for range 2 {
		v := verdict()
		got = append(got, fmt.Sprint(string(v.Cand.Flat), " ", v.Elsewhere))
	}
	if slices.Sort(got); !slices.Equal(got, []string{"done true", "mine false"}) {
		t.Errorf("verdicts on %q", got)
	}
	for !p.askedAgain("late") || !p.askedAgain("theirs") {
		time.Sleep(time.Millisecond)
	}
	p.set("late", intake.Mine)
	if v := verdict(); string(v.Cand.Flat) != "late" || v.Elsewhere {
		t.Errorf("verdict on %q, elsewhere %v", v.Cand.Flat, v.Elsewhere)
	}
	if n := q.Pending(); n != 1 {
		t.Errorf("%d candidates wait", n)
	}
	q.Resume() // the fuzzing has ended
	if v := verdict(); string(v.Cand.Flat) != "theirs" || v.Elsewhere {
		t.Errorf("verdict on %q, elsewhere %v", v.Cand.Flat, v.Elsewhere)
	}
	if slices.Sort(p.triaged); !slices.Equal(p.triaged, []string{"late in a bucket", "mine", "theirs"}) {
		t.Errorf("others hear of %q", p.triaged)
	}
	if left := findingstest.Pending(t, f); len(left) > 0 || len(q.Held(10)) > 0 {
		t.Errorf("on disk: %q, %q", left, q.Held(10))
	}
}

package queue

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"parallax/cmd/internal/campaign/findings/findingstest"
	"parallax/cmd/internal/campaign/triage"
	"parallax/cmd/internal/finding"
	"parallax/internal/oracle"
)

// A court answers the questions of judges in a simple way. A bucket has enough inputs after three.
// The messages of a place vary after five candidates, or once a candidate has shown it.
type court struct {
	counts  map[int]int
	judging atomic.Int32
	most    atomic.Int32
}

// courtKnows holds the state of buckets and places, which are identified by their first byte.
type courtKnows struct{ saturated, vary func(int) bool }

func (k courtKnows) Saturated(bucket string) bool { return k.saturated(int(bucket[0])) }
func (k courtKnows) AnySaturated() bool           { return true }
func (k courtKnows) AcceptedVariant(string) bool  { return false }

func (k courtKnows) Shared(place, _ string, _ bool) int {
	if k.vary(int(place[0])) {
		return 1
	}
	return 0
}

// judge returns a judge that asks as a triager does. Its verdict is a function of the candidate and
// of the answers.
func (c *court) judge(ctx context.Context, known *memory, rng *rand.Rand, saturated, vary func(int) bool) *judge {
	t := &triage.Triager{Known: courtKnows{saturated, vary}}
	j := judgeOf(ctx, t, known, func() bool { return false })
	delay := time.Duration(rng.IntN(300)) * time.Microsecond
	j.triage = func(_ context.Context, cand finding.Candidate) (*triage.Result, triage.Wavering, error) {
		n := c.judging.Add(1)
		defer c.judging.Add(-1)
		c.most.Store(max(c.most.Load(), n))
		bucket := string(cand.Flat[:1])
		time.Sleep(delay * time.Duration(cand.Flat[1]%4))
		said := fmt.Sprint(t.Computed.Has(bucket))
		if cand.Flat[1]%7 == 0 {
			t.Computed.Add(bucket)
		}
		if said += fmt.Sprint(t.Known.Saturated(bucket)); cand.Flat[1]%2 == 0 {
			time.Sleep(delay)
			said += fmt.Sprint(t.Known.Shared(bucket, "", false))
		}
		return &triage.Result{Bucket: bucket, Before: said + fmt.Sprint(t.Computed.Has(bucket))}, triage.Wavering{}, nil
	}
	j.close = func() {}
	return j
}

// TestPanelRepeats checks that a campaign that repeats takes the verdicts of a single judge in the
// same order, with any number of judges.
func TestPanelRepeats(t *testing.T) {
	try := func(seed uint64, wide int) (said []string, most int32) {
		q, err := newQueueOf(findingstest.OpenFolder(t, t.TempDir()))
		if err != nil {
			t.Fatal(err)
		}
		rng := rand.New(rand.NewPCG(seed, uint64(wide)))
		c := &court{counts: map[int]int{}}
		turn := make(chan struct{}, 1)
		asks := func(limit int) func(int) bool {
			return func(b int) bool {
				turn <- struct{}{}
				defer func() { <-turn }()
				return c.counts[b] >= limit
			}
		}
		q.hire = func(ctx context.Context, known *memory) *judge { return c.judge(ctx, known, rng, asks(3), asks(5)) }
		q.Widen(wide)
		cands := rand.New(rand.NewPCG(seed, 0))
		const n = 60
		for i := range n {
			if err := push(q, finding.Candidate{Flat: []byte{byte(cands.IntN(6)), byte(cands.IntN(256)), byte(i)}}); err != nil {
				t.Fatal(err)
			}
		}
		ctx, cancel := context.WithCancel(context.Background())
		go q.Run(ctx)
		for range n {
			v := <-q.out
			said = append(said, fmt.Sprint(v.Cand.Flat, v.Finding.Before))
			turn <- struct{}{}
			c.counts[int(v.Finding.Bucket[0])]++
			<-turn
			if err := q.Settle(v.Cand.Name); err != nil {
				t.Fatal(err)
			}
		}
		cancel()
		q.Wait()
		return said, c.most.Load()
	}
	for seed := range uint64(8) {
		want, most := try(seed, 1)
		if most != 1 {
			t.Fatalf("%d judges work where one may", most)
		}
		for _, wide := range []int{2, 5} {
			if got, most := try(seed, wide); !slices.Equal(got, want) {
				t.Fatalf("seed %d, %d judges:\n%q\nwant\n%q", seed, wide, got, want)
			} else if most > int32(wide) {
				t.Errorf("%d judges work where %d may", most, wide)
			}
		}
	}
}

// TestNewLooksFirst checks that new looks come first in a free order, and that no candidate waits
// forever.
func TestNewLooksFirst(t *testing.T) {
	q, err := newQueueOf(findingstest.OpenFolder(t, t.TempDir()))
	if err != nil {
		t.Fatal(err)
	}
	q.ordered = false
	add := func(name string, class uint64) {
		c := finding.Candidate{Flat: []byte(name), Layer: oracle.VerdictLayer, Seen: []oracle.Observation{{Outcome: oracle.Rejected, Class: class}, {Outcome: oracle.Accepted}}}
		if err := push(q, c); err != nil {
			t.Fatal(err)
		}
	}
	for i := range 10 {
		add(fmt.Sprint("old ", i), 1)
	}
	for i := range 100 {
		add(fmt.Sprint("new ", i), uint64(2+i))
	}
	var order []string
	for e := q.pop(nil); e != nil; e = q.pop(nil) {
		order = append(order, string(e.Cand.Flat))
	}
	at := func(name string) int { return slices.Index(order, name) }
	if len(order) != 110 || at("old 0") != 0 || at("new 0") > at("old 3") || at("new 20") > at("old 9") || at("old 9") > 60 {
		t.Errorf("the order is %q", order)
	}
}

// TestSlowLater checks the rank of candidates that take the whole time limit in each run. They come
// after other new looks, and before the third candidate of a look.
func TestSlowLater(t *testing.T) {
	q, err := newQueueOf(findingstest.OpenFolder(t, t.TempDir()))
	if err != nil {
		t.Fatal(err)
	}
	q.ordered = false
	for _, name := range []string{"hangs", "a", "b", "c", "d", "e", "f"} {
		c := finding.Candidate{Flat: []byte(name), Layer: oracle.VerdictLayer, Seen: []oracle.Observation{{Outcome: oracle.Rejected}, {Outcome: oracle.Accepted}}}
		if name == "hangs" {
			c.Layer, c.Failing, c.Seen[0].Outcome = 0, 1, oracle.Timeout
		}
		if err := push(q, c); err != nil {
			t.Fatal(err)
		}
	}
	var order []string
	for e := q.pop(nil); e != nil; e = q.pop(nil) {
		order = append(order, string(e.Cand.Flat))
	}
	if want := []string{"a", "hangs", "b", "c", "d", "e", "f"}; !slices.Equal(order, want) {
		t.Errorf("the order is %q, want %q", order, want)
	}
}

// TestBuildHoldsNobodyUp checks triage while a judge waits for a build that locates disagreements.
// Failures are judged, and one disagreement of each other look. After the build, all are judged.
func TestBuildHoldsNobodyUp(t *testing.T) {
	q, err := newQueueOf(findingstest.OpenFolder(t, t.TempDir()))
	if err != nil {
		t.Fatal(err)
	}
	q.ordered = false
	built, begun := make(chan struct{}), make(chan string, 16)
	q.hire = func(context.Context, *memory) *judge {
		return &judge{close: func() {}, triage: func(_ context.Context, c finding.Candidate) (*triage.Result, triage.Wavering, error) {
			if c.Layer != 0 {
				begun <- string(c.Flat)
				defer q.building()()
				<-built
			}
			return &triage.Result{}, triage.Wavering{}, nil
		}}
	}
	const failures, looks, each = 5, 3, 4
	for i := range looks * each {
		class := uint64(i / each)
		c := finding.Candidate{Flat: fmt.Appendf(nil, "%d %d", class, i%each), Layer: oracle.ClassLayer, Seen: []oracle.Observation{{Class: class}, {}}}
		if err := push(q, c); err != nil {
			t.Fatal(err)
		}
	}
	for i := range failures {
		if err := push(q, finding.Candidate{Flat: fmt.Appendf(nil, "failure %d", i), Failing: 1}); err != nil {
			t.Fatal(err)
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	go q.Run(ctx)
	take := func(failure bool) {
		v := <-q.out
		if (v.Cand.Failing != 0) != failure {
			t.Errorf("the verdict is on %q", v.Cand.Flat)
		}
		if err := q.Settle(v.Cand.Name); err != nil {
			t.Fatal(err)
		}
	}
	for range failures {
		take(true)
	}
	of := map[byte]bool{}
	for range looks {
		name := <-begun
		if of[name[0]] {
			t.Errorf("%q is taken up beside another that looks like it", name)
		}
		of[name[0]] = true
	}
	close(built)
	for range looks * each {
		take(false)
	}
	cancel()
	q.Wait()
	if q.Pending() != 0 || q.waited.builds.Load() != 0 {
		t.Errorf("%d pending, %d wait for a build", q.Pending(), q.waited.builds.Load())
	}
}

// TestPanelAlone checks that a candidate whose concurrent triage fails is judged alone, and so are
// all later ones.
func TestPanelAlone(t *testing.T) {
	q, err := newQueueOf(findingstest.OpenFolder(t, t.TempDir()))
	if err != nil {
		t.Fatal(err)
	}
	var port, failed atomic.Int32
	met := make(chan struct{}) // closed by the first that finds the port in use
	q.hire = func(context.Context, *memory) *judge {
		return &judge{close: func() {}, triage: func(context.Context, finding.Candidate) (*triage.Result, triage.Wavering, error) {
			defer port.Add(-1)
			if port.Add(1) > 1 {
				if failed.Add(1) == 1 {
					close(met)
				}
				return nil, triage.Wavering{}, errors.New("address already in use")
			}
			<-met
			return nil, triage.Wavering{}, nil
		}}
	}
	q.Widen(4)
	const n = 12
	for i := range n {
		if err := push(q, finding.Candidate{Flat: []byte(fmt.Sprint(i))}); err != nil {
			t.Fatal(err)
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	go q.Run(ctx)
	for i := range n {
		v := <-q.out
		if v.Err != nil || string(v.Cand.Flat) != fmt.Sprint(i) {
			t.Errorf("verdict %d is on %q: %v", i, v.Cand.Flat, v.Err)
		}
		if err := q.Settle(v.Cand.Name); err != nil {
			t.Fatal(err)
		}
	}
	cancel()
	q.Wait()
	if failed.Load() == 0 || failed.Load() > 3 {
		t.Errorf("%d failed", failed.Load())
	}
}

// TestPanelSingle checks that a candidate that does not show in concurrent triage is judged again
// alone, and so are all later ones. Candidates that waver alone are not repeated forever.
func TestPanelSingle(t *testing.T) {
	for _, steady := range []bool{true, false} {
		q, err := newQueueOf(findingstest.OpenFolder(t, t.TempDir()))
		if err != nil {
			t.Fatal(err)
		}
		var file, judged, apart atomic.Int32
		var meeting sync.Once
		met := make(chan struct{}) // closed by the first that finds another one at work
		q.hire = func(context.Context, *memory) *judge {
			return &judge{close: func() {}, triage: func(context.Context, finding.Candidate) (*triage.Result, triage.Wavering, error) {
				judged.Add(1)
				defer file.Add(-1)
				spoiled := file.Add(1) > 1
				if spoiled {
					meeting.Do(func() { close(met) })
				}
				<-met
				if spoiled = spoiled || file.Load() > 1; !spoiled {
					apart.Add(1)
				}
				if spoiled || !steady {
					return nil, triage.Wavering{Programs: 1}, nil
				}
				return &triage.Result{}, triage.Wavering{}, nil
			}}
		}
		q.Widen(4)
		const n = 40
		for i := range n {
			if err := push(q, finding.Candidate{Flat: []byte(fmt.Sprint(i))}); err != nil {
				t.Fatal(err)
			}
		}
		ctx, cancel := context.WithCancel(context.Background())
		go q.Run(ctx)
		for range n {
			v := <-q.out
			if v.Err != nil || (v.Finding != nil) != steady {
				t.Errorf("steady %v: %q: %+v, %v", steady, v.Cand.Flat, v.Finding, v.Err)
			}
			if err := q.Settle(v.Cand.Name); err != nil {
				t.Fatal(err)
			}
		}
		cancel()
		q.Wait()
		if most := int32(n + mostBarren + 4); judged.Load() > most {
			t.Errorf("steady %v: %d judged, %d of them alone", steady, judged.Load(), apart.Load())
		}
	}
}

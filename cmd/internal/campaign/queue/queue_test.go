package queue

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"parallax/cmd/internal/campaign/findings"
	"parallax/cmd/internal/campaign/findings/findingstest"
	"parallax/cmd/internal/campaign/triage"
	"parallax/cmd/internal/finding"
	"parallax/cmd/internal/finding/accept"
	"parallax/cmd/internal/finding/state"
	"parallax/cmd/internal/process/execute"
	"parallax/internal/input"
	"parallax/internal/oracle"
)

// noTriager returns a triager without programs. Its verdicts are immediate errors.
func noTriager() *triage.Triager {
	return &triage.Triager{Spec: execute.Spec{Binary: "/nonexistent/worker"}, Shape: input.Shape{input.String}, Names: []string{"a", "b"}}
}

// push offers a candidate and publishes it, as the loop does.
func push(q *Queue, c finding.Candidate) error {
	e, ok := q.Offer(c)
	if !ok {
		return nil
	}
	return q.Accept(e)
}

// TestQueue checks that candidates are triaged in the order of their arrival, each after the
// verdict on the one before has been handled. They are on disk until then.
func TestQueue(t *testing.T) {
	f := findingstest.OpenFolder(t, t.TempDir())
	q, err := newQueueOf(f)
	if err != nil {
		t.Fatal(err)
	}
	const n = 5
	push := func(i int) {
		if err := push(q, finding.Candidate{Flat: []byte(fmt.Sprint("candidate ", i)), Layer: oracle.VerdictLayer}); err != nil {
			t.Fatal(err)
		}
	}
	push(0)
	push(1)
	ctx, cancel := context.WithCancel(context.Background())
	go q.Run(ctx)
	for i := range n {
		v := <-q.out
		if want := fmt.Sprint("candidate ", i); string(v.Cand.Flat) != want || v.Err == nil {
			t.Errorf("verdict %d on %q, want %q: %v", i, v.Cand.Flat, want, v.Err)
		}
		select {
		case v := <-q.out:
			t.Errorf("%q is triaged before the verdict on the one before was acted on", v.Cand.Flat)
		default:
		}
		if i+2 < n {
			push(i + 2)
		}
		onDisk := findingstest.Pending(t, f)
		if !slices.Contains(onDisk, v.Cand.Name) || q.Pending() != len(onDisk)-left(i) {
			t.Errorf("verdict %d: pending %d, on disk %v", i, q.Pending(), onDisk)
		}
		if i%2 == 0 {
			q.Leave() // a candidate that could not be triaged
		} else if err := q.Settle(v.Cand.Name); err != nil {
			t.Fatal(err)
		}
	}
	if q.Pending() != 0 {
		t.Errorf("%d pending at the end", q.Pending())
	}
	if got, want := findingstest.Pending(t, f), []string{"000000000001.json", "000000000003.json", "000000000005.json"}; !slices.Equal(got, want) {
		t.Errorf("left on disk %v, want %v", got, want)
	}
	cancel()
	q.Wait()
}

// left returns the number of candidates before i that were left on disk.
func left(i int) int { return (i + 1) / 2 }

// TestQueueSurvives checks that the next run first triages the candidates of a killed one,
// unchanged. Damaged files are moved and reported.
func TestQueueSurvives(t *testing.T) {
	dir := t.TempDir()
	f := findingstest.OpenFolder(t, dir)
	q, err := newQueueOf(f)
	if err != nil {
		t.Fatal(err)
	}
	cands := []finding.Candidate{
		{Flat: []byte("\x00\xff not text"), Parent: []byte("p"), Operators: []string{"splice"}, Layer: oracle.ValueLayer, Inputs: 7,
			Seen: []oracle.Observation{{Outcome: oracle.Accepted, Value: 1<<64 - 1}}},
		{Flat: []byte{}, Before: [][]byte{[]byte("x"), {}}, Deadly: true},
	}
	for _, c := range cands {
		if err := push(q, c); err != nil {
			t.Fatal(err)
		}
	}
	whole, _ := json.Marshal(finding.Candidate{Flat: []byte("whole")})
	for name, data := range map[string][]byte{
		"000000000000.json": nil, "000000000003.json": []byte("{"), "000000000004.json": []byte(`{"flat": 5}`),
		"a.json": []byte("null and void"), "7.json": whole, // valid, although with another name
	} {
		if err := f.PutPending(name, data); err != nil {
			t.Fatal(err)
		}
	}
	f.Close()

	if err := os.Mkdir(filepath.Join(dir, "pending", "folder.json"), 0o755); err != nil {
		t.Fatal(err)
	}
	f = findingstest.OpenFolder(t, dir)
	q, problems, err := New(f, noTriager, true, nil)
	if err != nil {
		t.Fatal(err)
	}
	said := strings.Join(problems, "\n")
	for _, name := range []string{"000000000000.json", "000000000003.json", "000000000004.json", "a.json"} {
		aside := filepath.Join(dir, "pending", ".broken", name)
		if _, err := os.Stat(aside); err != nil || !strings.Contains(said, "the file is now "+aside) {
			t.Errorf("%s is not kept, or not told of: %v\n%s", name, err, said)
		}
	}
	if len(problems) != 5 || !strings.Contains(said, "folder.json: not a file") {
		t.Errorf("it says\n%s", said)
	}
	if q.Pending() != 3 {
		t.Errorf("%d pending, want 3: %v", q.Pending(), q.waiting)
	}
	for i, c := range cands {
		c.Name = fmt.Sprintf("%012d.json", 1+i)
		if got := q.waiting[i].Cand; !reflect.DeepEqual(got, c) {
			t.Errorf("candidate %d came back as %+v, want %+v", i, got, c)
		}
	}
	if got, want := findingstest.Pending(t, f), []string{"000000000001.json", "000000000002.json", "7.json"}; !slices.Equal(got, want) {
		t.Errorf("on disk %v, want %v", got, want)
	}
	// New candidates come after all of them.
	if err := push(q, finding.Candidate{Flat: []byte("new")}); err != nil {
		t.Fatal(err)
	}
	if got := q.waiting[len(q.waiting)-1].Cand.Name; got != "000000000008.json" {
		t.Errorf("the next is %s", got)
	}
}

// TestQueueStops checks that a stopped queue leaves its candidates on disk, at any point.
func TestQueueStops(t *testing.T) {
	for _, takes := range []int{0, 1} {
		f := findingstest.OpenFolder(t, t.TempDir())
		q, err := newQueueOf(f)
		if err != nil {
			t.Fatal(err)
		}
		for i := range 3 {
			if err := push(q, finding.Candidate{Flat: []byte(fmt.Sprint(i))}); err != nil {
				t.Fatal(err)
			}
		}
		ctx, cancel := context.WithCancel(context.Background())
		go q.Run(ctx)
		for range takes {
			<-q.out // the verdict is not handled
		}
		cancel()
		q.Wait()
		if got := findingstest.Pending(t, f); len(got) != 3 {
			t.Errorf("after %d verdicts: on disk %v", takes, got)
		}
	}
}

// TestQueueWithoutDisk checks that a candidate that cannot be written is not queued.
func TestQueueWithoutDisk(t *testing.T) {
	f := findingstest.OpenFolder(t, t.TempDir())
	q, err := newQueueOf(f)
	if err != nil {
		t.Fatal(err)
	}
	f.Close()
	if err := push(q, finding.Candidate{Flat: []byte("x")}); err == nil || q.Pending() != 0 || len(q.waiting) != 0 {
		t.Errorf("error %v, %d pending", err, q.Pending())
	}
}

func newQueueOf(f *state.Folder) (*Queue, error) {
	q, _, err := New(f, noTriager, true, nil)
	return q, err
}

// TestQueueOfGone checks that a recorded input is no new candidate, unless its bucket is gone: the
// input may show something else now. Candidates on disk are triaged in any case.
func TestQueueOfGone(t *testing.T) {
	dir := t.TempDir()
	f := findingstest.OpenFolder(t, dir)
	b, _, err := findings.Load(f, findingstest.Target(), &accept.File{})
	if err != nil {
		t.Fatal(err)
	}
	const input = "an input"
	cand := finding.Candidate{Flat: []byte(input), Layer: oracle.VerdictLayer}
	if _, _, err := b.Add(findingstest.Disagreement("x", findingstest.FirstID, input, "in"), cand); err != nil {
		t.Fatal(err)
	}
	q, _, err := New(f, noTriager, true, b.Filed)
	if err != nil {
		t.Fatal(err)
	}
	if _, ok := q.Offer(cand); ok {
		t.Error("a filed input is a candidate again")
	}
	if err := b.Mark(findingstest.FirstID, true); err != nil {
		t.Fatal(err)
	}
	if err := push(q, cand); err != nil {
		t.Fatal(err)
	}
	if q.Pending() != 1 {
		t.Error("the input of a bucket that is gone is no candidate")
	}
	for _, gone := range []bool{true, false} {
		if err := b.Mark(findingstest.FirstID, gone); err != nil {
			t.Fatal(err)
		}
		next, _, err := New(f, noTriager, true, b.Filed)
		if err != nil || next.Pending() != 1 || len(findingstest.Pending(t, f)) != 1 {
			t.Errorf("gone %v: %v, %d wait at the next run", gone, err, next.Pending())
		}
	}
}

// TestQueueIsBounded checks that the number of looks bounds the candidates on disk while none is
// triaged. New looks are always admitted, and admitted candidates stay.
func TestQueueIsBounded(t *testing.T) {
	f := findingstest.OpenFolder(t, t.TempDir())
	q, _, err := New(f, noTriager, false, nil)
	if err != nil {
		t.Fatal(err)
	}
	random := rand.New(rand.NewSource(1))
	looks, admitted := map[uint64]bool{}, map[string]bool{}
	for n := range 20_000 {
		c := finding.Candidate{Flat: fmt.Appendf(nil, "candidate %d", n), Layer: oracle.VerdictLayer, Seen: []oracle.Observation{
			{Outcome: oracle.Accepted}, {Outcome: oracle.Rejected, Class: uint64(random.Intn(1 + n/500))}}}
		if random.Intn(4) == 0 {
			c = finding.Candidate{Flat: c.Flat, Deadly: true, Failing: 1, Death: fmt.Sprint("death ", random.Intn(1+n/500))}
		}
		e, ok := q.Offer(c)
		if look := lookOf(&c); !looks[look] {
			if looks[look] = true; !ok {
				t.Fatalf("candidate %d looks new, and is left out", n)
			}
		}
		if !ok {
			continue
		}
		if err := q.Accept(e); err != nil {
			t.Fatal(err)
		}
		admitted[e.Name] = true
		if bound := manyWait + enoughAlike*len(looks); q.Pending() > bound {
			t.Fatalf("%d candidates wait, more than %d", q.Pending(), bound)
		}
	}
	if len(admitted) < manyWait {
		t.Errorf("%d candidates were admitted, fewer than may wait", len(admitted))
	}
	names := findingstest.Pending(t, f)
	for _, name := range names {
		delete(admitted, name)
	}
	if len(admitted) > 0 {
		t.Errorf("%d candidates that were admitted are not on disk", len(admitted))
	}
	// The next run begins with all of them, and refuses the same.
	next, _, err := New(f, noTriager, false, nil)
	if err != nil || next.Pending() != len(names) {
		t.Errorf("the next run begins with %d of %d candidates: %v", next.Pending(), len(names), err)
	}
}

// TestMostWait checks that at most mostWait candidates wait, whatever their looks. Refused
// candidates are counted and may be offered again.
func TestMostWait(t *testing.T) {
	q := &Queue{shape: input.Shape{input.Bytes}, looks: map[uint64]int{}, wake: make(chan struct{}, 1), names: []string{"a", "b"}}
	const more = 100
	for n := range mostWait + more {
		c := finding.Candidate{Flat: fmt.Append(nil, n), Layer: oracle.VerdictLayer, Seen: []oracle.Observation{{Outcome: oracle.Accepted}, {Outcome: oracle.Rejected, Class: uint64(n)}}}
		e, ok := q.Offer(c)
		if ok != (n < mostWait) {
			t.Fatalf("candidate %d is taken: %v", n, ok)
		}
		if ok {
			q.push(e)
		} else if q.seen.has(q.key(&c)) {
			t.Fatalf("candidate %d is refused, and counts as seen", n)
		}
	}
	if q.Pending() != mostWait || q.refused != more {
		t.Errorf("%d wait, %d were refused", q.Pending(), q.refused)
	}
}

// TestFirstOfAKind checks that the first candidate of a kind joins many that look like it, and
// another one is refused and counted. The bytes of waiting candidates are bounded, too.
func TestFirstOfAKind(t *testing.T) {
	q := &Queue{shape: input.Shape{input.Bytes}, looks: map[uint64]int{}, wake: make(chan struct{}, 1), names: []string{"a", "b"}}
	offer := func(c finding.Candidate) bool {
		t.Helper()
		c.Layer, c.Seen = oracle.VerdictLayer, []oracle.Observation{{Outcome: oracle.Accepted}, {Outcome: oracle.Rejected}}
		e, ok := q.Offer(c)
		if ok {
			q.push(e)
		}
		return ok
	}
	for n := range 2 * manyWait {
		if fresh := n%2 == 0; offer(finding.Candidate{Flat: fmt.Append(nil, n), Fresh: fresh}) != (fresh || n < manyWait) {
			t.Fatalf("candidate %d, the first of a kind: %v", n, fresh)
		}
	}
	if q.refused != manyWait/2 {
		t.Errorf("%d were refused", q.refused)
	}
	large := make([]byte, mostBytes/4)
	for n, want := range []bool{true, true, false, false} {
		large = append(large, 0)
		if offer(finding.Candidate{Flat: large, Before: [][]byte{large[:100]}, Fresh: true}) != want {
			t.Errorf("large candidate %d: taken, want %v", n, want)
		}
		large = append(large, make([]byte, mostBytes/8)...)
	}
	if q.bytes > mostBytes {
		t.Errorf("%d bytes wait", q.bytes)
	}
}

// TestFirstFailure checks that the first of each kind of failure is triaged before disagreements
// that arrived earlier, whatever the other programs did. A slow one and a repeated one are not.
func TestFirstFailure(t *testing.T) {
	q := &Queue{looks: map[uint64]int{}}
	seen := func(class uint64, failed oracle.Outcome) []oracle.Observation {
		return []oracle.Observation{{Outcome: oracle.Rejected, Class: class}, {Outcome: failed, Class: 1}}
	}
	for n, c := range []finding.Candidate{
		{Layer: oracle.VerdictLayer, Seen: seen(1, oracle.Accepted)},
		{Layer: oracle.VerdictLayer, Seen: seen(2, oracle.Accepted)},
		{Failing: 2, Seen: seen(1, oracle.Timeout)},
		{Failing: 2, Seen: seen(1, oracle.Crashed)},
		{Failing: 2, Seen: seen(2, oracle.Crashed)},
	} {
		c.Name = fmt.Sprint(n)
		q.push(c)
	}
	var order []string
	for _, e := range q.waiting {
		order = append(order, e.Cand.Name)
	}
	if want := []string{"3", "0", "1", "4", "2"}; !slices.Equal(order, want) {
		t.Errorf("in the order %v, want %v", order, want)
	}
}

// TestRecent checks that the queue remembers at least the latest inputs in bounded memory.
func TestRecent(t *testing.T) {
	var r recent
	for n := range uint64(5 * maxRecent) {
		if !r.add(n) || r.add(n) {
			t.Fatalf("%d: known before it was added, or not after", n)
		}
		if n >= maxRecent && !r.has(n-maxRecent+1) {
			t.Fatalf("%d: one of the latest is forgotten", n)
		}
		if len(r.now)+len(r.before) > 2*maxRecent {
			t.Fatalf("%d hashes are kept", len(r.now)+len(r.before))
		}
	}
}

// TestQueueOfAspects checks that the aspects of an input wait independently, each once. A recorded
// aspect does not block the others.
func TestQueueOfAspects(t *testing.T) {
	q := &Queue{names: []string{"a", "b"}}
	known := func(c *finding.Candidate) bool {
		_, ok := q.Offer(*c)
		return !ok
	}
	cands := []finding.Candidate{{Failing: 1}, {Failing: 2}, {Layer: oracle.VerdictLayer}, {Layer: oracle.ValueLayer}, {}}
	for i := range cands {
		if known(&cands[i]) {
			t.Errorf("candidate %d is known", i)
		}
	}
	for i := range cands {
		if !known(&cands[i]) {
			t.Errorf("candidate %d is not known", i)
		}
	}
}

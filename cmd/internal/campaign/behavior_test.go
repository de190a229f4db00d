package campaign

import (
	"encoding/binary"
	"reflect"
	"syscall"
	"testing"
	"time"

	"parallax/cmd/internal/finding"
	"parallax/cmd/internal/finding/sample"
	"parallax/internal/diversity"
	"parallax/internal/feature"
	"parallax/internal/wire"
)

// sharing returns an instance whose process has shared memory for the records of programs and
// blocks.
func sharing(t *testing.T, programs, blocks int) (*instance, []diversity.Record) {
	shared, err := syscall.Mmap(-1, 0, wire.MemorySize(64), syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_ANON|syscall.MAP_PRIVATE)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { syscall.Munmap(shared) })
	mem := wire.NewMemory(shared, 64)
	return &instance{worker: &worker{mem: mem}}, diversity.BehindMaps(mem.Maps(), programs, blocks)
}

func traceEvent(keys ...uint64) (payload []byte) {
	for _, k := range keys {
		payload = binary.LittleEndian.AppendUint64(payload, k)
	}
	return payload
}

// TestBehaviorOverProcesses checks that the counts of running and ended processes add up, and that
// the next invocation continues them.
func TestBehaviorOverProcesses(t *testing.T) {
	names := []string{"a", "b"}
	b := newBehavior(2, 3)
	one, first := sharing(t, 2, 3)
	two, second := sharing(t, 2, 3)
	fresh := diversity.Sight{Weight: 1, New: true, NewValid: true, Times: 1}
	h1, h2 := feature.Mix(1), feature.Mix(2)
	first[0].Inc(diversity.Inputs, 5)
	first[0].Inc(diversity.Valid, 4)
	first[0].Weigh(fresh)
	first[0].Count([]uint32{0, 1}, 3, fresh)
	second[0].Inc(diversity.Invalid, 1)
	second[0].Weigh(fresh)
	second[0].Count([]uint32{1}, 3, fresh)
	second[2].Count([]uint32{1}, 0, fresh)

	if got := b.update(traceEvent(diversity.Key(h1, 0, true), diversity.Key(h1, 0, true), diversity.Key(h2, 2, false), diversity.Key(h1, 9, true))); len(got) != 3 {
		t.Errorf("%d traces are kept", len(got)) // the second time counts, an entry that there is not does not
	}
	if got := b.update(traceEvent(diversity.Key(h1, 0, false), diversity.Key(h1, 0, true), diversity.Key(h2, 0, true))); len(got) != 2 {
		t.Errorf("%d traces are kept", len(got)) // the fourth time does not
	}
	f := &fleet{instances: []*instance{one, two}}
	b.settle(one)
	one.worker = nil
	records := b.current(f)
	if got := records[0].Counts(nil, false); !reflect.DeepEqual(got, []uint64{0, 0, 0, 1, 2, 0}) {
		t.Errorf("together: %v", got)
	}
	if got := records[2].Counts(nil, true); !reflect.DeepEqual(got, []uint64{0, 1, 0}) {
		t.Errorf("the second program: %v", got)
	}
	p := b.profile(0, records[0], 6)
	want := sample.Behavior{Traces: 2, B0: 2, B1: sample.Digits(3 / 1.5874010519681994), B2: 1.8, Valid: 4, Invalid: 1, ValidTraces: 2}
	if p.Traces != want.Traces || p.B0 != want.B0 || p.B1 != want.B1 || p.B2 != want.B2 || p.Valid != want.Valid || p.Invalid != want.Invalid || p.ValidTraces != want.ValidTraces {
		t.Errorf("%+v, want %+v", p, want)
	}
	if p.NewBranch != 0.5 || p.NewBranchBound != 0 { // one of the two branches was executed by one of the two inputs
		t.Errorf("%+v", p)
	}
	second[0].Count([]uint32{0}, 3, fresh)
	if p := b.profile(0, b.current(f)[0], 6); p.NewBranch != 0 || p.NewBranchBound != 1 { // 3/2
		t.Errorf("%+v", p)
	}
	if p.Risk != sample.Digits(1.0/7) || p.RiskBound != 0.6 || p.Evenness != 0.944941 || p.Weight != 0 {
		t.Errorf("%+v", p)
	}

	next := newBehavior(2, 3)
	if told, err := next.load(b.save(records, names), names); told != 5 || err != nil {
		t.Error(told, err)
	}
	records[0].Put(diversity.StoredKeys, 0)
	if got := next.current(&fleet{}); !reflect.DeepEqual(got, records) {
		t.Errorf("the next invocation has %v, this one %v", got, records)
	}
	if _, err := next.load(map[string][]byte{"": {9}}, names); err == nil {
		t.Error("a damaged record is loaded")
	}
	// A starting process gets the known traces.
	heard := map[int]int{}
	b.handOut(func(domain int, _ uint8, states []uint64) error {
		if domain != feature.TraceNumber {
			t.Errorf("domain %d", domain)
		}
		for _, s := range states {
			_, i := diversity.ReadState(s)
			heard[i]++
		}
		return nil
	})
	if !reflect.DeepEqual(heard, map[int]int{0: 2, 2: 1}) {
		t.Errorf("told %v", heard)
	}
}

func TestBehaviorOfOne(t *testing.T) {
	b := newBehavior(1, 3)
	if len(b.ended) != 1 || len(b.save(b.ended, []string{"a"})) != 1 {
		t.Error("a single program has numbers of its own beside those of all")
	}
	if p := b.profile(0, b.ended[0], 3); p.B1 != 0 || p.NewTrace != 1 || p.RiskBound != 1 {
		t.Errorf("before the first input: %+v", p)
	}
	// If the counts of known traces were lost, a probability stays between 0 and 1.
	b.update(traceEvent(diversity.Key(feature.Mix(1), 0, true), diversity.Key(feature.Mix(2), 0, true)))
	b.ended[0].Weigh(diversity.Sight{Weight: 1, New: true, Times: 1})
	if p := b.profile(0, b.ended[0], 3); p.NewTrace != 1 {
		t.Errorf("two traces of one input that counts: %v", p.NewTrace)
	}
}

// TestBehaviorOfSample checks that B(0) of a sample is the number of covered branches, and that no
// estimate is smaller.
func TestBehaviorOfSample(t *testing.T) {
	b := newBehavior(1, 8)
	b.traces[0].Limit = 4
	for i := range uint64(40) {
		s := b.traces[0].Add(feature.Mix(i), true)
		b.ended[0].Weigh(s)
		b.ended[0].Count([]uint32{0, 1}, 0, s)
	}
	p := b.profile(0, b.ended[0], 5)
	if p.Weight < 2 || p.B0 != 5 || p.B1 != 2 || p.Evenness != 0.4 || p.Expected != 5 || p.Doubled != 5 || p.ValidB0 != 2 {
		t.Errorf("%+v", p)
	}
	if n := b.ended[0].Word(diversity.Sampled); n >= 40 || p.NewBranchBound != sample.Digits(min(1, 3/float64(n))) {
		t.Errorf("%d inputs are taken, a new branch below %v", n, p.NewBranchBound)
	}
}

// TestShown checks that the status computes the numbers only now and then.
func TestShown(t *testing.T) {
	var s shown
	n := 0
	compute := func() *sample.Behavior { n++; return &sample.Behavior{} }
	for _, at := range []time.Duration{0, time.Second, shownInterval, shownInterval + 1} {
		s.latest(time.Time{}.Add(at), compute)
	}
	if n != 2 {
		t.Errorf("computed %d times", n)
	}
}

// TestRarefied checks 100 traces that execute the first branch, one of them also the second. Ten
// traces cover a tenth of the second on average.
func TestRarefied(t *testing.T) {
	r := diversity.Record(make([]byte, diversity.RecordSize(3)))
	for i := range 100 {
		s := diversity.Sight{Weight: 1, New: true, Times: 1}
		r.Weigh(s)
		hits := []uint32{0, 1}
		if i > 0 {
			hits = hits[:1]
		}
		r.Count(hits, 0, s)
	}
	if got, want := rarefied(r, 0), []finding.Rarefied{{Traces: 10, B0: 1.1}}; !reflect.DeepEqual(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	if got := rarefied(r, 2); got != nil {
		t.Errorf("of a sample: %v", got)
	}
}

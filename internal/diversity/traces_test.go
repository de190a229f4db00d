package diversity

import (
	"maps"
	"math"
	"math/bits"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"parallax/internal/feature"
	"parallax/internal/oracle"
)

type had struct {
	times int
	valid bool
}

// TestTraces compares a set with a map, and with a set restored from it.
func TestTraces(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	var set Traces
	want := map[uint64]had{}
	inputs := uint64(0)
	record := make(Record, RecordSize(0))
	for range 20_000 {
		hash, valid := feature.Mix(r.Uint64N(6000))&Significant, r.IntN(3) == 0
		w := want[hash]
		s := set.Add(hash, valid)
		inputs++
		times := w.times + 1
		if times > 3 {
			times = 0
		}
		if s != (Sight{Weight: 1, New: w.times == 0, NewValid: valid && !w.valid, Times: uint8(times), Zeros: uint8(bits.LeadingZeros64(hash))}) {
			t.Fatalf("%+v, after %+v", s, w)
		}
		record.Weigh(s)
		want[hash] = had{w.times + 1, w.valid || valid}
	}
	var once, twice float64
	valid := uint64(0)
	for _, w := range want {
		if w.valid {
			valid++
		}
		switch w.times {
		case 1:
			once++
		case 2:
			twice++
		}
	}
	if set.Len() != uint64(len(want)) || set.Valid() != valid || set.Weight() != 1 {
		t.Errorf("%d traces, %d valid, want %d and %d", set.Len(), set.Valid(), len(want), valid)
	}
	sample := Sample{Species: float64(len(want)), Once: once, Twice: twice, Units: float64(inputs)}
	if got := set.Sample(record); got != sample {
		t.Errorf("%+v, want %+v", got, sample)
	}
	var other Traces
	set.State(func(s uint64) {
		state, i := ReadState(State(s, 64))
		if i != 64 {
			t.Fatal(i)
		}
		other.Restore(state)
		other.Restore(state)
	})
	if other.Sample(record) != sample || other.Valid() != valid {
		t.Errorf("restored: %+v", other.Sample(record))
	}
}

// TestSample checks that a full set becomes a sample. The sample does not depend on the order,
// rejects forgotten traces, and estimates well.
func TestSample(t *testing.T) {
	const n, limit = 100_000, 1 << 12
	set, back := Traces{Limit: limit}, Traces{Limit: limit}
	record := make(Record, RecordSize(0))
	for i := range uint64(n) {
		set.Add(feature.Mix(i), i%4 == 0)
		record.Weigh(back.Add(feature.Mix(n-1-i), i%4 == 0))
	}
	sampled := uint64(0)
	for i := range uint64(n) {
		s := set.Add(feature.Mix(i), false)
		if s.New {
			t.Fatal("a trace is new again")
		}
		if s.Weight > 0 {
			sampled++
		}
	}
	if set.Held() >= limit || uint64(set.Held()) != sampled || set.Level() != back.Level() || set.Weight() != 1<<set.Level() {
		t.Errorf("%d held, %d sampled, levels %d and %d", set.Held(), sampled, set.Level(), back.Level())
	}
	for _, e := range []*Traces{&set, &back} {
		if math.Abs(float64(e.Len())-n) > 0.1*n || math.Abs(float64(e.Valid())-n/4) > 0.1*n {
			t.Errorf("estimates: %d traces, %d valid", e.Len(), e.Valid())
		}
	}
	if s := back.Sample(record); math.Abs(s.Once-n) > 0.1*n || s.Twice != 0 || s.Discovery() != 1 {
		t.Errorf("%+v", s)
	}
	// A set restored from the states accepts the same traces. A forgotten trace is not new to it.
	var told Traces
	told.Limit = limit
	set.State(func(s uint64) {
		state, _ := ReadState(State(s, 64))
		told.Restore(state)
	})
	for i := range uint64(n) {
		if s := told.Add(feature.Mix(i), false); s.New || told.Level() != set.Level() {
			t.Fatalf("%+v at level %d", s, told.Level())
		}
	}
}

// TestNewTraceOfSample checks the probability of a new trace. Units of a sample are all inputs that
// had one of its traces, also before it became a sample. The probability is the share of units that
// had a trace of their own. Lost records never make it exceed one.
func TestNewTraceOfSample(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 2))
	set, record := Traces{Limit: 1 << 8}, make(Record, RecordSize(0))
	had := map[uint64]int{}
	for range 6000 {
		n := r.Uint64N(1 << (1 + r.IntN(12)))
		hash := feature.Mix(n) & Significant
		record.Weigh(set.Add(hash, false))
		had[hash]++
	}
	once, units := 0.0, 0.0
	for hash, times := range had {
		if hash>>(64-set.Level()) != 0 {
			continue
		}
		units += float64(times)
		if times == 1 {
			once++
		}
	}
	if got := set.Sample(record).Discovery(); set.Level() < 2 || !near(got, once/units) {
		t.Errorf("level %d: %v, want %v of %v", set.Level(), got, once, units)
	}
	if got := set.Sample(nil).Discovery(); got <= 0 || got > 1 {
		t.Errorf("without its record: %v", got)
	}
}

// TestRecordOfSample compares the counts of branches in a sample with the definition. Units are the
// inputs whose trace the set accepted at the time. A new trace counts with its weight at that time.
func TestRecordOfSample(t *testing.T) {
	const branches, limit = 400, 64
	r := rand.New(rand.NewPCG(7, 7))
	a := Assemblage{Traces: Traces{Limit: limit}, Record: make(Record, RecordSize(branches))}
	held, level := map[uint64]bool{}, 0
	var times, counts [branches]uint64
	want := Sample{}
	const inputs = 4000
	for range inputs {
		var hits []uint32
		for range 1 + r.IntN(3) {
			hits = append(hits, uint32(branches*math.Pow(r.Float64(), 6)))
		}
		slices.Sort(hits)
		hits = slices.Compact(hits)
		hash := uint64(0)
		for _, b := range hits {
			hash = feature.Chain(hash, uint64(b))
		}
		hash = feature.Mix(hash) & Significant
		s := a.Traces.Add(hash, false)
		a.Weigh(s)
		a.Count(hits, 0, s)
		if hash>>(64-level) != 0 {
			continue
		}
		want.Units++
		for _, b := range hits {
			times[b]++
			if !held[hash] {
				counts[b] += 1 << level
			}
		}
		for held[hash] = true; len(held) >= limit; {
			level++
			maps.DeleteFunc(held, func(h uint64, _ bool) bool { return h>>(64-level) != 0 })
		}
	}
	for _, n := range times {
		if n > 0 {
			want.Species++
		}
		if n == 1 {
			want.Once++
		}
		if n == 2 {
			want.Twice++
		}
	}
	if got := a.Sample(); level < 2 || want.Once == 0 || want.Twice == 0 || got != want {
		t.Errorf("level %d: %+v, want %+v", level, got, want)
	}
	if got := a.Counts(nil, false); !slices.Equal(got, counts[:]) {
		t.Errorf("%v, want %v", got, counts)
	}
	if a.Word(Traced) != inputs {
		t.Errorf("%d inputs had a trace", a.Word(Traced))
	}
}

// TestRecord compares the merged records of two workers with the definition.
func TestRecord(t *testing.T) {
	const branches = 12
	r := rand.New(rand.NewPCG(3, 1))
	room := make([]byte, Size(2, branches/2))
	if Split(room[1:], 2, branches/2) != nil || Split(room, 2, branches/2)[0].Branches() != branches {
		t.Fatal("room")
	}
	if BehindMaps(make([]byte, 64+RecordSize(50)), 1, 50)[0].Branches() != 50 || BehindMaps(make([]byte, 63), 1, 50) != nil {
		t.Fatal("behind the maps")
	}
	var a [2]Assemblage
	for i := range a {
		a[i].Record = make(Record, RecordSize(branches))
	}
	traces := map[uint64]had{}
	var times [branches]int
	inputs := map[oracle.Validity]uint64{}
	for range 400 {
		set := r.Uint64N(1<<branches) & r.Uint64() & r.Uint64()
		var hits []uint32
		for b := range uint32(branches) {
			if set>>b&1 != 0 {
				hits = append(hits, b)
			}
		}
		hash := feature.Mix(set) & Significant
		worker := int(hash >> 20 & 1) // no trace belongs to both
		valid := r.IntN(2) == 0
		v := oracle.Invalid
		if valid {
			v = oracle.Valid
		}
		inputs[v]++
		a[worker].Input(v, false)
		s := a[worker].Traces.Add(hash, valid)
		a[worker].Weigh(s)
		a[worker].Count(hits, 0, s)
		w := traces[set]
		traces[set] = had{w.times + 1, w.valid || valid}
		for _, b := range hits {
			times[b]++
		}
	}
	sum := make(Record, RecordSize(branches))
	sum.Merge(a[0].Record)
	sum.Merge(a[1].Record)
	all, valid := make([]uint64, branches), make([]uint64, branches)
	for set, w := range traces {
		for b := range branches {
			if set>>b&1 != 0 {
				all[b]++
				if w.valid {
					valid[b]++
				}
			}
		}
	}
	if got := sum.Counts(nil, false); !reflect.DeepEqual(got, all) {
		t.Errorf("%v, want %v", got, all)
	}
	if got := sum.Counts(nil, true); !reflect.DeepEqual(got, valid) {
		t.Errorf("valid: %v, want %v", got, valid)
	}
	want := Sample{Units: 400}
	for _, n := range times {
		switch {
		case n == 0:
			continue
		case n == 1:
			want.Once++
		case n == 2:
			want.Twice++
		}
		want.Species++
	}
	if got := sum.Sample(); got != want {
		t.Errorf("%+v, want %+v", got, want)
	}
	if sum.Word(Valid) != inputs[oracle.Valid] || sum.Word(Invalid) != inputs[oracle.Invalid] || sum.Word(Weighed) != uint64(len(traces)) {
		t.Errorf("%d valid, %d invalid, %d traces", sum.Word(Valid), sum.Word(Invalid), sum.Word(Weighed))
	}
	// Records that are too short count nothing and do no harm.
	var none Record
	none.Inc(Valid, 1)
	none.Count([]uint32{1}, 0, Sight{Weight: 1, New: true, Times: 1})
	none.Merge(sum)
	if none.Word(Valid) != 0 || none.Branches() != 0 || len(none.Counts(nil, false)) != 0 {
		t.Error("a record without room counts")
	}
}

func TestKey(t *testing.T) {
	hash, i, valid := ReadKey(Key(^uint64(0), 64, true))
	if hash != Significant || i != 64 || !valid {
		t.Errorf("%x %d %v", hash, i, valid)
	}
	if _, i, valid := ReadKey(Key(0, 3, false)); i != 3 || valid {
		t.Errorf("%d %v", i, valid)
	}
}

func TestCountingAllocatesNothing(t *testing.T) {
	a := Assemblage{Record: make(Record, RecordSize(100))}
	a.Traces.Add(0, false)
	hits, i := []uint32{1, 5, 99}, uint64(0)
	if n := testing.AllocsPerRun(100, func() {
		i++
		s := a.Traces.Add(feature.Mix(i), true)
		a.Weigh(s)
		a.Count(hits, 0, s)
	}); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

// BenchmarkNew measures a new trace of 400 blocks: counting its blocks, and looking it up.
func BenchmarkNew(b *testing.B) {
	hits := make([]uint32, 400)
	for i := range hits {
		hits[i] = uint32(i/8*40 + i%8)
	}
	a := Assemblage{Record: make(Record, RecordSize(4000))}
	b.Run("count", func(b *testing.B) {
		for i := 0; i < b.N; i++ {
			a.Count(hits, 0, Sight{Weight: 1, New: true, NewValid: true, Times: 1})
		}
	})
	b.Run("look", func(b *testing.B) {
		for i := 0; i < b.N; i++ {
			a.Weigh(a.Traces.Add(feature.Mix(uint64(i)), true))
		}
	})
}

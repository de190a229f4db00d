package wire

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"math/rand"
	"testing"
	"unsafe"
)

// small returns a memory with a small ring, and its bytes.
func small(max, ring int) (*Memory, []byte) {
	b := aligned(headerSize + Slots*SlotSize(max) + ring + 64)
	m := newMemory(b)
	m.slotSize, m.ringSize = SlotSize(max), ring
	m.put(offCheck, m.check)
	m.word(offMagic).Store(magic + Version)
	m.word(offSlotSize).Store(uint64(m.slotSize))
	m.word(offRingSize).Store(uint64(ring))
	return m, b
}

// aligned returns memory whose words can be used as atomics.
func aligned(n int) []byte {
	words := make([]uint64, (n+7)/8)
	return unsafe.Slice((*byte)(unsafe.Pointer(&words[0])), n)
}

type item struct {
	kind    byte
	payload []byte
}

func (i item) String() string { return fmt.Sprintf("%d:%d bytes", i.kind, len(i.payload)) }

// TestRing compares the ring with a queue under random puts and drains. A refused event leaves no
// part. Drained events are complete and in order. Events up to MaxRecord fit an empty ring.
func TestRing(t *testing.T) {
	for _, ring := range []int{64, 72, 128, 1000, 4096} {
		m, _ := small(8, ring)
		r := rand.New(rand.NewSource(int64(ring)))
		var queue []item
		refused, wrapped := 0, 0
		for step := 0; step < 20_000; step++ {
			if r.Intn(4) > 0 {
				next := item{byte(r.Intn(256)), make([]byte, r.Intn(m.MaxRecord()+1))}
				if r.Intn(2) == 0 {
					next.payload = next.payload[:len(next.payload)/8]
				}
				r.Read(next.payload)
				before := m.word(offHead).Load()
				if m.TryPut(next.kind, next.payload) {
					queue = append(queue, next)
					if after := m.word(offHead).Load(); before%uint64(ring) >= after%uint64(ring) {
						wrapped++
					}
				} else {
					refused++
					if len(queue) == 0 {
						t.Fatalf("ring of %d: an empty ring refuses %d bytes", ring, len(next.payload))
					}
					if m.word(offHead).Load() != before {
						t.Fatalf("ring of %d: a refused event moves the head", ring)
					}
				}
				continue
			}
			taken := 0
			n := m.Drain(func(kind byte, payload []byte) {
				if taken >= len(queue) || kind != queue[taken].kind || !bytes.Equal(payload, queue[taken].payload) {
					t.Fatalf("ring of %d: took %d, %d bytes; the queue is %v", ring, kind, len(payload), queue[taken:])
				}
				taken++
			})
			if n != taken || taken != len(queue) {
				t.Fatalf("ring of %d: took %d of %d", ring, n, len(queue))
			}
			queue = nil
		}
		if refused < 100 || wrapped < 100 {
			t.Errorf("ring of %d: refused %d, wrapped %d times: not much of a test", ring, refused, wrapped)
		}
	}
}

// TestLargestEventFits checks that a campaign's largest event, an input with its parent, fits a
// ring made for such inputs.
func TestLargestEventFits(t *testing.T) {
	for _, max := range []int{0, 1, 4096, 1 << 20, 4 << 20} {
		event := InputEvent{
			Inputs: math.MaxUint64, Flat: make([]byte, max), Parent: make([]byte, max), Ops: make([]byte, 4096),
			New: []string{"coverage", "path-coarse", "path-fine", "output", "reference"}, Tuple: make([]Observed, 48),
		}
		for i := range event.Tuple {
			event.Tuple[i] = Observed{math.MaxUint64, math.MaxUint64, math.MaxUint64}
		}
		b := event.Append(nil)
		shown := Shown{Flat: make([]byte, max), Features: make([]uint64, 7000)}
		if s := shown.Append(nil); len(s) > len(b) {
			b = s
		}
		m := &Memory{ringSize: ringSize(max)}
		if len(b) > m.MaxRecord() {
			t.Errorf("inputs of %d bytes: an event of %d, the limit is %d", max, len(b), m.MaxRecord())
		}
		if n := MemorySize(max); n != headerSize+Slots*SlotSize(max)+ringSize(max)+MapBytes || ringSize(max)%4096 != 0 {
			t.Errorf("inputs of %d bytes: size %d", max, n)
		}
	}
}

func TestOpenMemory(t *testing.T) {
	const max = 100
	b := aligned(MemorySize(max) - MapBytes + 4096)
	ours := NewMemory(b, max)
	theirs, err := OpenMemory(b)
	if err != nil {
		t.Fatal(err)
	}
	theirs.SetInput([]byte("input"))
	theirs.TryPut(EventKept, []byte("event"))
	theirs.Count(Kept, 7)
	theirs.CountOp(MaxOps-1, 9, 8)
	theirs.Seal()
	theirs.Maps()[0] = 9
	var counts Counts
	got := ""
	ours.Drain(func(kind byte, payload []byte) { got = fmt.Sprint(kind, string(payload)) })
	if got != fmt.Sprint(EventKept, "event") || string(ours.Recent()[0]) != "input" || !ours.Counts(&counts) || counts.Stats[Kept] != 7 ||
		counts.Kept[MaxOps-1] != 8 || ours.Maps()[0] != 9 {
		t.Errorf("the two sides see different memory: event %q, recent %q", got, ours.Recent())
	}
	if len(ours.Maps()) != len(theirs.Maps()) || len(theirs.Maps()) != 4096 {
		t.Errorf("room for maps: %d and %d", len(ours.Maps()), len(theirs.Maps()))
	}
	tests := []struct {
		name string
		edit func(b []byte) []byte
	}{
		{"empty", func([]byte) []byte { return nil }},
		{"only a header", func(b []byte) []byte { return b[:headerSize] }},
		{"another version", func(b []byte) []byte { b[offMagic]++; return b }},
		{"cut", func(b []byte) []byte { return b[:len(b)-5000] }},
		{"a huge slot", func(b []byte) []byte { binary.LittleEndian.PutUint64(b[offSlotSize:], 1<<60); return b }},
		{"a negative slot", func(b []byte) []byte { binary.LittleEndian.PutUint64(b[offSlotSize:], ^uint64(0)); return b }},
		{"no slot", func(b []byte) []byte { binary.LittleEndian.PutUint64(b[offSlotSize:], 0); return b }},
		{"no ring", func(b []byte) []byte { binary.LittleEndian.PutUint64(b[offRingSize:], 0); return b }},
		{"a crooked ring", func(b []byte) []byte { binary.LittleEndian.PutUint64(b[offRingSize:], 4097); return b }},
		{"a negative ring", func(b []byte) []byte { binary.LittleEndian.PutUint64(b[offRingSize:], 1<<63); return b }},
	}
	for _, test := range tests {
		copied := aligned(len(b))
		copy(copied, b)
		if _, err := OpenMemory(test.edit(copied)); err == nil {
			t.Errorf("%s: opened", test.name)
		}
	}
}

// TestHeaderLayout checks that fields of the header do not overlap.
func TestHeaderLayout(t *testing.T) {
	m := NewMemory(aligned(MemorySize(8)-MapBytes), 8)
	fields := map[string]func() *uint64{}
	word := func(off int) func() *uint64 {
		return func() *uint64 { return (*uint64)(unsafe.Pointer(&m.b[off])) }
	}
	for name, off := range map[string]int{
		"magic": offMagic, "slot size": offSlotSize, "ring size": offRingSize, "state": offState, "program": offProgram,
		"stop": offStop, "mail": offMail, "ping": offPing, "seq": offSeq, "head": offHead, "tail": offTail, "check": offCheck, "pong": offPong,
		"determined": offDetermined, "repairing": offRepairing,
	} {
		fields[name] = word(off)
	}
	if Idle != 0x5ad1e1d1e0ff10ad || offState != 264 || offProgram != 272 || offStats != 320 {
		t.Error("puzzles/faults/words.go has other numbers")
	}
	for s := 0; s < NumStats; s++ {
		fields[fmt.Sprint("stat ", s)] = word(offStats + 8*s)
	}
	for p := 0; p < MaxPrograms; p++ {
		fields[fmt.Sprint("unsteady ", p)] = word(offUnsteady + 8*p)
	}
	for op := 0; op < MaxOps; op++ {
		fields[fmt.Sprint("tried ", op)] = word(offOps + 16*op)
		fields[fmt.Sprint("kept ", op)] = word(offOps + 16*op + 8)
	}
	seen := map[*uint64]string{}
	for name, field := range fields {
		p := field()
		if other := seen[p]; other != "" {
			t.Errorf("%s and %s share a word", name, other)
		}
		seen[p] = name
		if off := uintptr(unsafe.Pointer(p)) - uintptr(unsafe.Pointer(&m.b[0])); off+8 > headerSize {
			t.Errorf("%s lies at %d, outside the header", name, off)
		}
	}
}

func TestRecent(t *testing.T) {
	m, _ := small(16, 64)
	if got := m.Recent(); len(got) != 0 {
		t.Errorf("before the first input: %q", got)
	}
	for n := 1; n <= 3*Slots; n++ {
		m.SetInput([]byte(fmt.Sprint("input ", n)))
		got := m.Recent()
		if want := min(n, Slots-1); len(got) != want {
			t.Fatalf("after %d inputs: %d, want %d", n, len(got), want)
		}
		for k, flat := range got {
			if want := fmt.Sprint("input ", n-k); string(flat) != want {
				t.Fatalf("after %d inputs: the one %d before is %q", n, k, flat)
			}
		}
	}
	m.SetInput(nil)
	if got := m.Recent()[0]; got == nil || len(got) != 0 {
		t.Errorf("the empty input: %v", got)
	}
	got := m.Recent()
	m.SetInput(bytes.Repeat([]byte("x"), 1000)) // longer than the limit: cut, and its neighbors stay complete
	if n := len(m.Recent()[0]); n != SlotSize(16)-slotHeader || string(m.Recent()[2]) != string(got[1]) {
		t.Errorf("an input too long leaves %d bytes, before it %q", n, m.Recent()[2])
	}
	// Any value that a target wrote over a length.
	for _, bad := range []uint64{0, uint64(SlotSize(16)), math.MaxUint64, 1 << 63} {
		slot := m.slot(m.word(offSeq).Load())
		binary.LittleEndian.PutUint64(slot[8:], bad)
		if got := m.Recent(); len(got) != 0 {
			t.Errorf("length %x: %q", bad, got)
		}
	}
}

func TestSetInputAllocatesNothing(t *testing.T) {
	m, _ := small(100, 64)
	flat := make([]byte, 100)
	if n := testing.AllocsPerRun(100, func() { m.SetInput(flat) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

// FuzzRing lets a program write anything into the shared memory. The supervisor neither panics nor
// loops, and accepts no event that the worker has not put there. The worker detects it. Once it has
// restored the header, its events are read again.
func FuzzRing(f *testing.F) {
	f.Add([]byte{}, uint64(0), uint64(0))
	f.Add([]byte("\x05\x00\x00\x00\x01"), uint64(64), uint64(0))
	f.Add([]byte("\xff\xff\xff\xff\x01"), uint64(128), uint64(64))
	f.Add([]byte("\xf0\xff\xff\xff\x01"), uint64(math.MaxUint64), uint64(0))
	f.Add([]byte("\x00"), uint64(0), uint64(math.MaxUint64))
	f.Add([]byte("\x00"), uint64(133), uint64(129))
	f.Add([]byte("0"), uint64(0), uint64(math.MaxUint64-95)) // a tail ahead of the head
	f.Add([]byte("0"), uint64(40), uint64(0))                // an event longer than its data
	f.Fuzz(func(t *testing.T, data []byte, head, tail uint64) {
		m, _ := small(8, 128)
		if !m.TryPut(7, []byte("first")) {
			t.Fatal("no room in an empty ring")
		}
		m.SetProgram(3)
		if !m.Intact() {
			t.Error("not intact at the beginning")
		}
		copy(m.ring(), data)
		m.word(offHead).Store(head)
		m.word(offTail).Store(tail)
		m.Drain(func(kind byte, payload []byte) {
			if kind != 7 || string(payload) != "first" {
				t.Errorf("an event that nobody has put there: %d %q", kind, payload)
			}
		})
		if want := head == m.head && m.word(offTail).Load() <= m.head && m.word(offTail).Load()%8 == 0; m.Intact() != want {
			t.Errorf("intact: %v, with the head at %d instead of %d", m.Intact(), head, m.head)
		}
		m.Restore([]byte("x"))
		m.Drain(func(byte, []byte) {})
		m.Drain(func(byte, []byte) {})
		m.word(offTail).Store(m.tail) // as the supervisor left it
		for i := 0; i < 20; i++ {
			if !m.TryPut(byte(i), []byte("event")) {
				t.Fatal("no room after all was taken")
			}
			n := m.Drain(func(kind byte, payload []byte) {
				if kind != byte(i) || string(payload) != "event" {
					t.Errorf("event %d: %d %q", i, kind, payload)
				}
			})
			if n != 1 {
				t.Fatalf("event %d: took %d", i, n)
			}
		}
	})
}

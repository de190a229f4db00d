package wire

import "testing"

func TestSurvivors(t *testing.T) {
	m := NewMemory(make([]byte, MemorySize(64)), 64)
	w := m.Survivors(3)
	to, at := w.Alloc(2 * survivorPage)
	if len(to) != 2*survivorPage || at%survivorPage != 0 {
		t.Fatalf("%d bytes at %d", len(to), at)
	}
	copy(to[100:], "\x01\x00\x07")
	w.Put(1, at+100)
	if again, _ := w.Alloc(MapBytes); again != nil {
		t.Error("there is more than there is room")
	}
	r := m.Survivors(3)
	if got := r.Counters(1, 3); string(got) != "\x01\x00\x07" || r.Counters(0, 3) != nil || r.Counters(2, 3) != nil {
		t.Errorf("%q", got)
	}
	for _, wild := range []uint64{1 << 63, uint64(MapBytes) - 1} { // a program wrote there
		putUint64(m.Maps()[w.table+16:], wild)
		if r.Counters(2, 3) != nil {
			t.Errorf("counters at %d", wild)
		}
	}
	if (&Memory{b: make([]byte, headerSize)}).Survivors(1).Counters(0, 1) != nil {
		t.Error("counters without room")
	}
}

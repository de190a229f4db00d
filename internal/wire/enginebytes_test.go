package wire

import "testing"

// Whatever a worker says that the engine holds, or a program writes in its place, no more than MostHeld of its memory is not counted.
func TestHeldIsBounded(t *testing.T) {
	m := NewMemory(make([]byte, MemorySize(64)), 64)
	for n, want := range map[int]int{0: 0, 5: 5, MostHeld: MostHeld, MostHeld + 1: MostHeld, 1 << 40: MostHeld} {
		if m.SetHeld(n); m.Held() != want {
			t.Errorf("%d bytes are held as %d", n, m.Held())
		}
	}
	for word, want := range map[uint64]int{sealed(1<<32 - 1): MostHeld, sealed(MostHeld) + 1: 0, 1<<64 - 1: 0} {
		if m.word(offHeld).Store(word); m.Held() != want {
			t.Errorf("the word %#x is read as %d", word, m.Held())
		}
	}
	if MostHeld != 512<<20 { // docs/reference/configuration.md
		t.Errorf("%d bytes", MostHeld)
	}
}

package wire

import "testing"

// TestEngineBytesAreBounded checks that at most MaxEngineBytes of a worker's memory is not counted,
// whatever the worker reports or a program writes.
func TestEngineBytesAreBounded(t *testing.T) {
	m := NewMemory(make([]byte, MemorySize(64)), 64)
	for n, want := range map[int]int{0: 0, 5: 5, MaxEngineBytes: MaxEngineBytes, MaxEngineBytes + 1: MaxEngineBytes, 1 << 40: MaxEngineBytes} {
		if m.SetEngineBytes(n); m.EngineBytes() != want {
			t.Errorf("%d bytes are held as %d", n, m.EngineBytes())
		}
	}
	for word, want := range map[uint64]int{withChecksum(1<<32 - 1): MaxEngineBytes, withChecksum(MaxEngineBytes) + 1: 0, 1<<64 - 1: 0} {
		if m.word(offHeld).Store(word); m.EngineBytes() != want {
			t.Errorf("the word %#x is read as %d", word, m.EngineBytes())
		}
	}
	if MaxEngineBytes != 512<<20 { // docs/reference/configuration.md
		t.Errorf("%d bytes", MaxEngineBytes)
	}
}

package execute

import (
	"strings"
	"testing"

	"parallax/internal/oracle"
	"parallax/internal/wire"
)

// TestReadDeath checks that every value read from the memory of an ended worker is valid, whatever
// a program has written there.
func TestReadDeath(t *testing.T) {
	pair := func(n byte) string { return "\x04\x00\x00\x00boom" + string([]byte{n, 0, 0, 0}) }
	hello := &wire.HelloMessage{Programs: []string{"a", "b"}, Shape: "([]byte, int32)"}
	for _, test := range []struct {
		name     string
		edit     func(b []byte, m *wire.Memory)
		ordered  bool
		inFlight bool
		program  int
		wrote    bool
		recent   int
		spoiled  int
	}{
		{"nothing written", func([]byte, *wire.Memory) {}, true, true, 1, false, 2, 0},
		{"the number of the program", func(b []byte, _ *wire.Memory) { b[279] = 0x80 }, true, true, 2, true, 2, 0},
		{"the state", func(b []byte, _ *wire.Memory) { clear(b[264:272]) }, true, true, 1, true, 2, 0},
		{"the state, and nothing was ordered", func(b []byte, _ *wire.Memory) { clear(b[264:272]) }, false, false, 1, true, 2, 0},
		{"the whole header", func(b []byte, _ *wire.Memory) { clear(b[:4096]) }, true, true, 2, true, 2, 0},
		{"everything", func(b []byte, _ *wire.Memory) { clear(b) }, true, false, 2, true, 0, 0},
		{"the input in flight", func(_ []byte, m *wire.Memory) { m.SetInput([]byte("\xff\xff\xff\xffboom")) }, true, false, 1, true, 2, 1},
		{"the one before", func(_ []byte, m *wire.Memory) {
			m.SetInput([]byte("none"))
			m.SetInput([]byte(pair(3)))
		}, true, true, 1, true, 3, 1},
		// this worker has no repair function
		{"that it is being repaired", func(_ []byte, m *wire.Memory) { m.SetRepairing(true) }, true, true, 1, false, 2, 0},
	} {
		b := make([]byte, wire.MemorySize(64)-wire.MapBytes)
		m := wire.NewMemory(b, 64)
		m.SetInput([]byte(pair(1)))
		m.SetInput([]byte(pair(2)))
		m.SetProgram(1)
		m.SetState(wire.InFlight)
		test.edit(b, m)
		d := &Death{Outcome: oracle.Crashed, Status: "exit status 3"}
		d.readMemory(m, hello, test.ordered)
		if d.InFlight != test.inFlight || d.Program != test.program || d.Wrote != test.wrote || len(d.Recent) != test.recent || d.Spoiled != test.spoiled || d.Repairing {
			t.Errorf("%s: %+v", test.name, d)
		}
		if d.Harmed() != test.wrote || test.wrote && !strings.HasSuffix(d.Harm(), "shares with parallax, and ended its process: exit status 3") {
			t.Errorf("%s: %q", test.name, d.Harm())
		}
	}
}

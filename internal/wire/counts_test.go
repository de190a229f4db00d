package wire

import (
	"fmt"
	"math"
	"testing"
)

// words holds one word of each kind that a program may overwrite, by name.
var words = map[string]int{
	"magic": offMagic, "slot size": offSlotSize, "ring size": offRingSize, "stop": offStop, "mail": offMail, "head": offHead, "tail": offTail,
	"check": offCheck, "state": offState, "program": offProgram, "seq": offSeq, "pong": offPong, "determined": offDetermined,
	"repairing": offRepairing, "inputs": offStats, "again": offStats + 8*int(Repeated), "tried": offOps, "kept": offOps + 24, "unsteady": offUnsteady + 8,
}

// counting returns a memory in use: an input in flight on the second of two programs, and some
// counts.
func counting() *Memory {
	m, _ := small(16, 128)
	m.Watch(2, 2)
	m.SetInput([]byte("one"))
	m.SetProgram(1)
	m.SetState(InFlight)
	m.Beaten()
	m.Beat()
	m.Count(Inputs, 7)
	m.Add(Repeated, 2)
	m.AddUnsteady(1)
	m.CountOp(1, 5, 3)
	m.Seal()
	m.TryPut(EventNote, []byte("note"))
	m.AnnounceMail()
	m.Announced()
	m.RequestStop(true)
	return m
}

// TestIntact checks that the worker detects any word that a program overwrites.
func TestIntact(t *testing.T) {
	if m := counting(); !m.Intact() || !m.Sound(2) || !m.Counted() || m.Announced() != 1 || !m.StopRequested() || !m.Intact() {
		t.Fatal("not intact at the beginning")
	}
	for name, off := range words {
		for _, v := range []uint64{0, 1, 2, 1 << 39, 1 << 63, math.MaxUint64, 0xa5a5a5a5a5a5a5a5} {
			m := counting()
			word := m.word(off)
			if word.Load() == v || name == "stop" && v == 0 || name == "tail" && v == 0 { // possible values
				continue
			}
			if word.Store(v); m.Intact() {
				t.Errorf("%s: %x: nobody sees it", name, v)
			}
			if m.Announced(); m.mailed > 1 {
				t.Errorf("%s: %x: %d messages of mail", name, v, m.mailed)
			}
		}
	}
}

// TestCounts checks that the supervisor accepts possible counts, and rejects counts that a program
// has written or damaged.
func TestCounts(t *testing.T) {
	var c Counts
	if m := counting(); !m.Counts(&c) || c.Stats[Inputs] != 7 || c.Stats[Repeated] != 2 || c.Unsteady[1] != 1 || c.Tried[1] != 5 || c.Kept[1] != 3 {
		t.Fatalf("%+v", c)
	}
	had := c
	for name, off := range words {
		if off != offCheck && off < offStats {
			continue
		}
		for _, v := range []uint64{0, 8, 1 << 39, math.MaxUint64} {
			m := counting()
			if m.word(off).Load() == v {
				continue
			}
			m.word(off).Store(v)
			if m.Counts(&c) || c != had || m.Counted() {
				t.Errorf("%s: %x: %+v", name, v, c)
			}
		}
	}
	cleared := counting()
	for off := offOwn; off < offEnd; off += 8 {
		cleared.word(off).Store(0)
	}
	back := counting() // valid by itself, but less than before
	back.Count(Inputs, 6)
	back.Seal()
	far := counting()
	far.Count(Inputs, 1<<41)
	far.Seal()
	for i, m := range []*Memory{cleared, back, far} {
		if m.Counts(&c) || c != had {
			t.Errorf("%d: %+v", i, c)
		}
	}
}

// TestCountsWhileCounting reads counts while they are written. Accepted counts were all there at
// one time.
func TestCountsWhileCounting(t *testing.T) {
	m, _ := small(16, 128)
	const n = 200_000
	done := make(chan bool)
	go func() {
		for i := uint64(1); i <= n; i++ {
			m.Count(Inputs, i)
			m.Count(Kept, 2*i)
			m.Seal()
		}
		close(done)
	}()
	var c Counts
	for going := true; going; {
		select {
		case <-done:
			going = false
		default:
		}
		m.Counts(&c)
		if c.Stats[Kept] != 2*c.Stats[Inputs] {
			t.Fatalf("%d and %d", c.Stats[Inputs], c.Stats[Kept])
		}
	}
	if !m.Counts(&c) || c.Stats[Inputs] != n {
		t.Errorf("%d counted", c.Stats[Inputs])
	}
}

// TestSound has memory that a worker cannot leave unless a program wrote there.
func TestSound(t *testing.T) {
	for name, v := range map[string]uint64{
		"magic": 0, "slot size": 0, "ring size": 1, "stop": 1, "mail": 7, "state": 0, "program": 1 << 63, "seq": 0, "determined": 5, "repairing": 5,
	} {
		m := counting()
		if m.word(words[name]).Store(v); m.Sound(2) {
			t.Errorf("%s: %x is taken for what the worker wrote", name, v)
		}
		if got := fmt.Sprintf("%q", m.Recent()); got != `["one"]` {
			t.Errorf("%s: the latest inputs are %s", name, got)
		}
	}
}

// TestBeat checks that only the worker answers a ping, whatever a program writes to the answer.
func TestBeat(t *testing.T) {
	m, _ := small(16, 128)
	m.Beaten()
	for i := uint64(0); i < 1000; i++ {
		m.word(offPong).Store(i * 0x0101010101010101)
		m.word(offPing).Store(i)
		if m.Beaten() {
			t.Fatalf("%x is taken for an answer", i)
		}
	}
	if m.Beat(); !m.Beaten() || m.Beaten() {
		t.Error("the worker's answer is not heard, or heard twice")
	}
}

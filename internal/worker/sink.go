package worker

import (
	"encoding/binary"
	"os"
	"syscall"
	"time"

	"parallax/internal/engine"
	"parallax/internal/mutate"
	"parallax/internal/oracle"
	"parallax/internal/schedule"
	"parallax/internal/wire"
)

// sink writes the engine's events into the ring and its counts into the shared header. An event is
// in the ring before the next input runs, so that a crash loses none. The features of an input
// follow the input. So a supervisor that dies between the two knows no feature without its input.
type sink struct {
	mem        *wire.Memory
	parent     int // the process that empties the ring; 0 means not known
	inputs     uint64
	kept       uint64
	discrepant uint64
	skipped    uint64
	bytes      uint64
	blocks     uint64
	novel      []byte // features of the current input, each a domain and a hash
	traces     []byte // keys of traces for the next event
	buf        []byte
	event      wire.InputEvent
	tried      [wire.MaxOps]uint64 // by operator, and then by arm
	won        [wire.MaxOps]uint64
	marks      uint64 // inputs between two marks; zero means no marks
	marked     uint64 // inputs since the last mark
}

// Novel implements engine.Sink.
func (s *sink) Novel(domain int, hash uint64) {
	s.novel = binary.LittleEndian.AppendUint64(append(s.novel, byte(domain)), hash)
}

// maxTraces bounds the bytes of keys in one event.
const maxTraces = 8 << 9

// Trace implements engine.Sink. With many programs most inputs have a new trace, and one event per
// trace would cost more than all other counts. So traces are collected, at most until the other
// counts are published. A process that ends earlier may have counted traces that it did not
// announce.
func (s *sink) Trace(key uint64) {
	s.traces = binary.LittleEndian.AppendUint64(s.traces, key)
}

// sendTraces sends the collected keys of traces.
func (s *sink) sendTraces() {
	if len(s.traces) > 0 {
		s.put(wire.EventTraces, s.traces)
		s.traces = s.traces[:0]
	}
}

// maxNovel bounds the bytes of features in one event.
const maxNovel = 9 << 9

// flush sends the features of an input, usually in one event. With many programs most inputs have
// some.
func (s *sink) flush() {
	for rest := s.novel; len(rest) > 0; {
		n := min(len(rest), maxNovel)
		s.put(wire.EventNovel, rest[:n])
		rest = rest[n:]
	}
	s.novel = s.novel[:0]
}

// Uncounted implements engine.Sink.
func (s *sink) Uncounted() { s.flush() }

// Shown implements engine.Sink.
func (s *sink) Shown(flat []byte, features []uint64) {
	e := wire.Shown{Flat: flat, Features: features}
	s.put(wire.EventShown, e.Append(s.buf[:0]))
}

// Kept implements engine.Sink.
func (s *sink) Kept(item engine.Item) {
	s.item(item)
	s.put(wire.EventKept, s.event.Append(s.buf[:0]))
}

// Provisional implements engine.Sink.
func (s *sink) Provisional(item engine.Item) {
	s.item(item)
	s.put(wire.EventProvisional, s.event.Append(s.buf[:0]))
}

// Candidate implements engine.Sink.
func (s *sink) Candidate(item engine.Item, a engine.Admission, obs []oracle.Observation) {
	s.item(item)
	s.event.Failing, s.event.Layers, s.event.Fresh = a.Failing, uint64(a.Candidates), a.Fresh
	for _, o := range obs {
		s.event.Tuple = append(s.event.Tuple, wire.Observed{Outcome: uint64(o.Outcome), Class: o.Class, Value: o.Value})
	}
	s.event.Steady = s.mem.Steady(s.event.Steady, len(obs))
	s.put(wire.EventCandidate, s.event.Append(s.buf[:0]))
}

// Reached implements engine.Sink.
func (s *sink) Reached(blocks []uint32) {
	for len(blocks) > 0 {
		some := blocks[:min(len(blocks), wire.MaxReached)]
		blocks = blocks[len(some):]
		b := binary.LittleEndian.AppendUint64(s.buf[:0], s.inputs)
		for _, id := range some {
			b = binary.LittleEndian.AppendUint32(b, id)
		}
		s.put(wire.EventReached, b)
	}
}

// note reports a text to the user.
func (s *sink) note(text string) {
	s.put(wire.EventNote, []byte(text))
}

func (s *sink) item(item engine.Item) {
	e := &s.event
	e.Inputs, e.Flat, e.Parent, e.New = s.inputs, item.Flat, item.Parent, item.New
	e.Ops = e.Ops[:0]
	for _, op := range item.Ops {
		e.Ops = append(e.Ops, byte(op))
	}
	e.Failing, e.Layers, e.Fresh, e.Tuple, e.Steady = 0, 0, false, e.Tuple[:0], e.Steady[:0]
}

// put waits while the ring is full. The supervisor empties it every few milliseconds. That time
// does not count as the programs', so no input is in flight during the wait.
func (s *sink) put(kind byte, payload []byte) {
	if kind != wire.EventNovel && kind != wire.EventTraces {
		s.buf = payload // reuse the grown buffer
	}
	if !s.mem.TryPut(kind, payload) {
		s.wait(func() bool { return s.mem.TryPut(kind, payload) })
	}
}

// parentChecks is the number of pauses of wait after which it checks for its parent, about once a
// second.
const parentChecks = 10_000

// endGroup ends this process and the rest of the process group that it leads. A supervisor that was
// killed no longer empties the ring.
func endGroup() {
	if syscall.Getpgrp() == os.Getpid() {
		syscall.Kill(0, syscall.SIGKILL)
	}
	os.Exit(1)
}

// wait waits until done reports true, without an input in flight.
func (s *sink) wait(done func() bool) {
	state := s.mem.State()
	s.mem.SetState(wire.Idle)
	for n := 1; !done(); n++ {
		s.mem.Beat()
		time.Sleep(50 * time.Microsecond)
		if n%parentChecks == 0 && s.parent != 0 && os.Getppid() != s.parent {
			endGroup()
		}
	}
	s.mem.Beat()
	s.mem.SetState(state)
}

// mark makes all work up to this input visible to the supervisor, before the next input.
func (s *sink) mark() {
	s.publish()
	s.put(wire.EventMark, s.buf[:0])
	s.wait(s.mem.Drained)
}

// Ran implements engine.Sink.
func (s *sink) Ran(r engine.Report) {
	s.flush()
	if len(s.traces) >= maxTraces {
		s.sendTraces()
	}
	s.inputs++
	s.bytes += uint64(r.Bytes)
	s.blocks += r.Blocks
	s.mem.Count(wire.Inputs, s.inputs)
	if r.Kept {
		s.kept++
	}
	if r.Disagree {
		s.discrepant++
		s.mem.Count(wire.Discrepant, s.discrepant)
	}
	if r.Skipped > 0 {
		s.skipped += uint64(r.Skipped)
		s.mem.Count(wire.Skipped, s.skipped)
	}
	for _, op := range r.Ops {
		s.tried[op]++
		if r.Kept {
			s.won[op]++
		}
	}
	if c := r.Choice; c.Made {
		s.arm(schedule.NumberOf(c), r.Kept)
	}
	if s.inputs&255 == 0 {
		s.publish()
	}
	s.mem.Seal()
	if s.marked++; s.marked == s.marks {
		s.marked = 0
		s.mark()
	}
}

// arm counts an input of an arm.
func (s *sink) arm(number int, kept bool) {
	if i := int(mutate.NumOps) + number; i < wire.MaxOps {
		s.tried[i]++
		if kept {
			s.won[i]++
		}
	}
}

// Repeated implements engine.Sink.
func (s *sink) Repeated(differ uint64, redrawn bool) {
	for p := 0; differ != 0; p, differ = p+1, differ>>1 {
		if differ&1 != 0 {
			s.mem.AddUnsteady(p)
		}
	}
	if redrawn {
		s.mem.Add(wire.Redrawn, 1)
	}
	s.mem.Add(wire.Repeated, 1)
}

// Replayed implements engine.Sink.
func (s *sink) Replayed(realigned bool) {
	if realigned {
		s.mem.Add(wire.Realigned, 1)
	}
	s.mem.Add(wire.Replayed, 1)
}

// publish writes the counts that are not written with every input.
func (s *sink) publish() {
	s.flush()
	s.sendTraces()
	s.mem.Count(wire.Kept, s.kept)
	s.mem.Count(wire.Bytes, s.bytes)
	s.mem.Count(wire.Blocks, s.blocks)
	for i := range s.tried {
		s.mem.CountOp(i, s.tried[i], s.won[i])
	}
	s.mem.Seal()
}

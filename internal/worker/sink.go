package worker

import (
	"time"

	"parallax/internal/engine"
	"parallax/internal/judge"
	"parallax/internal/mutate"
	"parallax/internal/wire"
)

// sink writes the engine's events into the ring and its counts into the shared header. An event is in the ring before
// the next input runs, so that a crash loses none.
type sink struct {
	mem        *wire.Memory
	job        job
	inputs     uint64
	kept       uint64
	discrepant uint64
	buf        []byte
	event      wire.Event
	tried      [mutate.NumOps]uint64
	won        [mutate.NumOps]uint64
}

// Novel implements engine.Sink.
func (s *sink) Novel(domain int, hash uint64) {
	s.buf = append(s.buf[:0], byte(domain),
		byte(hash), byte(hash>>8), byte(hash>>16), byte(hash>>24),
		byte(hash>>32), byte(hash>>40), byte(hash>>48), byte(hash>>56))
	s.put(wire.EventNovel)
}

// Kept implements engine.Sink.
func (s *sink) Kept(item engine.Item) {
	s.item(item)
	s.put(wire.EventKept)
}

// Candidate implements engine.Sink.
func (s *sink) Candidate(item engine.Item, layer judge.Layers, obs []judge.Observation) {
	s.item(item)
	s.event.Layer = uint64(layer)
	for _, o := range obs {
		s.event.Tuple = append(s.event.Tuple, wire.Observed{Outcome: uint64(o.Outcome), Class: o.Class, Value: o.Value})
	}
	s.buf = s.event.Append(s.buf[:0])
	s.put(wire.EventCandidate)
}

func (s *sink) item(item engine.Item) {
	e := &s.event
	e.Inputs, e.Flat, e.Parent, e.New = s.inputs, item.Flat, item.Parent, item.New
	e.Ops = e.Ops[:0]
	for _, op := range item.Ops {
		e.Ops = append(e.Ops, byte(op))
	}
	e.Layer, e.Tuple = 0, e.Tuple[:0]
	s.buf = e.Append(s.buf[:0])
}

// put waits while the ring is full: the supervisor empties it every few milliseconds. The programs are not to blame for
// that time, so no input is in flight meanwhile.
func (s *sink) put(kind byte) {
	if s.mem.TryPut(kind, s.buf) {
		return
	}
	state := s.mem.State().Load()
	s.mem.State().Store(wire.Idle)
	for !s.mem.TryPut(kind, s.buf) {
		time.Sleep(50 * time.Microsecond)
	}
	s.mem.State().Store(state)
}

// Ran implements engine.Sink.
func (s *sink) Ran(r engine.Report) {
	s.inputs++
	s.mem.Stat(wire.Inputs).Store(s.inputs)
	if r.Kept {
		s.kept++
	}
	if r.Disagree {
		s.discrepant++
		s.mem.Stat(wire.Discrepant).Store(s.discrepant)
	}
	for _, op := range r.Ops {
		s.tried[op]++
		if r.Kept {
			s.won[op]++
		}
	}
	if s.inputs&255 == 0 {
		s.publish()
	}
}

// publish writes the counts that are not written with every input.
func (s *sink) publish() {
	s.mem.Stat(wire.Kept).Store(s.kept)
	for i := range s.tried {
		s.mem.OpTried(i).Store(s.tried[i])
		s.mem.OpKept(i).Store(s.won[i])
	}
}

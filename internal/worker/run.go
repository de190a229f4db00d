package worker

import (
	"parallax/internal/feature"
	"parallax/internal/oracle"
	"parallax/internal/wire"
)

// detailLimit bounds the canonical rendering of a value that is sent to the supervisor.
const detailLimit = 64 << 10

// runJob is a Run order: one input on every program, with complete results.
type runJob struct {
	flags   uint64
	flat    []byte
	trace   feature.Trace
	results []wire.RunResult
}

// runAll finishes a Run order and answers it.
func (s *local) runAll(j *runJob) error {
	r := s.runner
	r.detail, r.allocs.exact = j.flags&(wire.WantDetail|wire.WantText) != 0, true
	r.recordDraws = j.flags&wire.WantDetail != 0
	if len(j.results) == 0 {
		if err := s.target.Shape.Check(j.flat); err != nil {
			return err
		}
		r.Begin(j.flat)
	}
	for len(j.results) < len(s.target.Programs) {
		if j.flags>>(wire.SkipShift+len(j.results))&1 != 0 {
			j.results = append(j.results, wire.RunResult{})
			continue
		}
		r.words, r.stack, r.output = "", "", ""
		obs := r.Run(len(j.results), j.flat, &j.trace)
		j.add(s, obs)
	}
	if r.maker != nil && j.flags>>wire.SkipShift+1 == 1<<len(s.target.Programs) {
		j.drawOnly(s)
	}
	if j.flags&wire.Settle != 0 {
		s.mem.SetProgram(len(s.target.Programs)) // no program runs now
		s.settle()
	}
	if s.target.Ignored != nil && s.target.Ignored(j.flat, j.flags>>wire.SkipShift) {
		for i := range j.results {
			j.results[i].Ignored = true
		}
	}
	r.end()
	r.detail, r.recordDraws = false, false
	s.collector.tick()
	s.encoded = s.encoded[:0]
	for i := range j.results {
		s.encoded = j.results[i].Append(s.encoded)
	}
	return s.answer(wire.Ran, s.encoded)
}

func (j *runJob) add(s *local, obs oracle.Observation) {
	r := s.runner
	res := wire.RunResult{
		Outcome: uint64(obs.Outcome), Class: obs.Class, Value: obs.Value, Parts: obs.Parts,
		Length: j.trace.Length, Allocated: j.trace.Allocated, Set: j.trace.Set, Failure: r.failed,
	}
	if j.flags&wire.WantHits != 0 {
		p := len(j.results)
		s.hits[p] = append(s.hits[p][:0], j.trace.Hits...)
		s.first[p] = append(s.first[p][:0], j.trace.First...)
		res.Hits, res.First = s.hits[p], s.first[p]
		if j.flags&wire.WantCounts != 0 {
			res.Counts = append([]byte{}, j.trace.Counts...)
		}
	}
	j.drawn(s, &res)
	if s.target.Calls != nil && j.flags&wire.WantDetail != 0 {
		res.Shown = s.target.Calls()
	}
	text := ""
	if j.flags&wire.WantText != 0 {
		text = s.text(&obs)
		res.Outcome, res.Class = uint64(obs.Outcome), obs.Class
	}
	if j.flags&wire.WantDetail != 0 {
		res.Panic, res.Stack, res.Output = r.words, r.stack, r.output
		if obs.Outcome != oracle.Crashed {
			d := r.result.Detail(detailLimit)
			res.Error, res.ErrorType, res.ErrorClass = d.Error, d.ErrorType, d.ErrorClass
			res.Rendered, res.Truncated = d.Value, d.Truncated
			r.renderCalls(&res)
		}
	}
	if j.flags&wire.WantText != 0 {
		switch obs.Outcome {
		case oracle.Crashed:
			res.Panic = text
		case oracle.Rejected:
			res.Error = text
		default:
			res.Rendered, res.Truncated = text, false
		}
	}
	j.results = append(j.results, res)
}

// drawOnly serves a Run order for no program. It returns the input made from the tape, for tapes on
// which all programs end their process.
func (j *runJob) drawOnly(s *local) {
	if m := s.runner.maker; !m.begun {
		m.input(0, j.flat, s.runner.recordDraws)
	}
	s.runner.takeDead() // if the generator has ended the goroutine that called it
	j.drawn(s, &j.results[0])
}

// drawn adds the drawn values to a result, if there is a generator.
func (j *runJob) drawn(s *local, res *wire.RunResult) {
	g := s.target.Generator
	if g == nil {
		return
	}
	if j.flags&wire.WantDrawn != 0 {
		res.Drawn = string(g.AppendDrawn(nil))
	}
	if j.flags&wire.WantDetail != 0 {
		res.Shown = g.Text()
		if m := s.runner.maker; m != nil && m.ok && m.gen.Shape() != nil {
			res.Made = string(m.flat)
		}
	}
}

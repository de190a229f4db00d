package worker

import (
	"fmt"
	"os"
	"strings"

	"parallax/internal/feature"
	"parallax/internal/oracle"
	"parallax/internal/wire"
)

// An Observe order runs many inputs on one program and returns a brief result for each. A lockstep
// process (cmd/internal/program/lockstep) runs the program in lockstep with programs of other
// processes.

// observeJob is the current Observe order.
type observeJob struct {
	message wire.ObserveMessage
	next    int // index of the current input
	trace   feature.Trace
	briefs  []byte
}

// observe finishes an Observe order and answers it.
func (s *local) observe(j *observeJob) error {
	m, r := &j.message, s.runner
	r.allocs.exact = false
	for j.next < len(m.Flats) {
		flat := m.Flats[j.next]
		if err := s.target.Shape.Check(flat); err != nil {
			return err
		}
		r.detail, r.words = m.Text, ""
		s.mem.Count(wire.Inputs, uint64(j.next)) // inputs of this order, which identify the input of a death
		s.mem.Seal()
		r.Begin(flat)
		if s.target.Alone && r.maker != nil {
			j.draw(s, flat)
		} else {
			j.add(s, r.Run(m.Program, flat, &j.trace))
		}
	}
	if s.target.Alone {
		checkDescriptors()
	}
	r.end()
	return s.answer(wire.Briefs, j.briefs)
}

// add appends the result of the current input.
func (j *observeJob) add(s *local, obs oracle.Observation) {
	text := ""
	if j.message.Text {
		text = s.text(&obs)
	}
	j.briefs = wire.AppendBrief(j.briefs, obs, &j.trace, text)
	j.next++
	s.collector.tick()
}

// draw runs a generator that is the only program. It appends the generated input without a copy.
func (j *observeJob) draw(s *local, tape []byte) {
	made, ok := s.runner.draw(tape, &j.trace)
	if !ok {
		j.add(s, s.runner.noInput())
		return
	}
	if !j.message.Text {
		made = nil
	}
	j.briefs = wire.AppendBrief(j.briefs, oracle.Observation{Outcome: oracle.Accepted}, &j.trace, made)
	j.next++
	s.collector.tick()
}

// text returns a result as text: the accepted value, or the message of an error or a panic. A value
// that cannot be written as text makes the program decline. If the program's code panics while it
// is written, the run counts as a crash.
func (s *local) text(obs *oracle.Observation) (text string) {
	r := s.runner
	switch obs.Outcome {
	case oracle.Crashed:
		return r.words
	case oracle.Rejected:
		return r.result.ErrorText() // Error was called before, and returned
	case oracle.Declined:
		return ""
	}
	done := false
	defer func() {
		if !done {
			*obs = oracle.Observation{Outcome: oracle.Crashed, Class: 1}
			text = "its value cannot be written as text: " + bounded(panicText(recover()))
		}
	}()
	marshal := s.target.Marshal
	if marshal == nil {
		marshal = func(any) ([]byte, error) { return nil, fmt.Errorf("it is no text") }
	}
	value, err := r.result.Text(marshal)
	done = true
	if err != nil { // others have no value to compare with
		*obs = oracle.Observation{Outcome: oracle.Declined}
		return "its value cannot be written as text: " + err.Error()
	}
	return string(value)
}

// IgnoredFields reads from the environment whether results are compared with those of other
// versions. fields lists struct fields to ignore, since only some versions of the type have them:
// names such as yaml.Node.Column, separated by commas.
func IgnoredFields() (fields []string, versions bool) {
	list, versions := os.LookupEnv("PARALLAX_IGNORE")
	if list != "" {
		fields = strings.Split(list, ",")
	}
	return fields, versions
}

// ChangedModules returns the modules that are compared in two versions, or nil if there are none.
// PARALLAX_OUTSIDE has their paths, separated by spaces.
func ChangedModules() []string {
	list, ok := os.LookupEnv("PARALLAX_OUTSIDE")
	if !ok {
		return nil
	}
	return append([]string{}, strings.Fields(list)...)
}

package worker

import (
	"fmt"
	"os"
	"strings"

	"parallax/internal/feature"
	"parallax/internal/oracle"
	"parallax/internal/wire"
)

// An Observe order has one program run many inputs, and tells briefly what it did with each: a lockstep process (cmd/internal/lockstep)
// runs it in lockstep with programs of other processes.

// observeJob is an Observe order under way.
type observeJob struct {
	message wire.ObserveMessage
	next    int // the input under way
	trace   feature.Trace
	told    []byte
}

// observe carries out the rest of an Observe order and answers it.
func (s *local) observe(j *observeJob) error {
	m, r := &j.message, s.runner
	r.allocs.exact = false
	for j.next < len(m.Flats) {
		flat := m.Flats[j.next]
		if err := s.target.Shape.Check(flat); err != nil {
			return err
		}
		r.detail, r.words = m.Text, ""
		s.mem.Count(wire.Inputs, uint64(j.next)) // of this order: which input a death belongs to
		s.mem.Seal()
		r.Begin(flat)
		if s.target.Alone && r.maker != nil {
			j.draw(s, flat)
		} else {
			j.add(s, r.Run(m.Program, flat, &j.trace))
		}
	}
	if s.target.Alone {
		lookAtDescriptors()
	}
	r.end()
	return s.answer(wire.Briefs, j.told)
}

// add tells what became of the input under way.
func (j *observeJob) add(s *local, obs oracle.Observation) {
	text := ""
	if j.message.Text {
		text = s.text(&obs)
	}
	j.told = wire.AppendBrief(j.told, obs, &j.trace, text)
	j.next++
	s.collector.tick()
}

// draw has a generator that is the only program make the input of a tape. It is answered without a copy.
func (j *observeJob) draw(s *local, tape []byte) {
	made, ok := s.runner.draw(tape, &j.trace)
	if !ok {
		j.add(s, s.runner.undrawn())
		return
	}
	if !j.message.Text {
		made = nil
	}
	j.told = wire.AppendBrief(j.told, oracle.Observation{Outcome: oracle.Accepted}, &j.trace, made)
	j.next++
	s.collector.tick()
}

// text is a result in words: the value of an acceptance, the message of an error or a panic. A value that cannot be written as
// text, and code of the program's that fails while it is, makes a crash of the run.
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
	if err != nil { // it has no value that others could be compared with
		*obs = oracle.Observation{Outcome: oracle.Declined}
		return "its value cannot be written as text: " + err.Error()
	}
	return string(value)
}

// IgnoredFields reads whether results are compared with those of other versions, and which fields of structs are not, since only
// some versions of the type have them: names such as yaml.Node.Column, separated by commas.
func IgnoredFields() (fields []string, versions bool) {
	list, versions := os.LookupEnv("PARALLAX_IGNORE")
	if list != "" {
		fields = strings.Split(list, ",")
	}
	return fields, versions
}

// ChangedModules are those that are looked at in two versions, nil if none is: PARALLAX_OUTSIDE has their paths, with spaces between them.
func ChangedModules() []string {
	list, ok := os.LookupEnv("PARALLAX_OUTSIDE")
	if !ok {
		return nil
	}
	return append([]string{}, strings.Fields(list)...)
}

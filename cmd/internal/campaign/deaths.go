package campaign

import (
	"bytes"
	"slices"
	"strconv"
	"sync"

	"parallax/cmd/internal/execute"
	"parallax/cmd/internal/exit"
	"parallax/cmd/internal/report"
	"parallax/cmd/internal/triage"
	"parallax/internal/oracle"
	"parallax/internal/wire"
)

// sameDeaths is how many deaths that look alike are triaged. A program that ends its process on every tenth input would
// otherwise keep triage busy with one cause.
const sameDeaths = 3

// died takes the death of an instance's process and reports whether the input in flight counts.
func (c *Campaign) died(m *instance, d *execute.Death) bool {
	trace := oracle.ParseTrace(d.Text)
	trace.Kind = triage.KindOf(d.Outcome)
	// It ended itself, or the runtime ended it: what an earlier input has left behind may be why, such as closed descriptors.
	harmed := d.Harmed() || d.Status == "exit status 2"
	if len(d.Recent) == 0 || !d.InFlight && len(trace.Frames) == 0 && !harmed {
		c.problems = appendOnce(c.problems, "a worker ended between two inputs: "+d.Status)
		return false
	}
	flat := d.Recent[0]
	if d.Repairing {
		c.diedRepairing(d, len(trace.Frames) > 0)
		return false
	}
	if d.InFlight {
		c.known.avoid(flat)
	}
	if d.Determined {
		m.determinedDeaths++
	}
	replay := !d.InFlight // what an input left behind failed later: it was counted
	if d.InFlight && !m.fuzz && m.last[wire.Inputs] == 0 {
		for i := range c.known.inputs {
			if bytes.Equal(c.known.inputs[i].flat, flat) {
				c.known.inputs[i].bad, replay = true, true
			}
		}
	}
	if !replay {
		c.totals.inputs++
		c.totals.executions += uint64(min(d.Program, len(c.facts.Names)-1)) + 1
	}
	key := trace.Key(c.facts.Space.Own)
	if len(trace.Frames) == 0 { // nothing but the status tells them apart
		key += d.Status + " " + strconv.Itoa(d.Program)
	}
	if c.deaths == nil {
		c.deaths = map[string]int{}
	}
	c.deaths[key]++
	if c.deaths[key] <= sameDeaths {
		cand := triage.Candidate{Flat: flat, Before: d.Recent[1:], Deadly: true, Inputs: c.totals.inputs}
		if len(trace.Frames) == 0 && !harmed {
			cand.Before = nil // killed from outside, or ended by the program: no goroutine left behind does that
		}
		c.enqueue(cand)
	}
	return !replay
}

// A process that ends after so few inputs, so many times in a row, may have been harmed by what it replayed before. That is
// looked into, unless it turned out to be otherwise so often.
const (
	shortLife    = 2
	shortLives   = 3
	maxUnharmful = 4
)

// forget has the newest input of the corpus replayed no more if it leaves something behind, such as a locked mutex, that
// ends the process on another input, which does no harm by itself. recent are the latest inputs of a process that ended.
func (c *Campaign) forget(recent [][]byte) {
	last, left := -1, 0
	for i := range c.known.inputs {
		if !c.known.inputs[i].bad {
			last = i
			left++
		}
	}
	if left < 2 || len(recent) == 0 || c.unharmful >= maxUnharmful {
		return
	}
	s := c.triager().Replayer()
	defer s.Close()
	if failsAfter(s, nil, recent[0]) || !failsAfter(s, c.known.inputs[last].flat, recent[0]) {
		c.unharmful++
		return
	}
	c.known.inputs[last].bad = true
	c.log.Warn("input no longer replayed", "hash", hashOf(c.facts.Shape, c.known.inputs[last].flat))
	c.problems = appendOnce(c.problems, "an input leaves something behind, such as a locked mutex, that ends the process on the next input: "+
		"no single input reproduces it; log.txt names the inputs of the corpus that are no longer replayed")
}

// maxIsolated bounds how many inputs a campaign executes alone for that.
const maxIsolated = 2000

// isolate has inputs replayed no more that end a process by themselves, though some time after they ran: by a goroutine that fails later,
// for example. Those that a process executed before it ended are executed again, each alone in a fresh process. It reports whether there
// is such an input.
func (c *Campaign) isolate(d *execute.Death) (found bool) {
	var suspects []int
	for i := range c.known.inputs {
		in := &c.known.inputs[i]
		if !in.bad && slices.ContainsFunc(d.Recent, func(flat []byte) bool { return bytes.Equal(flat, in.flat) }) {
			suspects = append(suspects, i)
		}
	}
	suspects = suspects[:min(len(suspects), maxIsolated-c.isolated)]
	c.isolated += len(suspects)
	fails := make([]bool, len(suspects))
	// They mostly wait for what may come late.
	var group sync.WaitGroup
	for lane := range isolateLanes {
		group.Go(func() {
			s := c.triager().Replayer()
			defer s.Close()
			for k := lane; k < len(suspects); k += isolateLanes {
				failed, err := failsAlone(s, c.known.inputs[suspects[k]].flat)
				fails[k] = err == nil && failed
			}
		})
	}
	group.Wait()
	for k, i := range suspects {
		if fails[k] {
			c.known.inputs[i].bad, found = true, true
			c.log.Warn("input no longer replayed", "hash", hashOf(c.facts.Shape, c.known.inputs[i].flat))
		}
	}
	return found
}

// isolateLanes is how many processes execute inputs alone at once.
const isolateLanes = 8

// maxAlone is how many seeds are executed alone before the baseline is called broken.
const maxAlone = 64

// survivor reports whether a fresh process survives a seed, or an input of the corpus, alone.
func (c *Campaign) survivor() bool {
	s := c.triager().Replayer()
	defer s.Close()
	tries := slices.Clone(c.first)
	for i := range c.known.inputs {
		if !c.known.inputs[i].bad {
			tries = append(tries, c.known.inputs[i].flat)
		}
	}
	for _, flat := range tries[:min(len(tries), maxAlone)] {
		if failed, err := failsAlone(s, flat); err == nil && !failed {
			return true
		}
	}
	return false
}

// barren is the error of processes that end in a row without executing an input. Where seeds do no harm alone, it is not known what does.
func (c *Campaign) barren(d *execute.Death) error {
	if !c.survivor() {
		return c.baseline("worker processes end repeatedly without executing an input")
	}
	said := bytes.TrimSpace(d.Text)
	if at := bytes.LastIndexByte(said, '\n'); at >= 0 {
		said = said[at+1:]
	}
	return exit.Infra("worker processes end repeatedly without executing an input (%s: %s), and no input does so alone: a program leaves something "+
		"behind that ends the process later, or something else ends it", d.Status, report.EscapeLines(string(said[:min(len(said), 200)])))
}

// failsAlone reports whether an input fails in a fresh process, at once or a little later.
func failsAlone(s *triage.Replayer, flat []byte) (bool, error) {
	s.Fresh()
	results, err := s.Run(flat, wire.Settle)
	return err == nil && failed(results), err
}

// firstLine is the beginning of what a process said, for the log.
func firstLine(text []byte) string {
	line, _, _ := bytes.Cut(bytes.TrimSpace(text), []byte("\n"))
	return string(line[:min(len(line), 200)])
}

// suspect has the newest input that a process executed replayed no more. Processes that end in a row while they replay the
// corpus are ended by something that an input leaves behind, a goroutine that fails later: the first of them ended soon
// after the input was kept.
func (c *Campaign) suspect(d *execute.Death) {
	for i := len(c.known.inputs) - 1; i > 0; i-- {
		in := &c.known.inputs[i]
		if !in.bad && slices.ContainsFunc(d.Recent, func(flat []byte) bool { return bytes.Equal(flat, in.flat) }) {
			in.bad = true
			c.log.Warn("input no longer replayed", "hash", hashOf(c.facts.Shape, in.flat))
			return
		}
	}
}

// failsAfter reports whether an input fails in a fresh process that has executed another one before, if that is not nil.
func failsAfter(s *triage.Replayer, before, flat []byte) bool {
	s.Fresh()
	if before != nil {
		if results, err := s.Run(before, 0); err != nil || failed(results) {
			return false
		}
	}
	results, err := s.Run(flat, 0)
	return err == nil && failed(results)
}

func failed(results []wire.RunResult) bool {
	_, ok := triage.Failed(results)
	return ok
}

func appendOnce(list []string, s string) []string {
	for _, have := range list {
		if have == s {
			return list
		}
	}
	return append(list, s)
}

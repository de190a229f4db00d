package source

import (
	"parallax/internal/adapt"
	"parallax/internal/mutate"
	"parallax/internal/schedule"
)

// Fresh makes inputs from nothing while there is no corpus, and sometimes with one if it is an arm.
type Fresh struct {
	Corpus  *Corpus
	Arms    *adapt.Arms // mutants and fresh inputs; nil means no fresh inputs once there is a corpus
	Rand    *mutate.Rand
	Mutator *mutate.Mutator
}

// Propose implements Source.
func (f *Fresh) Propose(s *Step) bool {
	if len(*f.Corpus) > 0 {
		if f.Arms == nil || f.Arms.Pick(f.Rand.Uint64()) != adapt.Fresh {
			return false
		}
		s.Choice = adapt.Choice{Made: true, Source: adapt.Fresh, Seed: -1}
	}
	s.Flat = f.Mutator.Fresh(f.Rand, s.Flat)
	s.Ops = append(s.Ops, f.Mutator.Operators()...)
	return true
}

// Done implements Source.
func (*Fresh) Done(*Step, Result) {}

// Mutation makes mutants of inputs that the schedule chooses. It splices in material from a random
// input.
type Mutation struct {
	Corpus   *Corpus
	Rand     *mutate.Rand
	Mutator  *mutate.Mutator
	Schedule schedule.Schedule
}

// Propose implements Source.
func (m *Mutation) Propose(s *Step) bool {
	corpus := *m.Corpus
	if len(corpus) == 0 {
		return false
	}
	s.Parent = m.Schedule.Next(m.Rand)
	s.Choice = choice(m.Schedule)
	other := corpus[m.Rand.Intn(len(corpus))]
	s.Flat = m.Mutator.Mutate(m.Rand, s.Flat, corpus[s.Parent], other)
	s.Ops = append(s.Ops, m.Mutator.Operators()...)
	s.Notify(m)
	return true
}

// Done implements Source. It passes the result to the schedule.
func (m *Mutation) Done(s *Step, r Result) {
	m.Schedule.Ran(schedule.Result{Seed: s.Parent, Traces: r.Traces, Kept: r.Found, Deviation: r.Deviation, Turns: r.Turns})
}

// choice returns the arm of a schedule's last choice.
func choice(s schedule.Schedule) adapt.Choice {
	if a, ok := s.(schedule.Armed); ok && a.Arm() >= 0 {
		return adapt.Choice{Made: true, Source: adapt.Mutants, Seed: a.Arm()}
	}
	return adapt.Choice{}
}

// Custom proposes unchanged inputs that the schedule chooses. The program's own mutator changes a
// whole batch of them later.
type Custom struct {
	Corpus   *Corpus
	Rand     *mutate.Rand
	Schedule schedule.Schedule
}

// Propose implements Source.
func (c *Custom) Propose(s *Step) bool {
	if len(*c.Corpus) == 0 {
		return false
	}
	s.Parent = c.Schedule.Next(c.Rand)
	s.Choice = choice(c.Schedule)
	s.Flat = append(s.Flat[:0], (*c.Corpus)[s.Parent]...)
	s.Ops = append(s.Ops, mutate.OpCustom)
	s.Notify(c)
	return true
}

// Done implements Source. It passes the result to the schedule.
func (c *Custom) Done(s *Step, r Result) {
	c.Schedule.Ran(schedule.Result{Seed: s.Parent, Traces: r.Traces, Kept: r.Found, Deviation: r.Deviation, Turns: r.Turns})
}

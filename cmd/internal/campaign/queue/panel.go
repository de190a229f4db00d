package queue

import (
	"context"
	"fmt"
	"slices"
	"sync"

	"parallax/cmd/internal/campaign/intake"
	"parallax/cmd/internal/campaign/triage"
	"parallax/cmd/internal/finding"
)

// panel holds the judges of a queue, each with processes of its own.
//
// The findings so far decide how much work a candidate gets: whether its bucket has enough inputs,
// for example. In a campaign that repeats, the answers must be those after all earlier candidates
// and no others. So verdicts are taken in order. If an answer has changed by then, the candidate is
// judged again. No other verdict is taken meanwhile, so this happens at most once.
type panel struct {
	queue *Queue
	ctx   context.Context

	judges  []*judge
	idle    []*judge
	under   []*Case // candidates under triage, in order, until their verdicts are delivered
	done    chan *Case
	working sync.WaitGroup
	alone   bool // candidates are judged one at a time
	barren  int  // candidates that did not show alone either, while none did
	known   memory
}

// mostJudges bounds the judges: each has processes of all programs.
const mostJudges = 8

// lookahead is the number of candidates per judge that are under triage at the same time.
const lookahead = 4

// mostBarren bounds the candidates that do not show and are judged again alone. If one shows then,
// all later ones are judged alone. If none does, candidates waver by themselves.
const mostBarren = 8

// width returns the number of judges that may work now. Judges that wait for a build do not count.
func (p *panel) width() int {
	wide := int(p.queue.wide.Load())
	switch {
	case p.alone:
		return 1
	case p.queue.Waits():
		wide += int(p.queue.waited.builds.Load())
	}
	return min(wide, mostJudges)
}

// busy returns the number of judges that work.
func (p *panel) busy() int { return len(p.judges) - len(p.idle) }

// occupy gives candidates to idle judges. Candidates that are judged again come first.
func (p *panel) occupy() {
	if at := slices.IndexFunc(p.under, func(e *Case) bool { return e.single && !e.judged }); at >= 0 {
		if p.busy() == 0 {
			p.start(p.under[at])
		}
		return
	}
	for p.busy() < p.width() {
		var e *Case
		if at := slices.IndexFunc(p.under, func(e *Case) bool { return e.by == nil && !e.judged }); at >= 0 {
			e = p.under[at]
		} else if len(p.under) < lookahead*p.width() {
			if e = p.queue.pop(p.under); e != nil {
				p.under = append(p.under, e)
			}
		}
		if e == nil {
			return
		}
		p.start(e)
	}
}

// start gives a candidate to a judge.
func (p *panel) start(e *Case) {
	if len(p.idle) == 0 {
		j := p.queue.hire(p.ctx, &p.known)
		p.judges, p.idle = append(p.judges, j), append(p.idle, j)
	}
	last := len(p.idle) - 1
	e.by, e.concurrent, p.idle = p.idle[last], false, p.idle[:last]
	if p.busy() > 1 {
		for _, other := range p.under {
			other.concurrent = other.concurrent || other.by != nil
		}
	}
	j := e.by
	p.working.Go(func() {
		turn := p.queue.turn(p.ctx, e)
		e.mine, e.Elsewhere = turn == intake.Mine, turn == intake.Done
		if e.mine {
			j.judge(p.ctx, e)
		}
		select {
		case p.done <- e:
		case <-p.ctx.Done():
			p.cutOff(e)
		}
	})
}

// cutOff keeps the verdict on a confirmed candidate whose triage was cut short.
func (p *panel) cutOff(e *Case) {
	if e.Finding == nil || e.Err == nil || e.Finding.Bucket == "" {
		return
	}
	p.queue.mu.Lock()
	defer p.queue.mu.Unlock()
	p.queue.Cut = append(p.queue.Cut, e)
}

// receive handles a verdict. After an error in concurrent triage, the candidate and all later ones
// are judged alone: programs may need the same port or file. A candidate that did not show in
// concurrent triage is judged again alone, for the same reason.
func (p *panel) receive(e *Case) {
	p.idle, e.by = append(p.idle, e.by), nil
	switch {
	case e.Elsewhere:
		e.judged = true
	case !e.mine:
		p.under = slices.DeleteFunc(p.under, func(other *Case) bool { return other == e })
		p.queue.sendAway(e)
	case e.Err != nil && e.concurrent:
		p.alone = true
	case e.Err == nil && e.Finding == nil && e.concurrent && p.barren < mostBarren:
		e.single = true
	default:
		e.judged = true
		if e.single && e.Finding != nil {
			p.alone = true
		} else if e.single && e.Err == nil {
			p.barren++
		}
		e.single = false
	}
	for p.alone && len(p.judges) > 1 && len(p.idle) > 0 { // their processes may hold the port or file
		j := p.idle[0]
		j.close()
		p.idle = p.idle[1:]
		p.judges = slices.DeleteFunc(p.judges, func(other *judge) bool { return other == j })
	}
}

// due returns the next candidate whose verdict is to be delivered, or nil.
func (p *panel) due() *Case {
	at := slices.IndexFunc(p.under, func(e *Case) bool { return e.judged })
	if at < 0 || p.queue.ordered && at > 0 {
		return nil
	}
	e := p.under[at]
	if p.queue.ordered && !e.holds() {
		e.judged = false
		p.occupy()
		return nil
	}
	p.under = slices.Delete(p.under, at, at+1)
	p.known.add(e.learned)
	return e
}

// close waits for the judges after the end of the context, and ends their processes.
func (p *panel) close() {
	p.working.Wait()
	for _, j := range p.judges {
		j.close()
	}
}

// judge triages one candidate at a time and records the questions of its triager.
type judge struct {
	triage func(context.Context, finding.Candidate) (f *triage.Result, wavered triage.Wavering, err error)
	close  func()
	known  triage.Known
	before triage.Places // of earlier invocations
	places *memory
	now    *Case           // the case in progress
	noting map[string]bool // recorded questions
}

// question is a question of a judge about the findings so far, with the answer.
type question struct {
	ask    func() bool
	answer bool
}

// judgeOf returns a judge that uses a triager until ctx ends. Its memory of places adds to the
// findings. While hurry returns true, it does not minimize.
func judgeOf(ctx context.Context, t *triage.Triager, places *memory, hurry func() bool) *judge {
	j := &judge{triage: t.Triage, close: t.Close, known: t.Known, before: t.Computed, places: places}
	t.Known, t.Computed = j, (*learner)(j)
	t.Stop = func() bool { return ctx.Err() != nil || hurry() }
	return j
}

// ask answers a question and records it once per answer.
func (j *judge) ask(kind, what string, of func() bool) bool {
	said := of()
	if note := fmt.Sprint(kind, " ", what, " ", said); !j.noting[note] {
		j.noting[note] = true
		j.now.asked = append(j.now.asked, question{of, said})
	}
	return said
}

func (j *judge) Saturated(bucket string) bool {
	return j.ask("saturated", bucket, func() bool { return j.known.Saturated(bucket) })
}

func (j *judge) AnySaturated() bool { return j.ask("any saturated", "", j.known.AnySaturated) }

func (j *judge) AcceptedVariant(variant string) bool {
	return j.ask("accepted", variant, func() bool { return j.known.AcceptedVariant(variant) })
}

func (j *judge) Shared(place, own string, located bool) int {
	n := j.known.Shared(place, own, located)
	j.ask(fmt.Sprint("shared ", n), place+" "+own, func() bool { return j.known.Shared(place, own, located) == n })
	return n
}

// learner is a judge's set of places with computed messages. Others get them with the verdict.
type learner judge

func (l *learner) Has(place string) bool {
	return slices.Contains(l.now.learned, place) || l.before != nil && l.before.Has(place) || (*judge)(l).ask("computed", place, func() bool { return l.places.has(place) })
}

func (l *learner) Add(place string) { l.now.learned = append(l.now.learned, place) }

// judge triages a candidate.
func (j *judge) judge(ctx context.Context, e *Case) {
	e.asked, e.learned = nil, nil
	j.now, j.noting = e, map[string]bool{}
	e.Finding, e.Wavered, e.Err = j.triage(ctx, e.Cand)
}

// holds reports whether the judge would still get the same answers.
func (e *Case) holds() bool {
	return !slices.ContainsFunc(e.asked, func(q question) bool { return q.ask() != q.answer })
}

// memory is the set of places with computed messages that all judges share.
type memory struct {
	mu     sync.Mutex
	places map[string]bool
}

func (m *memory) has(place string) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.places[place]
}

func (m *memory) add(places []string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, place := range places {
		if m.places == nil {
			m.places = map[string]bool{}
		}
		m.places[place] = true
	}
}

package campaign

import (
	"context"
	"fmt"
	"slices"
	"sync"

	"parallax/cmd/internal/campaign/triage"
)

// panel are the judges of a queue, each with processes of its own.
//
// What a judge asks of the findings so far decides how much work a candidate gets: whether its bucket has enough inputs, say. In a campaign
// that is to repeat the answers must be those that the candidates before it lead to, all of them and no others. So a verdict is taken when
// all before it have been. It is thrown away if an answer would be another one by then, and the candidate is judged again: nothing is taken
// before it any more, so that this happens once.
type panel struct {
	queue *queue
	ctx   context.Context

	judges  []*judge
	idle    []*judge
	under   []*entry // taken up and not delivered, in the order in which they were
	done    chan *verdict
	working sync.WaitGroup
	alone   bool // candidates cannot be judged beside each other
	barren  int  // candidates that did not show alone either, with none that did
	known   memory
}

// mostJudges bounds the judges: each has processes of all programs.
const mostJudges = 8

// ahead is how many candidates are taken up for each judge while the first is not delivered.
const ahead = 4

// mostBarren is how many candidates that do not show are judged again, with no other beside them. If one shows then, all are judged alone
// from there on; if none of so many does, they waver by themselves.
const mostBarren = 8

// width is how many judges may work now. Those that wait for a build leave their processors to others.
func (p *panel) width() int {
	wide := int(p.queue.wide.Load())
	switch {
	case p.alone:
		return 1
	case p.queue.waits():
		wide += int(p.queue.builds.Load())
	}
	return min(wide, mostJudges)
}

// busy is how many judges work.
func (p *panel) busy() int { return len(p.judges) - len(p.idle) }

// occupy gives judges something to do. What is to be judged again comes first.
func (p *panel) occupy() {
	if at := slices.IndexFunc(p.under, func(e *entry) bool { return e.single && e.said == nil }); at >= 0 {
		if p.busy() == 0 {
			p.start(p.under[at])
		}
		return
	}
	for p.busy() < p.width() {
		var e *entry
		if at := slices.IndexFunc(p.under, func(e *entry) bool { return e.by == nil && e.said == nil }); at >= 0 {
			e = p.under[at]
		} else if len(p.under) < ahead*p.width() {
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

// start has a candidate judged.
func (p *panel) start(e *entry) {
	if len(p.idle) == 0 {
		j := p.queue.hire(p.ctx, &p.known)
		p.judges, p.idle = append(p.judges, j), append(p.idle, j)
	}
	last := len(p.idle) - 1
	e.by, e.beside, p.idle = p.idle[last], false, p.idle[:last]
	if p.busy() > 1 {
		for _, other := range p.under {
			other.beside = other.beside || other.by != nil
		}
	}
	j := e.by
	p.working.Add(1)
	go func() {
		defer p.working.Done()
		v := j.judge(p.ctx, e)
		select {
		case p.done <- v:
		case <-p.ctx.Done():
			p.cutOff(v)
		}
	}()
}

// cutOff keeps the verdict of a candidate whose triage ended before it was done, if it is confirmed.
func (p *panel) cutOff(v *verdict) {
	if v.finding == nil || v.err == nil || v.finding.Bucket == "" {
		return
	}
	p.queue.mu.Lock()
	defer p.queue.mu.Unlock()
	p.queue.cut = append(p.queue.cut, v)
}

// take takes a verdict. What could not be judged beside others is judged again alone, and all that follow are: programs may want the same
// port or file. What did not show beside others may be for the same reason.
func (p *panel) take(v *verdict) {
	e := v.entry
	p.idle, e.by = append(p.idle, e.by), nil
	switch {
	case v.err != nil && e.beside:
		p.alone = true
	case v.err == nil && v.finding == nil && e.beside && p.barren < mostBarren:
		e.single = true
	default:
		e.said = v
		if e.single && v.finding != nil {
			p.alone = true
		} else if e.single && v.err == nil {
			p.barren++
		}
		e.single = false
	}
	for p.alone && len(p.judges) > 1 && len(p.idle) > 0 { // the processes of others may hold what is wanted
		j := p.idle[0]
		j.close()
		p.idle = p.idle[1:]
		p.judges = slices.DeleteFunc(p.judges, func(other *judge) bool { return other == j })
	}
}

// due is the next candidate whose verdict is to be delivered, nil if there is none yet.
func (p *panel) due() *entry {
	at := slices.IndexFunc(p.under, func(e *entry) bool { return e.said != nil })
	if at < 0 || p.queue.ordered && at > 0 {
		return nil
	}
	e := p.under[at]
	if p.queue.ordered && !e.said.holds() {
		e.said = nil
		p.occupy()
		return nil
	}
	p.under = slices.Delete(p.under, at, at+1)
	p.known.add(e.said.learned)
	return e
}

// close waits for the judges, and ends their processes. The context has ended.
func (p *panel) close() {
	p.working.Wait()
	for _, j := range p.judges {
		j.close()
	}
}

// judge looks into one candidate at a time. It stands between the triager and what is known so far: it notes what the triager asks.
type judge struct {
	triage func(context.Context, triage.Candidate) (f *triage.Finding, wavered triage.Wavering, err error)
	close  func()
	known  triage.Known
	places *memory
	now    *verdict        // that it works on
	noting map[string]bool // what of its questions is noted
}

// question is what a judge asked of the findings so far, with the answer.
type question struct {
	ask  func() bool
	said bool
}

// judgeOf has a triager judge, until ctx ends. It asks what the queue knows beside what the findings say. With hurry
// it makes inputs no smaller.
func judgeOf(ctx context.Context, t *triage.Triager, places *memory, hurry func() bool) *judge {
	j := &judge{triage: t.Triage, close: t.Close, known: t.Known, places: places}
	t.Known, t.Computed = j, (*learner)(j)
	t.Stop = func() bool { return ctx.Err() != nil || hurry() }
	return j
}

// ask asks, and notes the question and the answer: the same once.
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

// learner is a judge's set of the places whose messages hold what was computed from the input: what a verdict adds counts for others when it is
// delivered.
type learner judge

func (l *learner) Has(place string) bool {
	return slices.Contains(l.now.learned, place) || (*judge)(l).ask("computed", place, func() bool { return l.places.has(place) })
}

func (l *learner) Add(place string) { l.now.learned = append(l.now.learned, place) }

// judge triages a candidate.
func (j *judge) judge(ctx context.Context, e *entry) *verdict {
	v := &verdict{entry: e}
	j.now, j.noting = v, map[string]bool{}
	v.finding, v.wavered, v.err = j.triage(ctx, e.cand)
	return v
}

// holds reports whether the judge would be told the same now.
func (v *verdict) holds() bool {
	return !slices.ContainsFunc(v.asked, func(q question) bool { return q.ask() != q.said })
}

// memory are the places whose messages hold what was computed from the input.
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

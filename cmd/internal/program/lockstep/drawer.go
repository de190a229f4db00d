package lockstep

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"

	"parallax/cmd/internal/base/exit"
	"parallax/cmd/internal/program"
	"parallax/internal/feature"
	"parallax/internal/oracle"
	"parallax/internal/wire"
)

// drawer is the user's generator, in a process of its own: inputs of the campaign are tapes, and
// the programs run on what it makes of them. Inputs of the next batch are made while the programs
// run one (Ahead), so that they seldom wait for it. Where it makes none, every program declines the
// input.
type drawer struct {
	mu sync.Mutex // Ahead is called while RunAll runs
	*external
	most    int      // bytes of an input that it makes
	queue   [][]made // made ahead, by batch: that of the next one may come before the one under way is asked for
	now     []made   // of the batch under way
	free    [][]made // room
	missing [][]byte // room
	told    map[string]bool
	notes   []string
	deaths  int

	inputs [][]byte        // of the batch under way, for which there are some
	places []int           // theirs in it
	joints []feature.Joint // theirs

	sources *sources // nil: no program asks for inputs once more
}

// made is what the generator makes of a tape.
type made struct {
	tape, flat []byte
	ok         bool // there is an input
}

// mostDrawn is how long inputs may be that are made of tapes as short as they are by default.
const mostDrawn = 64 << 10

// maxDrawDeaths is how many processes the generator may end before the campaign is: one that does
// not come to its end costs its time limit.
const maxDrawDeaths = 5

// maxDrawNotes is how many ways to go wrong are told.
const maxDrawNotes = 16

func (l *lockstep) openDrawer(e *External) (*drawer, error) {
	x, err := l.openExternal("the generator "+e.Name, e)
	var failed *program.Failure
	if errors.As(err, &failed) && failed.Code == exit.UsageCode { // which names it
		failed.Program = ""
	}
	if err != nil {
		return nil, err
	}
	d := &drawer{external: x, most: l.mostInput(), told: map[string]bool{}}
	for _, m := range l.running {
		if _, ok := m.exec.(program.Recaller); ok {
			d.sources = &sources{tapes: map[uint64][]byte{}}
		}
	}
	return d, nil
}

// mostInput is how many bytes a program's input has at most.
func (l *lockstep) mostInput() int {
	if l.spec.Generator != nil {
		return max(l.spec.MaxFlat, mostDrawn)
	}
	return l.spec.MaxFlat
}

// make appends what the generator makes of tapes.
func (d *drawer) make(ctx context.Context, to []made, tapes [][]byte, again bool) ([]made, error) {
	if len(tapes) == 0 {
		return to, nil
	}
	flats, err := d.transform(ctx, tapes)
	if err != nil {
		return to, err
	}
	first := len(to)
	var ended []int
	for i, flat := range flats {
		to = slices.Grow(to, 1)[:len(to)+1]
		m := &to[len(to)-1] // whose memory is used again
		m.tape, m.flat, m.ok = append(m.tape[:0], tapes[i]...), m.flat[:0], false
		switch a := &d.answers[i]; {
		case flat != nil && len(flat) > d.most:
			d.tell("long", fmt.Sprintf("%s makes inputs of more than %d bytes, which are left out: limit what it draws", d.what, d.most))
		case flat != nil:
			m.flat, m.ok = append(m.flat, flat...), true
		case again && a.Ended && a.Outcome == oracle.Crashed:
			ended = append(ended, i)
		case a.Ended:
			if err := d.died(a); err != nil {
				return to, err
			}
		case a.Outcome == oracle.Crashed:
			d.tell(a.Message, a.Message)
		}
	}
	for _, i := range ended { // by whatever: the process may have been killed from outside
		one, err := d.make(ctx, nil, tapes[i:i+1], false)
		if err != nil {
			return to, err
		}
		to[first+i] = one[0]
	}
	return to, nil
}

// died takes a death of the process that the generator has to answer for.
func (d *drawer) died(a *program.Observation) error {
	how := "ends its process (" + a.Message + ")"
	if a.Outcome == oracle.Timeout || a.Outcome == oracle.OOM {
		how = "does not end (" + a.Message + "): a loop, a recursion or a size in it has no end"
	}
	d.tell(a.Outcome.String(), d.what+" "+how+". The input is left out")
	if d.deaths++; d.deaths < maxDrawDeaths {
		return nil
	}
	return &program.Failure{Code: exit.UsageCode, What: fmt.Sprintf("%s %s. It has ended %d processes: correct it", d.what, how, d.deaths)}
}

// tell notes something once.
func (d *drawer) tell(what, text string) {
	if !d.told[what] && len(d.told) < maxDrawNotes {
		d.told[what] = true
		d.notes = append(d.notes, text)
	}
}

// mostAhead is how many batches are kept that were made ahead.
const mostAhead = 3

// begin finds what was made ahead for a batch. What was made before that is not asked for any more.
func (d *drawer) begin(tapes [][]byte) {
	d.free = append(d.free, d.now)
	d.now = nil
	for i, made := range d.queue {
		if len(made) > 0 && len(tapes) > 0 && bytes.Equal(made[0].tape, tapes[0]) {
			d.free = append(d.free, d.queue[:i]...)
			d.now, d.queue = made, slices.Delete(d.queue, 0, i+1)
			return
		}
	}
	d.now = d.room()
}

func (d *drawer) room() []made {
	if len(d.free) == 0 {
		return nil
	}
	room := d.free[len(d.free)-1]
	d.free = d.free[:len(d.free)-1]
	return room[:0]
}

// take returns what is made of the tapes of a batch. It is valid until the next call.
func (d *drawer) take(ctx context.Context, tapes [][]byte) ([]made, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.begin(tapes)
	ahead := len(d.now)
	list := make([]made, len(tapes))
	d.missing = d.missing[:0]
	var places []int // of what is missing
	k := 0
	for i, t := range tapes {
		if k < ahead && bytes.Equal(d.now[k].tape, t) {
			list[i] = d.now[k]
			k++
		} else if j := slices.IndexFunc(d.now[:ahead], func(m made) bool { return bytes.Equal(m.tape, t) }); j >= 0 { // it is run twice
			list[i] = d.now[j]
		} else {
			d.missing, places = append(d.missing, t), append(places, i)
		}
	}
	var err error
	if d.now, err = d.make(ctx, d.now, d.missing, true); err != nil {
		return nil, err
	}
	for j, i := range places {
		list[i] = d.now[ahead+j]
	}
	for i := range list {
		if d.sources != nil && list[i].ok {
			d.sources.add(list[i].flat, list[i].tape)
		}
	}
	return list, nil
}

// ahead makes the inputs of the next batch.
func (d *drawer) ahead(ctx context.Context, tapes [][]byte) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	made, err := d.make(ctx, d.room(), tapes, true)
	if err != nil {
		return err
	}
	if d.queue = append(d.queue, made); len(d.queue) > mostAhead {
		d.free = append(d.free, d.queue[0])
		d.queue = slices.Delete(d.queue, 0, 1)
	}
	return nil
}

func (d *drawer) news() (notes []string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	notes, d.notes = d.notes, nil
	return notes
}

// Ahead implements worker.Remote.
func (l *lockstep) Ahead(tapes [][]byte) error {
	if l.drawer == nil || l.ctx.Err() != nil {
		return nil
	}
	err := l.drawer.ahead(l.ctx, tapes)
	if l.ctx.Err() != nil {
		return nil
	}
	return explain(err)
}

// Made implements worker.Remote.
func (l *lockstep) Made(flat []byte) []byte {
	if l.drawer == nil {
		return flat
	}
	l.drawer.mu.Lock()
	defer l.drawer.mu.Unlock()
	list, err := l.drawer.make(l.ctx, nil, [][]byte{flat}, true)
	if err != nil || !list[0].ok { // an error shows again when the next batch is run
		return nil
	}
	return append([]byte{}, list[0].flat...)
}

// runDrawn runs the inputs that the generator makes of tapes.
func (l *lockstep) runDrawn(tapes [][]byte, joints []feature.Joint) (bool, error) {
	d := l.drawer
	list, err := d.take(l.ctx, tapes)
	if l.ctx.Err() != nil {
		return false, nil
	}
	if err != nil {
		return false, explain(err)
	}
	d.inputs, d.places, d.joints = d.inputs[:0], d.places[:0], d.joints[:0]
	for i, m := range list {
		if m.ok {
			d.inputs, d.places, d.joints = append(d.inputs, m.flat), append(d.places, i), append(d.joints, joints[i])
			continue
		}
		j := &joints[i]
		j.Cells, j.OutputDiff = nil, 0
		for p := range j.Obs {
			j.Obs[p] = oracle.Observation{Outcome: oracle.Declined}
			j.Traces[p].Reset()
		}
	}
	if len(d.inputs) == 0 {
		return true, nil
	}
	ok, err := l.runAll(d.inputs, d.joints)
	for k, i := range d.places {
		joints[i] = d.joints[k]
	}
	return ok, err
}

// detailDrawn is Detail for tapes: what was drawn is told, too. Where nothing else is asked for, no
// program runs.
func (l *lockstep) detailDrawn(tapes [][]byte, flags uint64) ([][]wire.RunResult, error) {
	d := l.drawer
	drawn := make([]wire.RunResult, len(tapes))
	d.mu.Lock()
	err := d.program.detail(l.ctx, tapes, flags&wire.WantDrawn|wire.WantDetail, drawn)
	d.mu.Unlock()
	if l.ctx.Err() != nil {
		return nil, context.Canceled
	}
	if err != nil {
		return nil, explain(err)
	}
	var inputs [][]byte
	var places []int
	all := make([][]wire.RunResult, len(tapes))
	for i := range drawn {
		if r := &drawn[i]; flags != wire.WantDrawn && oracle.Outcome(r.Outcome) == oracle.Accepted && len(r.Made) <= d.most {
			inputs, places = append(inputs, []byte(r.Made)), append(places, i)
			continue
		}
		all[i] = slices.Repeat([]wire.RunResult{{Outcome: uint64(oracle.Declined)}}, len(l.running))
	}
	if len(inputs) > 0 {
		results, err := l.detailAll(inputs, flags&^wire.WantDrawn)
		if err != nil {
			return nil, err
		}
		for k, i := range places {
			all[i] = results[k]
		}
	}
	for i := range all {
		for p := range all[i] {
			if flags>>(wire.SkipShift+p)&1 == 0 {
				all[i][p].Drawn, all[i][p].Shown, all[i][p].Made = drawn[i].Drawn, drawn[i].Shown, drawn[i].Made
			}
		}
	}
	return all, nil
}

// screenDrawn is the input that is screened; false: there is none.
func (l *lockstep) screenDrawn(tape []byte) (flat []byte, ok bool, err error) {
	list, err := l.drawer.take(l.ctx, [][]byte{tape})
	if l.ctx.Err() != nil {
		return nil, false, context.Canceled
	}
	if err != nil {
		return nil, false, explain(err)
	}
	return list[0].flat, list[0].ok, nil
}

// sources are the tapes that inputs were made of lately, for programs that have to see inputs once
// more: these know what they were given.
type sources struct {
	tapes map[uint64][]byte // by hash of the input
	order []uint64          // oldest first, from next on
	next  int
}

// mostSources is how many are known: more than such a program keeps.
const mostSources = 8192

func (s *sources) add(flat, tape []byte) {
	h := hash(string(flat))
	if s.tapes[h] != nil {
		return
	}
	if s.tapes[h] = slices.Clone(tape); len(s.order) < mostSources {
		s.order = append(s.order, h)
		return
	}
	delete(s.tapes, s.order[s.next])
	s.order[s.next] = h
	s.next = (s.next + 1) % mostSources
}

// of are the tapes of inputs, as far as they are known.
func (s *sources) of(flats [][]byte) (tapes [][]byte) {
	for _, flat := range flats {
		if t := s.tapes[hash(string(flat))]; t != nil {
			tapes = append(tapes, t)
		}
	}
	return tapes
}

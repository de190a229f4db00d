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

// drawer runs the user's generator in a process of its own. Inputs of the campaign are tapes, and
// the programs run on the inputs that it makes from them. It makes the next batch while the
// programs run (Ahead), so that they rarely wait. If it makes no input, every program declines.
type drawer struct {
	mu sync.Mutex // Ahead is called while RunAll runs
	*external
	most    int      // maximum bytes of an input that it makes
	queue   [][]made // batches made ahead: the next may come before the current one is requested
	now     []made   // the current batch
	free    [][]made // free buffers
	missing [][]byte // buffer
	noted   map[string]bool
	notes   []string
	deaths  int

	inputs [][]byte        // inputs of the current batch, where there are some
	places []int           // their indices in the batch
	joints []feature.Joint // their joints

	sources *sources // nil if no program asks for inputs again
}

// made is the input that the generator makes from a tape.
type made struct {
	tape, flat []byte
	ok         bool // there is an input
}

// mostDrawn is the default maximum length of an input made from a tape of default length.
const mostDrawn = 64 << 10

// maxDrawDeaths is the number of processes that the generator may end before the campaign ends: one
// that does not end costs its time limit.
const maxDrawDeaths = 5

// maxDrawNotes is the maximum number of different notes.
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
	d := &drawer{external: x, most: l.mostInput(), noted: map[string]bool{}}
	for _, m := range l.running {
		if _, ok := m.exec.(program.Recaller); ok {
			d.sources = &sources{tapes: map[uint64][]byte{}}
		}
	}
	return d, nil
}

// mostInput returns the maximum length of a program's input.
func (l *lockstep) mostInput() int {
	if l.spec.Generator != nil {
		return max(l.spec.MaxFlat, mostDrawn)
	}
	return l.spec.MaxFlat
}

// make appends the inputs that the generator makes from tapes.
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
		m := &to[len(to)-1] // its memory is reused
		m.tape, m.flat, m.ok = append(m.tape[:0], tapes[i]...), m.flat[:0], false
		switch a := &d.answers[i]; {
		case flat != nil && len(flat) > d.most:
			d.addNote("long", fmt.Sprintf("%s makes inputs of more than %d bytes, which are left out: limit what it draws", d.what, d.most))
		case flat != nil:
			m.flat, m.ok = append(m.flat, flat...), true
		case again && a.Ended && a.Outcome == oracle.Crashed:
			ended = append(ended, i)
		case a.Ended:
			if err := d.countDeath(a); err != nil {
				return to, err
			}
		case a.Outcome == oracle.Crashed:
			d.addNote(a.Message, a.Message)
		}
	}
	for _, i := range ended { // possibly killed from outside: try again
		one, err := d.make(ctx, nil, tapes[i:i+1], false)
		if err != nil {
			return to, err
		}
		to[first+i] = one[0]
	}
	return to, nil
}

// countDeath counts a death of the process caused by the generator.
func (d *drawer) countDeath(a *program.Observation) error {
	how := "ends its process (" + a.Message + ")"
	if a.Outcome == oracle.Timeout || a.Outcome == oracle.OOM {
		how = "does not end (" + a.Message + "): a loop, a recursion or a size in it has no end"
	}
	d.addNote(a.Outcome.String(), d.what+" "+how+". The input is left out")
	if d.deaths++; d.deaths < maxDrawDeaths {
		return nil
	}
	return &program.Failure{Code: exit.UsageCode, What: fmt.Sprintf("%s %s. It has ended %d processes: correct it", d.what, how, d.deaths)}
}

// addNote adds a note once.
func (d *drawer) addNote(what, text string) {
	if !d.noted[what] && len(d.noted) < maxDrawNotes {
		d.noted[what] = true
		d.notes = append(d.notes, text)
	}
}

// mostAhead is the maximum number of batches kept ahead.
const mostAhead = 3

// begin finds the batch made ahead for tapes. Earlier ones will not be requested any more, and are
// dropped.
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

// takeBatch returns the inputs for the tapes of a batch, valid until the next call.
func (d *drawer) takeBatch(ctx context.Context, tapes [][]byte) ([]made, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.begin(tapes)
	ahead := len(d.now)
	list := make([]made, len(tapes))
	d.missing = d.missing[:0]
	var places []int // indices of missing ones
	k := 0
	for i, t := range tapes {
		if k < ahead && bytes.Equal(d.now[k].tape, t) {
			list[i] = d.now[k]
			k++
		} else if j := slices.IndexFunc(d.now[:ahead], func(m made) bool { return bytes.Equal(m.tape, t) }); j >= 0 { // it runs twice
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

func (d *drawer) takeNotes() (notes []string) {
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
	if err != nil || !list[0].ok { // an error shows again with the next batch
		return nil
	}
	return append([]byte{}, list[0].flat...)
}

// runDrawn runs the inputs that the generator makes from tapes.
func (l *lockstep) runDrawn(tapes [][]byte, joints []feature.Joint, given bool) (bool, error) {
	d := l.drawer
	list, err := d.takeBatch(l.ctx, tapes)
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
	ok, err := l.runAll(d.inputs, d.joints, given)
	for k, i := range d.places {
		joints[i] = d.joints[k]
	}
	return ok, err
}

// detailDrawn is Detail for tapes. Results include the drawn values. If only those are requested,
// no program runs.
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

// screenDrawn returns the input to screen, and false if there is none.
func (l *lockstep) screenDrawn(tape []byte) (flat []byte, ok bool, err error) {
	list, err := l.drawer.takeBatch(l.ctx, [][]byte{tape})
	if l.ctx.Err() != nil {
		return nil, false, context.Canceled
	}
	if err != nil {
		return nil, false, explain(err)
	}
	return list[0].flat, list[0].ok, nil
}

// sources holds the tapes of recent inputs, for programs that ask for inputs again: these know only
// the inputs.
type sources struct {
	tapes map[uint64][]byte // by hash of the input
	order []uint64          // oldest first, starting at next
	next  int
}

// mostSources is the number of tapes kept: more than such a program keeps.
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

// tapesOf returns the known tapes of inputs.
func (s *sources) tapesOf(flats [][]byte) (tapes [][]byte) {
	for _, flat := range flats {
		if t := s.tapes[hash(string(flat))]; t != nil {
			tapes = append(tapes, t)
		}
	}
	return tapes
}

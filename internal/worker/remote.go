package worker

import (
	"errors"
	"fmt"
	"os"
	"syscall"
	"time"

	"parallax/internal/cmplog"
	"parallax/internal/engine"
	"parallax/internal/feature"
	"parallax/internal/policy"
	"parallax/internal/wire"
)

// Remote is programs that run in processes of their own. Its methods are called one at a time, but for Stop, and Repair, which is
// called while RunAll runs, and so are Ahead and Made.
type Remote interface {
	// RunAll executes inputs on every program, and fills a joint behavior for each. When it was stopped it reports false.
	RunAll(flats [][]byte, joints []feature.Joint) (ok bool, err error)
	// Detail executes inputs, and tells what a Run order asks for by its flags: one result a program for each input.
	Detail(flats [][]byte, flags uint64) ([][]wire.RunResult, error)
	// Screen runs an input on the program that is expected to tell soonest that it does not do what is wanted of all, and reports
	// whether that one does.
	Screen(flat []byte, wanted []wire.Wanted) (may bool, err error)
	// Repair makes inputs valid: nil for those that stay as they are.
	Repair(flats [][]byte) (repaired [][]byte, ok bool, err error)
	// Ahead is told of the inputs of the next batch while RunAll runs one, where they are tapes: what is made of them can be made meanwhile.
	Ahead(flats [][]byte) error
	// Made is what the programs take of an input of the campaign, which may be a tape; nil: there is none. It is called as Ahead is.
	Made(flat []byte) []byte
	// Mutates reports whether a program has a mutator of its own; Mutate has it change inputs, with a seed: nil in the place of
	// those of which it makes none.
	Mutates() bool
	Mutate(flats [][]byte, seed uint64, most int) (mutants [][]byte, ok bool, err error)
	// Words are those that the programs have said, all so far, when there are new ones; nil else. They are the same whenever programs
	// say the same.
	Words() [][]byte
	// Recall are inputs that are to be executed once more, since programs could not look at them closely before; nil: none.
	Recall() [][]byte
	// Batch is how many inputs to give at once next. It is the same whenever programs do the same.
	Batch() int
	// Together is how many orders to run or repair an input may be carried out at once.
	Together() int
	// Notes are what the user should know, once.
	Notes() []string
	// Stop ends what runs, now and from now on. It is called from another goroutine.
	Stop()
}

// RemoteTarget is the programs of a campaign that run elsewhere, and what they can tell.
type RemoteTarget struct {
	Target
	Regions []wire.Region // of all programs' features
	Before  []uint32      // those that were executed before the first input, ascending
	// CmpLogBuilds are cmplog builds of the programs.
	CmpLogBuilds []CmpLogBuild
	// CmpLogs report the operands of programs of other kinds.
	CmpLogs []CmpLog
	Remote  Remote
}

// CmpLog reports the operands of comparisons. It is called by one goroutine, and whoever made it closes it.
type CmpLog interface {
	// Ready tells whether Compare can be called. It is asked often.
	Ready() bool
	// Compare runs an input; nil if nothing is known of it.
	Compare(flat []byte) []cmplog.Comparison
}

// RemoteError is why programs cannot be run: it ends the campaign.
type RemoteError interface {
	error
	ExitCode() int
}

// ServeRemote serves the supervisor as Serve does, with programs that run elsewhere. No program can end this process, so no
// input is ever in flight here: time and memory are watched by who runs them.
func ServeRemote(t RemoteTarget) error {
	l, err := connect()
	if err != nil {
		return err
	}
	s := &remote{server: &server{link: l, sink: &sink{mem: l.mem}}, target: t}
	s.programs = s
	for _, r := range t.Regions {
		s.blocks += r.Counters
	}
	if err := l.fits(len(t.Programs), s.blocks); err != nil {
		return err
	}
	t.before = t.Before
	if !l.greet(&t.Target, t.Regions) {
		return nil // the supervisor is gone
	}
	ended := make(chan struct{})
	defer close(ended)
	go s.listen(ended)
	s.clients = newCmplogClients(t.CmpLogBuilds, t.CmpLogs)
	if t.Tapes {
		s.clients.made = t.Remote.Made
	}
	if err = s.orders(); errors.Is(err, errCut) {
		err = nil // the supervisor is gone: no program can reach the socket
	}
	s.clients.close()
	var failed RemoteError
	if errors.As(err, &failed) {
		l.say.Send(l.out, wire.Failed, wire.AppendBytes(wire.AppendUint(nil, uint64(failed.ExitCode())), failed.Error()))
		return l.out.Flush()
	}
	return err
}

// Refuse tells the supervisor that the programs cannot be run, before anything else.
func Refuse(why RemoteError) error {
	syscall.CloseOnExec(socketFile)
	say := answers()
	return say.Send(os.NewFile(socketFile, "socket"), wire.Failed, wire.AppendBytes(wire.AppendUint(nil, uint64(why.ExitCode())), why.Error()))
}

// remote is programs that run elsewhere.
type remote struct {
	*server
	target  RemoteTarget
	mutants engine.Batch
	blocks  int
	maxLen  int // of an input
	clients *cmplogClients
	failed  error // of the batch under way
	broken  error // of making the next one
}

// stopInterval is how often the stop flag is looked at while programs run.
const stopInterval = 10 * time.Millisecond

// listen passes the stop flag on to what runs.
func (s *remote) listen(ended chan struct{}) {
	tick := time.NewTicker(stopInterval)
	defer tick.Stop()
	for {
		select {
		case <-ended:
			return
		case <-tick.C:
			if s.mem.StopRequested() {
				s.target.Remote.Stop()
				return
			}
		}
	}
}

func (s *remote) configure(m *policy.Setup) (*engine.Engine, error) {
	if s.maxLen = m.MaxBytes; s.target.Target.Repair != nil {
		s.mutants.Repair = s.repairAll
	}
	if s.target.Tapes {
		s.mutants.Ahead = s.aheadAll
	} else if s.target.Remote.Mutates() {
		s.mutants.Mutate = s.mutateAll
	}
	config := s.link.configure(m, &s.target.Target, s.blocks)
	config.NoTrim = true
	if len(s.target.CmpLogBuilds)+len(s.target.CmpLogs) > 0 {
		config.Comparisons = s.clients
	}
	if s.target.Tapes {
		config.Drawn, config.Tapes = s.drawn, true
	}
	return engine.New(config, nil, s.sink)
}

// drawn runs an input once more for what a generator draws of it: few are kept or reported.
func (s *remote) drawn(b, flat []byte) []byte {
	results, err := s.target.Remote.Detail([][]byte{flat}, wire.WantDrawn)
	if err != nil || len(results) != 1 {
		return b
	}
	for i := range results[0] {
		if d := results[0][i].Drawn; d != "" {
			return append(b, d...)
		}
	}
	return b
}

// order carries out the orders that are not about fuzzing.
func (s *remote) order(kind byte, r *wire.Reader) error {
	switch kind {
	case wire.Run:
		return s.run(r)
	case wire.Repair:
		return s.repair(r.Bytes())
	case wire.Screen:
		return s.screen(r)
	}
	return fmt.Errorf("unknown message %d", kind)
}

// runAll is the engine's way to the programs.
func (s *remote) runAll(flats [][]byte, joints []feature.Joint) bool {
	ok, err := s.target.Remote.RunAll(flats, joints)
	s.failed = err
	return ok && err == nil
}

func (s *remote) repairAll(flats [][]byte) ([][]byte, bool) {
	repaired, ok, err := s.target.Remote.Repair(flats)
	s.broken = err
	s.mem.Add(wire.Repaired, uint64(len(flats)))
	for i, r := range repaired {
		if len(r) > s.maxLen {
			repaired[i] = nil
		}
	}
	return repaired, ok && err == nil
}

func (s *remote) aheadAll(flats [][]byte) bool {
	err := s.target.Remote.Ahead(flats)
	s.broken = err
	return err == nil
}

func (s *remote) mutateAll(flats [][]byte, seed uint64) ([][]byte, bool) {
	mutants, ok, err := s.target.Remote.Mutate(flats, seed, s.maxLen)
	s.broken = err
	return mutants, ok && err == nil
}

// hold implements programs: these are in other processes.
func (s *remote) hold(int) {}

func (s *remote) batch() int { return engine.BatchSize(s.target.Remote.Batch()) }

func (s *remote) seed(flats [][]byte) (bool, error) {
	return s.engine.SeedAll(&s.mutants, flats, s.runAll), nil
}

func (s *remote) replay(flats [][]byte, domains [][]string) (bool, error) {
	return s.engine.ReplayAll(&s.mutants, flats, domains, s.runAll), nil
}

func (s *remote) mail(flats [][]byte) (bool, error) {
	if !s.engine.ImportAll(&s.mutants, flats, s.runAll) {
		return false, s.failed
	}
	return true, nil
}

func (s *remote) fuzz(n, left int) (bool, error) {
	if words := s.target.Remote.Words(); words != nil {
		s.engine.SetWords(words)
	}
	if flats := s.target.Remote.Recall(); len(flats) > 0 && !s.engine.ImportAll(&s.mutants, flats, s.runAll) {
		return false, nil
	}
	if _, ok := s.engine.FuzzAll(&s.mutants, n, left, s.runAll); !ok {
		return false, nil
	}
	for _, text := range s.target.Remote.Notes() {
		s.sink.note(text)
	}
	return true, nil
}

// finish ends the campaign if programs could not be run.
func (s *remote) finish() error {
	s.mem.Count(wire.Compared, s.clients.runs.Load())
	s.mem.Seal()
	if s.failed == nil {
		s.failed = s.broken
	}
	return s.failed
}

// run carries out a Run order, together with those that have come behind it and ask for the same.
func (s *remote) run(r *wire.Reader) error {
	flags := r.Uint()
	flats := [][]byte{r.Bytes()}
	for len(flats) < s.target.Remote.Together() && r.Err() == nil {
		next, ok := s.peek(wire.Run, func(r *wire.Reader) bool { return r.Uint() == flags })
		if !ok {
			break
		}
		flats = append(flats, next)
	}
	for _, flat := range flats {
		if err := s.target.Shape.Check(flat); err != nil {
			return err
		}
	}
	all, err := s.target.Remote.Detail(flats, flags)
	if err != nil {
		return err
	}
	var told []byte
	for _, results := range all {
		told = told[:0]
		for i := range results {
			told = results[i].Append(told)
		}
		if err := s.answer(wire.Ran, told); err != nil {
			return err
		}
	}
	return nil
}

// peek takes the input of the next order, if it is here whole already, is of a kind, and what stands before the input suits.
func (s *remote) peek(kind byte, suits func(*wire.Reader) bool) ([]byte, bool) {
	const head = 5
	if s.socket.Buffered() < head {
		return nil, false
	}
	h, _ := s.socket.Peek(head)
	n := int(h[0]) | int(h[1])<<8 | int(h[2])<<16 | int(h[3])<<24
	if h[4] != kind || n < 0 || s.socket.Buffered() < head+n {
		return nil, false
	}
	all, _ := s.socket.Peek(head + n)
	r := wire.NewReader(all[head:])
	if !suits(r) {
		return nil, false
	}
	flat := append([]byte{}, r.Bytes()...)
	if r.Err() != nil {
		return nil, false
	}
	s.socket.Discard(head + n)
	return flat, true
}

// screen repairs an input and has a program tell whether it may show what is looked for: of a few hundred inputs, nearly all do not.
func (s *remote) screen(r *wire.Reader) error {
	var m wire.ScreenMessage
	if err := m.Read(r); err != nil {
		return err
	}
	if len(m.Wanted) != len(s.target.Programs) {
		return fmt.Errorf("an input to screen with outcomes of %d programs", len(m.Wanted))
	}
	made, err := s.repaired([][]byte{m.Flat})
	if err != nil {
		return err
	}
	flat := made[0]
	if err := s.target.Shape.Check(flat); err != nil {
		return err
	}
	may, err := s.target.Remote.Screen(flat, m.Wanted)
	if err != nil {
		return err
	}
	return s.answer(wire.Screened, wire.AppendBytes(wire.AppendBool(nil, may), flat))
}

// repair carries out a Repair order, together with those that have come behind it.
func (s *remote) repair(flat []byte) error {
	flats := [][]byte{flat}
	for len(flats) < s.target.Remote.Together() {
		next, ok := s.peek(wire.Repair, func(*wire.Reader) bool { return true })
		if !ok {
			break
		}
		flats = append(flats, next)
	}
	repaired, err := s.repaired(flats)
	for i := 0; err == nil && i < len(repaired); i++ {
		err = s.answer(wire.RepairDone, repaired[i])
	}
	return err
}

// repaired are inputs as the repair function makes them, or as they are.
func (s *remote) repaired(flats [][]byte) ([][]byte, error) {
	if s.target.Target.Repair == nil {
		return flats, nil
	}
	repaired, ok, err := s.target.Remote.Repair(flats)
	if err != nil || !ok {
		return flats, err
	}
	for i := range flats {
		if repaired[i] == nil || len(repaired[i]) > s.mem.MaxInput() {
			repaired[i] = flats[i]
		}
	}
	return repaired, nil
}

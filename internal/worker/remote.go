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

// Remote runs programs in other processes. Its methods are called one at a time. The exceptions are
// Stop, and Repair, Ahead and Made, which are called while RunAll runs.
type Remote interface {
	// RunAll executes inputs and fills a joint behavior for each. Some programs may be left out on
	// mutants whose results are probably known, but not on seeds, and inputs of the corpus and of
	// others. RunAll reports false if it was stopped.
	RunAll(flats [][]byte, joints []feature.Joint, given bool) (ok bool, err error)
	// Detail executes inputs and returns the results that a Run order's flags ask for: one per
	// program for each input.
	Detail(flats [][]byte, flags uint64) ([][]wire.RunResult, error)
	// Screen runs an input on the program that is expected to rule it out fastest. It reports
	// whether that program did what is wanted of it.
	Screen(flat []byte, wanted []wire.Wanted) (may bool, err error)
	// Repair makes inputs valid. It returns nil for inputs that stay unchanged.
	Repair(flats [][]byte) (repaired [][]byte, ok bool, err error)
	// Ahead receives the inputs of the next batch while RunAll runs one, if they are tapes. Their
	// programs' inputs can then be made early.
	Ahead(flats [][]byte) error
	// Made returns the programs' input for an input of the campaign, which may be a tape. Nil means
	// none. It is called as Ahead is.
	Made(flat []byte) []byte
	// Mutates reports whether a program has its own mutator. Mutate makes it change inputs, with a
	// random seed. It returns nil for an input that it does not mutate.
	Mutates() bool
	Mutate(flats [][]byte, seed uint64, most int) (mutants [][]byte, ok bool, err error)
	// Words returns all words in the programs' outputs so far if there are new ones, and else nil.
	// They depend only on the outputs.
	Words() [][]byte
	// Recall returns inputs to execute again, since programs could not be observed closely before.
	// Nil means none.
	Recall() [][]byte
	// Batch returns the size of the next batch. It depends only on the programs' behavior.
	Batch() int
	// Together returns the number of orders to run or repair an input that may be served at once.
	Together() int
	// Notes returns notes for the user, each once.
	Notes() []string
	// Stop ends the current and all future runs. It is called from another goroutine.
	Stop()
}

// RemoteTarget describes the programs of a campaign that run in other processes.
type RemoteTarget struct {
	Target
	Regions []wire.Region // of all programs' features
	Before  []uint32      // blocks executed before the first input, ascending
	// CmpLogBuilds lists cmplog builds of the programs.
	CmpLogBuilds []CmpLogBuild
	// CmpLogs report the operands for programs of other kinds.
	CmpLogs []CmpLog
	Remote  Remote
}

// CmpLog reports the operands of comparisons. One goroutine calls it, and its creator closes it.
type CmpLog interface {
	// Ready reports whether Compare can be called. It is called often.
	Ready() bool
	// Compare runs an input and returns its comparisons, or nil if they are unknown.
	Compare(flat []byte) []cmplog.Comparison
}

// RemoteError reports why programs cannot be run. It ends the campaign.
type RemoteError interface {
	error
	ExitCode() int
}

// ServeRemote serves the supervisor as Serve does, with programs in other processes. No program can
// end this process, so that no input is in flight here. The runner of the programs enforces time
// and memory.
func ServeRemote(t RemoteTarget) error {
	l, err := connect()
	if err != nil {
		return err
	}
	s := &remote{server: &server{link: l, sink: &sink{mem: l.mem, parent: os.Getppid()}}, target: t}
	s.programs = s
	for _, r := range t.Regions {
		s.blocks += r.Counters
	}
	if err := l.fits(len(t.Programs), s.blocks); err != nil {
		return err
	}
	t.before = t.Before
	if !l.greet(&t.Target, t.Regions) {
		return nil // the supervisor has ended
	}
	ended := make(chan struct{})
	defer close(ended)
	go s.listen(ended)
	s.clients = newCmplogClients(t.CmpLogBuilds, t.CmpLogs)
	if t.Tapes {
		s.clients.made = t.Remote.Made
	}
	if err = s.orders(); errors.Is(err, errCut) {
		err = nil // the supervisor has ended: no program can reach the socket
	}
	s.clients.close()
	var failed RemoteError
	if errors.As(err, &failed) {
		l.answers.Send(l.out, wire.Failed, wire.AppendBytes(wire.AppendUint(nil, uint64(failed.ExitCode())), failed.Error()))
		return l.out.Flush()
	}
	return err
}

// Refuse reports to the supervisor, as the first message, that the programs cannot be run.
func Refuse(why RemoteError) error {
	syscall.CloseOnExec(socketFile)
	say := newAnswers()
	return say.Send(os.NewFile(socketFile, "socket"), wire.Failed, wire.AppendBytes(wire.AppendUint(nil, uint64(why.ExitCode())), why.Error()))
}

// remote serves programs in other processes.
type remote struct {
	*server
	target  RemoteTarget
	mutants engine.Batch
	blocks  int
	maxLen  int // of an input
	clients *cmplogClients
	failed  error // error of the current batch
	broken  error // error of making the next batch
}

// stopInterval is the interval of checking the stop flag while programs run.
const stopInterval = 10 * time.Millisecond

// listen forwards the stop flag to the programs.
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

// drawn runs an input again to get the tape that a generator draws for it. Few inputs are kept or
// reported.
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

// order serves the orders other than fuzzing.
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

// runMutants runs a batch of the engine's mutants.
func (s *remote) runMutants(flats [][]byte, joints []feature.Joint) bool {
	return s.runAll(flats, joints, false)
}

// runGiven runs a batch of given inputs.
func (s *remote) runGiven(flats [][]byte, joints []feature.Joint) bool {
	return s.runAll(flats, joints, true)
}

func (s *remote) runAll(flats [][]byte, joints []feature.Joint, given bool) bool {
	ok, err := s.target.Remote.RunAll(flats, joints, given)
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

// reserve implements programs: these have their own processes.
func (s *remote) reserve(int) {}

func (s *remote) batch() int { return engine.BatchSize(s.target.Remote.Batch()) }

func (s *remote) seed(flats [][]byte) (bool, error) {
	return s.engine.SeedAll(&s.mutants, flats, s.runGiven), nil
}

func (s *remote) replay(flats [][]byte, domains [][]string) (bool, error) {
	return s.engine.ReplayAll(&s.mutants, flats, domains, s.runGiven), nil
}

func (s *remote) mail(flats [][]byte, from engine.Finder) (bool, error) {
	if !s.engine.ImportAll(&s.mutants, flats, from, s.runGiven) {
		return false, s.failed
	}
	return true, nil
}

func (s *remote) fuzz(n, left int) (bool, error) {
	if words := s.target.Remote.Words(); words != nil {
		s.engine.SetWords(words)
	}
	if flats := s.target.Remote.Recall(); len(flats) > 0 && !s.engine.ImportAll(&s.mutants, flats, engine.Worker, s.runGiven) {
		return false, nil
	}
	if _, ok := s.engine.FuzzAll(&s.mutants, n, left, s.runMutants); !ok {
		return false, nil
	}
	for _, text := range append(s.target.Remote.Notes(), s.engine.Notes()...) {
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

// run serves a Run order, together with buffered ones that have the same flags.
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
	var encoded []byte
	for _, results := range all {
		encoded = encoded[:0]
		for i := range results {
			encoded = results[i].Append(encoded)
		}
		if err := s.answer(wire.Ran, encoded); err != nil {
			return err
		}
	}
	return nil
}

// peek returns the input of the next order, if it is completely buffered, has this kind, and its
// part before the input suits.
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

// screen repairs an input and has a program decide whether it may show the wanted results. Of a few
// hundred inputs, nearly all do not.
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

// repair serves a Repair order, together with buffered ones.
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

// repaired returns the repaired inputs. Inputs that cannot be repaired stay unchanged.
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

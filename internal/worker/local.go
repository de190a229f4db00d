package worker

import (
	"fmt"
	"os"
	"runtime"
	"runtime/debug"
	"strconv"
	"syscall"
	"time"

	"parallax/internal/engine"
	"parallax/internal/feature"
	"parallax/internal/mutate"
	"parallax/internal/policy"
	"parallax/internal/wire"
)

// local serves the programs of this process.
type local struct {
	*server
	target       Target
	runner       *runner
	cmplogClient *cmplogClient
	repair       *repairer // nil means that there is no repair function

	goroutines int // number of goroutines without leaks

	collector collector

	// Current orders, besides those of the server.
	run            runJob
	watch          observeJob
	unrepairedFlat []byte // input of a Repair order

	// Buffers of the Run order, kept for the next one. A triage worker gets a few hundred orders
	// and is then replaced. New memory would cost as much as the programs.
	hits, first [][]uint32
	encoded     []byte
}

func serve(t Target) error {
	if os.Getenv("PARALLAX_WORKER") == "cmplog" {
		syscall.CloseOnExec(cmplogFile)
		return serveCmpLog(t)
	}
	setLimits()
	counters, err := findCounters()
	if err != nil {
		return err
	}
	l, err := connect()
	if err != nil {
		return err
	}
	if err := l.fits(len(t.Programs), counters.Blocks); err != nil {
		return err
	}
	shareCounters(counters, l.mem)
	s := &local{server: &server{link: l, sink: &sink{mem: l.mem}}, target: t, runner: newRunner(t, l.mem, counters)}
	s.mem.Watch(len(t.Programs), int(mutate.NumOps))
	s.programs = s
	s.hits, s.first = make([][]uint32, len(t.Programs)), make([][]uint32, len(t.Programs))
	s.collector.off()
	s.collector.note = s.sink.note
	var regions []wire.Region
	for _, r := range counters.Regions {
		regions = append(regions, wire.Region{Package: r.Package, Counters: len(r.Cov)})
	}
	t.before = executedBlocks(counters)
	if m := s.runner.maker; m != nil {
		m.note = s.sink.note
		if t.Refused == "" {
			m.mem.SetRepairing(true)
			t.Refused = checkMaker(m.gen)
			m.mem.SetRepairing(false)
		}
	}
	if !l.greet(&t, regions) {
		return nil // the supervisor has ended
	}
	done := make(chan error, 1)
	go s.drive(done)
	err = <-done
	if s.cmplogClient != nil {
		s.cmplogClient.close()
	}
	return err
}

// executedBlocks returns the blocks executed so far, ascending: by initializers, and by a fuzz test
// before it calls f.Fuzz.
func executedBlocks(c *feature.Counters) []uint32 {
	var t feature.Trace
	c.Read(&t)
	return t.Hits
}

// drive serves orders. A program may end the goroutine that calls it, as t.Skip does. A new
// goroutine then continues.
func (s *local) drive(done chan<- error) {
	ended := false
	defer func() {
		if !ended {
			go s.drive(done)
		}
	}()
	defer func() {
		if !ended {
			s.runner.abandon()
		}
	}()
	debug.SetPanicOnFault(true)
	grow(len(s.target.Programs))
	err := s.serve()
	ended = true
	done <- err
}

// grow makes the goroutine's stack large enough for most programs at once. After every t.Skip a new
// goroutine begins with two kilobytes, and each growth copies the stack. That took a tenth of the
// time of BurntSushi/toml's FuzzDecode, where three executions in four skip.
//
//go:noinline
func grow(n int) byte {
	var b [28 << 10]byte
	return b[n%len(b)]
}

// setLimits makes the runtime fail fast and collect garbage rarely. A stack of 64 MiB is deep
// enough for intended recursion, and its overflow is reported in half a second instead of many.
func setLimits() {
	debug.SetMaxStack(64 << 20)
	singleThread()
	if n, err := strconv.ParseInt(os.Getenv("PARALLAX_MEMORY"), 10, 64); err == nil && n > 0 {
		debug.SetMemoryLimit(n / 4 * 3)
	}
}

// serve finishes the previous goroutine's order and serves further orders.
func (s *local) serve() error {
	if s.goroutines == 0 {
		s.goroutines = runtime.NumGoroutine()
	}
	if s.runner.dead.Outcome != 0 {
		if err := s.takeOver(); err != nil {
			return err
		}
	} else if s.repair != nil && s.repair.ended() {
		if err := s.finishUnrepaired(); err != nil {
			return err
		}
	}
	return s.orders()
}

// takeOver finishes the order during which the last goroutine ended.
func (s *local) takeOver() error {
	obs := s.runner.takeDead()
	switch s.kind {
	case wire.Run:
		s.run.add(s, obs)
		return s.runAll(&s.run)
	case wire.Observe:
		s.watch.add(s, obs)
		return s.observe(&s.watch)
	}
	s.engine.Abort(obs)
	s.engine.Resume()
	if s.kind == wire.Mail { // which has no answer
		return s.deliver()
	}
	return s.work()
}

// finishUnrepaired finishes the order during which the repair function ended the goroutine.
func (s *local) finishUnrepaired() error {
	if s.kind == wire.Repair {
		return s.answer(wire.RepairDone, s.unrepairedFlat)
	}
	s.engine.Unrepaired()
	s.engine.Resume()
	return s.work()
}

func (s *local) configure(m *policy.Setup) (*engine.Engine, error) {
	s.cmplogClient = newCmplogClient(s.mem.Beat, func() { s.mem.Add(wire.Compared, 1) })
	config := s.link.configure(m, &s.target, s.runner.counters.Blocks)
	config.Determined, config.Comparisons = s.determined, s.cmplogClient
	if g := s.target.Generator; g != nil {
		config.Drawn = func(b, _ []byte) []byte { return g.AppendDrawn(b) }
		config.Tapes = true
		if guided, ok := g.(Guided); ok {
			config.Guide = guided.Guided
		}
	}
	if s.target.Repair != nil {
		s.repair = newRepairer(s.target, m.MaxBytes, s.mem, s.sink.note)
		config.Repair = s.repair.repair
	}
	s.runner.counters.NoSet = len(s.target.Programs) == 1 && !engine.NeedsSets(m.Guidance, m.Schedule)
	return engine.New(config, s.runner, s.sink)
}

// determined reports to the supervisor whether the following inputs are determined (source.Step).
func (s *local) determined(on bool) {
	s.mem.SetDetermined(on)
}

// reserve implements programs. The engine's memory does not count as the programs'.
func (s *local) reserve(bytes int) { s.collector.reserve(bytes) }

// batch returns one: programs of this process gain nothing from batches.
func (s *local) batch() int { return 1 }

func (s *local) seed(flats [][]byte) (bool, error) {
	for _, flat := range flats {
		s.engine.Seed(flat)
		s.collector.tick()
	}
	checkDescriptors()
	return true, nil
}

func (s *local) replay(flats [][]byte, domains [][]string) (bool, error) {
	for i, flat := range flats {
		s.engine.Replay(flat, domains[i])
		s.collector.tick()
	}
	checkDescriptors()
	return true, nil
}

func (s *local) mail(flats [][]byte, from engine.Finder) (bool, error) {
	for _, flat := range flats {
		s.engine.Import(flat, from)
		s.collector.tick()
	}
	return true, nil
}

// maxLeaked is the number of leaked goroutines at which the process ends. The supervisor then
// starts a new one, since its order is unfinished.
const maxLeaked = 2000

func (s *local) fuzz(int, int) (bool, error) {
	s.engine.Fuzz()
	s.engine.Repeat()
	for _, text := range s.engine.Notes() {
		s.sink.note(text)
	}
	s.collector.tick()
	if s.sink.inputs&63 == 0 {
		checkDescriptors()
	}
	if s.sink.inputs&1023 != 0 || runtime.NumGoroutine() <= s.goroutines+maxLeaked {
		return true, nil
	}
	s.sink.note(leakNote(leaked()))
	return false, nil
}

func (s *local) finish() error {
	s.runner.end()
	if runtime.NumGoroutine() > s.goroutines {
		s.settle()
		s.goroutines = runtime.NumGoroutine() // the remaining ones do no harm so far
	}
	return nil
}

// order serves the orders other than fuzzing.
func (s *local) order(kind byte, r *wire.Reader) error {
	switch kind {
	case wire.Run:
		last := &s.run
		s.run = runJob{flags: r.Uint(), flat: r.Bytes(), trace: last.trace, results: last.results[:0]}
		if err := r.Err(); err != nil {
			return err
		}
		return s.runAll(&s.run)
	case wire.Observe:
		last := &s.watch
		s.watch = observeJob{trace: last.trace, briefs: last.briefs[:0]}
		if err := s.watch.message.Read(r); err != nil {
			return err
		}
		if p := s.watch.message.Program; p >= len(s.target.Programs) {
			return fmt.Errorf("an order for program %d of %d", p, len(s.target.Programs))
		}
		return s.observe(&s.watch)
	case wire.Repair:
		s.unrepairedFlat = r.Bytes()
		if err := r.Err(); err != nil {
			return err
		}
		return s.answerRepair(s.unrepairedFlat)
	}
	return fmt.Errorf("unknown message %d", kind)
}

// answerRepair answers a Repair order.
func (s *local) answerRepair(flat []byte) error {
	if s.repair == nil && s.target.Repair != nil {
		s.repair = newRepairer(s.target, s.mem.MaxInput(), s.mem, func(string) {})
	}
	if s.repair != nil {
		if err := s.target.Shape.Check(flat); err != nil {
			return err
		}
		if repaired := s.repair.repair(flat); repaired != nil && len(repaired) <= s.mem.MaxInput() {
			flat = repaired
		}
	}
	return s.answer(wire.RepairDone, flat)
}

// settle gives leaked goroutines the time to fail. It is not a run of a program, so the supervisor
// must not count it as a hang.
func (s *local) settle() {
	for i := 0; i < 20; i++ {
		s.mem.Beat()
		time.Sleep(5 * time.Millisecond)
	}
}

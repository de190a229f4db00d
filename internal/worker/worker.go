// Package worker is what runs inside the binary that holds the programs under test: it finds their counters, runs the
// engine, and tells its supervisor what happens. The generated harness calls Main and nothing else.
//
// The supervisor starts the process with the shared memory as file 3 and a socket as file 4 (see package wire) and
// outlives it: what Go cannot recover from ends the worker, and the supervisor finds the input in flight in the
// shared memory. The worker is single-threaded as far as programs are concerned: one goroutine runs engine and
// programs; it is replaced when a program ends it by runtime.Goexit.
package worker

import (
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"runtime/debug"
	"strconv"
	"syscall"
	"time"

	"parallax/internal/engine"
	"parallax/internal/input"
	"parallax/internal/judge"
	"parallax/internal/policy"
	"parallax/internal/wire"
)

// Program is one implementation under test.
type Program struct {
	Name string
	// Run calls the program with the arguments and stores what it returns.
	Run func(*input.Args, *judge.Result)
	// Test, for a fuzz target, tells how its executions end. Run is then called between Begin and End.
	Test Test
}

// Test is what package testing knows of the execution of a fuzz target.
type Test interface {
	Begin(detail bool)
	// End runs cleanup functions. It may panic, and end the goroutine.
	End()
	// Status tells whether the execution was ended by Skip, Fatal and the like, and what it said.
	Status() (finished, skipped, failed bool)
	// Failure tells where the target failed first, what it logged last before that, and with detail all that it logged.
	Failure() (pcs []uintptr, message, output string)
	// Reset makes ready for the next execution.
	Reset()
}

// Target is the programs of a campaign.
type Target struct {
	Shape         input.Shape
	CompareValues bool // accepted values are comparable between all programs
	Programs      []Program

	Layers   judge.Layers // that the harness wants compared; 0: it does not say
	Notes    []string     // of the harness, for the user
	Seeds    [][]byte     // that the harness brings, in flat form
	Problems []string     // of the harness, that make a campaign useless
	Refused  string       // what the user asked for and cannot have, and why
	// Marshal writes a value that is no text as text, for comparison with programs of other languages. Nil: such values have none.
	Marshal func(any) ([]byte, error)
	// Repair reads the arguments of a mutant and makes better ones, in order. Nil: mutants are executed as they are.
	Repair func(*input.Args, *input.Builder)
	// Ignored tells whether a disagreement on the input is intended. It runs the programs again; nil: none is.
	Ignored func(flat []byte) bool
}

// Files that the supervisor hands over.
const (
	memoryFile = 3
	socketFile = 4
)

// Main serves the supervisor until it closes the socket. It does not return.
func Main(t Target) {
	if !Wanted() {
		fmt.Fprintln(os.Stderr, "This is a worker of parallax; `parallax diff` starts it.")
		os.Exit(2)
	}
	Serve(t)
	os.Exit(0)
}

// Wanted reports whether this process was started as a worker.
func Wanted() bool { return os.Getenv("PARALLAX_WORKER") != "" }

// Serve serves the supervisor until it closes the socket. It does not return from what makes that impossible.
func Serve(t Target) {
	if err := serve(t); err != nil {
		fmt.Fprintf(os.Stderr, "parallax worker: %v\n", err)
		os.Exit(120)
	}
}

// session is the state of one worker process.
type session struct {
	*link
	target Target
	runner *runner
	sink   *sink
	engine *engine.Engine
	asker  *asker
	repair *repairer // nil: there is nothing to repair with

	goroutines int // that run when nothing is left behind

	collector collector

	// Of the Run order under way, kept for the next one: a worker that judges is asked a few hundred times and then replaced,
	// and fresh memory would cost it as much as the programs do.
	hits, first [][]uint32
	told        []byte
}

func serve(t Target) error {
	if os.Getenv("PARALLAX_WORKER") == "operands" {
		syscall.CloseOnExec(operandFile)
		return serveOperands(t)
	}
	limits()
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
	s := &session{link: l, target: t, runner: newRunner(t, l.mem, counters), sink: &sink{mem: l.mem}}
	s.hits, s.first = make([][]uint32, len(t.Programs)), make([][]uint32, len(t.Programs))
	s.collector.off()
	var regions []wire.Region
	for _, r := range counters.Regions {
		regions = append(regions, wire.Region{Package: r.Package, Counters: len(r.Cov)})
	}
	if !l.greet(&t, regions) {
		return nil // the supervisor is gone
	}
	done := make(chan error, 1)
	go s.drive(done)
	err = <-done
	if s.asker != nil {
		s.asker.close()
	}
	return err
}

// drive carries out orders. A program may end the goroutine that calls it, as t.Skip does: the next one then takes over
// where it was.
func (s *session) drive(done chan<- error) {
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
	err := s.orders()
	ended = true
	done <- err
}

// grow makes the goroutine's stack large enough for most programs at once. After every t.Skip a new one begins with two
// kilobytes, and growing it step by step copies what is there each time: a tenth of the time of BurntSushi/toml's FuzzDecode,
// of which three executions in four skip.
//
//go:noinline
func grow(n int) byte {
	var b [28 << 10]byte
	return b[n%len(b)]
}

// limits makes the runtime fail fast and collect garbage rarely. A stack of 64 MiB is deep enough for honest
// recursion, and its overflow is reported in half a second instead of many.
func limits() {
	debug.SetMaxStack(64 << 20)
	singleThread()
	if n, err := strconv.ParseInt(os.Getenv("PARALLAX_MEMORY"), 10, 64); err == nil && n > 0 {
		debug.SetMemoryLimit(n / 4 * 3)
	}
}

// orders carries out the supervisor's orders until the socket closes. It first finishes what a predecessor left.
func (s *session) orders() error {
	if s.goroutines == 0 {
		s.goroutines = runtime.NumGoroutine()
	}
	if s.runner.dead.Outcome != 0 {
		if err := s.takeOver(); err != nil {
			return err
		}
	} else if s.repair != nil && s.repair.ended() {
		if err := s.unrepaired(); err != nil {
			return err
		}
	}
	for {
		kind, payload, err := wire.Receive(s.socket)
		if errors.Is(err, io.EOF) {
			return nil // the supervisor is done
		}
		if err != nil {
			return fmt.Errorf("receiving an order: %w", err)
		}
		r := wire.NewReader(payload)
		if s.engine == nil && (kind == wire.Tuples || kind == wire.Mail) {
			return fmt.Errorf("message %d before the configuration", kind)
		}
		switch kind {
		case wire.Setup:
			err = s.setup(r)
		case wire.Tuples:
			know(s.engine, r)
		case wire.Seeds:
			err = s.order(kind, r)
		case wire.Fuzz:
			err = s.order(kind, r)
		case wire.Run:
			err = s.order(kind, r)
		case wire.Repair, wire.Observe:
			err = s.order(kind, r)
		case wire.Mail:
			s.mail++
			err = s.readMail(r)
		default:
			err = fmt.Errorf("unknown message %d", kind)
		}
		if err == nil {
			err = r.Err()
		}
		if err != nil {
			return err
		}
	}
}

func (s *session) setup(r *wire.Reader) error {
	var m policy.Setup
	if err := m.Read(r); err != nil {
		return err
	}
	s.asker = newAsker(s.runner.beat, s.mem.Stat(wire.Compared))
	var repair func([]byte) []byte
	if s.target.Repair != nil {
		s.repair = newRepairer(s.target, m.MaxBytes, s.mem, s.runner.beat, s.sink.note)
		repair = s.repair.repair
	}
	config := s.configure(&m, &s.target, s.runner.counters.Blocks)
	config.Determined, config.Comparisons, config.Repair = s.determined, s.asker, repair
	var err error
	s.engine, err = engine.New(config, s.runner, s.sink)
	s.runner.counters.NoSet = len(s.target.Programs) == 1 && !engine.NeedsSets(m.Guidance, m.Schedule)
	return err
}

// determined tells the supervisor whether the inputs are determined (source.Step), from now on.
func (s *session) determined(on bool) {
	v := uint64(0)
	if on {
		v = 1
	}
	s.mem.Patching().Store(v)
}

// job is the order under way, kept outside the goroutine that carries it out.
type job struct {
	kind   byte
	seeds  [][]byte
	replay bool
	budget uint64 // inputs to fuzz
	run    runJob
	watch  observeJob
}

// maxLeaked is how many goroutines programs may leave behind before the process is given up.
const maxLeaked = 2000

func (s *session) order(kind byte, r *wire.Reader) error {
	j := job{kind: kind}
	switch kind {
	case wire.Seeds:
		j.replay = r.Bool()
		for r.More() {
			j.seeds = append(j.seeds, r.Bytes())
		}
	case wire.Fuzz:
		j.budget = s.sink.inputs + r.Uint()
	case wire.Repair:
		j.run.flat = r.Bytes()
		if s.repair == nil && s.target.Repair != nil {
			s.repair = newRepairer(s.target, s.mem.MaxInput(), s.mem, s.runner.beat, func(string) {})
		}
	case wire.Observe:
		last := &s.sink.job.watch
		j.watch.trace, j.watch.told = last.trace, last.told[:0]
		if j.watch.message.Read(r) == nil && j.watch.message.Program >= len(s.target.Programs) {
			return fmt.Errorf("an order for program %d of %d", j.watch.message.Program, len(s.target.Programs))
		}
	case wire.Run:
		j.run.flags = r.Uint()
		j.run.flat = r.Bytes()
		last := &s.sink.job.run
		j.run.trace, j.run.results = last.trace, last.results[:0]
	}
	if err := r.Err(); err != nil {
		return err
	}
	if (kind == wire.Seeds || kind == wire.Fuzz) && s.engine == nil {
		return fmt.Errorf("an order to fuzz before the configuration")
	}
	s.sink.job = j
	return s.work()
}

// takeOver finishes the order in whose middle the last goroutine was ended.
func (s *session) takeOver() error {
	obs := s.runner.takeDead()
	switch s.sink.job.kind {
	case wire.Run:
		s.sink.job.run.add(s, obs)
	case wire.Observe:
		s.sink.job.watch.add(s, obs)
	default:
		s.engine.Abort(obs)
		s.engine.Resume()
	}
	return s.work()
}

// unrepaired finishes the order in whose middle the repair function ended the goroutine.
func (s *session) unrepaired() error {
	if s.sink.job.kind == wire.Repair {
		return s.answer(wire.Mended, s.sink.job.run.flat)
	}
	s.engine.Unrepaired()
	s.engine.Resume()
	return s.work()
}

// work carries out the rest of the order.
func (s *session) work() error {
	j := &s.sink.job
	switch j.kind {
	case wire.Run:
		return s.run(&j.run)
	case wire.Observe:
		return s.observe(&j.watch)
	case wire.Repair:
		flat := j.run.flat
		if s.repair != nil {
			if err := s.target.Shape.Check(flat); err != nil {
				return err
			}
			if repaired := s.repair.repair(flat); repaired != nil && len(repaired) <= s.mem.MaxInput() {
				flat = repaired
			}
		}
		return s.answer(wire.Mended, flat)
	case wire.Seeds:
		for len(j.seeds) > 0 && s.mem.Stop().Load() == 0 {
			flat := j.seeds[0]
			j.seeds = j.seeds[1:]
			s.engine.Seed(flat, j.replay)
			s.collector.tick()
		}
	case wire.Fuzz:
		for s.sink.inputs < j.budget && s.mem.Stop().Load() == 0 {
			if s.sink.inputs&63 == 0 && s.mem.MailCount().Load() != s.mail {
				if err := s.takeMail(s.readMail); err != nil {
					return err
				}
			}
			s.engine.Fuzz()
			s.collector.tick()
			if s.sink.inputs&1023 == 0 && runtime.NumGoroutine() > s.goroutines+maxLeaked {
				break // the supervisor sees that there is something left to do, and starts a new process
			}
		}
	}
	s.runner.end()
	s.sink.publish()
	if runtime.NumGoroutine() > s.goroutines {
		s.settle()
		s.goroutines = runtime.NumGoroutine() // those that stay do no harm, so far
	}
	return s.answer(wire.Done, wire.AppendUint(nil, s.sink.inputs))
}

func (s *session) readMail(r *wire.Reader) error {
	for r.More() {
		s.engine.Import(r.Bytes())
		s.collector.tick()
	}
	return nil
}

// settle gives goroutines that programs left behind the time to fail. It is no run of a program, so the supervisor must
// not take it for one that hangs.
func (s *session) settle() {
	for i := 0; i < 20; i++ {
		s.runner.beat()
		time.Sleep(5 * time.Millisecond)
	}
}

package worker

import (
	"fmt"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"syscall"

	"parallax/internal/feature"
	"parallax/internal/input"
	"parallax/internal/oracle"
	"parallax/internal/wire"
)

// runner executes the target's programs in this process, one after another on the calling
// goroutine.
type runner struct {
	target   Target
	mem      *wire.Memory
	counters *feature.Counters
	values   bool // values are compared, so that they are digested
	allocs   allocations

	args   input.Args
	result oracle.Result

	maker *maker // makes inputs from tapes; nil means none

	test  Test           // of the running program, if it is a fuzz target
	calls Calls          // of that target, if they are recorded
	trace *feature.Trace // of the current run

	dead        oracle.Observation // observation of a run whose goroutine ended
	panicObs    oracle.Observation // observation of the current run's panic
	open        bool               // a run is in progress
	failed      bool               // the last run called t.Fatal or the like
	detail      bool               // keep words and stack of a panic
	recordDraws bool               // keep the maker's draws, which takes many times as long
	words       string
	stack       string
	output      string
	pcs         [64]uintptr
	classes     map[uint64]failureClass // of panics and failures, by a hash of their program counters, and words for failures
}

func newRunner(t Target, mem *wire.Memory, c *feature.Counters) *runner {
	r := &runner{target: t, mem: mem, counters: c, values: t.CompareValues, classes: map[uint64]failureClass{}}
	if ignored, versions := IgnoredFields(); versions {
		r.result.Versions(ignored)
	}
	if modules := ChangedModules(); modules != nil {
		r.result.Outside(modules)
	}
	r.allocs.count(t.Programs)
	r.maker = newMaker(t, mem)
	return r
}

// Begin publishes the input in flight.
func (r *runner) Begin(flat []byte) {
	r.mem.SetInput(flat)
	r.mem.SetProgram(0)
	r.mem.SetState(wire.InFlight)
	if r.maker != nil {
		r.maker.begun = false
	}
}

// Run executes the input on one program. It reads the counters before it digests the result.
// Printing an error may run the program's code again, which is not its behavior on the input.
func (r *runner) Run(p int, flat []byte, t *feature.Trace) oracle.Observation {
	r.mem.SetProgram(p)
	r.mem.Beat()
	r.result.Reset()
	r.trace, r.failed = t, false
	if r.maker == nil {
		r.args.Load(r.target.Shape, flat)
	} else if made, ok := r.maker.input(p, flat, r.recordDraws); ok {
		r.args.Load(r.maker.gen.Shape(), made)
	} else {
		return r.noInput()
	}
	r.panicObs, r.open = oracle.Observation{}, true
	program := &r.target.Programs[p]
	r.calls = program.Calls
	if r.test = program.Test; r.test != nil {
		r.test.Begin(r.detail)
	}
	r.allocs.begin()
	r.counters.Clear()
	obs, normal := r.call(program.Run)
	switch {
	case r.dead.Outcome != 0: // panic(nil), in modules before Go 1.21, looks like runtime.Goexit
		obs = r.takeDead()
	case r.test != nil:
		obs = r.endTest(obs)
	default:
		r.read()
		if normal {
			obs = r.observe()
		}
	}
	r.open = false
	if !r.mem.Intact() {
		r.endHarmed(flat, "wrote into the memory that its worker shares with parallax")
	}
	if r.detail && connected && !socketOpen() {
		r.endHarmed(flat, "closed descriptors of its worker")
	}
	return obs
}

// draw is Run for a generator that is the only program. It returns the input made from a tape,
// which is valid until the next call. ok is false if there is none.
func (r *runner) draw(tape []byte, t *feature.Trace) (made []byte, ok bool) {
	r.mem.SetProgram(0)
	r.mem.Beat()
	r.trace, r.failed = t, false
	t.Reset()
	made, ok = r.maker.input(0, tape, r.recordDraws)
	if !r.mem.Intact() {
		r.endHarmed(tape, "wrote into the memory that its worker shares with parallax")
	}
	return made, ok
}

// noInput returns the observation of a program for which the generator made no input. If the
// generator is the only program, its errors are crashes.
func (r *runner) noInput() oracle.Observation {
	obs := r.declined()
	if r.target.Alone && r.maker.fault != "" {
		r.words = r.maker.fault
		obs = oracle.Observation{Outcome: oracle.Crashed, Class: hashString(r.words)}
	}
	return obs
}

// declined returns the observation of a program without an input.
func (r *runner) declined() oracle.Observation {
	r.trace.Reset()
	r.result.Reset()
	r.result.Decline()
	return oracle.Observation{Outcome: oracle.Declined}
}

// read reads the blocks and allocations of the current run.
func (r *runner) read() {
	r.counters.Read(r.trace)
	r.trace.Allocated = r.allocs.since()
}

// endHarmed ends the process with a message that blames the program that ran last.
func (r *runner) endHarmed(flat []byte, what string) {
	r.mem.Restore(flat)
	exitHarmed(what)
}

// exitHarmed ends the process. It writes the message without the runtime, whose own descriptors may
// be closed.
func exitHarmed(what string) {
	syscall.Write(2, []byte("\n"+wire.HarmPrefix+what+"\n"))
	syscall.Exit(wire.Harmed)
}

// checkDescriptors ends the process if a program has closed the worker's descriptors. The input is
// unknown.
func checkDescriptors() {
	if connected && !socketOpen() {
		exitHarmed("closed descriptors of its worker, on one of the latest inputs")
	}
}

// socketOpen reports whether the socket to the supervisor is open.
func socketOpen() bool {
	var s syscall.Stat_t
	return syscall.Fstat(socketFile, &s) == nil && s.Mode&syscall.S_IFMT == syscall.S_IFSOCK
}

// abandon is called when a goroutine ends. A deferred function may recover a panic while the
// goroutine is already ending. The current run is then closed here.
func (r *runner) abandon() {
	switch {
	case r.maker != nil && r.maker.endedGoroutine():
		r.dead = r.noInput()
	case !r.open || r.dead.Outcome != 0:
	case r.test != nil:
		r.dead = r.endTest(r.panicObs)
	default:
		r.read()
		r.dead = r.panicObs
	}
}

// takeDead returns the observation of the run whose goroutine ended.
func (r *runner) takeDead() oracle.Observation {
	obs := r.dead
	r.dead, r.open = oracle.Observation{}, false
	return obs
}

// end closes the input in flight.
func (r *runner) end() { r.mem.SetState(wire.Idle) }

func (r *runner) call(run func(*input.Args, *oracle.Result)) (obs oracle.Observation, normal bool) {
	defer func() {
		if !normal {
			obs = r.panicked(recover())
		}
	}()
	run(&r.args, &r.result)
	normal = true
	return obs, normal
}

// observe digests the result. A panic in the program's own Error or String method counts as the
// program's.
func (r *runner) observe() (obs oracle.Observation) {
	normal := false
	defer func() {
		if !normal {
			obs = r.panicked(recover())
		}
	}()
	obs = r.result.Observe(r.values)
	normal = true
	return obs
}

// panicked returns the observation of a panic. A nil v means that runtime.Goexit ends the
// goroutine, which cannot be stopped. The goroutine that drives the engine then ends, and the next
// one continues from r.dead.
func (r *runner) panicked(v any) oracle.Observation {
	if v == nil {
		if r.test == nil {
			r.read()
		} else if finished, _, _ := r.test.Status(); finished {
			r.dead = r.endTest(oracle.Observation{})
			return r.dead
		}
	}
	n := runtime.Callers(3, r.pcs[:])
	key := uint64(0)
	for _, pc := range r.pcs[:n] {
		key = feature.Chain(key, uint64(pc))
	}
	class, ok := r.classes[key]
	if !ok || r.detail {
		words := "runtime.Goexit"
		if v != nil {
			words = bounded(panicText(v))
		}
		class = newFailureClass(words, r.pcs[:n])
		r.remember(key, class)
		if r.detail {
			r.words, r.stack = words, string(debug.Stack())
		}
	}
	obs := oracle.Observation{Outcome: oracle.Crashed, Class: class.class, Place: class.place}
	r.panicObs = obs
	if v != nil {
		return obs
	}
	if r.test != nil {
		obs = r.endTest(obs)
	}
	r.dead = obs
	return obs
}

// failureClass identifies a failure: its class, and its place without the words.
type failureClass struct{ class, place uint64 }

// maxKnown bounds the cached classes. Messages may contain the input, and stacks have any depth.
const maxKnown = 1 << 14

// remember caches a class.
func (r *runner) remember(key uint64, class failureClass) {
	if len(r.classes) < maxKnown {
		r.classes[key] = class
	}
}

const (
	classFrames = 6 // functions that distinguish crashes
	placeFrames = 3 // of these, the functions that form the place
)

// newFailureClass identifies a panic or a failure by its words without numbers, and by the
// functions on its stack with their lines. Each function counts once, since the depth of a
// recursion is not part of the cause. Triage distinguishes less, and examines failures of different
// classes. The place has only the innermost of these functions.
func newFailureClass(words string, pcs []uintptr) (c failureClass) {
	c.class = hashString(oracle.CrashClass(words))
	var seen [classFrames]uint64
	k := 0
	frames := runtime.CallersFrames(pcs)
	for k < classFrames {
		f, more := frames.Next()
		name := hashString(f.Function)
		if !strings.HasPrefix(f.Function, "runtime.") && !slices.Contains(seen[:k], name) {
			c.class = feature.Chain(feature.Chain(c.class, uint64(f.Line)), name)
			if k < placeFrames {
				c.place = feature.Chain(feature.Chain(c.place, uint64(f.Line)), name)
			}
			seen[k] = name
			k++
		}
		if !more || strings.HasPrefix(f.Function, "main.") || strings.HasSuffix(f.Function, "worker.(*runner).call") {
			break
		}
	}
	return c
}

// panicText prints a panic's value as the runtime would. It recovers from values that panic when
// printed.
func panicText(v any) (text string) {
	defer func() {
		if recover() != nil {
			text = fmt.Sprintf("%T (printing it panics)", v)
		}
	}()
	switch v := v.(type) {
	case error:
		return v.Error()
	case fmt.Stringer:
		return v.String()
	}
	return fmt.Sprint(v)
}

// bounded returns the beginning of a program's text, which may have any size, in its own memory.
func bounded(s string) string {
	if len(s) <= detailLimit {
		return s
	}
	return strings.Clone(s[:detailLimit])
}

func hashString(s string) uint64 {
	h := uint64(14695981039346656037)
	for i := 0; i < len(s); i++ {
		h = (h ^ uint64(s[i])) * 1099511628211
	}
	return feature.Mix(h)
}

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

// runner executes the target's programs in this process, one after another on the goroutine that calls it.
type runner struct {
	target   Target
	mem      *wire.Memory
	counters *feature.Counters
	values   bool // values are compared, so they are digested
	allocs   allocations

	args   input.Args
	result oracle.Result

	maker *maker // makes inputs of tapes; nil: none does

	test  Test           // of the program that runs, if it is a fuzz target
	calls Calls          // of that target, if they are recorded
	trace *feature.Trace // of the run under way

	dead   oracle.Observation // the observation of a run whose goroutine was ended
	seen   oracle.Observation // what the run under way panicked with
	open   bool               // a run is under way
	failed bool               // the last run called t.Fatal or the like
	detail bool               // keep words and stack of a panic
	noted  bool               // keep what a maker draws, which takes it many times as long
	words  string
	stack  string
	output string
	pcs    [64]uintptr
	known  map[uint64]failureClass // of a panic or a failure, by a hash of its program counters and, of a failure, its words
}

func newRunner(t Target, mem *wire.Memory, c *feature.Counters) *runner {
	r := &runner{target: t, mem: mem, counters: c, values: t.CompareValues, known: map[uint64]failureClass{}}
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

// Run executes the input on one program. The counters are read before the result is digested: printing an error may
// run the program's own code again, and that is not the program's behavior on the input.
func (r *runner) Run(p int, flat []byte, t *feature.Trace) oracle.Observation {
	r.mem.SetProgram(p)
	r.mem.Beat()
	r.result.Reset()
	r.trace, r.failed = t, false
	if r.maker == nil {
		r.args.Load(r.target.Shape, flat)
	} else if made, ok := r.maker.input(p, flat, r.noted); ok {
		r.args.Load(r.maker.by.Shape(), made)
	} else {
		return r.undrawn()
	}
	r.seen, r.open = oracle.Observation{}, true
	program := &r.target.Programs[p]
	r.calls = program.Calls
	if r.test = program.Test; r.test != nil {
		r.test.Begin(r.detail)
	}
	r.allocs.begin()
	r.counters.Clear()
	obs, normal := r.call(program.Run)
	switch {
	case r.dead.Outcome != 0: // panic(nil), as modules before Go 1.21 have it, looks like runtime.Goexit
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
		r.harmed(flat, "wrote into the memory that its worker shares with parallax")
	}
	if r.detail && connected && !descriptors() {
		r.harmed(flat, "closed descriptors of its worker")
	}
	return obs
}

// draw is Run of a generator that is the only program: what it makes of a tape, which is valid until the next call; false: nothing.
func (r *runner) draw(tape []byte, t *feature.Trace) (made []byte, ok bool) {
	r.mem.SetProgram(0)
	r.mem.Beat()
	r.trace, r.failed = t, false
	t.Reset()
	made, ok = r.maker.input(0, tape, r.noted)
	if !r.mem.Intact() {
		r.harmed(tape, "wrote into the memory that its worker shares with parallax")
	}
	return made, ok
}

// undrawn is a run of a program for which the generator has made no input. Where the generator is the only program, its mistakes are told as
// crashes.
func (r *runner) undrawn() oracle.Observation {
	obs := r.declined()
	if r.target.Alone && r.maker.why != "" {
		r.words = r.maker.why
		obs = oracle.Observation{Outcome: oracle.Crashed, Class: hashString(r.words)}
	}
	return obs
}

// declined is a run of a program for which there is no input.
func (r *runner) declined() oracle.Observation {
	r.trace.Reset()
	r.result.Reset()
	r.result.Decline()
	return oracle.Observation{Outcome: oracle.Declined}
}

// read takes what the run under way executed and allocated so far.
func (r *runner) read() {
	r.counters.Read(r.trace)
	r.trace.Allocated = r.allocs.since()
}

// harmed ends the process, as the doing of the program that ran last.
func (r *runner) harmed(flat []byte, what string) {
	r.mem.Restore(flat)
	end(what)
}

// end ends the process. What it did is written without the runtime's help, whose own descriptors may be closed.
func end(what string) {
	syscall.Write(2, []byte("\n"+wire.HarmPrefix+what+"\n"))
	syscall.Exit(wire.Harmed)
}

// lookAtDescriptors ends the process when a program has closed what the worker needs, on an input that is not known.
func lookAtDescriptors() {
	if connected && !descriptors() {
		end("closed descriptors of its worker, on one of the latest inputs")
	}
}

// descriptors reports whether the descriptors are open by which the worker and the supervisor talk.
func descriptors() bool {
	var s syscall.Stat_t
	return syscall.Fstat(socketFile, &s) == nil && s.Mode&syscall.S_IFMT == syscall.S_IFSOCK
}

// abandon is called when a goroutine ends. A panic in a deferred function can be recovered, and the goroutine ends all the
// same if it was ending before: the run under way is then closed here.
func (r *runner) abandon() {
	switch {
	case r.maker != nil && r.maker.left():
		r.dead = r.undrawn()
	case !r.open || r.dead.Outcome != 0:
	case r.test != nil:
		r.dead = r.endTest(r.seen)
	default:
		r.read()
		r.dead = r.seen
	}
}

// takeDead returns the observation of the run whose goroutine was ended.
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

// observe digests the result. A panic in the program's own Error or String method is the program's.
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

// panicked turns a panic into an observation, or, for v == nil, the end of the goroutine by runtime.Goexit, which
// cannot be stopped: the goroutine that drives the engine dies with it and the next one goes on from r.dead.
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
	class, ok := r.known[key]
	if !ok || r.detail {
		words := "runtime.Goexit"
		if v != nil {
			words = bounded(panicText(v))
		}
		class = class64(words, r.pcs[:n])
		r.remember(key, class)
		if r.detail {
			r.words, r.stack = words, string(debug.Stack())
		}
	}
	obs := oracle.Observation{Outcome: oracle.Crashed, Class: class.class, Place: class.place}
	r.seen = obs
	if v != nil {
		return obs
	}
	if r.test != nil {
		obs = r.endTest(obs)
	}
	r.dead = obs
	return obs
}

// failureClass is what tells failures apart: their class, and the place without the words.
type failureClass struct{ class, place uint64 }

// maxKnown bounds the classes that are remembered: messages may hold the input, and stacks be of any depth.
const maxKnown = 1 << 14

// remember keeps a class, so that the same is not computed again.
func (r *runner) remember(key uint64, class failureClass) {
	if len(r.known) < maxKnown {
		r.known[key] = class
	}
}

const (
	classFrames = 6 // functions that tell crashes apart
	placeFrames = 3 // of these, those that are the place
)

// class64 identifies a panic or a failure by its words without numbers and the functions that it came through, each once,
// with its line: how deep a parser had recursed is no part of the cause. Triage is less particular; what has another
// class is looked at. The place is the innermost of these functions alone.
func class64(words string, pcs []uintptr) (c failureClass) {
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

// panicText prints a panic's value as the runtime would, guarding against values that panic when printed.
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

// bounded is the beginning of a text that a program made, in memory of its own: it may be of any size.
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

package worker

import (
	"fmt"
	"runtime"
	"runtime/debug"
	"strings"

	"parallax/internal/feature"
	"parallax/internal/input"
	"parallax/internal/judge"
	"parallax/internal/wire"
)

// runner executes the target's programs in this process, one after another on the goroutine that calls it.
type runner struct {
	target   Target
	mem      *wire.Memory
	counters *feature.Counters
	values   bool // values are compared, so they are digested

	args   input.Args
	result judge.Result

	pulse uint64 // runs of programs, whatever for

	dead   judge.Observation // the observation of a run whose goroutine was ended
	detail bool              // keep words and stack of a panic
	words  string
	stack  string
	pcs    [64]uintptr
	known  map[uint64]uint64 // hash of a panic's program counters -> its class
}

func newRunner(t Target, mem *wire.Memory, c *feature.Counters) *runner {
	return &runner{target: t, mem: mem, counters: c, values: t.CompareValues, known: map[uint64]uint64{}}
}

// Begin publishes the input in flight.
func (r *runner) Begin(flat []byte) {
	r.mem.SetInput(flat)
	r.mem.Program().Store(0)
	r.mem.State().Store(wire.InFlight)
}

// Run executes the input on one program. The counters are read before the result is digested: printing an error may
// run the program's own code again, and that is not the program's behaviour on the input.
func (r *runner) Run(p int, flat []byte, t *feature.Trace) judge.Observation {
	r.mem.Program().Store(uint64(p))
	r.beat()
	r.args.Load(r.target.Shape, flat)
	r.result.Reset()
	r.counters.Clear()
	obs, normal := r.call(r.target.Programs[p].Run)
	r.counters.Read(t)
	if normal {
		obs = r.observe()
	}
	return obs
}

// beat tells the supervisor that something new has begun.
func (r *runner) beat() {
	r.pulse++
	r.mem.Runs().Store(r.pulse)
}

// end closes the input in flight.
func (r *runner) end() { r.mem.State().Store(wire.Idle) }

func (r *runner) call(run func(*input.Args, *judge.Result)) (obs judge.Observation, normal bool) {
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
func (r *runner) observe() (obs judge.Observation) {
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
func (r *runner) panicked(v any) judge.Observation {
	n := runtime.Callers(3, r.pcs[:])
	key := uint64(0)
	for _, pc := range r.pcs[:n] {
		key = feature.Chain(key, uint64(pc))
	}
	class, ok := r.known[key]
	if !ok || r.detail {
		words := "runtime.Goexit"
		if v != nil {
			words = panicText(v)
		}
		class = r.class(words, n)
		r.known[key] = class
		if r.detail {
			r.words, r.stack = words, string(debug.Stack())
		}
	}
	obs := judge.Observation{Outcome: judge.Crashed, Class: class}
	if v == nil {
		r.dead = obs
	}
	return obs
}

// class identifies a panic by its words without numbers and the functions it came from.
func (r *runner) class(words string, n int) uint64 {
	h := hashString(judge.MessageClass(words))
	frames := runtime.CallersFrames(r.pcs[:n])
	for k := 0; k < 16; {
		f, more := frames.Next()
		if !strings.HasPrefix(f.Function, "runtime.") {
			h = feature.Chain(h, hashString(f.Function))
			k++
		}
		if !more || strings.HasPrefix(f.Function, "main.") {
			break
		}
	}
	return h
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

func hashString(s string) uint64 {
	h := uint64(14695981039346656037)
	for i := 0; i < len(s); i++ {
		h = (h ^ uint64(s[i])) * 1099511628211
	}
	return feature.Mix(h)
}

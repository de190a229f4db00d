package implementation

import (
	"errors"
	"fmt"
	"runtime/debug"
	"strings"

	"parallax/internal/input"
	"parallax/internal/oracle"
)

// Trial is one input on all implementations, with the oracle's verdict.
type Trial struct {
	Args    []any         // of the kinds of the Set's shape
	Runs    []Run         // in the order of the implementations
	Layer   oracle.Layers // in which they disagree; 0 if they agree
	Odd     []int         // indices of the minority, if there is one
	Reason  string        // why the difference is ignored
	Ignored bool
}

// Run is the outcome of one implementation.
type Run struct {
	Observation oracle.Observation
	Values      []any  // if accepted, normalized
	Err         error  // its last result, if that is an error
	Panic       string // value of the panic, if crashed
	Stack       string // from the function that panicked up to the implementation
}

// Try runs all implementations on an input and compares them. If inputs have no byte form, the
// input is an encoded tape, and each implementation receives its own drawn values. A panic or
// runtime.Goexit gives the outcome crashed. An error means that there is no input.
func (s *Set) Try(flat []byte) (*Trial, error) {
	t, err := s.executeInput(flat, 0)
	if err == nil {
		s.compare(t, s.layers)
	}
	return t, err
}

// Ignored runs all implementations, which disagree, and reports whether the user knows and intends
// the difference. They may disagree in a layer that the harness does not compare, since users of
// the tool can choose others. A predicate that panics ignores nothing. Implementations in the set
// ended are not run, since they would end the process. They count as crashed.
func (s *Set) Ignored(flat []byte, ended uint64) (reason string, ignored bool) {
	if s.config.Ignore == nil {
		return "", false
	}
	t, err := s.executeInput(flat, ended)
	if err != nil {
		return "", false
	}
	defer func() {
		if recover() != nil {
			reason, ignored = "", false
		}
	}()
	if s.compare(t, s.layers); t.Layer == 0 {
		s.compare(t, oracle.VerdictLayer|oracle.ValueLayer|oracle.ClassLayer)
	}
	return t.Reason, t.Ignored
}

// executeInput runs all implementations except those in ended, on an input or a tape.
func (s *Set) executeInput(flat []byte, ended uint64) (*Trial, error) {
	if s.shape == nil {
		t, err := s.execute(nil, ended, func() (arguments, error) { return s.drawn(flat) })
		if err == nil { // values that the implementations have not received
			var a arguments
			a, err = s.drawn(flat)
			t.Args = append([]any(nil), a.values...)
		}
		return t, err
	}
	args, err := s.shape.Unpack(flat)
	if err != nil {
		return nil, err
	}
	return s.execute(args, ended, func() (arguments, error) {
		a := new(input.Args)
		a.Load(s.shape, flat)
		return arguments{Args: a}, nil
	})
}

// drawn returns the values of a tape.
func (s *Set) drawn(tape []byte) (arguments, error) {
	if _, end, text := s.generator.Make(tape); end != "" {
		if s.generator.Invalid(end) {
			return arguments{}, fmt.Errorf("the generator draws nothing from these choices (%s)", text)
		}
		return arguments{}, errors.New(s.generator.Fault(end, text))
	}
	return arguments{values: s.generator.Values()}, nil
}

// execute runs all implementations except those in ended, each on its own arguments.
func (s *Set) execute(args []any, ended uint64, supply func() (arguments, error)) (*Trial, error) {
	t := &Trial{Args: args, Runs: make([]Run, 0, len(s.programs))}
	var failed error
	// An implementation may end the goroutine. The remaining ones then run in another.
	for failed == nil && len(t.Runs) < len(s.programs) {
		done := make(chan struct{})
		go func() {
			defer close(done)
			debug.SetPanicOnFault(true) // as in the worker
			for len(t.Runs) < len(s.programs) {
				if ended>>len(t.Runs)&1 != 0 {
					t.Runs = append(t.Runs, Run{Observation: oracle.Observation{Outcome: oracle.Crashed}, Panic: "it ended its process"})
					continue
				}
				failed = errors.New("the generator ends its goroutine, as runtime.Goexit does")
				a, err := supply()
				if failed = err; err != nil {
					return
				}
				t.Runs = append(t.Runs, Run{})
				s.try(len(t.Runs)-1, a, &t.Runs[len(t.Runs)-1])
			}
		}()
		<-done
	}
	if failed != nil {
		return nil, failed
	}
	return t, nil
}

// compare adds the oracle's verdict to a trial.
func (s *Set) compare(t *Trial, layers oracle.Layers) {
	obs := make([]oracle.Observation, len(t.Runs))
	for i, r := range t.Runs {
		obs[i] = r.Observation
	}
	t.Layer = oracle.DisagreeLayer(layers, obs)
	t.Odd = oracle.Minority(layers, obs)
	if t.Layer != 0 && s.config.Ignore != nil {
		t.Reason, t.Ignored = s.ignore(t)
	}
}

func (s *Set) ignore(t *Trial) (reason string, ignored bool) {
	var outcomes []string
	var values [][]any
	var errs []error
	for _, r := range t.Runs {
		outcomes = append(outcomes, r.Observation.Outcome.String())
		values = append(values, r.Values)
		errs = append(errs, r.Err)
	}
	return s.config.Ignore(t.Layer.String(), t.Odd, t.Args, outcomes, values, errs)
}

// try runs one implementation.
func (s *Set) try(i int, a arguments, run *Run) {
	normal := false
	defer func() {
		if normal {
			return
		}
		v := recover()
		*run = Run{Observation: oracle.Observation{Outcome: oracle.Crashed}, Panic: "runtime.Goexit"}
		if v != nil {
			run.Panic, run.Stack = fmt.Sprint(v), stack()
		}
	}()
	var r oracle.Result
	if !s.wanted(a) {
		r.Decline()
	} else {
		s.programs[i].runKeeping(a, &r, run)
	}
	run.Observation = r.Observe(s.values)
	if run.Observation.Outcome != oracle.Accepted {
		run.Values = nil
	}
	normal = true
}

// runKeeping is run, and also keeps the results in their Go types.
func (p *program) runKeeping(a arguments, r *oracle.Result, run *Run) {
	out := p.call(a)
	run.Err, _ = p.err(out)
	p.end(out, r)
	if r.Outcome() != oracle.Accepted {
		return
	}
	for i, replace := range p.replace {
		v := p.value(out, i)
		if replace != nil {
			v = replace(v)
		}
		run.Values = append(run.Values, v)
		r.Any(v)
	}
}

// stack returns the stack of the panic that is being recovered, without this package's frames.
func stack() string {
	lines := strings.Split(strings.TrimRight(string(debug.Stack()), "\n"), "\n")
	start := 0
	for i, line := range lines {
		if strings.HasPrefix(line, "panic(") {
			start = i + 2 // skip the call and its place
			break
		}
	}
	// frames between a nil pointer and its panic
	for start+2 < len(lines) && strings.HasPrefix(lines[start], "runtime.") {
		start += 2
	}
	end := len(lines)
	for i := start; i < len(lines); i++ {
		if strings.Contains(lines[i], "/internal/implementation.(*") {
			end = i
			break
		}
	}
	for end-2 >= start && strings.HasPrefix(lines[end-2], "reflect.Value.") {
		end -= 2
	}
	if end <= start {
		return strings.Join(lines, "\n")
	}
	return strings.Join(lines[start:end], "\n")
}

// Package implementation calls the functions that a parallax.Diff names and says what became of them. Package parallax
// uses it under go test, and the worker under the tool, so that both compare alike.
//
// A Config has only types of the standard library: the user's copy of the library fills one in, and the worker, which is
// built from the tool's copy, makes a Set of it by converting between the two copies' types. Signatures are read as
// those of functions on the command line are (cmd/internal/signature).
//
// Run is the hot path: one implementation, its result stored for the oracle, panics left to the caller. Try is for
// everything else: all implementations, panics recovered, results kept in Go's own types.
package implementation

import (
	"fmt"
	"reflect"
	"strconv"
	"strings"

	"parallax/internal/generator"
	"parallax/internal/input"
	"parallax/internal/oracle"
)

// Config is what a harness says. Fields are only ever added together with a new Version of the library.
type Config struct {
	Version int // of the library that filled this in

	Names     []string        // of the implementations
	Functions []reflect.Value // in the same order; what Impl was given

	Layers        []string        // names of oracle.Layers; empty: verdict, and value where values can be compared
	Normalizers   []reflect.Value // func(T) U, at most one for each T
	Preconditions []reflect.Value // functions of the implementations' parameters that return a bool
	Repairs       []reflect.Value // at most one: a function of the implementations' parameters that returns such
	Declined      error           // an error that wraps it declines the input

	Accepts, Rejects [][]any // arguments of control seeds

	// Ignore says whether a difference is known and intended; nil if nothing is. All that it is given is in the order of
	// Names; odd are the indices of the minority.
	Ignore func(layer string, odd []int, args []any, outcomes []string, values [][]any, errs []error) (reason string, ignored bool)

	// Target is the func(*testing.T, ...) that fuzzing under go test would call. It fails the test on a difference. Inputs that are drawn are encoded
	// tapes, its only argument.
	Target any

	Generators []reflect.Value // at most one, since version 3: a generator of package gen, which draws what the implementations take
}

// maxPrograms is the most that an order to a worker can name (cmd/internal/campaign/options.go).
const maxPrograms = 48

// Set is a Config that was checked. It is not safe for concurrent use.
type Set struct {
	config     Config
	shape      input.Shape // nil: implementations take what no input is, and are passed what the generator draws
	programs   []*program
	conditions []*function
	repair     *function            // nil: none
	generator  *generator.Generator // nil: inputs are what the implementations take
	controls   []Control
	layers     oracle.Layers
	values     bool
	notes      []string
}

// New checks a configuration. Its errors are the user's mistakes, each in one line.
func New(c Config) (*Set, error) {
	s := &Set{config: c}
	if err := s.addPrograms(); err != nil {
		return nil, err
	}
	if err := s.sameVerdict(); err != nil {
		return nil, err
	}
	if err := s.addGenerator(); err != nil {
		return nil, err
	}
	if err := s.addConditions(); err != nil {
		return nil, err
	}
	if err := s.addRepair(); err != nil {
		return nil, err
	}
	if err := s.addNormalizers(); err != nil {
		return nil, err
	}
	if err := s.chooseLayers(); err != nil {
		return nil, err
	}
	if err := s.addControls(); err != nil {
		return nil, err
	}
	return s, nil
}

// Len is the number of implementations.
func (s *Set) Len() int { return len(s.programs) }

// Names are those of the implementations, in order.
func (s *Set) Names() []string { return s.config.Names }

// Shape is that of the first implementation's parameters. Others may take a []byte for a string, and the reverse. It is nil where a parameter is of a
// type that has no kind: all are passed what the Generator draws then.
func (s *Set) Shape() input.Shape { return s.shape }

// Layers are what is compared unless the user of the tool says otherwise.
func (s *Set) Layers() oracle.Layers { return s.layers }

// CompareValues reports whether the values of all implementations mean the same when they are equal.
func (s *Set) CompareValues() bool { return s.values }

// Notes are what the user should know, in one line each.
func (s *Set) Notes() []string { return s.notes }

// Run calls one implementation and stores what it returns. Neither normalizers nor methods of the target's errors run
// before r is observed. Panics are the caller's to recover.
//
// Implementations that take what no input is are run on the latest values of the Generator.
func (s *Set) Run(i int, a *input.Args, r *oracle.Result) {
	in := arguments{Args: a}
	if s.shape == nil {
		in = arguments{values: s.generator.Values()}
	}
	if !s.wanted(in) {
		r.Decline()
		return
	}
	s.programs[i].run(in, r)
}

// wanted reports whether the input meets all preconditions.
func (s *Set) wanted(a arguments) bool {
	for _, c := range s.conditions {
		if !c.call(a)[0].Bool() {
			return false
		}
	}
	return true
}

// takes names what implementations take, for people.
func (s *Set) takes() string {
	if s.shape != nil {
		return s.shape.String()
	}
	return named(s.programs[0].function)
}

func named(f *function) string {
	if f.shape != nil {
		return f.shape.String()
	}
	var names []string
	for _, t := range f.takes {
		names = append(names, t.String())
	}
	return "(" + strings.Join(names, ", ") + ")"
}

func (s *Set) addPrograms() error {
	c := &s.config
	switch n := len(c.Functions); {
	case n < 2:
		return fmt.Errorf("it needs two implementations or more, and has %d: add parallax.Impl(name, function)", n)
	case n > maxPrograms:
		return fmt.Errorf("it has %d implementations, and at most %d can be compared at once", n, maxPrograms)
	}
	for i, fn := range c.Functions {
		name := c.Names[i]
		switch {
		case strings.TrimSpace(name) == "":
			return fmt.Errorf("implementation %d has no name", i+1)
		case index(c.Names[:i], name) >= 0:
			return fmt.Errorf("two implementations are named %q", name)
		}
		f, err := newFunction(fn)
		if err != nil {
			return fmt.Errorf("Impl(%q): %w", name, err)
		}
		foreign := f.foreign()
		if foreign != nil && len(c.Generators) == 0 {
			return fmt.Errorf("Impl(%q): %w. Have what it takes drawn with parallax.Generate", name, foreign)
		}
		if i > 0 && !s.alike(f) {
			return fmt.Errorf("the implementations do not take the same arguments: %s is a %v and %s is a %v (only []byte and string stand for each other)",
				c.Names[0], c.Functions[0].Type(), name, fn.Type())
		}
		if i == 0 {
			s.shape = f.shape
		}
		if foreign != nil {
			s.shape = nil
		}
		s.programs = append(s.programs, &program{function: f, declines: c.Declined})
	}
	return nil
}

// alike reports whether a function takes what the first implementation does.
func (s *Set) alike(f *function) bool {
	first := s.programs[0].function
	return first.shape != nil && sameShape(first.shape, f.shape) || fits(first.takes, f.takes) || fits(f.takes, first.takes)
}

func (s *Set) addConditions() error {
	for _, fn := range s.config.Preconditions {
		f, err := newFunction(fn)
		switch {
		case err != nil:
			//lint:ignore ST1005 the name of the option
			return fmt.Errorf("Precondition: %w", err)
		case f.ending != boolLast || len(f.values) > 0 || f.decodes:
			//lint:ignore ST1005 the name of the option
			return fmt.Errorf("Precondition: it must return a bool and nothing else, and is a %v", fn.Type())
		case s.shape != nil && !sameShape(s.shape, f.shape), s.shape == nil && !fits(s.generator.Types(), f.takes):
			//lint:ignore ST1005 the name of the option
			return fmt.Errorf("Precondition: it takes %s, and the implementations take %s", named(f), s.takes())
		}
		s.conditions = append(s.conditions, f)
	}
	return nil
}

// chooseLayers decides whether values are compared. What was asked for must be possible; by default what is possible is
// done, and a note says what is not.
func (s *Set) chooseLayers() error {
	layers, err := oracle.ParseLayers(s.config.Layers)
	if err != nil {
		return fmt.Errorf("Layers: %w", err)
	}
	verdicts, values := false, false
	for _, p := range s.programs {
		verdicts = verdicts || p.ending != noVerdict
		values = values || len(p.values) > 0
	}
	why := s.incomparable()
	s.values = values && why == ""
	switch {
	case layers == 0:
		s.layers = oracle.VerdictLayer
		if values {
			s.layers |= oracle.ValueLayer
		}
		if why != "" {
			s.notes = append(s.notes, "values are not compared, since their types differ ("+why+"): add a parallax.Normalize for them; until then only whether an input is accepted counts")
		}
	case layers&oracle.ValueLayer != 0 && why != "":
		return fmt.Errorf("values cannot be compared, since their types differ (%s): add a parallax.Normalize for them, or leave layer value away", why)
	default:
		s.layers = layers
	}
	if !verdicts && !s.values {
		if why != "" {
			return fmt.Errorf("there is nothing to compare: no implementation returns an error or a bool, and the types of their values differ (%s): add a parallax.Normalize for them", why)
		}
		return fmt.Errorf("there is nothing to compare: no implementation returns anything")
	}
	return nil
}

// incomparable says what types the values have if they do not mean the same when they are equal.
func (s *Set) incomparable() string {
	first := s.programs[0]
	differ := false
	for _, p := range s.programs[1:] {
		if len(p.values) != len(first.values) {
			differ = true
			break
		}
		for i := range p.values {
			differ = differ || !comparableTypes(first.replaced[i], p.replaced[i])
		}
	}
	if !differ {
		return ""
	}
	var parts []string
	for i, p := range s.programs {
		var types []string
		for _, t := range p.replaced {
			types = append(types, t.String())
		}
		if len(types) == 0 {
			types = []string{"none"}
		}
		parts = append(parts, s.config.Names[i]+" gives "+strings.Join(types, ", "))
	}
	return strings.Join(parts, "; ")
}

func index(list []string, s string) int {
	for i, e := range list {
		if e == s {
			return i
		}
	}
	return -1
}

// Quote writes arguments as Go does, each cut to limit bytes of data.
func Quote(args []any, limit int) []string {
	var out []string
	for _, v := range args {
		switch v := v.(type) {
		case []byte:
			out = append(out, "[]byte("+quote(string(v), limit)+")")
		case string:
			out = append(out, quote(v, limit))
		case bool, int, float64:
			out = append(out, fmt.Sprint(v))
		default:
			if t := reflect.TypeOf(v); t == nil || shapeOf([]reflect.Type{t}) == nil { // as results are shown
				var r oracle.Result
				r.Any(v)
				out = append(out, r.Detail(limit).Value)
				continue
			}
			out = append(out, fmt.Sprintf("%T(%v)", v, v))
		}
	}
	return out
}

func quote(s string, limit int) string {
	if len(s) <= limit {
		return strconv.Quote(s)
	}
	return strconv.Quote(s[:limit]) + "… /* " + strconv.Itoa(len(s)) + " bytes */"
}

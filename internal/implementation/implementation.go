// Package implementation calls the functions of a parallax.Diff and observes their outcomes.
// Package parallax uses it under go test, and the worker under the tool, so that both compare in
// the same way.
//
// A Config has types of the standard library only. The user's copy of the library fills it in. The
// worker is built from the tool's copy, and makes a Set from the converted Config. Signatures are
// read like those of functions on the command line (cmd/internal/gobuild/signature).
//
// Run is the hot path: it runs one implementation, stores its result for the oracle, and leaves
// panics to the caller. Try is for all other uses: it runs all implementations, recovers panics,
// and keeps results in their Go types.
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

// Config is the configuration of a harness. Fields are only added, together with a new Version of
// the library.
type Config struct {
	Version int // of the library that filled this in

	Names     []string        // of the implementations
	Functions []reflect.Value // in the same order; the arguments of Impl

	// names of oracle.Layers; empty means verdict, and value if values are comparable
	Layers        []string
	Normalizers   []reflect.Value // func(T) U, at most one for each T
	Preconditions []reflect.Value // functions of the implementations' parameters that return a bool
	// at most one: a function of the implementations' parameters that returns the same types
	Repairs  []reflect.Value
	Declined error // an error that wraps it declines the input

	Accepts, Rejects [][]any // arguments of control seeds

	// Ignore decides whether a difference is known and intended. Nil means that none is. The lists
	// are in the order of Names; odd holds the indices of the minority.
	Ignore func(layer string, odd []int, args []any, outcomes []string, values [][]any, errs []error) (reason string, ignored bool)

	// Target is the fuzz target for go test, a func(*testing.T, ...). It fails the test on a
	// difference. Its only argument is an encoded tape if inputs are drawn.
	Target any

	// since version 3; at most one: a generator of package gen that draws the implementations'
	// arguments
	Generators []reflect.Value
}

// maxPrograms limits the implementations, since a worker's order can name no more
// (cmd/internal/campaign/options.go).
const maxPrograms = 48

// Set is a checked Config. It is not safe for concurrent use.
type Set struct {
	config Config
	// nil if inputs have no byte form; implementations then receive the generator's values
	shape      input.Shape
	programs   []*program
	conditions []*function
	repair     *function            // nil means none
	generator  *generator.Generator // nil if inputs are the implementations' arguments
	controls   []Control
	layers     oracle.Layers
	values     bool
	notes      []string
}

// New checks a configuration. Its errors are the user's mistakes, in one line.
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

// Len returns the number of implementations.
func (s *Set) Len() int { return len(s.programs) }

// Names returns the names of the implementations, in order.
func (s *Set) Names() []string { return s.config.Names }

// Shape returns the shape of the first implementation's parameters. Other implementations may take
// []byte instead of string, and the reverse. Nil means that a parameter's type has no kind; all
// implementations then receive the Generator's values.
func (s *Set) Shape() input.Shape { return s.shape }

// Layers returns the compared layers, unless the user of the tool chooses others.
func (s *Set) Layers() oracle.Layers { return s.layers }

// CompareValues reports whether equal values of all implementations mean the same.
func (s *Set) CompareValues() bool { return s.values }

// Notes returns notes for the user, one line each.
func (s *Set) Notes() []string { return s.notes }

// Run calls one implementation and stores its results. Normalizers and methods of the target's
// errors run later, when r is observed. The caller must recover panics.
//
// If inputs have no byte form, the implementation receives the latest values of the Generator.
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

// takes names the implementations' parameter types for users.
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
			return fmt.Errorf("the implementations do not take the same arguments: %s is a %v and %s is a %v (only []byte and string are interchangeable)",
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

// alike reports whether a function takes the first implementation's arguments.
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

// chooseLayers sets the compared layers. Requested layers must be possible. By default, all
// possible ones are compared, and notes list the others.
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

// incomparable describes the types of values whose equality has no meaning.
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

// Quote formats arguments as Go literals, each cut to limit bytes of data.
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
			// as results are shown
			if t := reflect.TypeOf(v); t == nil || shapeOf([]reflect.Type{t}) == nil {
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

package implementation

import (
	"fmt"
	"reflect"
	"strings"

	"parallax/internal/input"
	"parallax/internal/oracle"
)

// Control is a seed that all implementations must accept, or all reject. If they do not, the
// harness is wrong.
type Control struct {
	Args    []any          // of the kinds of the Set's shape
	Flat    []byte         // nil if inputs are values without a byte form
	Outcome oracle.Outcome // accepted or rejected
}

// Controls returns the control seeds in the order of the configuration.
func (s *Set) Controls() []Control { return s.controls }

// CheckControls runs the control seeds, and returns one line for each unmet one.
func (s *Set) CheckControls() []string {
	var unmet []string
	for i := range s.controls {
		c := &s.controls[i]
		if t, err := s.tryControl(c); err == nil && !c.Met(t) {
			unmet = append(unmet, s.unmet(c, t))
		}
	}
	return unmet
}

// Control returns the control seed with this flat form, or nil.
func (s *Set) Control(flat []byte) *Control {
	for i := range s.controls {
		if s.shape != nil && string(s.controls[i].Flat) == string(flat) {
			return &s.controls[i]
		}
	}
	return nil
}

// Met reports whether every implementation had the required outcome.
func (c *Control) Met(t *Trial) bool {
	for _, r := range t.Runs {
		if r.Observation.Outcome != c.Outcome {
			return false
		}
	}
	return true
}

// unmet describes the implementations with another outcome.
func (s *Set) unmet(c *Control, t *Trial) string {
	var who []string
	for i, r := range t.Runs {
		if r.Observation.Outcome == c.Outcome {
			continue
		}
		what := r.Observation.Outcome.String()
		switch {
		case r.Err != nil:
			what += ": " + fmt.Sprint(r.Err) // fmt.Sprint survives an Error method that panics
		case r.Panic != "":
			what += ": " + r.Panic
		}
		who = append(who, s.config.Names[i]+" "+what)
	}
	text := fmt.Sprintf("control seed (%s) is to be %v by every implementation; %s",
		strings.Join(Quote(c.Args, 100), ", "), c.Outcome, strings.Join(who, "; "))
	return strings.Join(strings.Fields(text), " ")
}

// tryControl runs all implementations on a control seed.
func (s *Set) tryControl(c *Control) (*Trial, error) {
	if s.shape != nil {
		return s.Try(c.Flat)
	}
	t, err := s.execute(c.Args, 0, func() (arguments, error) { return arguments{values: c.Args}, nil })
	if err == nil {
		s.compare(t, s.layers)
	}
	return t, err
}

// passable reports whether every implementation accepts the value as its i-th argument.
func (s *Set) passable(i int, v any) bool {
	for _, p := range s.programs {
		to := p.takes[i]
		switch of := reflect.TypeOf(v); {
		case of == nil:
			switch to.Kind() {
			case reflect.Interface, reflect.Pointer, reflect.Slice, reflect.Map, reflect.Func, reflect.Chan:
			default:
				return false
			}
		case !fits([]reflect.Type{of}, []reflect.Type{to}):
			return false
		}
	}
	return true
}

func (s *Set) addControls() error {
	for _, list := range []struct {
		part    string
		seeds   [][]any
		outcome oracle.Outcome
	}{{"Accepts", s.config.Accepts, oracle.Accepted}, {"Rejects", s.config.Rejects, oracle.Rejected}} {
		for _, given := range list.seeds {
			if len(given) != len(s.programs[0].takes) {
				return fmt.Errorf("%s has %d arguments, and the implementations take %s", list.part, len(given), s.takes())
			}
			if s.shape == nil {
				given = append([]any(nil), given...)
				for i, v := range given {
					if to := shapeOf(s.programs[0].takes[i : i+1]); to != nil {
						var err error
						if given[i], err = convert(to[0], v); err != nil {
							return fmt.Errorf("%s: argument %d: %w", list.part, i+1, err)
						}
					} else if !s.passable(i, v) {
						return fmt.Errorf("%s: argument %d is a %T, and the implementations take %s", list.part, i+1, v, s.takes())
					}
				}
				s.controls = append(s.controls, Control{Args: given, Outcome: list.outcome})
				continue
			}
			args := make([]any, len(given))
			for i, v := range given {
				var err error
				if args[i], err = convert(s.shape[i], v); err != nil {
					return fmt.Errorf("%s: argument %d: %w", list.part, i+1, err)
				}
			}
			flat, err := s.shape.Pack(args...)
			if err != nil {
				return fmt.Errorf("%s: %w", list.part, err)
			}
			if other := s.Control(flat); other != nil {
				if other.Outcome != list.outcome {
					return fmt.Errorf("%s is both in Accepts and in Rejects", strings.Join(Quote(args, 100), ", "))
				}
				continue
			}
			s.controls = append(s.controls, Control{Args: args, Flat: flat, Outcome: list.outcome})
		}
	}
	return nil
}

// types holds the Go types of the kinds.
var types = map[input.Kind]reflect.Type{
	input.Bytes: reflect.TypeOf([]byte(nil)), input.String: reflect.TypeOf(""), input.Bool: reflect.TypeOf(false),
	input.Int: reflect.TypeOf(0), input.Int8: reflect.TypeOf(int8(0)), input.Int16: reflect.TypeOf(int16(0)),
	input.Int32: reflect.TypeOf(int32(0)), input.Int64: reflect.TypeOf(int64(0)),
	input.Uint: reflect.TypeOf(uint(0)), input.Uint8: reflect.TypeOf(uint8(0)), input.Uint16: reflect.TypeOf(uint16(0)),
	input.Uint32: reflect.TypeOf(uint32(0)), input.Uint64: reflect.TypeOf(uint64(0)),
	input.Float32: reflect.TypeOf(float32(0)), input.Float64: reflect.TypeOf(0.0),
}

// GoTypes returns the types of the shape's arguments, as in Go's native fuzzing.
func GoTypes(shape input.Shape) []reflect.Type {
	var list []reflect.Type
	for _, k := range shape {
		list = append(list, types[k])
	}
	return list
}

// convert converts a written argument to a kind: text to []byte and string, and a number to every
// kind that holds it exactly. An untyped constant arrives as an int or a float64.
func convert(k input.Kind, v any) (any, error) {
	to := types[k]
	from := reflect.ValueOf(v)
	wrong := fmt.Errorf("%T(%v) is no %v", v, v, k)
	if !from.IsValid() {
		return nil, wrong
	}
	have, known := kindOf(from.Type())
	if !known {
		return nil, wrong
	}
	text := have == input.Bytes || have == input.String
	if text != (k == input.Bytes || k == input.String) || (have == input.Bool) != (k == input.Bool) {
		return nil, wrong
	}
	out := from.Convert(to)
	if text || k == input.Bool || from.CanFloat() && out.CanFloat() {
		return out.Interface(), nil
	}
	if back := out.Convert(from.Type()); !back.Equal(from) || negative(back) != negative(out) {
		return nil, wrong
	}
	return out.Interface(), nil
}

func negative(v reflect.Value) bool {
	return v.CanInt() && v.Int() < 0 || v.CanFloat() && v.Float() < 0
}

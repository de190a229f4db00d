package implementation

import (
	"errors"
	"fmt"
	"reflect"
	"strings"

	"parallax/internal/input"
)

func (s *Set) addRepair() error {
	switch n := len(s.config.Repairs); {
	case n == 0:
		return nil
	case n > 1:
		return fmt.Errorf("it has %d times Repair: join the functions to one, as repair.All does", n)
	}
	if s.generator != nil {
		return errors.New("it has Repair, and what the implementations take is drawn by a generator, which makes the input itself. Repair it there, and leave Repair out")
	}
	f, err := newRepair(s.shape, s.config.Repairs[0])
	if err != nil {
		return fmt.Errorf("Repair: %w", err)
	}
	s.repair = f
	return nil
}

// Repair returns a function that makes mutants valid, or nil.
func (s *Set) Repair() func(*input.Args, *input.Builder) {
	if s.repair == nil {
		return nil
	}
	return repairer(s.repair, s.shape)
}

// NewRepair wraps a function that takes and returns the arguments of a shape.
func NewRepair(shape input.Shape, fn reflect.Value) (func(*input.Args, *input.Builder), error) {
	f, err := newRepair(shape, fn)
	if err != nil {
		return nil, err
	}
	return repairer(f, shape), nil
}

func newRepair(shape input.Shape, fn reflect.Value) (*function, error) {
	f, err := newFunction(fn)
	if err == nil {
		err = f.foreign()
	}
	if err != nil {
		return nil, err
	}
	t := fn.Type()
	right := !f.decodes && !t.IsVariadic() && sameShape(shape, f.shape) && t.NumOut() == len(shape)
	for i := 0; right && i < len(shape); i++ {
		k, ok := kindOf(t.Out(i))
		right = ok && sameShape(shape[i:i+1], input.Shape{k})
	}
	if !right {
		return nil, fmt.Errorf("it is a %v: it must take and return what is fuzzed, as a func%v %s does", t, shape, results(shape))
	}
	return f, nil
}

func results(shape input.Shape) string {
	if len(shape) == 1 {
		return strings.Trim(shape.String(), "()")
	}
	return shape.String()
}

// repairer calls a function of one []byte or string, the most common kind, without reflection.
func repairer(f *function, shape input.Shape) func(*input.Args, *input.Builder) {
	switch fn := f.fn.Interface().(type) {
	case func([]byte) []byte:
		return func(a *input.Args, b *input.Builder) { b.Bytes(fn(a.Bytes(0))) }
	case func(string) string:
		return func(a *input.Args, b *input.Builder) { b.String(fn(a.String(0))) }
	}
	return func(a *input.Args, b *input.Builder) {
		for i, v := range f.call(arguments{Args: a}) {
			b.Value(shape[i], v)
		}
	}
}

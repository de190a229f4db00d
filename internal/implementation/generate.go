package implementation

import (
	"fmt"
	"strings"

	"parallax/internal/generator"
)

// addGenerator sets the generator of the inputs, if there is one.
func (s *Set) addGenerator() (err error) {
	switch n := len(s.config.Generators); {
	case n == 0:
		return nil
	case n > 1:
		return fmt.Errorf("it has %d times Generate: name one generator, which may choose among others by gen.OneOf", n)
	}
	defer func() { // a generator function is called
		if v := recover(); v != nil {
			err = fmt.Errorf("the generator of Generate panics: %v", strings.Join(strings.Fields(fmt.Sprint(v)), " "))
		}
	}()
	var given any
	if v := s.config.Generators[0]; v.IsValid() {
		given = v.Interface()
	}
	g, err := generator.New("of parallax.Generate", given)
	if err != nil {
		return fmt.Errorf("the generator of Generate: %w", err)
	}
	if s.shape != nil && !g.Flat(s.shape) {
		return fmt.Errorf("the generator of Generate draws %v, and the implementations take %s", g.Types(), s.takes())
	}
	for i, p := range s.programs {
		if s.shape == nil && !fits(g.Types(), p.takes) {
			return fmt.Errorf("the generator of Generate draws %v, and %s is a %v", g.Types(), s.config.Names[i], s.config.Functions[i].Type())
		}
	}
	s.generator = g
	return nil
}

// Generator returns the generator of the inputs. Nil means that inputs are the implementations'
// arguments.
func (s *Set) Generator() *generator.Generator { return s.generator }

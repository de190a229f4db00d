package trial

import (
	"errors"
	"fmt"
	"regexp"
	"slices"

	"parallax/internal/input"
	"parallax/internal/judge"
)

// kinds of findings and layers in which programs disagree, as causes may name them.
var (
	kinds    = []string{"discrepancy", "crash", "timeout", "oom", "failure"}
	layers   = []string{judge.VerdictLayer.String(), judge.ValueLayer.String(), judge.ClassLayer.String()}
	outcomes = []string{"accepted", "rejected", "declined", "crashed", "timeout", "oom"}
)

// prepare checks a cause and compiles what it matches.
func (c *Cause) prepare() (err error) {
	switch {
	case c.Name == "":
		return errors.New("no name")
	case c.Kind == "" && c.Layer == "" && len(c.Outcomes) == 0 && len(c.Errors) == 0 && c.Input == "":
		return fmt.Errorf("%q matches everything: give outcomes, input, errors, layer or kind", c.Name)
	case c.Kind != "" && !slices.Contains(kinds, c.Kind):
		return fmt.Errorf("%q: kind = %q: choose from %q", c.Name, c.Kind, kinds)
	case c.Layer != "" && !slices.Contains(layers, c.Layer):
		return fmt.Errorf("%q: layer = %q: choose from %q", c.Name, c.Layer, layers)
	}
	for program, o := range c.Outcomes {
		if !slices.Contains(outcomes, o) {
			return fmt.Errorf("%q: outcome %q of %s: choose from %q", c.Name, o, program, outcomes)
		}
	}
	if c.input, err = regexp.Compile(c.Input); err != nil {
		return fmt.Errorf("%q: input: %w", c.Name, err)
	}
	c.errors = map[string]*regexp.Regexp{}
	for program, pattern := range c.Errors {
		if c.errors[program], err = regexp.Compile(pattern); err != nil {
			return fmt.Errorf("%q: errors of %s: %w", c.Name, program, err)
		}
	}
	return nil
}

// matches reports whether a finding is of this cause.
func (c *Cause) matches(f *Found) bool {
	if c.Kind != "" && c.Kind != f.Kind || c.Layer != "" && c.Layer != f.Layer {
		return false
	}
	for program, o := range c.Outcomes {
		if f.Outcomes[program] != o {
			return false
		}
	}
	for program, pattern := range c.errors {
		if !pattern.MatchString(f.Classes[program]) {
			return false
		}
	}
	return c.input.Match(f.bytes())
}

// causeOf is the name of the first cause of the subject that a finding matches, "" if there is none.
func (s *Subject) causeOf(f *Found) string {
	for i := range s.Causes {
		if s.Causes[i].matches(f) {
			return s.Causes[i].Name
		}
	}
	return ""
}

// text is what regular expressions see of an input: the bytes of a single argument, or of several the arguments, numbers in
// decimal, one a line.
func text(shape input.Shape, flat []byte) []byte {
	if shape.Raw() {
		return flat
	}
	values, err := shape.Unpack(flat)
	if err != nil {
		return flat
	}
	var b []byte
	for i, v := range values {
		if i > 0 {
			b = append(b, '\n')
		}
		switch v := v.(type) {
		case []byte:
			b = append(b, v...)
		case string:
			b = append(b, v...)
		default:
			b = fmt.Append(b, v)
		}
	}
	return b
}

package trial

import (
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"parallax/internal/input"
	"parallax/internal/oracle"
)

// Kinds of findings and layers of disagreement that causes may name.
var (
	kinds    = []string{"discrepancy", "crash", "timeout", "oom", "failure"}
	layers   = []string{oracle.VerdictLayer.String(), oracle.ValueLayer.String(), oracle.ClassLayer.String()}
	outcomes = []string{"accepted", "rejected", "declined", "crashed", "timeout", "oom"}
)

// prepare checks a cause and compiles its expressions.
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

// matches reports whether a finding has this cause.
func (c *Cause) matches(f *Found) bool {
	if c.Kind != "" && c.Kind != f.Kind || c.Layer != "" && c.Layer != f.Layer {
		return false
	}
	for name, o := range c.Outcomes {
		if program, ok := programOf(f.Outcomes, name); !ok || f.Outcomes[program] != o {
			return false
		}
	}
	for name, pattern := range c.errors {
		if program, ok := programOf(f.Outcomes, name); !ok || !pattern.MatchString(f.Classes[program]) {
			return false
		}
	}
	return c.input.Match(f.bytes())
}

// programOf finds the program for a name in a cause. It is the program's full name in the campaign,
// or a unique suffix, such as Parse for semver.Parse@v1.2.3.
func programOf[V any](programs map[string]V, name string) (program string, ok bool) {
	if _, whole := programs[name]; whole {
		return name, true
	}
	for p := range programs {
		function, _, _ := strings.Cut(p, "@")
		if rest, ends := strings.CutSuffix(function, name); ends && (rest == "" || strings.HasSuffix(rest, ".")) {
			if ok {
				return "", false
			}
			program, ok = p, true
		}
	}
	return program, ok
}

// strangers returns errors for names in the subject's causes that are not its programs.
func (s *Subject) strangers(programs map[string]string) (problems []string) {
	known := strings.Join(slices.Sorted(maps.Keys(programs)), ", ")
	for _, c := range s.Causes {
		names := append(slices.Collect(maps.Keys(c.Outcomes)), slices.Collect(maps.Keys(c.Errors))...)
		slices.Sort(names)
		for _, name := range slices.Compact(names) {
			if _, ok := programOf(programs, name); !ok {
				problems = append(problems, fmt.Sprintf("subject %s: cause %q names %s, which is not one of the programs: %s", s.Name, c.Name, name, known))
			}
		}
	}
	return problems
}

// causeOf returns the name of the first cause of the subject that matches a finding, or "".
func (s *Subject) causeOf(f *Found) string {
	for i := range s.Causes {
		if s.Causes[i].matches(f) {
			return s.Causes[i].Name
		}
	}
	return ""
}

// text returns the text of an input that regular expressions match. A single argument is its bytes.
// Several arguments are one per line, with numbers in decimal.
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

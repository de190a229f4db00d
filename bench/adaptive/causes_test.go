// Package adaptive is an experiment: whether a schedule that adapts finds more. Its tests hold the known causes to their word.
package adaptive

import (
	"errors"
	"fmt"
	"os"
	"reflect"
	"regexp"
	"testing"

	v2 "github.com/pelletier/go-toml/v2"

	"adaptive/http"
	"adaptive/mail"
)

// program is a function under test, whatever its value.
type program func(input string) (value any, err error)

func of[T any](f func([]byte) (T, error)) program {
	return func(s string) (any, error) { return f([]byte(s)) }
}

var programs = map[string]map[string]program{
	"http": {"Std": of(http.Std), "Fasthttp": of(http.Fasthttp)},
	"mail": {"Std": of(mail.Std), "Emersion": of(mail.Emersion)},
}

// cause is what the configuration says of one.
type cause struct {
	Name, Layer, Input string
	Outcomes, Errors   map[string]string
}

type config struct {
	Subject []struct {
		Name  string
		Cause []cause
	}
}

func read(t *testing.T, path string) config {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var c config
	if err := v2.Unmarshal(text, &c); err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	return c
}

// suits reports whether the input shows the cause, as parallax bench decides it for a minimised input.
func (c *cause) suits(libraries map[string]program, input string) error {
	var values []any
	errs := map[string]error{}
	for name, f := range libraries {
		v, err := f(input)
		if errs[name] = err; err == nil {
			values = append(values, v)
		}
	}
	for name, want := range c.Outcomes {
		got := "accepted"
		if errs[name] != nil {
			got = "rejected"
		}
		if libraries[name] == nil || got != want {
			return fmt.Errorf("%s %s it (%v)", name, got, errs[name])
		}
	}
	for name, pattern := range c.Errors {
		if errs[name] == nil || !regexp.MustCompile(pattern).MatchString(errs[name].Error()) {
			return fmt.Errorf("%s says %v", name, errs[name])
		}
	}
	layer := ""
	switch {
	case len(values) == 1:
		layer = "verdict"
	case len(values) == 2 && !reflect.DeepEqual(values[0], values[1]):
		layer = "value"
	default:
		return errors.New("the programs agree")
	}
	if c.Layer != "" && c.Layer != layer {
		return fmt.Errorf("the layer is %s", layer)
	}
	if !regexp.MustCompile(c.Input).MatchString(input) {
		return fmt.Errorf("%s does not match", c.Input)
	}
	return nil
}

// Every cause has a witness, of which it is the first cause that suits.
func TestCauses(t *testing.T) {
	seen := 0
	for _, s := range read(t, "adaptive.toml").Subject {
		if programs[s.Name] == nil {
			continue // it is delta's, or one of its programs is in C
		}
		seen++
		if len(witnesses[s.Name]) != len(s.Cause) {
			t.Errorf("%s: %d witnesses for %d causes", s.Name, len(witnesses[s.Name]), len(s.Cause))
		}
		for _, c := range s.Cause {
			input, ok := witnesses[s.Name][c.Name]
			if !ok {
				t.Errorf("%s: %s has no witness", s.Name, c.Name)
				continue
			}
			for _, other := range s.Cause {
				err := other.suits(programs[s.Name], input)
				if err == nil && other.Name != c.Name {
					t.Errorf("%s: the witness %q of %s belongs to %s", s.Name, input, c.Name, other.Name)
				}
				if other.Name == c.Name {
					if err != nil {
						t.Errorf("%s: the witness %q of %s: %v", s.Name, input, c.Name, err)
					}
					break
				}
			}
		}
	}
	if seen != len(programs) {
		t.Errorf("%d subjects, not %d", seen, len(programs))
	}
}

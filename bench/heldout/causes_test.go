// Package heldout has groups of programs with known causes that must not influence work on
// bucketing. Its tests check the causes.
package heldout

import (
	"errors"
	"fmt"
	"os"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/pelletier/go-toml/v2"

	"heldout/durations"
	"heldout/periods"
	"heldout/words"
)

// program is a function under test, whatever its signature.
type program func(input []string) (value any, err error)

func text[V any](f func(string) (V, error)) program {
	return func(input []string) (any, error) {
		v, err := f(input[0])
		return v, err
	}
}

var libraries = map[string]map[string]program{
	"words":    {"Shellquote": text(words.Shellquote), "Shlex": text(words.Shlex), "Shellwords": text(words.Shellwords)},
	"duration": {"Std": text(durations.Std), "Str2duration": text(durations.Str2duration), "Prometheus": text(durations.Prometheus)},
	"period":   {"Sosodev": text(periods.Sosodev), "Senseyeio": text(periods.Senseyeio), "Rickb777": text(periods.Rickb777)},
}

// cause is an entry of the configuration.
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
	if err := toml.Unmarshal(text, &c); err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	return c
}

// suits reports whether the input shows the cause, as parallax bench decides it for a minimized
// input.
func (c *cause) suits(programs map[string]program, input []string) error {
	values, errs := map[string]any{}, map[string]error{}
	for name, f := range programs {
		values[name], errs[name] = f(input)
	}
	verdicts, differ := compare(values, errs)
	if !verdicts && !differ {
		return errors.New("they agree")
	}
	for name, want := range c.Outcomes {
		got := "accepted"
		if errs[name] != nil {
			got = "rejected"
		}
		if programs[name] == nil || got != want {
			return fmt.Errorf("%s %s it (%v)", name, got, errs[name])
		}
	}
	for name, pattern := range c.Errors {
		if errs[name] == nil || !regexp.MustCompile(pattern).MatchString(errs[name].Error()) {
			return fmt.Errorf("%s says %v", name, errs[name])
		}
	}
	if c.Layer == "value" && verdicts {
		return errors.New("the verdicts differ")
	}
	if !regexp.MustCompile(c.Input).MatchString(strings.Join(input, "\n")) {
		return fmt.Errorf("%s does not match", c.Input)
	}
	return nil
}

// compare reports whether verdicts differ, and whether values of those that accept do.
func compare(values map[string]any, errs map[string]error) (verdicts, differ bool) {
	var seen []any
	rejected := 0
	for name, v := range values {
		if errs[name] != nil {
			rejected++
			continue
		}
		seen = append(seen, v)
	}
	differ = len(seen) > 1 && slices.ContainsFunc(seen, func(v any) bool { return !reflect.DeepEqual(v, seen[0]) })
	return rejected > 0 && len(seen) > 0, differ
}

// TestCauses checks that every cause has a witness, and that no earlier cause matches it.
func TestCauses(t *testing.T) {
	for _, s := range read(t, "heldout.toml").Subject {
		t.Run(s.Name, func(t *testing.T) {
			programs := libraries[s.Name]
			if p, ok := pairs[s.Name]; ok {
				if testing.Short() {
					t.Skip("builds programs")
				}
				var inputs [][]string
				for _, c := range s.Cause {
					inputs = append(inputs, witnesses[s.Name][c.Name])
				}
				programs = p.programs(t, inputs)
			}
			if len(witnesses[s.Name]) != len(s.Cause) {
				t.Errorf("%d witnesses for %d causes", len(witnesses[s.Name]), len(s.Cause))
			}
			for _, c := range s.Cause {
				input, ok := witnesses[s.Name][c.Name]
				if !ok {
					t.Errorf("%s has no witness", c.Name)
					continue
				}
				for _, other := range s.Cause {
					err := other.suits(programs, input)
					if err == nil && other.Name != c.Name {
						t.Errorf("the witness %q of %s belongs to %s", input, c.Name, other.Name)
					}
					if other.Name == c.Name {
						if err != nil {
							t.Errorf("the witness %q of %s: %v", input, c.Name, err)
						}
						break
					}
				}
			}
		})
	}
}

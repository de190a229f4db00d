// Package delta is the experiment of bench/NOTES.md, section delta. Its tests hold the known causes
// to their word.
package delta

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"testing"

	v2 "github.com/pelletier/go-toml/v2"

	"delta/codes"
	"delta/ip"
	"delta/json"
	"delta/semver"
	"delta/toml"
	"delta/url"
	"delta/yaml"
)

// program is a function under test, whatever its signature.
type program func(input string) (value any, err error)

func text(f func(string) (string, error)) program {
	return func(s string) (any, error) { return f(s) }
}

func data(f func([]byte) (any, error)) program {
	return func(s string) (any, error) { return f([]byte(s)) }
}

var programs = map[string]map[string]program{
	"semver": {
		"Mod": text(semver.Mod), "Masterminds": text(semver.Masterminds), "Blang": text(semver.Blang), "Hashicorp": text(semver.Hashicorp),
	},
	"json": {"Std": data(json.Std), "V2": data(json.V2), "Goccy": data(json.Goccy), "Jsoniter": data(json.Jsoniter)},
	"toml": {"BurntSushi": data(toml.BurntSushi), "Pelletier2": data(toml.Pelletier2), "Pelletier1": data(toml.Pelletier1)},
	"ip":   {"Net": text(ip.Net), "Netip": text(ip.Netip), "Netipx": text(ip.Netipx), "Sloppy": text(ip.Sloppy)},
	"yaml": {"V2": data(yaml.V2), "V3": data(yaml.V3), "V4": data(yaml.V4)},
	"url":  {"Std": text(url.Std), "Whatwg": text(url.Whatwg), "Fasthttp": text(url.Fasthttp)},
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
	if err := v2.Unmarshal(text, &c); err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	return c
}

// suits reports whether the input shows the cause, as parallax bench decides it for a minimized
// input.
func (c *cause) suits(libraries map[string]program, input string) error {
	values, errs := map[string]any{}, map[string]error{}
	for name, f := range libraries {
		values[name], errs[name] = f(input)
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
	if c.Layer == "value" && !differ(values, errs) {
		return errors.New("the values are the same")
	}
	if !regexp.MustCompile(c.Input).MatchString(input) {
		return fmt.Errorf("%s does not match", c.Input)
	}
	return nil
}

// differ reports whether all accept, and two values differ.
func differ(values map[string]any, errs map[string]error) bool {
	var seen []any
	for name, v := range values {
		if errs[name] != nil {
			return false
		}
		seen = append(seen, v) // nil is a value
	}
	return slices.ContainsFunc(seen, func(v any) bool { return !reflect.DeepEqual(v, seen[0]) })
}

// TestCauses checks that every cause has a witness, and that no earlier cause matches it.
func TestCauses(t *testing.T) {
	for _, s := range read(t, "delta.toml").Subject {
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
}

// TestCodes checks that the subjects of codes.toml have the causes of delta.toml that need neither
// values nor errors.
func TestCodes(t *testing.T) {
	of := map[string][]cause{}
	for _, s := range read(t, "delta.toml").Subject {
		of[s.Name] = s.Cause
	}
	group := regexp.MustCompile(`^[a-z]+`)
	for _, s := range read(t, "codes.toml").Subject {
		want := []cause{}
		for _, c := range of[group.FindString(s.Name)] {
			if c.Layer != "value" && c.Errors == nil {
				want = append(want, c)
			}
		}
		if len(s.Cause) != len(want) {
			t.Errorf("%s has %d causes, not %d", s.Name, len(s.Cause), len(want))
			continue
		}
		for i := range want {
			if s.Cause[i].Name != want[i].Name {
				t.Errorf("%s has %s, not %s", s.Name, s.Cause[i].Name, want[i].Name)
			}
		}
	}
}

// TestSeeds checks that the seeds of those subjects are control seeds: all accept, or all reject.
func TestSeeds(t *testing.T) {
	for _, name := range []string{"toml", "url"} {
		files, err := filepath.Glob("seeds/" + name + "/*")
		if err != nil || len(files) == 0 {
			t.Fatalf("seeds/%s: %v, %v", name, files, err)
		}
		for _, file := range files {
			seed, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			accepted := 0
			for _, f := range programs[name] {
				if _, err := f(string(seed)); err == nil {
					accepted++
				}
			}
			if accepted != 0 && accepted != len(programs[name]) {
				t.Errorf("%s: %d of %d accept it", file, accepted, len(programs[name]))
			}
		}
	}
}

func TestOne(t *testing.T) {
	if err := codes.One(nil, 2); err != nil {
		t.Error(err)
	}
	seen := map[string]bool{}
	for i := range 1000 {
		seen[codes.One(fmt.Errorf("%d: %c%c", i, 'a'+i%26, 'a'+i/26%26), 16).Error()] = true
	}
	if len(seen) != 15 {
		t.Errorf("%d codes of errors, not 15", len(seen))
	}
	if a, b := codes.One(errors.New(`line 3: "x"`), 64), codes.One(errors.New(`line 17: "y \" z"`), 64); a.Error() != b.Error() {
		t.Errorf("%v and %v", a, b)
	}
}

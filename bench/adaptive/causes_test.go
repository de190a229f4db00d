// Package adaptive is an experiment: whether a schedule that adapts finds more. Its tests hold the
// known causes to their word.
package adaptive

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"testing"

	v2 "github.com/pelletier/go-toml/v2"

	"adaptive/elf"
	"adaptive/http"
	"adaptive/mail"
	"adaptive/xz"
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

// binaries lists the subjects with a Go program called go and a program in C, which build.sh writes
// to build/bin.
var binaries = map[string]struct {
	of      program
	c, path string
}{
	"elf": {of(elf.Debug), "libelf", "build/bin/elf"},
	"xz":  {of(xz.Ulikunitz), "liblzma", "build/bin/xz"},
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

// outcome reports whether the program of that name does with the input what the cause says of it.
func (c *cause) outcome(name string, err error) error {
	got := "accepted"
	if err != nil {
		got = "rejected"
	}
	if want, ok := c.Outcomes[name]; ok && got != want {
		return fmt.Errorf("%s %s it (%v)", name, got, err)
	}
	if pattern, ok := c.Errors[name]; ok && (err == nil || !regexp.MustCompile(pattern).MatchString(err.Error())) {
		return fmt.Errorf("%s says %v", name, err)
	}
	return nil
}

// suits reports whether the input shows the cause, as parallax bench decides it for a minimized
// input.
func (c *cause) suits(libraries map[string]program, input string) error {
	var values []any
	errs := map[string]error{}
	for name, f := range libraries {
		v, err := f(input)
		if errs[name] = err; err == nil {
			values = append(values, v)
		}
	}
	for _, said := range []map[string]string{c.Outcomes, c.Errors} {
		for name := range said {
			if libraries[name] == nil {
				return fmt.Errorf("%s is no program", name)
			}
			if err := c.outcome(name, errs[name]); err != nil {
				return err
			}
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

// TestCauses checks that every cause has a witness, and that no earlier cause matches it.
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
			first(t, s.Name, s.Cause, programs[s.Name], c.Name, input)
		}
	}
	if seen != len(programs) {
		t.Errorf("%d subjects, not %d", seen, len(programs))
	}
}

// first checks that the first cause that suits the input is the one of that name.
func first(t *testing.T, subject string, causes []cause, libraries map[string]program, name, input string) {
	t.Helper()
	for _, c := range causes {
		err := c.suits(libraries, input)
		if err == nil && c.Name != name {
			t.Errorf("%s: the witness %q of %s belongs to %s", subject, input, name, c.Name)
		}
		if c.Name == name {
			if err != nil {
				t.Errorf("%s: the witness %q of %s: %v", subject, input, name, err)
			}
			return
		}
	}
}

// TestBinaryCauses checks the same with a program in C. Without it, the Go program behaves as the
// cause describes on the witness.
func TestBinaryCauses(t *testing.T) {
	seen := 0
	for _, s := range read(t, "adaptive.toml").Subject {
		b, ok := binaries[s.Name]
		if !ok {
			continue
		}
		seen++
		if len(witnesses[s.Name]) != len(s.Cause) {
			t.Errorf("%s: %d witnesses for %d causes", s.Name, len(witnesses[s.Name]), len(s.Cause))
		}
		_, err := os.Stat(b.path)
		built := err == nil
		if !built {
			t.Logf("%s: what %s does is not checked, since build.sh has not built it: %v", s.Name, b.c, err)
		}
		for _, c := range s.Cause {
			input, ok := witnesses[s.Name][c.Name]
			if !ok {
				t.Errorf("%s: %s has no witness", s.Name, c.Name)
				continue
			}
			if built {
				// The harness is a process: once for each input is enough.
				libraries := map[string]program{"go": b.of, b.c: once(run(t, b.path))}
				first(t, s.Name, s.Cause, libraries, c.Name, input)
				continue
			}
			_, err := b.of(input)
			if err := c.outcome("go", err); err != nil {
				t.Errorf("%s: the witness %q of %s: %v", s.Name, input, c.Name, err)
			}
			if !regexp.MustCompile(c.Input).MatchString(input) {
				t.Errorf("%s: the witness %q of %s: %s does not match", s.Name, input, c.Name, c.Input)
			}
		}
	}
	if seen != len(binaries) {
		t.Errorf("%d subjects, not %d", seen, len(binaries))
	}
}

// run is the harness at the path. It writes the value of a file that it accepts, and to standard
// error what it did with the file.
func run(t *testing.T, path string) program {
	path, err := filepath.Abs(path)
	if err != nil {
		t.Fatal(err)
	}
	return func(input string) (any, error) {
		file := filepath.Join(t.TempDir(), "input")
		if err := os.WriteFile(file, []byte(input), 0o600); err != nil {
			t.Fatal(err)
		}
		var value, said bytes.Buffer
		c := exec.Command(path, file)
		c.Stdout, c.Stderr = &value, &said
		err := c.Run()
		text := strings.TrimPrefix(strings.TrimSpace(said.String()), file+": ")
		if text == "accepted" && err == nil {
			// A value that is empty is the same as none.
			return append([]byte{}, value.Bytes()...), nil
		}
		if text, ok := strings.CutPrefix(text, "rejected: "); ok {
			return nil, errors.New(text)
		}
		t.Fatalf("%s: %s, %v", path, &said, err)
		return nil, nil
	}
}

// once is the program, which is called once and then remembered.
func once(p program) program {
	var value any
	var err error
	done := false
	return func(input string) (any, error) {
		if !done {
			value, err = p(input)
			done = true
		}
		return value, err
	}
}

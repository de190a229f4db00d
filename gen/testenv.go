package gen

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"parallax/internal/tape"
)

// The methods below give a run of a property within Check its own folders, variables and context.
// The next input sees none of them. Within Fuzz, each run has a test of its own.

// checkState holds the state that the runs of a Check share.
type checkState struct {
	dir     string          // holds the folders of runs
	set     map[string]bool // variables that the enclosing test restores
	changed bool            // the enclosing test restores its folder
}

func (t *T) sharedState() *checkState {
	if t.state == nil {
		t.state = &checkState{set: map[string]bool{}}
	}
	return t.state
}

// TempDir creates a folder, which is removed when the run ends.
func (t *T) TempDir() string {
	if t.run == nil {
		t.TB.Helper()
		return t.TB.TempDir()
	}
	k := t.sharedState()
	if k.dir == "" {
		k.dir = t.TB.TempDir()
	}
	for { // each run uses the same names, and skips a folder that could not be removed
		t.run.dirs++
		dir := filepath.Join(k.dir, fmt.Sprintf("%03d", t.run.dirs))
		err := os.Mkdir(dir, 0o777)
		if os.IsExist(err) {
			continue
		}
		if err != nil {
			t.Fatalf("TempDir: %v", err)
		}
		t.Cleanup(func() {
			if err := os.RemoveAll(dir); err != nil {
				t.Errorf("TempDir: %v", err)
			}
		})
		return dir
	}
}

// Setenv sets an environment variable, and restores its value when the run ends.
func (t *T) Setenv(key, value string) {
	if t.run == nil {
		t.TB.Helper()
		t.TB.Setenv(key, value)
		return
	}
	before, was := os.LookupEnv(key)
	if k := t.sharedState(); !k.set[key] { // TB.Setenv also refuses parallel tests
		t.TB.Setenv(key, value)
		k.set[key] = true
	} else if err := os.Setenv(key, value); err != nil {
		t.Fatalf("Setenv: %v", err)
	}
	t.Cleanup(func() { restoreEnv(key, before, was) })
}

func restoreEnv(key, value string, was bool) {
	if was {
		os.Setenv(key, value)
	} else {
		os.Unsetenv(key)
	}
}

// Chdir changes the current folder until the run ends.
func (t *T) Chdir(dir string) {
	around, ok := t.TB.(interface{ Chdir(dir string) }) // since Go 1.24
	if ok && t.run == nil {
		t.TB.Helper()
		around.Chdir(dir)
		return
	}
	before, err := os.Getwd()
	if err != nil {
		t.Fatalf("Chdir: %v", err)
	}
	pwd, was := os.LookupEnv("PWD")
	if k := t.sharedState(); ok && !k.changed {
		around.Chdir(dir)
		k.changed = true
	} else if err := os.Chdir(dir); err != nil {
		t.Fatalf("Chdir: %v", err)
	} else if now, err := os.Getwd(); err == nil && was {
		os.Setenv("PWD", now)
	}
	t.Cleanup(func() {
		if err := os.Chdir(before); err != nil {
			// all later runs would use a wrong folder
			panic(fmt.Sprintf("gen: the folder of before Chdir is gone: %v", err))
		}
		restoreEnv("PWD", pwd, was)
	})
}

// Context returns a context that is canceled when the run ends, before the functions of Cleanup are
// called.
func (t *T) Context() context.Context {
	if t.run == nil {
		if around, ok := t.TB.(interface{ Context() context.Context }); ok { // since Go 1.24
			return around.Context()
		}
		ctx, cancel := context.WithCancel(context.Background())
		t.Cleanup(cancel)
		return ctx
	}
	if t.run.context == nil {
		t.run.context, t.run.cancel = context.WithCancel(context.Background())
	}
	return t.run.context
}

// Output returns a writer whose lines are logged as by Log, but without a place.
func (t *T) Output() io.Writer {
	if t.run == nil {
		if around, ok := t.TB.(interface{ Output() io.Writer }); ok { // since Go 1.25
			return around.Output()
		}
		return logger{t}
	}
	return t.run
}

// Write implements io.Writer for Output.
func (r *run) Write(b []byte) (int, error) {
	r.partial = append(r.partial, b...)
	for {
		i := bytes.IndexByte(r.partial, '\n')
		if i < 0 {
			return len(b), nil
		}
		r.log = append(r.log, string(r.partial[:i]))
		r.partial = r.partial[i+1:]
	}
}

// flush logs the last partial line.
func (r *run) flush() {
	if len(r.partial) > 0 {
		r.log, r.partial = append(r.log, string(r.partial)), nil
	}
}

type logger struct{ t *T }

func (l logger) Write(b []byte) (int, error) {
	l.t.TB.Log(strings.TrimSuffix(string(b), "\n"))
	return len(b), nil
}

// checkExit reports a run that ended its goroutine by runtime.Goexit, as FailNow and SkipNow of the
// enclosing test do. It must be deferred.
func (c *checker) checkExit() {
	switch {
	case c.exited == nil || c.reported:
	case c.t.Failed():
		c.failOutside("was ended, as by t.Fatal,")
	case c.t.Skipped():
		c.t.Log("gen: the property skips the test around it, and not the input: no further input is checked. For the input, call Skip of the property's own *gen.T")
	default:
		c.failOutside("was ended, by runtime.Goexit,")
	}
}

// showTimeout limits the rerun that shows the drawn values after the enclosing test has failed. The
// failed run may still hold locks.
const showTimeout = 10 * time.Second

// failOutside fails the test with an input on which the enclosing test failed. The input is not
// minimized: the test's failure cannot be undone, and each further run would log it again.
func (c *checker) failOutside(how string) {
	c.t.Helper()
	c.reported = true
	first := c.src.Tape().Clone()
	saved := ""
	if c.from == "" {
		saved = c.save(first, "")
	}
	lines, messages, unknown := c.rerun(first)
	var b strings.Builder
	on := "an input"
	if c.from != "" {
		on = c.from
	}
	fmt.Fprintf(&b, "gen: the test around the property %s on %s. It is not made smaller: fail by the property's own *gen.T for that.\n", how, on)
	if unknown != "" {
		fmt.Fprintf(&b, "The drawn values are not known: %s.\n", unknown)
	} else {
		b.WriteString("It was run again to see what it draws, so the messages of the test may be here twice.\n")
		b.WriteString(indented(lines, "    "))
		b.WriteString(messages)
	}
	b.WriteString(saved)
	c.t.Error(strings.TrimRight(b.String(), "\n"))
}

// rerun runs the property on a tape. It returns the lines of drawn values and the log of the run,
// or the reason why they are unknown.
func (c *checker) rerun(first *tape.Tape) (lines []string, messages, unknown string) {
	shows := &shown{}
	same := false
	done := make(chan struct{})
	go func() { // the run may end its goroutine
		defer close(done)
		defer func() { same = commonPrefix(first, c.src.Tape()) == len(first.Choices) }()
		c.shows = shows
		c.src.Replay(first, 0)
		c.once()
	}()
	select {
	case <-done:
	case <-time.After(showTimeout):
		return nil, "", "it did not end when it was run again"
	}
	if c.shows = nil; !same {
		return nil, "", "with the same choices, something else was drawn when it was run again"
	}
	return shows.all(), c.run.messages(), ""
}

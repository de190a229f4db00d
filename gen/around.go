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

// What a run of a property within Check has of the test around it. Folders, variables and the like are of the one run: the next input finds nothing of them.
// Within Fuzz, each run has a test of its own.

// kept is what the runs of a Check have together.
type kept struct {
	dir     string          // folders of runs are in it
	set     map[string]bool // variables that the test around will put back
	changed bool            // the test around will go back to its folder
}

func (t *T) keeps() *kept {
	if t.kept == nil {
		t.kept = &kept{set: map[string]bool{}}
	}
	return t.kept
}

// TempDir is a new folder, which is removed when the run ends.
func (t *T) TempDir() string {
	if t.run == nil {
		t.TB.Helper()
		return t.TB.TempDir()
	}
	k := t.keeps()
	if k.dir == "" {
		k.dir = t.TB.TempDir()
	}
	for { // the same names in each run; one that could not be removed is left out
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

// Setenv sets a variable of the environment, which has its value of before when the run ends.
func (t *T) Setenv(key, value string) {
	if t.run == nil {
		t.TB.Helper()
		t.TB.Setenv(key, value)
		return
	}
	before, was := os.LookupEnv(key)
	if k := t.keeps(); !k.set[key] { // which also refuses tests that run in parallel
		t.TB.Setenv(key, value)
		k.set[key] = true
	} else if err := os.Setenv(key, value); err != nil {
		t.Fatalf("Setenv: %v", err)
	}
	t.Cleanup(func() { putBack(key, before, was) })
}

func putBack(key, value string, was bool) {
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
	if k := t.keeps(); ok && !k.changed {
		around.Chdir(dir)
		k.changed = true
	} else if err := os.Chdir(dir); err != nil {
		t.Fatalf("Chdir: %v", err)
	} else if now, err := os.Getwd(); err == nil && was {
		os.Setenv("PWD", now)
	}
	t.Cleanup(func() {
		if err := os.Chdir(before); err != nil {
			panic(fmt.Sprintf("gen: the folder of before Chdir is gone: %v", err)) // all later runs would be elsewhere
		}
		putBack("PWD", pwd, was)
	})
}

// Context is cancelled when the run ends, before the functions of Cleanup are called.
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

// Output is where what is written is logged, as by Log but without a place.
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

// flush takes the end of what was written, without a line's end, as a line.
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

// left looks whether a run was left for good by runtime.Goexit, as FailNow and SkipNow of the test around do. It is deferred: the goroutine is ending.
func (c *checker) left() {
	switch {
	case c.gone == nil || c.told:
	case c.t.Failed():
		c.outside("was ended, as by t.Fatal,")
	case c.t.Skipped():
		c.t.Log("gen: the property skips the test around it, and not the input: no further input is checked. For the input, call Skip of the property's own *gen.T")
	default:
		c.outside("was ended, by runtime.Goexit,")
	}
}

// patience is how long a run may take that shows what is drawn, where the test around has failed: its locks may be held still.
const patience = 10 * time.Second

// outside fails the test with an input on which the test around failed, in the place of the run. Nothing takes that failure back, and each further run would say
// the same again, so that the input stays as large as it is.
func (c *checker) outside(how string) {
	c.t.Helper()
	c.told = true
	first := c.src.Tape().Clone()
	saved := ""
	if c.from == "" {
		saved = c.keep(first, "")
	}
	lines, said, unknown := c.again(first)
	var b strings.Builder
	on := "an input"
	if c.from != "" {
		on = c.from
	}
	fmt.Fprintf(&b, "gen: the test around the property %s on %s. It is not made smaller: fail by the property's own *gen.T for that.\n", how, on)
	if unknown != "" {
		fmt.Fprintf(&b, "What is drawn is not known: %s.\n", unknown)
	} else {
		b.WriteString("It was run again to see what it draws, so that what the test says may stand here twice.\n")
		b.WriteString(indented(lines, "    "))
		b.WriteString(said)
	}
	b.WriteString(saved)
	c.t.Error(strings.TrimRight(b.String(), "\n"))
}

// again runs the property once more on a tape, for the lines of what is drawn and what the run says, or why these are not known.
func (c *checker) again(first *tape.Tape) (lines []string, said, unknown string) {
	shows := &shown{}
	same := false
	done := make(chan struct{})
	go func() { // the run may end its goroutine
		defer close(done)
		defer func() { same = alike(first, c.src.Tape()) == len(first.Choices) }()
		c.shows = shows
		c.src.Replay(first, 0)
		c.once()
	}()
	select {
	case <-done:
	case <-time.After(patience):
		return nil, "", "it did not come to its end when it was run again"
	}
	if c.shows = nil; !same {
		return nil, "", "with the same choices, something else was drawn when it was run again"
	}
	return shows.all(), c.run.said(), ""
}

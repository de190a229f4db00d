package gen

import (
	"errors"
	"fmt"
	"path/filepath"
	"runtime"
	"strings"

	"parallax/internal/tape"
)

// isEndless reports whether a panic comes from a generator that draws without bound.
func isEndless(panicked any) bool {
	err, ok := panicked.(error)
	return ok && errors.Is(err, tape.ErrTooLong)
}

// The methods of testing.TB below apply to one run.

// Log records a text, which is printed if the run fails.
func (t *T) Log(args ...any) {
	if t.run == nil {
		t.TB.Helper()
		t.TB.Log(args...)
		return
	}
	t.run.note(fmt.Sprintln(args...))
}

// Logf records a text, which is printed if the run fails.
func (t *T) Logf(format string, args ...any) {
	if t.run == nil {
		t.TB.Helper()
		t.TB.Logf(format, args...)
		return
	}
	t.run.note(fmt.Sprintf(format, args...))
}

// Error calls Log and Fail.
func (t *T) Error(args ...any) {
	if t.run == nil {
		t.TB.Helper()
		t.TB.Error(args...)
		return
	}
	t.run.note(fmt.Sprintln(args...))
	t.run.fail()
}

// Errorf calls Logf and Fail.
func (t *T) Errorf(format string, args ...any) {
	if t.run == nil {
		t.TB.Helper()
		t.TB.Errorf(format, args...)
		return
	}
	t.run.note(fmt.Sprintf(format, args...))
	t.run.fail()
}

// Fatal calls Log and FailNow.
func (t *T) Fatal(args ...any) {
	if t.run == nil {
		t.TB.Helper()
		t.TB.Fatal(args...)
		return
	}
	t.run.note(fmt.Sprintln(args...))
	t.run.fail()
	panic(runEnd{t.run})
}

// Fatalf calls Logf and FailNow.
func (t *T) Fatalf(format string, args ...any) {
	if t.run == nil {
		t.TB.Helper()
		t.TB.Fatalf(format, args...)
		return
	}
	t.run.note(fmt.Sprintf(format, args...))
	t.run.fail()
	panic(runEnd{t.run})
}

// Fail marks the run as failed, and continues it.
func (t *T) Fail() {
	if t.run == nil {
		t.TB.Fail()
		return
	}
	t.run.fail()
}

// FailNow marks the run as failed, and ends it.
func (t *T) FailNow() {
	if t.run == nil {
		t.TB.FailNow()
		return
	}
	t.run.fail()
	panic(runEnd{t.run})
}

// Failed reports whether the run has failed.
func (t *T) Failed() bool {
	if t.run == nil {
		return t.TB.Failed()
	}
	return t.run.failed
}

// Skip calls Log and SkipNow.
func (t *T) Skip(args ...any) {
	t.skipAction()
	if t.run == nil {
		t.TB.Helper()
		t.TB.Skip(args...)
		return
	}
	t.run.skip(strings.TrimSpace(fmt.Sprintln(args...)))
}

// Skipf calls Logf and SkipNow.
func (t *T) Skipf(format string, args ...any) {
	t.skipAction()
	if t.run == nil {
		t.TB.Helper()
		t.TB.Skipf(format, args...)
		return
	}
	t.run.skip(fmt.Sprintf(format, args...))
}

// SkipNow ends the run, and marks its input as invalid.
func (t *T) SkipNow() {
	t.skipAction()
	if t.run == nil {
		t.TB.SkipNow()
		return
	}
	t.run.skip("skipped")
}

func (t *T) skipAction() {
	if t.action == acting {
		t.action = skipping
		panic("gen: an action skips")
	}
}

// Skipped reports whether the input is invalid.
func (t *T) Skipped() bool {
	if t.run == nil {
		return t.TB.Skipped()
	}
	return t.run.skipped
}

// Cleanup registers a function to call when the run ends. The last registered is called first.
func (t *T) Cleanup(f func()) {
	if t.run == nil {
		t.TB.Cleanup(f)
		return
	}
	t.run.cleanups = append(t.run.cleanups, f)
}

// caller returns the place of user code that called a method of T: the innermost frame outside of
// this package's files.
func caller() string {
	var pcs [32]uintptr
	frames := runtime.CallersFrames(pcs[:runtime.Callers(1, pcs[:])])
	here := ""
	for {
		f, more := frames.Next()
		dir := filepath.Dir(f.File)
		if here == "" {
			here = dir
		}
		if dir != here || strings.HasSuffix(f.File, "_test.go") {
			return fmt.Sprintf("%s:%d", f.File, f.Line)
		}
		if !more {
			return ""
		}
	}
}

func (r *run) note(text string) {
	at := caller()
	if i := strings.LastIndexByte(at, ':'); i > 0 {
		at = filepath.Base(at[:i]) + at[i:]
	}
	r.log = append(r.log, at+": "+strings.TrimRight(text, "\n"))
}

func (r *run) fail() {
	r.fails++
	if !r.failed {
		r.failed, r.key = true, "failed at "+caller()
	}
}

func (r *run) skip(reason string) {
	r.skipped, r.reason = true, reason
	if r.placed && !r.failed {
		r.key = "skipped at " + caller()
	}
	panic(runEnd{r})
}

package gen

import (
	"errors"
	"fmt"
	"path/filepath"
	"runtime"
	"strings"

	"parallax/internal/tape"
)

// isEndless reports whether a panic says that a generator draws without bound.
func isEndless(panicked any) bool {
	err, ok := panicked.(error)
	return ok && errors.Is(err, tape.ErrTooLong)
}

// The methods of testing.TB that are of one run.

// Log notes a text, which is printed where the run fails.
func (t *T) Log(args ...any) {
	if t.run == nil {
		t.TB.Helper()
		t.TB.Log(args...)
		return
	}
	t.run.note(fmt.Sprintln(args...))
}

// Logf notes a text, which is printed where the run fails.
func (t *T) Logf(format string, args ...any) {
	if t.run == nil {
		t.TB.Helper()
		t.TB.Logf(format, args...)
		return
	}
	t.run.note(fmt.Sprintf(format, args...))
}

// Error is Log and Fail.
func (t *T) Error(args ...any) {
	if t.run == nil {
		t.TB.Helper()
		t.TB.Error(args...)
		return
	}
	t.run.note(fmt.Sprintln(args...))
	t.run.fail()
}

// Errorf is Logf and Fail.
func (t *T) Errorf(format string, args ...any) {
	if t.run == nil {
		t.TB.Helper()
		t.TB.Errorf(format, args...)
		return
	}
	t.run.note(fmt.Sprintf(format, args...))
	t.run.fail()
}

// Fatal is Log and FailNow.
func (t *T) Fatal(args ...any) {
	if t.run == nil {
		t.TB.Helper()
		t.TB.Fatal(args...)
		return
	}
	t.run.note(fmt.Sprintln(args...))
	t.run.fail()
	panic(over{t.run})
}

// Fatalf is Logf and FailNow.
func (t *T) Fatalf(format string, args ...any) {
	if t.run == nil {
		t.TB.Helper()
		t.TB.Fatalf(format, args...)
		return
	}
	t.run.note(fmt.Sprintf(format, args...))
	t.run.fail()
	panic(over{t.run})
}

// Fail marks the run as failed, and goes on.
func (t *T) Fail() {
	if t.run == nil {
		t.TB.Fail()
		return
	}
	t.run.fail()
}

// FailNow ends the run, which has failed.
func (t *T) FailNow() {
	if t.run == nil {
		t.TB.FailNow()
		return
	}
	t.run.fail()
	panic(over{t.run})
}

// Failed reports whether the run has failed.
func (t *T) Failed() bool {
	if t.run == nil {
		return t.TB.Failed()
	}
	return t.run.failed
}

// Skip is Log and SkipNow.
func (t *T) Skip(args ...any) {
	t.skipAction()
	if t.run == nil {
		t.TB.Helper()
		t.TB.Skip(args...)
		return
	}
	t.run.skip(strings.TrimSpace(fmt.Sprintln(args...)))
}

// Skipf is Logf and SkipNow.
func (t *T) Skipf(format string, args ...any) {
	t.skipAction()
	if t.run == nil {
		t.TB.Helper()
		t.TB.Skipf(format, args...)
		return
	}
	t.run.skip(fmt.Sprintf(format, args...))
}

// SkipNow ends the run, whose input is invalid.
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

// Cleanup has a function called when the run ends, the last one first.
func (t *T) Cleanup(f func()) {
	if t.run == nil {
		t.TB.Cleanup(f)
		return
	}
	t.run.cleanups = append(t.run.cleanups, f)
}

// caller is the place of the user's that called a method of T: the innermost one outside of this package's files.
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
	panic(over{r})
}

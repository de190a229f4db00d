package worker

import (
	"os"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"time"

	"parallax/internal/tape"
	"parallax/internal/wire"
)

// maker calls the user's generator to make the programs' input from a tape before they run. The
// generator is not a program, and its blocks are not counted. If it makes no input, every program
// declines. If that is an error of the generator, the user gets a note. A generator that ends the
// process, or never returns, is recognized by the shared memory, as a repair function is.
type maker struct {
	gen   Maker
	mem   *wire.Memory
	begun bool // the generator has drawn for the input in flight
	flat  []byte
	ok    bool
	fault string // the generator's error, if there is no input because of one
	open  bool   // a draw is running
	note  func(text string)
	noted map[string]bool
}

func newMaker(t Target, mem *wire.Memory) *maker {
	by, ok := t.Generator.(Maker)
	if !ok {
		return nil
	}
	return &maker{gen: by, mem: mem, note: func(string) {}, noted: map[string]bool{}}
}

// input returns the programs' input. ok is false if there is none.
func (m *maker) input(program int, tape []byte, detail bool) (flat []byte, ok bool) {
	if m.begun && program > 0 {
		if m.ok && m.gen.Shape() == nil {
			m.enter()
			m.ok = m.gen.Redraw()
			m.leave()
		}
		return m.flat, m.ok
	}
	m.begun, m.ok, m.fault = true, false, ""
	m.gen.Detail(detail)
	m.enter()
	flat, end, text := m.gen.Make(tape)
	m.leave()
	m.flat, m.ok = flat, end == ""
	if !m.ok && !m.gen.Invalid(end) {
		m.fault = m.gen.Fault(end, text) + ", and the input is left out"
		m.noteFault(end, tape)
	}
	return m.flat, m.ok
}

func (m *maker) enter() {
	m.open = true
	m.mem.SetRepairing(true)
}

func (m *maker) leave() {
	m.open = false
	m.mem.SetRepairing(false)
}

// endedGoroutine reports whether the generator has ended the goroutine, and closes the draw.
func (m *maker) endedGoroutine() bool {
	if !m.open {
		return false
	}
	m.leave()
	m.ok = false
	m.fault = m.gen.Fault("panic", "it ends its goroutine, as runtime.Goexit does") + ", and the input is left out"
	m.noteOnce("left", m.fault)
	return true
}

// noteFault notes an error of the generator with the values drawn before it, once per kind of end.
func (m *maker) noteFault(end string, from []byte) {
	if m.noted[end] {
		return
	}
	m.gen.Detail(true)
	m.enter()
	m.gen.Make(from)
	m.leave()
	m.gen.Detail(false)
	seen := tape.OneLine(m.gen.Text())
	if len(seen) > maxShown {
		seen = strings.ToValidUTF8(seen[:maxShown], "") + "…"
	}
	m.fault += ": first seen on " + seen
	m.noteOnce(end, m.fault)
}

func (m *maker) noteOnce(what, text string) {
	if !m.noted[what] {
		m.noted[what] = true
		m.note(text)
	}
}

// Limits of the generator's check: the CPU time, and the time if it uses none.
const (
	leastPatience = time.Second
	patience      = time.Minute
)

// checkMaker returns why a generator cannot be used. Empty means that it can.
func checkMaker(by Maker) string {
	done := make(chan string, 1)
	go func() {
		text := by.Fault("panic", "it ends its goroutine, as runtime.Goexit does")
		defer func() { done <- text }()
		text = by.Check()
	}()
	limit := leastPatience
	if ms, err := strconv.ParseInt(os.Getenv("PARALLAX_TIMEOUT"), 10, 64); err == nil {
		limit = max(limit, 2*time.Duration(ms)*time.Millisecond)
	}
	tick := time.NewTicker(10 * time.Millisecond)
	defer tick.Stop()
	began, used := time.Now(), cpuTime()
	for cpuTime()-used < limit && time.Since(began) < patience {
		select {
		case text := <-done:
			return text
		case <-tick.C:
		}
	}
	buf := make([]byte, 1<<20)
	return by.Fault("timeout", generatorPosition(string(buf[:runtime.Stack(buf, true)])))
}

// cpuTime returns the CPU time of this process.
func cpuTime() time.Duration {
	var u syscall.Rusage
	_ = syscall.Getrusage(syscall.RUSAGE_SELF, &u) // never fails for the own process
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// generatorPosition returns the generator's position, from the stacks of all goroutines.
func generatorPosition(stacks string) string {
	for _, one := range strings.Split(stacks, "\n\n") {
		if !strings.Contains(one, "checkMaker.func") {
			continue
		}
		function := ""
		for _, line := range strings.Split(one, "\n") {
			if !strings.HasPrefix(line, "\t") {
				function = line
			}
			if at, ok := strings.CutPrefix(line, "\t"); ok && !strings.Contains(line, "/gen/") && !strings.Contains(line, "/src/runtime/") && !strings.Contains(line, "/src/reflect/") {
				at, _, _ = strings.Cut(at, " +")
				if strings.HasSuffix(at, ":0") { // in instrumentation code
					function = function[strings.LastIndex(function, "/")+1:]
					function, _, _ = strings.Cut(function, "(")
					return ": it is in " + function
				}
				if parts := strings.Split(at, "/"); len(parts) > 2 {
					at = strings.Join(parts[len(parts)-2:], "/")
				}
				return ": it is at " + at
			}
		}
	}
	return ""
}

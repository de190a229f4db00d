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

// maker has the user's generator make the input of programs of a tape, before they run. The generator is no program: what it executes is not
// counted. Where it makes none, every program declines the input; where that is a mistake of the generator's, the user is told. A generator that
// takes the process along, or never returns, is known by the shared memory, as a repair function is.
type maker struct {
	by    Maker
	mem   *wire.Memory
	begun bool // there was a draw of the input in flight
	flat  []byte
	ok    bool
	why   string // there is none by mistake
	open  bool   // a draw is under way
	note  func(text string)
	told  map[string]bool
}

func newMaker(t Target, mem *wire.Memory) *maker {
	by, ok := t.Generator.(Maker)
	if !ok {
		return nil
	}
	return &maker{by: by, mem: mem, note: func(string) {}, told: map[string]bool{}}
}

// input is what a program runs on; false: there is none.
func (m *maker) input(program int, tape []byte, detail bool) (flat []byte, ok bool) {
	if m.begun && program > 0 {
		if m.ok && m.by.Shape() == nil {
			m.enter()
			m.ok = m.by.Redraw()
			m.leave()
		}
		return m.flat, m.ok
	}
	m.begun, m.ok, m.why = true, false, ""
	m.by.Detail(detail)
	m.enter()
	flat, end, text := m.by.Make(tape)
	m.leave()
	m.flat, m.ok = flat, end == ""
	if !m.ok && !m.by.Invalid(end) {
		m.why = m.by.Fault(end, text) + ", and the input is left out"
		m.tell(end, tape)
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

// left reports whether the generator has ended the goroutine, and closes the draw.
func (m *maker) left() bool {
	if !m.open {
		return false
	}
	m.leave()
	m.ok = false
	m.why = m.by.Fault("panic", "it ends its goroutine, as runtime.Goexit does") + ", and the input is left out"
	m.once("left", m.why)
	return true
}

// tell notes a mistake of the generator's, once for each way in which it ends, with what was drawn until then.
func (m *maker) tell(end string, from []byte) {
	if m.told[end] {
		return
	}
	m.by.Detail(true)
	m.enter()
	m.by.Make(from)
	m.leave()
	m.by.Detail(false)
	seen := tape.OneLine(m.by.Text())
	if len(seen) > maxShown {
		seen = strings.ToValidUTF8(seen[:maxShown], "") + "…"
	}
	m.why += ": first seen on " + seen
	m.once(end, m.why)
}

func (m *maker) once(what, text string) {
	if !m.told[what] {
		m.told[what] = true
		m.note(text)
	}
}

// A generator has so much CPU time for the inputs by which it is checked, and so much time if it uses none.
const (
	leastPatience = time.Second
	patience      = time.Minute
)

// checkMaker says why a generator cannot be used; "": it can.
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
	return by.Fault("timeout", where(string(buf[:runtime.Stack(buf, true)])))
}

// cpuTime is what this process has used.
func cpuTime() time.Duration {
	var u syscall.Rusage
	_ = syscall.Getrusage(syscall.RUSAGE_SELF, &u) // which fails for no process
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// where is the place at which the generator is, by the stacks of all goroutines.
func where(stacks string) string {
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
				if strings.HasSuffix(at, ":0") { // in what instrumentation has added
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

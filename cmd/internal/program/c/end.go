package c

import (
	"bytes"
	"fmt"
	"regexp"
	"strings"
	"syscall"
	"time"

	"parallax/cmd/internal/base/lazyregexp"
	"parallax/internal/oracle"
)

// End describes the end of a process during an input.
type End struct {
	Outcome oracle.Outcome // Crashed, Timeout or OOM
	Message string         // one line
	Text    string         // the end of its standard error
	Frames  []Frame        // of the call stack, innermost first, as far as known
	Leak    bool           // a leak check ended it
}

// Frame is an address in a mapped file.
type Frame struct {
	File   string // the executable or shared library
	Offset uint64 // in the file; if Linked, the address as the file is linked
	Linked bool
}

// autopsy describes the end of a process that ran slot i.
func (p *process) autopsy(i int, c *Config) *End {
	m := p.mem
	e := &End{Outcome: oracle.Crashed, Text: p.output(), Frames: m.frames(p.maps)}
	outcome := m.u32(slotAt(i) + 16)
	reported, message := readReport(e.Text, p.status, c.Env)
	if outcome == leaked {
		reported = e.Text[max(strings.LastIndex(e.Text, leaks), 0):]
	}
	if frames := reportFrames(reported); len(frames) > 0 {
		e.Frames = frames // a sanitizer's own stack does not begin in its functions
	}
	switch {
	case p.status.OOM:
		e.Outcome, e.Message = oracle.OOM, fmt.Sprintf("more than %d MiB in use", c.Limits.Memory>>20)
	case p.late || outcome == hung:
		e.Outcome, e.Message = oracle.Timeout, "still running after "+c.Limits.Timeout.Round(time.Millisecond).String()
	case outcome == leaked:
		e.Message, e.Leak = leaks, true
	case p.status.Forked:
		e.Message = fmt.Sprintf("more than %d processes", c.Limits.Processes)
	case message != "":
		e.Message = message
	default:
		e.Message = p.cause(e.Text)
	}
	return e
}

// leaks begins a report of LeakSanitizer.
const leaks = "LeakSanitizer: detected memory leaks"

// threadEnded is the runtime's message for an input that called pthread_exit.
const threadEnded = "parallax: the input has ended the main thread"

// Messages of programs that end themselves.
var (
	assertLine  = lazyregexp.New(`(?m)^[^:\n]*: ?[^:\n]+:\d+: (.*: )?(Assertion .* failed\.)$`)
	throwLine   = lazyregexp.New(`(?m)^terminate called after throwing an instance of '([^'\n]*)'$`)
	whatLine    = lazyregexp.New(`(?m)^  what\(\):  (.*)$`)
	fortifyLine = lazyregexp.New(`(?m)^\*\*\* (.*) \*\*\*(: terminated)?$`)
	heapLine    = lazyregexp.New(`(?m)^((?:free|malloc|realloc|munmap_chunk|corrupted|double free).*)$`)
)

// cause returns why a process ended without a sanitizer, in one line: the C library's message, or
// else its status.
func (p *process) cause(text string) string {
	status := ""
	switch s := p.status; {
	case s.Err != nil:
		status = s.Err.Error()
	case s.Signal != 0:
		status = "signal: " + s.Signal.String()
		if s.Signal == syscall.SIGSEGV && p.mem.u32(atSignal) == uint32(syscall.SIGSEGV) && p.mem.u64(atFault) < 4096 {
			status += " (a null pointer)"
		}
	case strings.Contains(text, threadEnded):
		return "the program ended the main thread"
	default:
		return fmt.Sprintf("the program ended its process: exit status %d", s.Exit)
	}
	if p.status.Signal == syscall.SIGABRT {
		if m := assertLine().FindStringSubmatch(text); m != nil {
			return m[1] + m[2]
		}
		if m := throwLine().FindStringSubmatch(text); m != nil {
			what := ""
			if w := whatLine().FindStringSubmatch(text); w != nil {
				what = ": " + w[1]
			}
			return "uncaught exception " + m[1] + what
		}
		for _, re := range []func() *regexp.Regexp{fortifyLine, heapLine} {
			if m := re().FindStringSubmatch(text); m != nil {
				return m[1]
			}
		}
	}
	return status
}

// mapping is a line of /proc/self/maps.
type mapping struct {
	from, to, off uint64
	file          string
}

func (m *memory) mappings() (all []mapping) {
	for _, line := range bytes.Split(m.b[mapsAt:mapsAt+int(min(m.u64(atMapsLen), mapsSize))], []byte("\n")) {
		var one mapping
		var mode string
		// The path follows device and inode, with spaces unchanged and line feeds as \012.
		path := bytes.IndexByte(line, '/')
		if n, _ := fmt.Sscanf(string(line), "%x-%x %s %x", &one.from, &one.to, &mode, &one.off); n == 4 && path > 0 {
			one.file = strings.ReplaceAll(string(line[path:]), `\012`, "\n")
			all = append(all, one)
		}
	}
	return all
}

// place finds the file that an address belongs to.
func place(maps []mapping, addr uint64) (Frame, bool) {
	for _, one := range maps {
		if addr >= one.from && addr < one.to {
			return Frame{File: one.file, Offset: addr - one.from + one.off}, true
		}
	}
	return Frame{}, false
}

func (m *memory) frames(maps []mapping) (all []Frame) {
	n := min(int(m.u32(atFrames)), maxFrames)
	if n == 0 {
		return nil
	}
	for i := range n {
		if f, ok := place(maps, m.u64(atFrame+8*i)); ok {
			all = append(all, f)
		}
	}
	return all
}

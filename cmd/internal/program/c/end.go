package c

import (
	"bytes"
	"fmt"
	"regexp"
	"strings"
	"syscall"
	"time"

	"parallax/cmd/internal/lazyregexp"
	"parallax/internal/oracle"
)

// End is how a process ended in the middle of an input.
type End struct {
	Outcome oracle.Outcome // Crashed, Timeout or OOM
	Message string         // in a line
	Text    string         // the last of what it wrote to standard error
	Frames  []Frame        // of the call stack, innermost first, as far as known
	Leak    bool           // a look for leaks ended it
}

// Frame is an address in a file that was mapped.
type Frame struct {
	File   string // the executable or shared library
	Offset uint64 // in that file; or, if it is Linked, the address there as the file is linked
	Linked bool
}

// autopsy says how the process ended while it ran slot i.
func (p *process) autopsy(i int, c *Config) *End {
	m := p.mem
	e := &End{Outcome: oracle.Crashed, Text: p.said(), Frames: m.frames(p.maps)}
	if reported := reportFrames(e.Text); len(reported) > 0 {
		e.Frames = reported // a sanitizer's own stack does not begin in its functions
	}
	outcome := m.u32(slotAt(i) + 16)
	switch {
	case p.status.OOM:
		e.Outcome, e.Message = oracle.OOM, fmt.Sprintf("more than %d MiB in use", c.Limits.Memory>>20)
	case p.late || outcome == hung:
		e.Outcome, e.Message = oracle.Timeout, "still running after "+c.Limits.Timeout.Round(time.Millisecond).String()
	case outcome == leaked:
		e.Message, e.Leak = "LeakSanitizer: detected memory leaks", true
	case p.status.Forked:
		e.Message = fmt.Sprintf("more than %d processes", c.Limits.Processes)
	default:
		e.Message = p.cause(e.Text)
	}
	return e
}

// threadEnded is what the runtime says of an input that called pthread_exit.
const threadEnded = "parallax: the input has ended the main thread"

// What programs say when they end themselves.
var (
	sanitizerLine = lazyregexp.New(`(?m)^(?:==\d+==\s*)?(?:ERROR|WARNING): (\w*Sanitizer): (.*)$`)
	undefinedLine = lazyregexp.New(`(?m)^(\S+:\d+:\d+): runtime error: (.*)$`)
	assertLine    = lazyregexp.New(`(?m)^[^:\n]*: ?[^:\n]+:\d+: (.*: )?(Assertion .* failed\.)$`)
	throwLine     = lazyregexp.New(`(?m)^terminate called after throwing an instance of '([^'\n]*)'$`)
	whatLine      = lazyregexp.New(`(?m)^  what\(\):  (.*)$`)
	fortifyLine   = lazyregexp.New(`(?m)^\*\*\* (.*) \*\*\*(: terminated)?$`)
	heapLine      = lazyregexp.New(`(?m)^((?:free|malloc|realloc|munmap_chunk|corrupted|double free).*)$`)
)

// cause is why a process ended, in a line: what a sanitizer or the C library said, or else its status.
func (p *process) cause(text string) string {
	if m := sanitizerLine().FindStringSubmatch(text); m != nil {
		what := m[2]
		for _, where := range []string{" on ", " (pid="} { // on address 0x..., on unknown address
			what, _, _ = strings.Cut(what, where)
		}
		return m[1] + ": " + strings.TrimSpace(what)
	}
	if m := undefinedLine().FindStringSubmatch(text); m != nil {
		return "UndefinedBehaviorSanitizer: " + m[2]
	}
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
		// The path is what follows device and inode, with spaces as they are and line feeds as \012.
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

// ReportFrame is a frame in the report of a sanitizer that has no names: its number, file and address there.
var ReportFrame = lazyregexp.New(`^\s+#(\d+) 0x[0-9a-f]+ .*\((/.+)\+0x([0-9a-f]+)\)`)

// reportFrames reads the first stack of a sanitizer's report.
func reportFrames(text string) (all []Frame) {
	for _, line := range strings.Split(text, "\n") {
		m := ReportFrame().FindStringSubmatch(line)
		if m == nil {
			if len(all) > 0 {
				break
			}
			continue
		}
		if m[1] == "0" && len(all) > 0 {
			break // the next stack: of the allocation
		}
		var off uint64
		fmt.Sscanf(m[3], "%x", &off)
		if len(all) > 0 && off > 0 {
			off-- // the call, not what follows it
		}
		all = append(all, Frame{File: m[2], Offset: off, Linked: true})
	}
	return all
}

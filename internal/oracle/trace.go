package oracle

import (
	"strconv"
	"strings"
)

// The parser below reads the output of the Go runtime when a process dies, for Go 1.20 to 1.26.
// testdata/golden holds real examples. The text is the process's standard error. It may begin with
// other output, end anywhere, or contain no trace.

// maxMessage limits the message of a crash, which may hold the whole input.
const maxMessage = 4096

// ParseTrace parses the last death in text: a panic, a fatal error or a signal. SIGQUIT means
// timeout, since the supervisor uses it to end slow runs. Without a death, it uses t.Fatal's
// output, or else the first line. It also parses "panic: " and a value followed by the output of
// debug.Stack.
func ParseTrace(text []byte) Crash {
	lines := strings.Split(strings.ReplaceAll(string(text), "\r\n", "\n"), "\n")
	if frames, ok := cFrames(lines); ok {
		return Crash{Kind: KindCrash, Frames: frames, InC: true}
	}
	d := findDeath(lines)
	c := Crash{Kind: KindCrash, Message: d.message(lines)}
	switch {
	case d.form == failed:
		c.Kind = KindFailure
	case d.form == signaled && strings.HasPrefix(c.Message, "SIGQUIT"),
		d.form == panicked && strings.HasPrefix(c.Message, "test timed out after "):
		c.Kind = KindTimeout
	case d.form == fatal && isOutOfMemory(c.Message):
		c.Kind = KindOOM
	}
	if len(c.Message) > maxMessage {
		c.Message = c.Message[:maxMessage]
	}
	c.Class = CrashClass(c.Message)
	// Waiting goroutines are at fault only if none runs.
	waiting := c.Kind == KindTimeout || strings.Contains(c.Message, "deadlock!")
	c.Frames = atFault(goroutines(lines[d.line:]), waiting)
	return c
}

func isOutOfMemory(message string) bool {
	for _, sign := range []string{"out of memory", "cannot allocate", "cannot map pages"} {
		if strings.Contains(message, sign) {
			return true
		}
	}
	return false
}

// death is the place in the text where a process began to report its end.
type death struct {
	form deathForm
	line int
}

type deathForm uint8

const (
	unknown deathForm = iota
	panicked
	fatal
	signaled
	failed
)

const (
	panicMark = "panic: "
	fatalMark = "fatal error: "
	failMark  = "--- FAIL: "
)

// findDeath finds the last mark at the beginning of a line. The runtime indents the further lines
// of a message. Logs about survived panics come earlier. Under GOTRACEBACK=crash, each thread
// reports a signal after the death, separated by a line of dashes.
func findDeath(lines []string) death {
	d := death{}
	previous := ""
	for i, line := range lines {
		switch {
		case strings.HasPrefix(line, panicMark):
			d = death{panicked, i}
		case strings.HasPrefix(line, fatalMark):
			d = death{fatal, i}
		case isSignal(line) && previous != "-----":
			d = death{signaled, i}
		case strings.HasPrefix(line, failMark) && d.form == unknown:
			d = death{failed, i}
		}
		if line != "" {
			previous = line
		}
	}
	if d.form != unknown {
		return d
	}
	for i, line := range lines {
		if strings.TrimSpace(line) != "" {
			return death{unknown, i}
		}
	}
	return d
}

// isSignal matches "SIGSEGV: segmentation violation".
func isSignal(line string) bool {
	name, _, ok := strings.Cut(line, ": ")
	if !ok || len(name) < 4 || !strings.HasPrefix(name, "SIG") {
		return false
	}
	for i := 0; i < len(name); i++ {
		if name[i] < 'A' || name[i] > 'Z' {
			return false
		}
	}
	return true
}

// message joins the lines of the death's message.
func (d death) message(lines []string) string {
	first := lines[d.line]
	switch d.form {
	case signaled:
		if d.line+2 < len(lines) && strings.HasPrefix(lines[d.line+2], "signal arrived during ") {
			return first + " (" + lines[d.line+2] + ")"
		}
		return first
	case unknown:
		if isHeader(first) {
			return ""
		}
		return strings.TrimSpace(first)
	case failed:
		// The line "--- FAIL: FuzzX (0.00s)" is followed by "file.go:12: message".
		if d.line+1 < len(lines) {
			if text := strings.TrimSpace(lines[d.line+1]); text != "" {
				return text
			}
		}
		return first
	case fatal:
		return first
	}
	parts := []string{strings.TrimPrefix(first, panicMark)}
	for _, line := range lines[d.line+1:] {
		if line == "" || isHeader(line) || strings.HasPrefix(line, "[signal ") {
			break
		}
		parts = append(parts, strings.TrimPrefix(line, "\t"))
	}
	for i, part := range parts {
		part = strings.TrimSuffix(part, " [recovered, repanicked]")
		part = strings.TrimSuffix(part, " [recovered]")
		parts[i] = part
	}
	return strings.Join(parts, "\n")
}

// isHeader matches "goroutine 1 [running]:" and its variants for other settings of GOTRACEBACK.
func isHeader(line string) bool {
	_, state := header(line)
	return state != ""
}

// header returns the goroutine's number as text, and its state.
func header(line string) (id, state string) {
	rest, ok := strings.CutPrefix(line, "goroutine ")
	if !ok || !strings.HasSuffix(rest, ":") {
		return "", ""
	}
	id, rest, _ = strings.Cut(rest, " ")
	if end := digitsEnd(id, 0); end == 0 || end != len(id) {
		return "", ""
	}
	open, end := strings.IndexByte(rest, '['), strings.LastIndexByte(rest, ']')
	if open < 0 || end < open {
		return "", ""
	}
	state, _, _ = strings.Cut(rest[open+1:end], ",")
	if state == "" {
		state = "unknown"
	}
	return id, state
}

type goroutine struct {
	id, state string
	hidden    bool // it runs on another thread, so that its stack is not shown
	frames    []Frame
}

func goroutines(lines []string) []goroutine {
	var all []goroutine
	var current *goroutine
	for i := 0; i < len(lines); i++ {
		line := lines[i]
		if line == "runtime stack:" {
			current = nil
			continue
		}
		if id, state := header(line); state != "" {
			all = append(all, goroutine{id: id, state: state})
			current = &all[len(all)-1]
			continue
		}
		switch {
		case current == nil:
		case line == "":
			current = nil
		case strings.Contains(line, "stack unavailable"):
			current.hidden = true
		case strings.HasPrefix(line, "created by "):
			i++ // its position
		case isBarePanic(line):
			// The frames above were called while panicking, by the deferred function that panicked
			// again or printed the stack.
			current.frames = current.frames[:0]
		default:
			name, ok := function(line)
			if !ok {
				break
			}
			f := Frame{Func: name}
			if i+1 < len(lines) {
				if file, number, ok := position(lines[i+1]); ok {
					f.File, f.Line = file, number
					i++
				}
			}
			if !ofRuntime(name) {
				current.frames = append(current.frames, f)
			}
		}
	}
	return all
}

func isBarePanic(line string) bool { return strings.HasPrefix(line, "panic(") }

// function extracts the name from "import/path.(*T).M(0xc000012345, ...)".
func function(line string) (string, bool) {
	open := strings.LastIndexByte(line, '(')
	if open <= 0 || !strings.HasSuffix(line, ")") || line[0] == '\t' || line[0] == ' ' {
		return "", false
	}
	return plain(line[:open]), true
}

// plain returns a function's name with its package as in sources. Symbols escape dots and non-ASCII
// characters in the last element of a path, as in gopkg.in/yaml%2ev3.Unmarshal.
func plain(function string) string {
	slash := strings.LastIndexByte(function[:len(function)-len(arguments(function))], '/')
	dot := strings.IndexByte(function[slash+1:], '.')
	if dot < 0 {
		return function
	}
	end := slash + 1 + dot
	return Unescape(function[:end]) + function[end:]
}

// Unescape decodes the escapes in a symbol's name, such as %2e for a dot. It keeps malformed
// escapes.
func Unescape(name string) string {
	if strings.IndexByte(name, '%') < 0 {
		return name
	}
	var out []byte
	for i := 0; i < len(name); i++ {
		c := name[i]
		if c == '%' {
			if i+2 >= len(name) {
				return name
			}
			n, err := strconv.ParseUint(name[i+1:i+3], 16, 8)
			if err != nil {
				return name
			}
			c, i = byte(n), i+2
		}
		out = append(out, c)
	}
	return string(out)
}

// arguments returns the rest of a function's name from its type arguments or receiver on, which may
// contain slashes.
func arguments(function string) string {
	if i := strings.IndexAny(function, "[("); i >= 0 {
		return function[i:]
	}
	return ""
}

// position parses "\t/path/file.go:12 +0x1d fp=0x1 sp=0x2 pc=0x3".
func position(line string) (file string, number int, ok bool) {
	line, ok = strings.CutPrefix(line, "\t")
	if !ok {
		return "", 0, false
	}
	for _, end := range []string{" +0x", " fp=0x"} {
		line, _, _ = strings.Cut(line, end)
	}
	colon := strings.LastIndexByte(line, ':')
	if colon < 0 {
		return "", 0, false
	}
	number, err := strconv.Atoi(line[colon+1:])
	if err != nil || number < 0 {
		return "", 0, false
	}
	return line[:colon], number, true
}

// ofRuntime reports whether a function belongs to the runtime, including the functions of the
// standard library that throw.
func ofRuntime(name string) bool {
	for _, prefix := range []string{"runtime.", "runtime/", "internal/runtime/", "internal/sync.fatal", "internal/sync.throw", "sync.fatal", "sync.throw"} {
		if strings.HasPrefix(name, prefix) {
			return true
		}
	}
	return false
}

// atFault selects the goroutine at fault. A goroutine that dies is printed first. Otherwise the
// process was stopped from outside, or no goroutine can run. Then it selects the first that runs,
// else the first that could, else the first that waits. Only goroutines with own frames count.
// Goroutine 0 is the scheduler's stack.
func atFault(all []goroutine, waiting bool) []Frame {
	var best []Frame
	rank := len(states) + 1
	for _, g := range all {
		if g.id == "0" {
			continue
		}
		if !waiting {
			return g.frames
		}
		r := len(states)
		for i, state := range states {
			if g.state == state {
				r = i
			}
		}
		if r < rank && (len(g.frames) > 0 || g.hidden) {
			best, rank = g.frames, r
		}
	}
	return best
}

// states lists the states that indicate the fault, most significant first.
var states = []string{"running", "runnable"}

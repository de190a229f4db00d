package oracle

import (
	"sort"
	"strings"
)

// The kinds of a Crash, as used in a finding's bucket.
const (
	KindCrash   = "crash"
	KindTimeout = "timeout"
	KindOOM     = "oom"
	KindFailure = "failure" // t.Fatal
)

// Crash describes the abnormal end of a program, as parsed from its output.
type Crash struct {
	Kind string // crash, timeout, oom or failure
	// Message is that of the panic or the fatal error. It lacks "panic: ", the addresses of
	// signals, and notes about a recovered panic.
	Message string
	Class   string  // MessageClass(Message)
	Frames  []Frame // of the failing goroutine, innermost first, without those of the runtime
	InC     bool    // of a C or C++ program, whose stack has no Message
}

// Frame describes one call in a stack trace.
type Frame struct {
	Func string // as in traces: "import/path.(*T).M", "import/path.F.func1"
	File string
	Line int
}

const (
	// keyFrames is the number of the program's functions that identify the place of a crash. With
	// more, one cause would have as many buckets as callers.
	keyFrames = 5
	// keyOuter is the same for timeouts and out-of-memory. The place where an endless loop was
	// stopped is chance, but the way into the loop is not.
	keyOuter = 2
	// keyC is keyFrames for C and C++ programs, whose compilers may omit calls.
	keyC = 3
	// keyMessage limits the part of a message's class that identifies a crash. Messages with an
	// unquoted input end in text that no rule removes.
	keyMessage = 120
)

// CrashClass returns the MessageClass of a crash's message. It removes the runtime's details of an
// index out of range, which have several forms for one line. It keeps the number of a leading exit
// status, by which a program gives its reason.
func CrashClass(message string) string {
	for _, kind := range []string{"runtime error: index out of range", "runtime error: slice bounds out of range"} {
		if strings.HasPrefix(message, kind) {
			return kind
		}
	}
	status := strings.TrimPrefix(message, endedItself)
	if number, ok := strings.CutPrefix(status, exitStatus); ok {
		rest := strings.TrimLeft(number, "0123456789")
		return message[:len(message)-len(rest)] + MessageClass(rest)
	}
	return MessageClass(message)
}

// Status returns the exit status or signal with which the message of a crash without a stack
// begins: "exit status 3", "signal: killed". It is empty for other messages.
func (c Crash) Status() string {
	how := strings.TrimPrefix(c.Message, endedItself)
	if number, ok := strings.CutPrefix(how, exitStatus); ok {
		return how[:len(how)-len(strings.TrimLeft(number, "0123456789"))]
	}
	if name, ok := strings.CutPrefix(how, signal); ok {
		name, _, _ = strings.Cut(name, ":")
		return signal + name
	}
	return ""
}

const (
	signal      = "signal: "
	endedItself = "the program ended its process: "
	exitStatus  = "exit status "
)

// Key returns the same text for crashes of one cause. It has the kind, the first line of the
// message's class, and the program's functions nearest to the fault. Functions are named without
// lines, so that edits elsewhere in a file do not change the key. own reports whether a function is
// the program's. If it is nil, or true for none, all functions count.
//
// A function counts once, at its first occurrence, since the depth of a recursion is not part of
// the cause. A stack overflow has no innermost function, only a cycle. For it, the functions that
// occur repeatedly count, sorted by name. For timeouts and out-of-memory, the outermost functions
// count instead of the innermost.
func (c Crash) Key(own func(function string) bool) string {
	class, _, _ := strings.Cut(c.Class, "\n")
	if len(class) > keyMessage {
		class = strings.ToValidUTF8(class[:keyMessage], "")
	}
	parts := append([]string{c.Kind, class}, c.where(own)...)
	return strings.Join(parts, " | ")
}

// Where returns Key without the message.
func (c Crash) Where(own func(function string) bool) string {
	return strings.Join(append([]string{c.Kind}, c.where(own)...), " | ")
}

// Tops returns the program's innermost frames, at most n. It returns none for timeouts,
// out-of-memory and stack overflows, whose innermost frames are chance.
func (c Crash) Tops(own func(function string) bool, n int) []Frame {
	if c.Kind == KindTimeout || c.Kind == KindOOM || strings.Contains(c.Message, "stack overflow") {
		return nil
	}
	var top []Frame
	for _, f := range c.Frames {
		if len(top) < n && (own == nil || own(f.Func)) {
			top = append(top, f)
		}
	}
	return top
}

// Reported reports whether the program itself detected the failure, by t.Fatal or by a panic of its
// own, and not the runtime.
func (c Crash) Reported() bool {
	for _, prefix := range []string{"runtime error: ", "assignment to entry in nil map", "fatal error: ", "SIG", "send on closed channel",
		"close of ", "all goroutines are asleep", "reflect", "interface conversion: "} {
		if strings.HasPrefix(c.Message, prefix) {
			return false
		}
	}
	if c.InC && c.Message != "signal: aborted" { // reported by a sanitizer
		return false
	}
	return c.Kind == KindFailure || c.Kind == KindCrash
}

// unwound removes the frames between two calls of one function. C parsers reach the same code
// through any nesting of lists and objects.
func unwound(frames []Frame) []Frame {
	last := map[string]int{}
	for i, f := range frames {
		last[f.Func] = i
	}
	var out []Frame
	for i := 0; i < len(frames); i++ {
		out = append(out, frames[i])
		i = last[frames[i].Func]
	}
	return out
}

func (c Crash) where(own func(string) bool) []string {
	var names []string // without repetitions, innermost first
	count := make(map[string]int)
	frames := c.Frames
	if c.InC && !strings.Contains(c.Message, "stack overflow") {
		frames = unwound(frames)
	}
	for _, f := range frames {
		if own == nil || own(f.Func) {
			if count[f.Func]++; count[f.Func] == 1 {
				names = append(names, f.Func)
			}
		}
	}
	switch {
	case len(names) == 0 && own != nil:
		return c.where(nil)
	case c.Kind == KindTimeout || c.Kind == KindOOM:
		if n := len(names); c.InC && n > 1 && names[n-1] == CHarness { // which is outermost in all
			names = names[:n-1]
		}
		if len(names) > keyOuter {
			names = names[len(names)-keyOuter:]
		}
	case strings.Contains(c.Message, "stack overflow"):
		var cycle []string
		for _, name := range names {
			if count[name] > 1 {
				cycle = append(cycle, name)
			}
		}
		if len(cycle) > 0 {
			sort.Strings(cycle)
			return cycle
		}
	}
	most := keyFrames
	if c.InC {
		most = keyC
	}
	if len(names) > most {
		names = names[:most]
	}
	return names
}

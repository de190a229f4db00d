package oracle

import (
	"slices"
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

// KindOf returns the kind of finding for a failed outcome.
func KindOf(o Outcome) string {
	switch o {
	case Timeout:
		return KindTimeout
	case OOM:
		return KindOOM
	}
	return KindCrash
}

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
	// keyFrames is the number of tested functions that identify the place of a crash. With
	// more, one cause would have as many buckets as callers.
	keyFrames = 5
	// keyOuter is the same for timeouts and out-of-memory. The place where an endless loop was
	// stopped is chance, but the way into the loop is not.
	keyOuter = 2
	// keyInner is the number of a dependency's functions that identify a crash in it. The innermost
	// alone may be a helper, such as one that reads a byte.
	keyInner = 3
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

// Code classifies a function on a stack.
type Code uint8

const (
	Foreign    Code = iota // of the runtime, the standard library or parallax
	Dependency             // of a module that is not under test
	Tested
)

// Key returns the same text for crashes of one cause. It has the kind, the first line of the
// message's class, and the functions nearest to the fault. These are the innermost ones of the
// dependency that crashed, and otherwise those of the tested code. Functions are named without
// lines, so that edits elsewhere in a file do not change the key. If code is nil, or Foreign for
// all, all functions count.
//
// A function counts once, at its first occurrence, since the depth of a recursion is not part of
// the cause. A stack overflow has no innermost function, only a cycle. For it, the functions that
// occur repeatedly count, sorted by name. For timeouts and out-of-memory, the outermost functions
// of the tested code count instead of the innermost.
func (c Crash) Key(code func(function string) Code) string {
	class, _, _ := strings.Cut(c.Class, "\n")
	if len(class) > keyMessage {
		class = strings.ToValidUTF8(class[:keyMessage], "")
	}
	parts := append([]string{c.Kind, class}, c.where(code)...)
	return strings.Join(parts, " | ")
}

// Where returns Key without the message.
func (c Crash) Where(code func(function string) Code) string {
	return strings.Join(append([]string{c.Kind}, c.where(code)...), " | ")
}

// Tops returns the innermost frames of the tested code, at most n. It returns none for timeouts,
// out-of-memory and stack overflows, whose innermost frames are chance.
func (c Crash) Tops(code func(function string) Code, n int) []Frame {
	if c.limited() || c.Overflow() {
		return nil
	}
	var top []Frame
	for _, f := range c.Frames {
		if len(top) < n && is(code, f.Func, Tested) {
			top = append(top, f)
		}
	}
	return top
}

// Inner returns the frames of dependencies below the tested code that called them, innermost first.
// It returns none if the tested code crashed, and for timeouts and out-of-memory. The failure of a
// check is at the call in the test, also if a library of assertions reports it.
func (c Crash) Inner(code func(function string) Code) []Frame {
	if c.limited() || c.Kind == KindFailure {
		return nil
	}
	var inner []Frame
	for _, f := range c.Frames {
		if is(code, f.Func, Tested) {
			break
		}
		if is(code, f.Func, Dependency) {
			inner = append(inner, f)
		}
	}
	return inner
}

// Caller returns the innermost frame of the tested code.
func (c Crash) Caller(code func(function string) Code) (Frame, bool) {
	i := slices.IndexFunc(c.Frames, func(f Frame) bool { return is(code, f.Func, Tested) })
	if i < 0 {
		return Frame{}, false
	}
	return c.Frames[i], true
}

func is(code func(string) Code, function string, want Code) bool {
	if code == nil {
		return want == Tested
	}
	return code(function) == want
}

// limited reports whether the program reached a limit.
func (c Crash) limited() bool { return c.Kind == KindTimeout || c.Kind == KindOOM }

// Overflow reports whether the crash is a stack overflow, whose innermost frames are chance.
func (c Crash) Overflow() bool { return strings.Contains(c.Message, "stack overflow") }

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

// unwound removes the frames between two calls of one function. Parsers reach the same code through
// any nesting of lists and objects.
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

// where returns the names of the functions that identify the place of a crash.
func (c Crash) where(code func(string) Code) []string {
	if c.Overflow() && !c.limited() {
		for _, want := range []Code{Tested, Dependency} {
			if cycle := c.cycle(code, want); len(cycle) > 0 {
				return cycle
			}
		}
	} else if inner := c.Inner(code); len(inner) > 0 {
		names, _ := distinct(unwound(inner))
		names = names[:min(len(names), keyInner)]
		// A dependency panics by itself for the calls that it does not permit.
		if caller, ok := c.Caller(code); ok && c.Reported() {
			names = append(names, caller.Func)
		}
		return names
	}
	frames := c.Frames
	if c.InC && !c.Overflow() {
		frames = unwound(frames)
	}
	names, _ := distinct(only(frames, code, Tested))
	if len(names) == 0 && code != nil {
		return c.where(nil)
	}
	if c.limited() {
		if n := len(names); c.InC && n > 1 && names[n-1] == CHarness { // which is outermost in all
			names = names[:n-1]
		}
		return names[max(0, len(names)-keyOuter):]
	}
	most := keyFrames
	if c.InC {
		most = keyC
	}
	return names[:min(len(names), most)]
}

// cycle returns the functions that occur repeatedly, sorted by name.
func (c Crash) cycle(code func(string) Code, want Code) []string {
	names, count := distinct(only(c.Frames, code, want))
	names = slices.DeleteFunc(names, func(name string) bool { return count[name] == 1 })
	sort.Strings(names)
	return names
}

// only returns the frames of one kind of code.
func only(frames []Frame, code func(string) Code, want Code) (list []Frame) {
	for _, f := range frames {
		if is(code, f.Func, want) {
			list = append(list, f)
		}
	}
	return list
}

// distinct returns the functions of frames in the order of their first occurrence, and how often
// each occurs.
func distinct(frames []Frame) (names []string, count map[string]int) {
	count = make(map[string]int)
	for _, f := range frames {
		if count[f.Func]++; count[f.Func] == 1 {
			names = append(names, f.Func)
		}
	}
	return names, count
}

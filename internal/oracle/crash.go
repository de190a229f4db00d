package oracle

import (
	"sort"
	"strings"
)

// The kinds of a Crash, as they stand in a finding's bucket.
const (
	KindCrash   = "crash"
	KindTimeout = "timeout"
	KindOOM     = "oom"
	KindFailure = "failure" // t.Fatal
)

// Crash is what a program left behind when it did not return.
type Crash struct {
	Kind    string  // crash, timeout, oom or failure
	Message string  // of the panic or the fatal error, without "panic: ", addresses of signals and what was recovered since
	Class   string  // MessageClass(Message)
	Frames  []Frame // of the goroutine at fault, innermost first, without those of the runtime
	InC     bool    // of a C or C++ program: there is no Message in its stack
}

// Frame is one call in a stack trace.
type Frame struct {
	Func string // as in traces: "import/path.(*T).M", "import/path.F.func1"
	File string
	Line int
}

const (
	// keyFrames is how many functions of the program say where a crash is.
	// More would give one cause as many buckets as it has callers.
	keyFrames = 5
	// keyOuter is the same for timeouts and out-of-memory. Where an endless loop
	// happened to be stopped is chance; the way into it is not.
	keyOuter = 2
	// keyC is keyFrames of C and C++ programs, whose compilers leave calls away or not, as it happens.
	keyC = 3
	// keyMessage is how much of a message's class says what a crash is.
	// Messages that hold the input unquoted end in text that no rule removes.
	keyMessage = 120
)

// CrashClass is MessageClass of what a crash says, without what the runtime adds to an index out of range: the same line may
// be told of in several forms. An exit status at the beginning keeps its number, by which a program says why it ended itself.
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

// Status is how a process ended, as the message of a crash without a stack begins: "exit status 3", "signal: killed". It is empty if the message
// does not say that.
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

// Key is the same for crashes of one cause: the kind, the first line of the
// message's class, and the functions of the program nearest to the fault, by
// name alone, so that edits elsewhere in a file do not change it. own says
// which functions are the program's; with nil, or if none is, all count.
//
// A function counts once, where it first occurs: how deep a parser had
// recursed is no part of the cause. A stack overflow has no innermost
// function, only a cycle: there the functions that occur more than once
// count, in order of their names. Of timeouts and out-of-memory the outermost
// functions count instead of the innermost.
func (c Crash) Key(own func(function string) bool) string {
	class, _, _ := strings.Cut(c.Class, "\n")
	if len(class) > keyMessage {
		class = strings.ToValidUTF8(class[:keyMessage], "")
	}
	parts := append([]string{c.Kind, class}, c.where(own)...)
	return strings.Join(parts, " | ")
}

// Where is Key without the message.
func (c Crash) Where(own func(function string) bool) string {
	return strings.Join(append([]string{c.Kind}, c.where(own)...), " | ")
}

// Tops returns the innermost frames that belong to the program, at most n, none if where they lie is chance, as with timeouts,
// out-of-memory and stack overflows.
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

// Reported tells whether the program itself said that something is wrong, by t.Fatal or by a panic of its own, and not the
// runtime.
func (c Crash) Reported() bool {
	for _, prefix := range []string{"runtime error: ", "assignment to entry in nil map", "fatal error: ", "SIG", "send on closed channel",
		"close of ", "all goroutines are asleep", "reflect", "interface conversion: "} {
		if strings.HasPrefix(c.Message, prefix) {
			return false
		}
	}
	if c.InC && c.Message != "signal: aborted" { // a sanitizer says it
		return false
	}
	return c.Kind == KindFailure || c.Kind == KindCrash
}

// unwound are frames without what lies between two calls of one function: parsers in C reach the same code through lists in lists, in
// objects, in lists.
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
	var names []string // each once, innermost first
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
		if n := len(names); c.InC && n > 1 && names[n-1] == CHarness { // which is the outermost of all
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

package triage

import (
	"fmt"
	"slices"
	"strings"

	"parallax/cmd/internal/base/lazyregexp"
	"parallax/cmd/internal/subject"
	"parallax/internal/oracle"
)

// Limits of what people are shown of a trace.
const (
	shownLines      = 40 // before the first goroutine
	shownGoroutines = 4  // beside the one that ran the program
	shownFrames     = 32
	outerFrames     = 8 // of these, the outermost
)

// tidy makes a trace fit to be read, and the same from run to run: the message, and the goroutines that programs had,
// without addresses and arguments, without the runtime's frames above and the worker's below. What is dropped is nobody's
// under test; oracle.ParseTrace finds the same frames of the program in what is left.
//
// Contract relied on: the runtime prints a paragraph for each goroutine, and programs are called by worker.(*runner).call.
func tidy(text string) string {
	if strings.HasPrefix(text, oracle.CStack) {
		return tidyC(text)
	}
	var out, message []string
	room := shownGoroutines
	goroutines := false
	for _, p := range strings.Split(strings.TrimRight(text, "\n"), "\n\n") {
		switch {
		case strings.HasPrefix(p, "goroutine "):
			goroutines = true
			g, ran := tidyGoroutine(p)
			if g == "" || !ran && room == 0 {
				continue
			}
			if !ran {
				room--
			}
			out = append(out, g)
		case goroutines, strings.HasPrefix(p, "runtime stack:"):
		default:
			message = append(message, p)
		}
	}
	lines := strings.Split(strings.Join(message, "\n\n"), "\n")
	for i := len(lines) - 1; i >= 0; i-- { // what a program printed before is not its end
		if strings.HasPrefix(lines[i], "panic: ") || strings.HasPrefix(lines[i], "fatal error: ") || strings.HasPrefix(lines[i], "SIG") {
			lines = slices.DeleteFunc(lines[i:], func(l string) bool { return strings.HasPrefix(l, "PC=0x") })
			break
		}
	}
	if n := len(lines) - shownLines; n > 0 && goroutines {
		lines = lines[:shownLines]
	} else if n > 0 {
		lines = lines[n:]
	}
	head := strings.Join(lines, "\n")
	if head == "" && len(out) == 0 {
		return ""
	}
	return head + renumber(strings.Join(append([]string{""}, out...), "\n\n")) + "\n"
}

// renumber numbers goroutines by their appearance: what the runtime counts differs from run to run.
func renumber(text string) string {
	names := map[string]string{}
	return goroutineNumber().ReplaceAllStringFunc(text, func(name string) string {
		if names[name] == "" {
			names[name] = fmt.Sprint("goroutine ", len(names)+1)
		}
		return names[name]
	})
}

var goroutineNumber = lazyregexp.New(`\bgoroutine [0-9]+`)

// tidyGoroutine returns what a program did in a goroutine, empty if it did nothing, and whether the worker called it there.
func tidyGoroutine(p string) (text string, ran bool) {
	lines := strings.Split(p, "\n")
	head := lines[0]
	if id, rest, ok := strings.Cut(strings.TrimPrefix(head, "goroutine "), " "); ok {
		if i := strings.IndexByte(rest, '['); i >= 0 {
			head = "goroutine " + id + " " + rest[i:]
		}
	}
	out := []string{head}
	frames := 0
	for i := 1; i < len(lines); i++ {
		name, at := lines[i], ""
		if i+1 < len(lines) && strings.HasPrefix(lines[i+1], "\t") {
			i++
			at = position(lines[i])
		}
		created := strings.HasPrefix(name, "created by ")
		switch {
		case !created && ofWorker(name):
			for len(out) > 1 && strings.HasPrefix(out[len(out)-1], "reflect.Value.") { // how they were called
				out = out[:len(out)-1]
				frames--
			}
			if frames > 0 { // what is below called the program
				ran = callsPrograms(name)
				if !ran {
					return "", false // the worker at its own work
				}
				i = len(lines)
			}
			continue
		case created && ofWorker(name), subject.Inserted(name):
			continue
		case frames == 0 && ofRuntime(name):
			continue
		}
		if !created {
			frames++
			if open := strings.LastIndexByte(name, '('); open > 0 && strings.HasSuffix(name, ")") {
				name = name[:open] + "(...)"
			}
		}
		if at != "" {
			name += "\n" + at
		}
		out = append(out, name)
	}
	if frames == 0 {
		return "", false
	}
	if from, to := 1+shownFrames-outerFrames, len(out)-outerFrames; to > from { // of a deep recursion, both ends
		out = slices.Replace(out, from, to, fmt.Sprintf("... %d more", to-from))
	}
	return strings.Join(out, "\n"), ran
}

// ofWorker reports whether a line of a trace names a function of the harness.
func ofWorker(line string) bool {
	return strings.Contains(line, "/plx/worker.") || callsPrograms(line)
}

// calling are the packages of the library, beside worker, in whose functions programs are called: oracle asks values and errors
// for what they print.
var calling = []string{"oracle", "fuzzfunc", "implementation"}

// callsPrograms reports whether a line of a trace names a function of the harness that programs are called by: among them
// the hook in package testing, which calls cleanup functions.
func callsPrograms(line string) bool {
	for _, pkg := range calling {
		if strings.Contains(line, "/plx/"+pkg+".") {
			return true
		}
	}
	return strings.HasPrefix(line, "main.main") || strings.HasPrefix(line, "testing.(*plxTarget).")
}

// ofRuntime reports whether a line names a function by which the runtime stops a goroutine or unwinds it.
func ofRuntime(line string) bool {
	return strings.HasPrefix(line, "runtime.") || strings.HasPrefix(line, "runtime/debug.") || strings.HasPrefix(line, "panic(")
}

// position drops offsets and addresses behind a file and line.
func position(line string) string {
	for _, end := range []string{" +0x", " fp=0x"} {
		line, _, _ = strings.Cut(line, end)
	}
	return line
}

// What differs from run to run in what sanitizers and the C library write.
var (
	cAddress = lazyregexp.New(`0x[0-9a-f]{6,16}`)
	cProcess = lazyregexp.New(`(?m)^==\d+==`)
	cBuild   = lazyregexp.New(` \(BuildId: [0-9a-f]+\)`)
)

// tidyC makes what is told of the end of a C program fit to be read: the stack, and the beginning of what it wrote.
func tidyC(text string) string {
	stack, said, _ := strings.Cut(text, "\n\n")
	if lines := strings.Split(strings.Trim(said, "\n"), "\n"); len(lines) > shownLines {
		said = strings.Join(lines[:shownLines], "\n") + "\n..."
	}
	said = cBuild().ReplaceAllString(cProcess().ReplaceAllString(cAddress().ReplaceAllString(said, "0x..."), "=="), "")
	if said = strings.Trim(said, "\n"); said == "" {
		return stack
	}
	return stack + "\n\n" + said
}

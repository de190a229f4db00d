package triage

import (
	"fmt"
	"slices"
	"strings"

	"parallax/cmd/internal/base/lazyregexp"
	"parallax/cmd/internal/subject"
	"parallax/internal/oracle"
)

// Limits of a shown trace.
const (
	shownLines      = 40 // before the first goroutine
	shownGoroutines = 4  // in addition to the one that ran the program
	shownFrames     = 32
	outerFrames     = 8 // the outermost of these
)

// tidy makes a trace readable, and the same in each run. It keeps the message and the goroutines of
// programs, without addresses, arguments, and frames of runtime and worker.
//
// The runtime must print a paragraph per goroutine, and worker.(*runner).call must call programs.
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
	for i := len(lines) - 1; i >= 0; i-- { // earlier output is dropped
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

// renumber numbers goroutines by appearance, since the runtime's numbers differ from run to run.
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

// tidyGoroutine returns the program's part of a goroutine, and whether the worker called it there.
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
			for len(out) > 1 && strings.HasPrefix(out[len(out)-1], "reflect.Value.") { // calls by reflection
				out = out[:len(out)-1]
				frames--
			}
			if frames > 0 { // the frames below called the program
				ran = callsPrograms(name)
				if !ran {
					return "", false // only the worker's own work
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
	if from, to := 1+shownFrames-outerFrames, len(out)-outerFrames; to > from { // a deep recursion keeps both ends
		out = slices.Replace(out, from, to, fmt.Sprintf("... %d more", to-from))
	}
	return strings.Join(out, "\n"), ran
}

// ofWorker reports whether a line of a trace names a function of the harness.
func ofWorker(line string) bool {
	return strings.Contains(line, "/plx/worker.") || callsPrograms(line)
}

// callingPackages are the packages of the library, except worker, whose functions call programs.
// oracle calls methods that print values and errors.
var callingPackages = []string{"oracle", "fuzzfunc", "implementation"}

// callsPrograms reports whether a line of a trace names a function of the harness that calls
// programs. The hook in package testing is one, as it calls cleanup functions.
func callsPrograms(line string) bool {
	for _, pkg := range callingPackages {
		if strings.Contains(line, "/plx/"+pkg+".") {
			return true
		}
	}
	return strings.HasPrefix(line, "main.main") || strings.HasPrefix(line, "testing.(*plxTarget).")
}

// ofRuntime reports whether a line names a function with which the runtime ends a goroutine.
func ofRuntime(line string) bool {
	return strings.HasPrefix(line, "runtime.") || strings.HasPrefix(line, "runtime/debug.") || strings.HasPrefix(line, "panic(")
}

// position removes offsets and addresses after a file and line.
func position(line string) string {
	for _, end := range []string{" +0x", " fp=0x"} {
		line, _, _ = strings.Cut(line, end)
	}
	return line
}

// Parts of sanitizers' and the C library's output that differ from run to run.
var (
	cAddress = lazyregexp.New(`0x[0-9a-f]{6,16}`)
	cProcess = lazyregexp.New(`(?m)^==\d+==`)
	cBuild   = lazyregexp.New(` \(BuildId: [0-9a-f]+\)`)
)

// tidyC makes the end of a C program readable: the stack, and the beginning of its output.
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

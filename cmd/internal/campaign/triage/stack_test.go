package triage

import (
	"os"
	"path"
	"path/filepath"
	"strings"
	"testing"

	"parallax/internal"
	"parallax/internal/oracle"
)

func TestTidy(t *testing.T) {
	const recovered = `panic: on fire

goroutine 5 [running]:
runtime/debug.Stack()
	/go/src/runtime/debug/stack.go:26 +0x5e
example.com/m/plxharness/plx/worker.(*runner).panicked(0x2e, {0x52, 0x56})
	/m/plxharness/plx/worker/runner.go:114 +0x191
example.com/m/plxharness/plx/worker.(*runner).call.func1()
	/m/plxharness/plx/worker/runner.go:76 +0x3e
panic({0x523480?, 0x561688?})
	/go/src/runtime/panic.go:860 +0x13a
example.com/m.(*T).parse({0x2eb?, 0x4, 0x2e?})
	/m/parse.go:6 +0x145
example.com/m.Parse(...)
	/m/parse.go:3
main.main.func1(0x455251?, 0x2e)
	/m/plxharness/main.go:20 +0x1f
example.com/m/plxharness/plx/worker.(*runner).call(0x2e?, 0x47d81f?)
	/m/plxharness/plx/worker/runner.go:79 +0x7d
created by example.com/m/plxharness/plx/worker.serve in goroutine 1
	/m/plxharness/plx/worker/worker.go:108 +0x658
`
	const quit = `printed by a program
SIGQUIT: quit
PC=0x484dd7 m=1 sigcode=0

goroutine 0 gp=0x287 m=1 mp=0x28 [idle]:
runtime.usleep(0x2710)
	/go/src/runtime/sys_linux_amd64.s:135 +0x37 fp=0x28 sp=0x28 pc=0x48

goroutine 1 gp=0x28 m=nil [chan receive]:
runtime.gopark(0x7f, 0x30)
	/go/src/runtime/proc.go:462 +0xce fp=0x28 sp=0x28 pc=0x47
example.com/m/plxharness/plx/worker.serve({{0x28, 0x1, 0x1}})
	/m/plxharness/plx/worker/worker.go:120 +0x676 fp=0x28 sp=0x28 pc=0x4f
main.main()
	/m/plxharness/main.go:15 +0xe5 fp=0x28 sp=0x28 pc=0x50

goroutine 6 gp=0x28 m=2 mp=0x28 [running]:
example.com/m.Parse({0x28, 0x4, 0x8})
	/m/parse.go:9 +0x1 fp=0x28 sp=0x28 pc=0x50
main.main.func1(0x45, 0x28)
	/m/plxharness/main.go:20 +0x1f fp=0x28 sp=0x28 pc=0x50

goroutine 9 gp=0x28 m=nil [select]:
runtime.gopark(0x7f, 0x30)
	/go/src/runtime/proc.go:462 +0xce fp=0x28 sp=0x28 pc=0x47
example.com/m.background()
	/m/background.go:4 +0x1 fp=0x28 sp=0x28 pc=0x50
created by example.com/m.Parse in goroutine 6
	/m/parse.go:8 +0x77

goroutine 10 gp=0x28 m=nil [sleep]:
time.Sleep(0x4c4b40)
	/go/src/runtime/time.go:363 +0x165 fp=0x28 sp=0x28 pc=0x50
example.com/m/plxharness/plx/worker.(*session).settle(0x32)
	/m/plxharness/plx/worker/worker.go:339 +0x2d fp=0x28 sp=0x28 pc=0x50

rax    0x1
rip    0x484dd7
`
	tests := []struct{ name, text, want string }{
		{"recovered panic", recovered, `panic: on fire

goroutine 1 [running]:
example.com/m.(*T).parse(...)
	/m/parse.go:6
example.com/m.Parse(...)
	/m/parse.go:3
`},
		{"timeout", quit, `SIGQUIT: quit

goroutine 1 [running]:
example.com/m.Parse(...)
	/m/parse.go:9

goroutine 2 [select]:
example.com/m.background(...)
	/m/background.go:4
created by example.com/m.Parse in goroutine 1
	/m/parse.go:8
`},
		{"no trace", "bye\n", "bye\n"},
		{"nothing", "", ""},
		{"a flood", strings.Repeat("line\n", 1000), strings.Repeat("line\n", shownLines)},
	}
	for _, test := range tests {
		if got := tidy(test.text); got != test.want {
			t.Errorf("%s:\n%s\nwant\n%s", test.name, got, test.want)
		}
	}
}

// TestCalling checks the list of packages that call programs, which are known by name.
func TestCalling(t *testing.T) {
	there := map[string]bool{}
	for _, f := range internal.Files() {
		there[path.Dir(f.Path)] = true
	}
	for _, pkg := range append([]string{"worker"}, callingPackages...) {
		if !there[pkg] {
			t.Errorf("the library has no package %s", pkg)
		}
	}
}

// TestTidyError checks an error that panics when it is printed: the program's method is on the
// stack.
func TestTidyError(t *testing.T) {
	const trace = `panic: runtime error: invalid memory address or nil pointer dereference

goroutine 5 [running]:
runtime/debug.Stack()
	/go/src/runtime/debug/stack.go:26 +0x5e
example.com/m/plxharness/plx/worker.(*runner).panicked(0x2e, {0x52, 0x56})
	/m/plxharness/plx/worker/runner.go:114 +0x191
panic({0x523480?, 0x561688?})
	/go/src/runtime/panic.go:860 +0x13a
example.com/m.message.Error(...)
	/m/message.go:6
example.com/m/plxharness/plx/oracle.(*Result).Error(0x2eb, {0x4, 0x2e})
	/m/plxharness/plx/oracle/result.go:6 +0x145
example.com/m/plxharness/plx/worker.(*runner).call(0x2e?, 0x47d81f?)
	/m/plxharness/plx/worker/runner.go:79 +0x7d
`
	const want = "panic: runtime error: invalid memory address or nil pointer dereference\n\n" +
		"goroutine 1 [running]:\nexample.com/m.message.Error(...)\n\t/m/message.go:6\n"
	if got := tidy(trace); got != want {
		t.Errorf("%q\nwant %q", got, want)
	}
}

func TestTidyGolden(t *testing.T) {
	files, err := filepath.Glob("../../../../internal/oracle/testdata/golden/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatal("no golden traces: ", err)
	}
	first := func(c oracle.Crash) oracle.Frame {
		for _, f := range c.Frames {
			if !ofWorker(f.Func) {
				return f
			}
		}
		return oracle.Frame{}
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		before, after := oracle.ParseTrace(text), oracle.ParseTrace([]byte(tidy(string(text))))
		if a, b := first(before), first(after); a != b || before.Kind != after.Kind {
			t.Errorf("%s: %s at %+v, was %s at %+v\n%s", filepath.Base(file), after.Kind, b, before.Kind, a, tidy(string(text)))
		}
	}
}

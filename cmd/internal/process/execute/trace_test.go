package execute

import (
	"strings"
	"testing"
)

func TestWithoutWaiters(t *testing.T) {
	const (
		message = "fatal error: all goroutines are asleep - deadlock!"
		waiter  = "goroutine 1 [chan receive]:\nexample.com/m/plxharness/plx/worker.serve({{0x1, 0x1}})\n\t/s/worker.go:114 +0x6\nmain.main()\n\t/s/main.go:15 +0xe"
		tests   = "goroutine 1 [chan receive, 2 minutes]:\nruntime.gopark(0x7)\n\t/go/proc.go:1 +0x1\ntesting.runFuzzTests({0x1})\n\t/go/fuzz.go:9 +0x1\nmain.main()\n\t_testmain.go:9 +0x1"
		fuzz    = "goroutine 5 [chan receive]:\nexample.com/m/plxharness/plx/worker.serve({{0x1, 0x1}})\n\t/s/worker.go:114 +0x6\nexample.com/m.FuzzX(0x1)\n\t/s/f_test.go:3 +0x1"
		program = "goroutine 6 [sync.Mutex.Lock]:\nexample.com/m.F()\n\t/s/f.go:3 +0x1\ncreated by example.com/m/plxharness/plx/worker.serve in goroutine 5\n\t/s/w.go:9 +0x1\n"
		other   = "goroutine 1 [running]:\nexample.com/m.init()\n\t/s/f.go:3 +0x1"
	)
	for _, c := range []struct{ name, text, want string }{
		{"nothing", "", ""},
		{"no goroutine", "exit", "exit"},
		{"waiter first", message + "\n\n" + waiter + "\n\n" + program, message + "\n\n" + program},
		{"waiter last", message + "\n\n" + program + "\n" + waiter, message + "\n\n" + program[:len(program)-1]},
		{"waiter alone", message + "\n\n" + waiter + "\n", message + "\n\n" + waiter + "\n"},
		{"another goroutine 1", message + "\n\n" + other + "\n\n" + program, message + "\n\n" + other + "\n\n" + program},
		{"test binary", message + "\n\n" + tests + "\n\n" + fuzz + "\n\n" + program, message + "\n\n" + program},
	} {
		if got := string(withoutWaiters([]byte(c.text))); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

func TestLeftBehind(t *testing.T) {
	const (
		worker = "goroutine 6 [chan receive]:\nexample.com/m.F(0x1)\n\t/s/f.go:3 +0x1\nexample.com/m/plxharness/plx/worker.(*runner).call(0x1)\n\t/s/w.go:9 +0x1"
		other  = "goroutine 7 [running]:\nexample.com/m.F.func1()\n\t/s/f.go:5 +0x1\ncreated by example.com/m.F in goroutine 6\n\t/s/f.go:4 +0x1"
	)
	for _, c := range []struct {
		name, text string
		want       bool
	}{
		{"nothing", "", false},
		{"the program's own", "panic: it\n\n" + worker + "\n\n" + other, false},
		{"another", "panic: it\n\n" + other + "\n\n" + worker, true},
		{"another beside the library's own", "panic: it\n\n" + other + "\n\n" + strings.ReplaceAll(worker, "example.com/m/plxharness/plx/", "parallax/internal/"), true},
		{"no worker", "panic: it\n\n" + other + "\n", false},
	} {
		if got := LeftBehind([]byte(c.text)); got != c.want {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
}

func TestBrief(t *testing.T) {
	const text = "panic: no configuration\n\ngoroutine 1 [running]:\nexample.com/m.load(...)\n\t/s/f.go:3\nexample.com/m.init()\n\t/s/f.go:1 +0x1\n"
	const want = "  no configuration\n    example.com/m.load /s/f.go:3\n    example.com/m.init /s/f.go:1"
	if got := briefTrace([]byte(text)); got != want {
		t.Errorf("%q, want %q", got, want)
	}
	if got := briefTrace(nil); got != "it printed nothing" {
		t.Errorf("of nothing: %q", got)
	}
}

package triage

import (
	"testing"

	"parallax/internal/oracle"
	"parallax/internal/wire"
)

func TestInGenerator(t *testing.T) {
	const property = "example.com/m/internal/parallax/gen.(*fuzzer).run(0x1, 0x2)\n\t/m/internal/parallax/gen/fuzz.go:1\n"
	const draws = "example.com/m/internal/parallax/gen.Gen[...].Draw({0x1}, 0x2)\n\t/m/internal/parallax/gen/gen.go:1\n"
	const user = "example.com/m.f(...)\n\t/m/m.go:3\n"
	for name, c := range map[string]struct {
		result wire.RunResult
		want   bool
	}{
		"a draw":                {wire.RunResult{Stack: "panic: x\n\ngoroutine 1 [running]:\n" + user + draws + user + property}, true},
		"parallax.Generate":     {wire.RunResult{Stack: "fatal error: x\n\ngoroutine 1 [running]:\n" + user + "parallax/gen.(*T).Within(0x1)\n\t/gen/t.go:1\nparallax/gen.(*fuzzer).run(0x1)\n"}, true},
		"the property":          {wire.RunResult{Stack: "panic: x\n\ngoroutine 1 [running]:\n" + user + property}, false},
		"another goroutine":     {wire.RunResult{Stack: "panic: x\n\ngoroutine 9 [running]:\n" + user + "\ngoroutine 1 [running]:\n" + user + draws + property}, false},
		"another package gen":   {wire.RunResult{Stack: "panic: x\n\ngoroutine 1 [running]:\nexample.com/gen.Gen[...].Draw(1)\n\t/x.go:1\n" + property}, false},
		"around the property":   {wire.RunResult{Stack: "panic: x\n\ngoroutine 1 [running]:\n" + user + property + draws}, false},
		"what the library logs": {wire.RunResult{Output: "    fuzz.go:1: gen: the panic is in a generator\n", Stack: "panic: x\n\ngoroutine 1 [running]:\n" + user}, true},
		"a failure":             {wire.RunResult{Failure: true, Output: "gen: the panic is in a generator", Stack: "goroutine 1 [running]:\n" + user + draws + property}, false},
	} {
		c.result.Outcome = uint64(oracle.Crashed)
		if got := InGenerator(&c.result); got != c.want {
			t.Errorf("%s: %v", name, got)
		}
	}
	hung := wire.RunResult{Outcome: uint64(oracle.Timeout), Stack: "goroutine 1 [running]:\n" + user + draws + property}
	if InGenerator(&hung) { // its goroutine need not be the cause of a timeout
		t.Error("a timeout")
	}
}

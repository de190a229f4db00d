package triage

import (
	"strings"
	"testing"
)

// TestWithoutHarness checks that an output loses the lines of the harness and no others. It may be
// a list of files, as by testify, or a stack.
func TestWithoutHarness(t *testing.T) {
	const library = "/home/u/.cache/parallax/library/03594be0c0d4c4b8/"
	for _, test := range []struct{ name, text, want string }{
		{"nothing of it", "a\n\t/m/x.go:1\nruntime.goexit()\n\t/usr/local/go/src/runtime/asm_amd64.s:1771", "a\n\t/m/x.go:1\nruntime.goexit()\n\t/usr/local/go/src/runtime/asm_amd64.s:1771"},
		{"testify", "\tError Trace:\t/m/x_test.go:18\n\t    \t" + library + "fuzzfunc/fuzzfunc.go:185\n\t    \t" + library + "worker/run.go:39\n" +
			"\t    \t/usr/local/go/src/runtime/asm_amd64.s:1771\n\tError:\tNot equal", "\tError Trace:\t/m/x_test.go:18\n\tError:\tNot equal"},
		{"testify in a version", "\tError Trace:\t/home/u/.cache/parallax/tree/03594be0c0d4c4b8/files/x_test.go:18\n\t    \t/usr/local/go/src/reflect/value.go:586\n\t    \t/usr/local/go/src/reflect/value.go:369\n\t    \t" +
			library + "fuzzfunc/fuzzfunc.go:185\n\tError:\tNot equal", "\tError Trace:\tx_test.go:18\n\tError:\tNot equal"},
		{"a stack", "goroutine 1 [running]:\nm.f()\n\t/m/x.go:3 +0x1b\nexample.com/plx/worker.(*runner).call(0x1)\n\t" + library + "worker/runner.go:94 +0x1b\n" +
			"runtime.goexit({})\n\t/usr/local/go/src/runtime/asm_amd64.s:1771 +0x1\nend", "goroutine 1 [running]:\nm.f()\n\t/m/x.go:3 +0x1b\nend"},
		{"in a sentence", "called at " + library + "worker/run.go:39, which is bad", "called at parallax/internal/worker/run.go:39, which is bad"},
		{"another's library", "\t/src/parallax/library/readme.go:1", "\t/src/parallax/library/readme.go:1"},
	} {
		got := withoutHarness(test.text)
		if got != test.want {
			t.Errorf("%s:\n%s\nwant\n%s", test.name, got, test.want)
		}
		if again := withoutHarness(got); again != got || strings.Contains(got, ".cache") {
			t.Errorf("%s: then %s", test.name, again)
		}
	}
}

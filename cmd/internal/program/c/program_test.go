package c

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"parallax/cmd/internal/base/limits"
	"parallax/internal/feature"
	"parallax/internal/oracle"
)

// speaking is a harness whose answers are compared, for batches of all sizes.
const speaking = head + `
int LLVMFuzzerTestOneInput(const uint8_t *d, size_t n) {
  if (n == 0) return -1;
  switch (d[0]) {
  case 'a': parallax_output(d + 1, n - 1); parallax_output("!", 1); return 0;
  case 'r': return 7;
  case 'w': parallax_output("partly", 6); parallax_reject("no 'w' here"); return 0;
  case 'l': { volatile int x = 0; for (int i = 0; i < (int)n * 100; i++) x += i; return 0; }
  }
  return 0;
}`

func TestAnswers(t *testing.T) {
	for _, build := range []string{"", "operands", "sanitize"} {
		g := open(t, Config{Path: harness(t, speaking, build)})
		for _, n := range []int{1, 3, 255, 256, 257, 1000} {
			var inputs []string
			for i := range n {
				inputs = append(inputs, []string{"", "a" + fmt.Sprint(i), "r", "w", "x"}[i%5])
			}
			for i, r := range try(t, g, inputs...) {
				want := []Result{
					{Outcome: oracle.Declined, Code: -1}, {Outcome: oracle.Accepted, Output: []byte(fmt.Sprint(i, "!")[:len(fmt.Sprint(i))] + "!")},
					{Outcome: oracle.Rejected, Code: 7}, {Outcome: oracle.Rejected, Message: "no 'w' here", Output: []byte("partly")}, {Outcome: oracle.Accepted},
				}[i%5]
				if r.Outcome != want.Outcome || r.Code != want.Code || r.Message != want.Message || string(r.Output) != string(want.Output) || r.End != nil {
					t.Fatalf("%s build, batch of %d: input %d %q: %+v", build, n, i, inputs[i], r)
				}
			}
		}
	}
}

// TestDeclines checks that an input that a version of a harness declines is rejected.
func TestDeclines(t *testing.T) {
	g := open(t, Config{Path: harness(t, speaking, ""), Declines: true})
	for i, r := range try(t, g, "", "a", "r") {
		if want := []oracle.Outcome{oracle.Rejected, oracle.Accepted, oracle.Rejected}[i]; r.Outcome != want {
			t.Errorf("input %d: %v, want %v", i, r.Outcome, want)
		}
	}
}

// TestTraces checks that traces repeat, differ for different executions, and so do their hashes.
func TestTraces(t *testing.T) {
	for _, build := range []string{"", "operands"} {
		g := open(t, Config{Path: harness(t, speaking, build), Order: build == "operands"})
		var a, b, l, m feature.Trace
		results := try(t, g, "a1", "a2", "r", "l", "ll", "a1")
		first := results[0]
		if !first.Told || first.Blocks == 0 || first.Set != results[1].Set || first.Set != results[5].Set || first.Counts != results[5].Counts || first.Length != results[5].Length {
			t.Errorf("%s: the same run is told differently: %+v %+v", build, first, results[5])
		}
		if first.exact() == 0 || first.exact() != results[5].exact() || results[3].exact() == results[4].exact() || (&Result{}).exact() != 0 {
			t.Errorf("%s: identities %x %x, of another loop %x %x", build, first.exact(), results[5].exact(), results[3].exact(), results[4].exact())
		}
		if first.Set == results[2].Set {
			t.Errorf("%s: another path has the same set", build)
		}
		results[0].Trace(&a, 100)
		results[2].Trace(&b, 100)
		results[3].Trace(&l, 0)
		results[4].Trace(&m, 0)
		if len(a.Hits) != first.Blocks || slices.Equal(a.Hits, b.Hits) || !slices.IsSorted(a.Hits) || int(slices.Max(a.Hits)) >= 100+g.Counters() || slices.Min(a.Hits) < 100 {
			t.Errorf("%s: hits %v and %v of %d", build, a.Hits, b.Hits, first.Blocks)
		}
		if !slices.Equal(l.Hits, m.Hits) || results[3].Set != results[4].Set {
			t.Errorf("%s: a longer loop has other blocks", build)
		}
		if build == "operands" {
			if results[4].Length != results[3].Length+100 {
				t.Errorf("paths of %d and %d blocks: a loop of 100 more", results[3].Length, results[4].Length)
			}
			order := slices.Clone(a.First)
			slices.Sort(order)
			if !slices.Equal(order, a.Hits) {
				t.Errorf("order %v of hits %v", a.First, a.Hits)
			}
			if first.Counts == 0 {
				t.Error("no hash of counts")
			}
		}
	}
}

// TestSameNumbers checks that the fast and the cmplog build number blocks alike, so that both use
// one table.
func TestSameNumbers(t *testing.T) {
	fast, ops := open(t, Config{Path: harness(t, speaking, "")}), open(t, Config{Path: harness(t, speaking, "operands")})
	if fast.Counters() != ops.Counters() {
		t.Fatalf("%d counters and %d", fast.Counters(), ops.Counters())
	}
	for _, in := range []string{"", "a", "r", "w", "l", "lll", "?"} {
		var a, b feature.Trace
		x, y := try(t, fast, in), try(t, ops, in)
		x[0].Trace(&a, 0)
		y[0].Trace(&b, 0)
		if !slices.Equal(a.Hits, b.Hits) {
			t.Errorf("%q: %v and %v", in, a.Hits, b.Hits)
		}
	}
}

// ending is a harness that ends in various ways in the middle of a batch. Other inputs keep their
// answers.
const ending = head + `
static char *volatile held; /* what is not held is never allocated */
static void *runs(void *x) { usleep(1000); abort(); return x; }
static int deep(volatile int n) { char b[4096]; b[n % 4096] = 1; return n ? deep(n + 1) + b[n % 4096] : 0; }
int LLVMFuzzerInitialize(int *argc, char ***argv) { return 0; }
int LLVMFuzzerTestOneInput(const uint8_t *d, size_t n) {
  volatile int zero = 0;
  if (is(d, n, "abort")) abort();
  if (is(d, n, "null")) *(volatile int *)0 = 1;
  if (is(d, n, "exit0")) exit(0);
  if (is(d, n, "exit3")) exit(3);
  if (is(d, n, "_exit")) _exit(5);
  if (is(d, n, "deep")) return deep(1) & 1;
  if (is(d, n, "divide")) return 7 / zero;
  if (is(d, n, "loop")) for (;;) zero = 0;
  if (is(d, n, "sleep")) pause();
  if (is(d, n, "hog")) for (;;) { char *p = malloc(1 << 20); held = memset(p, 1, 1 << 20); }
  if (is(d, n, "over")) return ((volatile const uint8_t *)d)[n];
  if (is(d, n, "kill")) kill(getpid(), SIGKILL);
  if (is(d, n, "term")) raise(SIGTERM);
  if (is(d, n, "fork")) { if (fork() == 0) return 0; wait(0); }
  if (is(d, n, "forkcrash")) { if (fork() == 0) abort(); wait(0); }
  if (is(d, n, "close")) for (int i = 0; i < 1000; i++) close(i);
  if (is(d, n, "print")) { printf("hello\n"); fflush(stdout); fprintf(stderr, "noise\n"); }
  if (is(d, n, "jump")) { jmp_buf b; if (!setjmp(b)) longjmp(b, 1); }
  if (is(d, n, "leave")) pthread_exit(0);
  if (is(d, n, "thread")) { pthread_t t; pthread_create(&t, 0, runs, 0); pthread_join(t, 0); }
  return 0;
}`

func TestEnds(t *testing.T) {
	limits := limits.Limits{Timeout: time.Minute, Memory: 128 << 20, Output: 1 << 20, Processes: 16}
	short := limits // for inputs that never end; on a busy machine others may take longer
	short.Timeout = 300 * time.Millisecond
	path := harness(t, ending, "", "-pthread")
	patient, hasty := open(t, Config{Path: path, Limits: limits}), open(t, Config{Path: path, Limits: short})
	for _, test := range []struct {
		in      string
		outcome oracle.Outcome
		message string
	}{
		{"abort", oracle.Crashed, "signal: aborted"},
		{"null", oracle.Crashed, "signal: segmentation fault (a null pointer)"},
		{"exit0", oracle.Crashed, "the program ended its process: exit status 0"},
		{"exit3", oracle.Crashed, "the program ended its process: exit status 3"},
		{"_exit", oracle.Crashed, "the program ended its process: exit status 5"},
		{"deep", oracle.Crashed, "signal: segmentation fault"},
		{"divide", oracle.Crashed, "signal: floating point exception"},
		{"loop", oracle.Timeout, "still running after 300ms"},
		{"sleep", oracle.Timeout, "still running after 300ms"},
		{"hog", oracle.OOM, "more than 128 MiB in use"},
		{"over", oracle.Crashed, "signal: segmentation fault"},
		{"kill", oracle.Crashed, "signal: killed"},
		{"term", oracle.Crashed, "signal: terminated"},
		{"thread", oracle.Crashed, "signal: aborted"},
		{"leave", oracle.Crashed, "the program ended the main thread"},
		{"fork", oracle.Accepted, ""},
		{"forkcrash", oracle.Accepted, ""},
		{"close", oracle.Accepted, ""},
		{"print", oracle.Accepted, ""},
		{"jump", oracle.Accepted, ""},
	} {
		g := patient
		if test.outcome == oracle.Timeout {
			g = hasty
		}
		for round, inputs := range [][]string{{test.in}, {"x", "y", test.in, "z"}, {test.in, test.in, "z"}} {
			for i, r := range try(t, g, inputs...) {
				outcome, message := oracle.Accepted, ""
				if inputs[i] == test.in {
					outcome, message = test.outcome, test.message
				}
				if r.Outcome != outcome || r.Message != message || (r.End != nil) != (outcome >= oracle.Crashed) {
					t.Errorf("%s, round %d, input %d: %v %q, want %v %q", test.in, round, i, r.Outcome, r.Message, outcome, message)
				}
				if inputs[i] == "sleep" && (r.End == nil || len(r.End.Frames) == 0) {
					t.Error("nobody says where it sleeps")
				}
				if r.Told && r.Blocks == 0 && test.message != "signal: killed" && r.Outcome == oracle.Crashed && strings.HasPrefix(test.message, "signal: s") {
					t.Errorf("%s: nothing is known of what it executed", test.in)
				}
			}
		}
	}
}

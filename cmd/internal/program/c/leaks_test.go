package c

import (
	"fmt"
	"strings"
	"testing"

	"parallax/cmd/internal/program"
	"parallax/internal/oracle"
)

// TestLeaks checks that a batch has one leak check, and its leaking inputs are found whatever else
// it contains.
func TestLeaks(t *testing.T) {
	const source = head + `
static void *kept[1 << 16];
static int n_kept;
static void *volatile lost;
int LLVMFuzzerTestOneInput(const uint8_t *d, size_t n) {
  if (is(d, n, "leak")) { lost = malloc(10); lost = 0; }
  if (is(d, n, "over")) return ((volatile const uint8_t *)d)[n];
  if (n_kept < 1 << 16) kept[n_kept++] = malloc(3); /* all inputs keep memory, as with a cache */
  return 0;
}`
	path := harness(t, source, "sanitize")
	g := open(t, Config{Path: path, Build: "sanitize", Leaks: true})
	var harmless []string
	for i := range 100 {
		harmless = append(harmless, fmt.Sprint(i))
	}
	for range 3 {
		try(t, g, harmless...)
	}
	if g.leakChecks != 3 || g.starts != 1 {
		t.Errorf("%d looks in three batches, %d processes", g.leakChecks, g.starts)
	}
	for _, inputs := range [][]string{
		{"leak"},
		{"a", "leak", "b"},
		{"leak", "leak"},
		{"a", "leak", "b", "over", "leak", "c"},
		{"leak", "over"},
		append(append(append([]string{}, harmless...), "leak", "over"), harmless...),
	} {
		g := open(t, Config{Path: path, Build: "sanitize", Leaks: true})
		for i, r := range try(t, g, inputs...) {
			want := map[string]string{"leak": "LeakSanitizer: detected memory leaks", "over": "AddressSanitizer: heap-buffer-overflow"}[inputs[i]]
			if r.Message != want || (want != "") != (r.End != nil) {
				t.Errorf("%d inputs, %d, %q: %q, want %q", len(inputs), i, inputs[i], r.Message, want)
			}
		}
		if len(inputs) > 100 && g.leakChecks > 300 {
			t.Errorf("%d looks for %d inputs", g.leakChecks, len(inputs))
		}
	}
}

// TestLeakTogether checks that a leak that no input shows alone is no finding, and the search for
// it ends.
func TestLeakTogether(t *testing.T) {
	const source = head + `
static void *ring[4];
int LLVMFuzzerTestOneInput(const uint8_t *d, size_t n) {
  static int i;
  ring[i++ % 4] = malloc(10);
  return 0;
}`
	g := open(t, Config{Path: harness(t, source, "sanitize"), Build: "sanitize", Leaks: true})
	for range 20 {
		for i, r := range try(t, g, "a", "b", "c", "d", "e", "f") {
			if r.End != nil {
				t.Fatalf("input %d: %s", i, r.Message)
			}
		}
	}
	if g.starts > 2+maxJoint*6 { // the first; two halves and four parts of these each time; the last, without a check
		t.Errorf("%d processes", g.starts)
	}
	if notes := strings.Join(g.Notes(), "\n"); !strings.Contains(notes, "no input leaks alone") {
		t.Errorf("notes: %s", notes)
	}
}

// TestLeakCheckEnds checks that a process that ends during a leak check is no finding, and is not
// repeated without end. Its suspects run in smaller parts.
func TestLeakCheckEnds(t *testing.T) {
	// These functions replace the sanitizer's.
	const source = head + `
static void (*allocated)(const volatile void *, size_t);
int __sanitizer_install_malloc_and_free_hooks(void (*m)(const volatile void *, size_t), void (*f)(const volatile void *)) { allocated = m; return 1; }
static int n_kept;
int __lsan_do_recoverable_leak_check(void) { if (n_kept > 2) kill(getpid(), SIGKILL); return 0; }
int LLVMFuzzerTestOneInput(const uint8_t *d, size_t n) { n_kept++; allocated(d, n); return 0; }`
	g := open(t, Config{Path: harness(t, source, ""), Leaks: true})
	for i, r := range try(t, g, "a", "b", "c", "d", "e", "f", "g") {
		if r.End != nil || r.Outcome != oracle.Accepted {
			t.Errorf("input %d: %v %s", i, r.Outcome, r.Message)
		}
	}
	if g.starts > 20 {
		t.Errorf("%d processes", g.starts)
	}
}

// TestShareOfSanitizers checks that however many inputs end the build with sanitizers or need a
// leak check, its share in blocks holds. The first ones are free.
func TestShareOfSanitizers(t *testing.T) {
	const source = head + `
static volatile int most = 2147483647;
static void *kept[1 << 20];
static volatile int used;
int LLVMFuzzerTestOneInput(const uint8_t *d, size_t n) {
  static int i;
  if (i < 1 << 20) kept[i++] = malloc(3);
  int bits = 0;
  for (size_t k = 0; k < 1000; k++) bits += d[k % n] & 1;
  if (d[0] & 1) bits ^= 1; /* 1 << 16 sets of blocks */
  if (d[0] & 2) bits ^= 2;
  if (d[0] & 4) bits ^= 3;
  if (d[0] & 8) bits ^= 4;
  if (d[0] & 16) bits ^= 5;
  if (d[0] & 32) bits ^= 6;
  if (d[0] & 64) bits ^= 7;
  if (d[0] & 128) bits ^= 8;
  if (d[1] & 1) bits ^= 9;
  if (d[1] & 2) bits ^= 10;
  if (d[1] & 4) bits ^= 11;
  if (d[1] & 8) bits ^= 12;
  if (d[1] & 16) bits ^= 13;
  if (d[1] & 32) bits ^= 14;
  if (d[1] & 64) bits ^= 15;
  if (d[1] & 128) bits ^= 16;
  used = bits;
  if (d[1] & 1) return 1;
  return most + (int)n > 0 ? 0 : 3;
}`
	n := &Variants{Config: Config{Path: harness(t, source, "")}, Sanitize: harness(t, source, "sanitize")}
	n.complete(t)
	g, err := openBuild(t.Context(), "p", n)
	if err != nil {
		t.Fatal(err)
	}
	defer g.Close()
	executed, ended := uint64(0), 0
	answers := make([]program.Observation, Batch)
	for round := range 80 {
		var flats [][]byte
		for i := range Batch {
			flats = append(flats, []byte{byte(i), byte(round), byte(i ^ round)})
		}
		if err := g.Execute(t.Context(), flats, answers); err != nil {
			t.Fatal(err)
		}
		for i := range flats {
			executed += g.results[i].Length
			if answers[i].Outcome == oracle.Crashed {
				ended++
			}
		}
	}
	if ended == 0 {
		t.Error("no end is seen")
	}
	starts, looks := g.sanitizerCost()
	cost := int64(starts)*endCost + int64(looks)*leakCheckCost
	if most := maxFree + int64(executed) + Batch*(endCost+leakCheckCost); cost > most {
		t.Errorf("%d processes and %d looks, after %d blocks", starts, looks, executed)
	}
	t.Logf("%d processes, %d looks, %d ends, %d blocks", starts, looks, ended, executed)
}

package c

import (
	"strings"
	"testing"
	"time"

	"parallax/cmd/internal/base/limits"
	"parallax/internal/oracle"
)

// spoiling overwrites the shared memory, in another way for each kind of input, and then ends or
// hangs.
const spoiling = `
#include <linux/futex.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { REQUEST = 2, RESPONSE, COUNT, CURRENT, KIND, FLAGS, PHASE };

static uint32_t *shared(void) {
  char line[512];
  FILE *f = fopen("/proc/self/maps", "r");
  while (f && fgets(line, sizeof line, f))
    if (strstr(line, "memfd:parallax")) return (uint32_t *)strtoul(line, 0, 16);
  return 0;
}

static void answer(uint32_t *h) {
  h[RESPONSE] = h[REQUEST];
  syscall(SYS_futex, &h[RESPONSE], FUTEX_WAKE, 1, 0, 0, 0);
  usleep(50000);
}

int LLVMFuzzerTestOneInput(const uint8_t *d, size_t n) {
  if (n != 2 || d[0] != 'x') return n ? d[0] : 0;
  uint32_t *h = shared();
  switch (d[1]) {
  case 'r': h[PHASE] = 1; break;               /* ready: no input is under way */
  case 's': h[PHASE] = 77; break;
  case 'm': h[CURRENT] = 1000000; break;       /* all of the batch is done */
  case 'n': h[CURRENT] = h[COUNT]; break;
  case 'b': h[CURRENT] = 0; break;
  case 'f': memset(h + REQUEST, 0xff, 1 << 16); break;
  case 'z': memset(h + REQUEST, 0, 1 << 16); break;
  case 'a': answer(h); break;
  case 'A': answer(h); return 0;
  case 'F': memset(h + REQUEST, 0xff, 1 << 16); return 0;
  case 'Z': memset(h + REQUEST, 0, 1 << 16); return 0;
  case 'R': h[REQUEST] += 1000; return 0;
  case 'G': h[COUNT] = h[FLAGS] = 0xffffffff; return 0;
  case 'S': h[1704 / 4 + 1] = 1; memset(&h[1712 / 4], 1, 256); return 0; /* a leak, and all are suspects */
  case 'K': memset(&h[1712 / 4], 1, 256); break;
  case 'c': for (;;) h[CURRENT]++;             /* goes on for ever, by its own account */
  }
  kill(getpid(), SIGKILL);
  return 0;
}`

// TestSpoiledMemory checks that only the responsible input fails if a program overwrites shared
// memory. An input that writes and returns need not fail. The number of processes is bounded.
func TestSpoiledMemory(t *testing.T) {
	if testing.Short() {
		t.Skip("builds a harness three times, and fails in 16 ways")
	}
	for _, build := range []string{"", "operands", "sanitize"} {
		c := Config{
			Path: harness(t, spoiling, build), Build: build, Order: build == "operands", Leaks: build == "sanitize",
			Limits: limits.Limits{Timeout: 100 * time.Millisecond, Memory: 128 << 20, Output: 1 << 20},
		}
		if build == "sanitize" {
			c.Limits.Memory, c.Limits.Timeout = sanitizedMemory*c.Limits.Memory, sanitizedTime*c.Limits.Timeout
		}
		for _, way := range []string{"xr", "xs", "xm", "xn", "xb", "xf", "xz", "xa", "xA", "xc", "xF", "xZ", "xR", "xG", "xS", "xK"} {
			t.Run(build+"/"+way, func(t *testing.T) {
				g := open(t, c)
				goesOn := strings.Contains("xF xZ xR xG xS", way)
				inputs := []string{"a", "b", way, "c", "d", "a", "b"}
				for range 2 {
					for i, r := range try(t, g, inputs...) {
						failed := r.Outcome == oracle.Crashed || r.Outcome == oracle.Timeout || r.Lost > 0
						if i != 2 && failed || i == 2 && !failed && !goesOn || i != 2 && r.Code != int32(inputs[i][0]) {
							t.Errorf("input %d: %v %d %q", i, r.Outcome, r.Code, r.Message)
						}
						if failed && r.Lost == 0 && (r.End == nil || r.Message == "") {
							t.Errorf("input %d: %v %q", i, r.Outcome, r.Message)
						}
					}
				}
				if r := try(t, g, way)[0]; r.End == nil && !goesOn {
					t.Errorf("alone: %v %q", r.Outcome, r.Message)
				}
				if most := 2*(2+maxBarren+4*len(inputs)) + 2 + maxBarren; g.starts > most {
					t.Errorf("%d processes, want at most %d", g.starts, most)
				}
				if build != "operands" {
					return
				}
				for _, in := range []string{way, "a", way, "b"} {
					if _, err := g.Comparisons(t.Context(), []byte(in)); err != nil {
						t.Error(err)
					}
				}
				if r := try(t, g, "a")[0]; r.End != nil {
					t.Errorf("after it: %v %q", r.Outcome, r.Message)
				}
			})
		}
	}
}

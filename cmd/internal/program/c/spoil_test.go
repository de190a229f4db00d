package c

import (
	"testing"
	"time"

	"parallax/cmd/internal/program"
	"parallax/internal/oracle"
)

// A program that writes over the memory that it shares, each kind of input in another way, and then ends or hangs.
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
  if (n != 2 || d[0] != 'x') return 0;
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
  case 'c': for (;;) h[CURRENT]++;             /* goes on for ever, by its own account */
  }
  kill(getpid(), SIGKILL);
  return 0;
}`

// Whatever a program writes there, the input that did it is the one that fails, and no other.
func TestSpoiledMemory(t *testing.T) {
	c := Config{Path: harness(t, spoiling, ""), Limits: program.Limits{Timeout: 100 * time.Millisecond, Memory: 128 << 20, Output: 1 << 20}}
	for _, way := range []string{"xr", "xs", "xm", "xn", "xb", "xf", "xz", "xa", "xA", "xc"} {
		t.Run(way, func(t *testing.T) {
			g := open(t, c)
			for i, r := range try(t, g, "a", "b", way, "c", "d") {
				failed := r.Outcome == oracle.Crashed || r.Outcome == oracle.Timeout
				if failed != (i == 2) || failed && (r.End == nil || r.Message == "") {
					t.Errorf("input %d: %v %q", i, r.Outcome, r.Message)
				}
			}
			if r := try(t, g, way)[0]; r.End == nil {
				t.Errorf("alone: %v %q", r.Outcome, r.Message)
			}
		})
	}
}

package c

import (
	"testing"
	"time"

	"parallax/cmd/internal/base/limits"
	"parallax/internal/oracle"
)

// lingering has a thread that outlives its input and ends the process between inputs.
const lingering = `
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void *later(void *how) {
  usleep(50000);
  if (how) exit(0);
  abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *d, size_t n) {
  pthread_t t;
  if (n == 5 && !memcmp(d, "abort", 5)) pthread_create(&t, 0, later, 0);
  if (n == 4 && !memcmp(d, "exit", 4)) pthread_create(&t, 0, later, &t);
  return n > 5;
}`

// TestEndsBetweenBatches checks that inputs of the next batch are not affected.
func TestEndsBetweenBatches(t *testing.T) {
	g := open(t, Config{Path: harness(t, lingering, "", "-pthread"), Limits: limits.Limits{Timeout: time.Second, Memory: 128 << 20, Output: 1 << 20}})
	for _, how := range []string{"abort", "exit"} {
		try(t, g, how, "x")
		<-g.p.ended
		for i, r := range try(t, g, "aa", "longer", "c") {
			want := oracle.Accepted
			if i == 1 {
				want = oracle.Rejected
			}
			if r.Outcome != want || r.End != nil {
				t.Errorf("after %s, input %d: %v %q, want %v", how, i, r.Outcome, r.Message, want)
			}
		}
	}
}

// TestSealed checks that a program that truncates its standard input, the shared memory, harms only
// itself.
func TestSealed(t *testing.T) {
	const cutting = `
#include <stddef.h>
#include <stdint.h>
#include <unistd.h>
static int failed;
__attribute__((constructor)) static void cut(void) { failed = ftruncate(0, 0); }
int LLVMFuzzerTestOneInput(const uint8_t *d, size_t n) { return failed ? 0 : 7; }`
	g := open(t, Config{Path: harness(t, cutting, ""), Limits: limits.Limits{Timeout: time.Second, Memory: 128 << 20, Output: 1 << 20}})
	if r := try(t, g, "a")[0]; r.Outcome != oracle.Accepted {
		t.Errorf("%v %q", r.Outcome, r.Message)
	}
}

func TestMappings(t *testing.T) {
	m, err := newMemory(64, 64)
	if err != nil {
		t.Fatal(err)
	}
	defer m.close()
	const text = "55e0-55f0 r-xp 00001000 fe:00 1234                       /a folder/with (parens)\n7fff-8fff rw-p 00000000 00:00 0    [stack]\n"
	copy(m.b[mapsAt:], text)
	m.put64(atMapsLen, uint64(len(text)))
	got := m.mappings()
	if len(got) != 1 || got[0].file != "/a folder/with (parens)" || got[0].from != 0x55e0 || got[0].off != 0x1000 {
		t.Errorf("%+v", got)
	}
	found := ReportFrame().FindStringSubmatch("    #3 0x55d0 in f (/a folder/with (parens)+0x5e) (BuildId: 12ab)")
	if len(found) != 4 || found[2] != "/a folder/with (parens)" || found[3] != "5e" {
		t.Errorf("%q", found)
	}
}

package main_test

import (
	"os/exec"
	"testing"
)

// Two C programs that take their time, and one that is wrong.
const slowHarness = `
#include <parallax.h>
#include <string.h>
#include <unistd.h>
int LLVMFuzzerTestOneInput(const uint8_t *d, size_t n) {
  usleep(2000);
  if (n == 0 || d[0] == 'x') return 1;
  if (n > WRONG && d[n - 1] == d[0]) return 2;
  parallax_output(d, 1);
  return 0;
}
`

const slowHarnesses = `version = 1
[input]
seeds = "seeds"
[[program]]
name = "right"
kind = "c"
binary = "right"
[[program]]
name = "wrong"
kind = "c"
binary = "wrong"
`

// TestKilledNative checks that C programs are killed with parallax, and that nothing that was
// announced is lost.
func TestKilledNative(t *testing.T) {
	if testing.Short() {
		t.Skip("builds and runs campaigns")
	}
	t.Parallel()
	p := newTool(t).programs(t, map[string]string{
		"slow.c": slowHarness, "parallax.toml": slowHarnesses, "seeds/1": "abc", "seeds/2": "a b", "seeds/3": "x1",
	})
	for name, wrong := range map[string]string{"right": "1000000", "wrong": "2"} {
		cmd := exec.Command(p.path, "cc", "-O1", "-DWRONG="+wrong, "slow.c", "-o", name)
		cmd.Dir, cmd.Env = p.dir, p.env
		if said, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%v: %v\n%s", cmd, err, said)
		}
	}
	p.survive(t)
}

package c

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestReproducerLeaks checks that a user's own build with AddressSanitizer reports no leak of the
// reproducer's main, and reports those of the harness.
func TestReproducerLeaks(t *testing.T) {
	clang, err := exec.LookPath("clang-19")
	if err != nil {
		t.Fatal("this test needs clang-19: sudo apt-get install clang-19 libclang-rt-19-dev")
	}
	dir := t.TempDir()
	path := func(name string) string { return filepath.Join(dir, name) }
	for name, text := range map[string]string{
		reproducerMain: harnessMain,
		"h.c": `#include <stdint.h>
#include <stdlib.h>
static void *volatile lost;
int LLVMFuzzerTestOneInput(const uint8_t *d, size_t n) {
  if (n > 0 && d[0] == 'l') { lost = malloc(10); lost = 0; }
  return n > 0 && d[0] == 'r';
}`,
		"#": "#", "r": "r", "l": "l", "none": "",
	} {
		if err := os.WriteFile(path(name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if out, err := exec.Command(clang, "-g", "-O1", "-fsanitize=address", path("h.c"), path(reproducerMain), "-o", path("h")).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for input, want := range map[string]string{"#": "accepted", "r": "rejected", "none": "accepted", "l": "LeakSanitizer"} {
		out, _ := exec.Command(path("h"), path(input)).CombinedOutput()
		if !strings.Contains(string(out), want) || strings.Contains(string(out), "LeakSanitizer") != (input == "l") {
			t.Errorf("%q: want %s\n%s", input, want, out)
		}
	}
}

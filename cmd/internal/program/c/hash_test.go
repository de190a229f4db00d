package c

import (
	"encoding/binary"
	"fmt"
	"math/bits"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"parallax/internal/feature"
)

// digester prints the runtime's hashes of the counters on standard input, 24 for each run.
const digester = `
#include <stdio.h>
#include "counters.c"

static unsigned char counters[24], memory[1 << 16];

int main(void) {
  struct plx_header *h = (struct plx_header *)memory;
  plx_memory = h;
  h->hits_off = 1 << 15, h->hits_size = 1 << 12;
  __sanitizer_cov_8bit_counters_init((char *)counters, (char *)counters + sizeof counters);
  plx_freeze();
  for (struct plx_slot s = {0}; fread(counters, sizeof counters, 1, stdin) == 1;) {
    plx_begin_hits();
    plx_digest(&s);
    fwrite(&s, sizeof s, 1, stdout);
    fwrite(memory + h->hits_off, 36, 1, stdout);
  }
}
`

// TestHashesDistinct checks that the hashes of C programs distinguish all small sets of blocks,
// their execution counts, and their order.
func TestHashesDistinct(t *testing.T) {
	clang, err := exec.LookPath("clang-19")
	if err != nil {
		t.Fatal("this test needs clang-19: sudo apt-get install clang-19")
	}
	dir := t.TempDir()
	source, binary := filepath.Join(dir, "digester.c"), filepath.Join(dir, "digester")
	if err := os.WriteFile(source, []byte(digester), 0o644); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command(clang, "-O2", "-Wall", "-Werror", "-I", runtimeDir, source, "-o", binary).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	var runs [][24]byte
	for mask := 1; mask < 1<<14; mask++ { // sets across the border of two words
		var run [24]byte
		for m := mask; m != 0; m &= m - 1 {
			run[2+bits.TrailingZeros(uint(m))] = 1
		}
		runs = append(runs, run)
	}
	for n := 1; n < 1<<12; n++ { // counts at all places of words
		var run [24]byte
		for i, place := range []int{0, 1, 7, 8, 15, 23} {
			run[place] = []byte{0, 1, 2, 255}[n>>(2*i)&3]
		}
		runs = append(runs, run)
	}
	sets, counts, exact := map[uint64]string{}, map[uint64]string{}, map[uint64]string{}
	distinct := func(what string, seen map[uint64]string, hash uint64, name string) {
		t.Helper()
		if other, ok := seen[hash]; ok && other != name {
			t.Fatalf("%s: %s and %s have the hash %x", what, other, name, hash)
		}
		seen[hash] = name
	}
	for i, s := range digest(t, binary, runs) {
		var set [24]bool
		var buckets [24]byte
		for k, n := range runs[i] {
			set[k], buckets[k] = n > 0, feature.Bucket[n]
		}
		distinct("sets", sets, s.Set, fmt.Sprint(set))
		distinct("counts", counts, s.Counts, fmt.Sprint(buckets))
		distinct("exact counts", exact, s.exact(), fmt.Sprint(runs[i]))
	}
	orders := map[uint64]string{}
	var extend func(path []byte)
	extend = func(path []byte) {
		r := Result{counters: 5}
		for _, id := range path {
			r.order = append(r.order, id, 0, 0, 0)
		}
		var tr feature.Trace
		r.Trace(&tr, 7)
		distinct("orders", orders, tr.Order, fmt.Sprint(path))
		for id := byte(0); id < 5 && len(path) < 5; id++ {
			extend(append(path[:len(path):len(path)], id))
		}
	}
	extend(nil)
}

// digest makes the runtime hash the counters of runs.
func digest(t *testing.T, path string, runs [][24]byte) (results []Result) {
	t.Helper()
	cmd := exec.Command(path)
	in := make([]byte, 0, 24*len(runs))
	for _, run := range runs {
		in = append(in, run[:]...)
	}
	file := filepath.Join(t.TempDir(), "runs")
	if err := os.WriteFile(file, in, 0o644); err != nil {
		t.Fatal(err)
	}
	stdin, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer stdin.Close()
	cmd.Stdin = stdin
	out, err := cmd.Output()
	if err != nil || len(out) != len(runs)*(slotSize+36) {
		t.Fatalf("%d bytes, %v", len(out), err)
	}
	for ; len(out) > 0; out = out[slotSize+36:] {
		u64 := func(at int) uint64 { return binary.LittleEndian.Uint64(out[at:]) }
		words := binary.LittleEndian.Uint32(out[60:])
		results = append(results, Result{
			Length: u64(24), Set: setHash(u64(32), u64(40)), Counts: u64(48), Told: true, hits: out[slotSize : slotSize+12*int(words)],
		})
	}
	return results
}

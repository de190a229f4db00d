package repair_test

import (
	"bytes"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"examples/x509/goverify"
	"examples/x509/repair"
)

// mutant changes, puts in or takes out some bytes.
func mutant(r *rand.Rand, seed []byte) []byte {
	b := bytes.Clone(seed)
	for range 1 + r.IntN(2) {
		at := r.IntN(len(b) + 1)
		switch r.IntN(3) {
		case 0:
			b[max(0, at-1)] ^= byte(1 << r.IntN(8))
		case 1:
			b = slices.Insert(b, at, bytes.Repeat([]byte{byte(r.Uint32())}, 1+r.IntN(4))...)
		case 2:
			b = slices.Delete(b, at, min(len(b), at+1+r.IntN(4)))
		}
	}
	return b
}

// TestRepairOfMutants checks that more mutants of good chains pass reading and signatures when they
// are repaired. Repaired mutants stay as they are.
func TestRepairOfMutants(t *testing.T) {
	names, err := filepath.Glob("../control/good-*.der")
	if err != nil || len(names) == 0 {
		t.Fatal(names, err)
	}
	var seeds [][]byte
	for _, name := range names {
		seed, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if goverify.Verify(seed) != nil || !bytes.Equal(repair.Repair(bytes.Clone(seed)), seed) {
			t.Fatal(name, "is not good, or changed by a repair")
		}
		seeds = append(seeds, seed)
	}
	r := rand.New(rand.NewPCG(1, 2))
	past := func(err error) bool {
		return err == nil || !strings.HasPrefix(err.Error(), "parse") && !strings.HasPrefix(err.Error(), "frame") &&
			!strings.HasPrefix(err.Error(), "signature")
	}
	var raw, signed, repaired int
	const n = 1500
	for range n {
		m := mutant(r, seeds[r.IntN(len(seeds))])
		if past(goverify.Verify(m)) {
			raw++
		}
		if past(goverify.Verify(repair.Signatures(bytes.Clone(m)))) {
			signed++
		}
		once := repair.Repair(bytes.Clone(m))
		if past(goverify.Verify(once)) {
			repaired++
		}
		if twice := repair.Repair(bytes.Clone(once)); !bytes.Equal(once, twice) {
			t.Errorf("%x was repaired to %x, and again to %x", m, once, twice)
		}
	}
	t.Logf("of %d mutants, past reading and signatures: %d as they are, %d signed, %d repaired", n, raw, signed, repaired)
	if raw >= signed || signed >= repaired {
		t.Error("repairs do not help")
	}
}

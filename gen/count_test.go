package gen

import (
	"math"
	"path/filepath"
	"strings"
	"testing"

	"parallax/internal/tape"
)

// TestCount checks that counts have the requested mean. They are structural choices: equal counts
// mean equal structures, and different counts different ones.
func TestCount(t *testing.T) {
	for _, mean := range []float64{0.3, 1, 4, 20} {
		const runs = 4000
		sum := 0
		var src tape.Source
		one := &T{src: &src}
		structures := map[uint64]int{}
		for seed := uint64(1); seed <= runs; seed++ {
			src.Random(seed)
			n := one.Count("n", mean)
			sum += n
			out := src.Tape()
			if c := out.Choices; len(c) != 1 || c[0].Channel != tape.Structural || c[0].Value != uint64(n) {
				t.Fatalf("mean %g: %d is recorded as %+v", mean, n, c)
			}
			if before, ok := structures[out.Structure()]; ok && before != n {
				t.Fatalf("%d and %d have one structure", before, n)
			}
			structures[out.Structure()] = n
		}
		got, deviation := float64(sum)/runs, math.Sqrt(mean*(1+mean)/runs)
		if math.Abs(got-mean) > 5*deviation {
			t.Errorf("mean %g: %g", mean, got)
		}
		values := map[int]bool{}
		for _, n := range structures {
			if values[n] {
				t.Fatalf("%d has two structures", n)
			}
			values[n] = true
		}
	}
	defer func() {
		if p := recover(); p == nil || !strings.Contains(p.(string), `"n"`) {
			t.Errorf("a mean of 0: %v", p)
		}
	}()
	(&T{src: &tape.Source{}}).Count("n", 0)
}

// TestFolder checks that no test name leads to another folder.
func TestFolder(t *testing.T) {
	for name, want := range map[string]string{
		"TestA":                 "testdata/gen/TestA",
		"TestA/b/c":             "testdata/gen/TestA/b/c",
		"TestA/../../../b":      "testdata/gen/TestA/__/__/__/b",
		"TestA/./b..c/.d/":      "testdata/gen/TestA/_/b..c/.d",
		`TestA/x:y\z*?/#01/...`: "testdata/gen/TestA/x_y_z__/#01/___",
	} {
		c := &checker{t: &fake{name: name}}
		if got := filepath.ToSlash(c.folder()); got != want {
			t.Errorf("%q: %s, want %s", name, got, want)
		}
	}
}

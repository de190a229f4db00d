package trial

import (
	"math"
	"math/rand"
	"testing"

	moremath "github.com/aclements/go-moremath/stats"

	"parallax/internal/stats"
)

// TestMannWhitneyOracle compares with another implementation, both in the exact range and in the
// approximate one.
func TestMannWhitneyOracle(t *testing.T) {
	r := rand.New(rand.NewSource(3))
	for range 300 {
		a, b := draw(r, 2+r.Intn(10), 1000), draw(r, 2+r.Intn(10), 1000)
		if distinct(a, b) {
			agree(t, a, b, 1e-9)
		}
	}
	// With ties, the distribution of U is asymmetric. The oracle doubles the smaller tail, while
	// this package adds both tails, which TestExact verifies by enumeration.
	for range 300 {
		agree(t, draw(r, 4+r.Intn(8), 6), draw(r, 4+r.Intn(8), 6), 0.1)
	}
	for range 50 { // too many to enumerate
		agree(t, draw(r, 41+r.Intn(20), 1000), draw(r, 41+r.Intn(20), 30), 1e-9)
	}
}

func agree(t *testing.T, a, b []float64, tolerance float64) {
	t.Helper()
	got := stats.MannWhitney(a, b)
	want, err := moremath.MannWhitneyUTest(a, b, moremath.LocationDiffers)
	if err == moremath.ErrSamplesEqual {
		if got.P != 1 {
			t.Fatalf("%v and %v are all equal: %+v", a, b, got)
		}
		return
	}
	if err != nil {
		t.Fatal(err)
	}
	if got.U != want.U || math.Abs(got.P-want.P) > tolerance {
		t.Fatalf("%v and %v: %+v, want U %v P %v", a, b, got, want.U, want.P)
	}
}

func draw(r *rand.Rand, n, kinds int) []float64 {
	v := make([]float64, n)
	for i := range v {
		v[i] = float64(r.Intn(kinds))
	}
	return v
}

func distinct(a, b []float64) bool {
	seen := map[float64]bool{}
	for _, v := range append(append([]float64(nil), a...), b...) {
		if seen[v] {
			return false
		}
		seen[v] = true
	}
	return true
}

package schedule

import (
	"strings"
	"testing"

	"parallax/internal/mutate"
)

func TestNew(t *testing.T) {
	for _, name := range append([]string{""}, Names...) {
		if s, err := New(name); err != nil || s == nil {
			t.Errorf("%q: %v", name, err)
		}
	}
	if _, err := New("lunar"); err == nil || !strings.Contains(err.Error(), `"lunar": choose from uniform`) {
		t.Errorf("error %v", err)
	}
}

// Every schedule answers with an input that is there, for the same random numbers always the same.
func TestNext(t *testing.T) {
	for _, name := range Names {
		choices := func(seed uint64) (out []int) {
			s, _ := New(name)
			r := mutate.NewRand(seed, 0)
			for n := 1; n <= 50; n++ {
				s.Added(n)
				for range 20 {
					k := s.Next(r)
					if k < 0 || k >= n {
						t.Fatalf("%s: %d of %d inputs", name, k, n)
					}
					out = append(out, k)
				}
			}
			return out
		}
		a, b, c := choices(1), choices(1), choices(2)
		same, other := true, false
		for i := range a {
			same = same && a[i] == b[i]
			other = other || a[i] != c[i]
		}
		if !same || !other {
			t.Errorf("%s: repeats %v, depends on the seed %v", name, same, other)
		}
	}
}

// Uniform takes every input, each about as often: within six standard deviations.
func TestUniform(t *testing.T) {
	s, _ := New("uniform")
	const inputs, draws = 100, 100_000
	for i := 0; i < inputs; i++ {
		s.Added(i)
	}
	r := mutate.NewRand(1, 0)
	var count [inputs]int
	for range [draws]struct{}{} {
		count[s.Next(r)]++
	}
	const mean, deviation = draws / inputs, 32
	for i, n := range count {
		if n < mean-6*deviation || n > mean+6*deviation {
			t.Errorf("input %d was chosen %d times of %d, expected about %d", i, n, draws, mean)
		}
	}
}

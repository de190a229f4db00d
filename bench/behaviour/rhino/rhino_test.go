package rhino

import (
	"flag"
	"math"
	"regexp"
	"testing"

	"parallax/gen"
)

// measured has statistics of drawn programs.
type measured struct {
	drawn, valid int
	sum, squares float64 // of their bytes
	kinds        map[string]int
}

// beginning distinguishes kinds of statements.
var beginning = regexp.MustCompile(`^([a-z]+|.)?`)

func measure(t *testing.T, program gen.Gen[string]) *measured {
	for name, value := range map[string]string{"gen.seed": "1", "gen.checks": "2000"} { // unless others are asked for
		if f := flag.Lookup(name); f.Value.String() == f.DefValue {
			f.Value.Set(value)
		}
	}
	m := &measured{kinds: map[string]int{}}
	gen.Check(t, func(t *gen.T) {
		source := program.Draw(t, "program")
		n := float64(len(source))
		m.drawn++
		m.sum += n
		m.squares += n * n
		m.kinds[beginning.FindString(source)]++
		if accept(source) == nil {
			m.valid++
		}
	})
	return m
}

// TestPublished checks that the programs have the lengths and statements of those of the published
// generators. README.md of bench/behaviour has the figures of 20,000 programs. go test -v -run
// Published -gen.checks 20000 prints ours.
func TestPublished(t *testing.T) {
	for _, g := range []struct {
		name     string
		program  gen.Gen[string]
		expected float64 // bytes, in the mean
	}{{"plain", Program, 1274.6}, {"split", Split, 1266.2}} {
		m := measure(t, g.program)
		n := float64(m.drawn)
		mean := m.sum / n
		off := math.Sqrt((m.squares/n - mean*mean) / n)
		t.Logf("%s: %d programs of %.0f bytes in the mean (standard error %.0f), %.1f %% valid, %v", g.name, m.drawn, mean, off, 100*float64(m.valid)/n, m.kinds)
		if math.Abs(mean-g.expected) > 4*off {
			t.Errorf("%s: programs of %.0f bytes in the mean, published %.0f", g.name, mean, g.expected)
		}
		if len(m.kinds) != 14 || m.valid == 0 {
			t.Errorf("%s: %d kinds of statements, %d programs are valid", g.name, len(m.kinds), m.valid)
		}
	}
}

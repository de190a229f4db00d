package order

import "testing"

// TestPrecedence checks the precedence chain of semver.org 2.0.0, section 11, with a few versions
// around it. parallax takes its seeds from here. Hashicorp is not among the libraries: it orders
// the chain wrongly at alpha.beta, which is one of the findings.
func TestPrecedence(t *testing.T) {
	chain := []string{
		"1.0.0-alpha", "1.0.0-alpha.1", "1.0.0-alpha.beta", "1.0.0-beta", "1.0.0-beta.2", "1.0.0-beta.11", "1.0.0-rc.1",
		"1.0.0", "2.0.0", "2.1.0", "2.1.1", "10.0.0-0", "10.0.0-a-b.c", "10.0.0+build.5",
	}
	compare := map[string]func(a, b string) (int, error){
		"mod": Mod, "masterminds": Masterminds, "blang": Blang,
	}
	for name, c := range compare {
		for i := range chain {
			for j := range chain {
				want := min(max(i-j, -1), 1)
				if got, err := c(chain[i], chain[j]); err != nil || got != want {
					t.Errorf("%s: %s against %s is %d, %v, want %d", name, chain[i], chain[j], got, err, want)
				}
			}
		}
	}
}

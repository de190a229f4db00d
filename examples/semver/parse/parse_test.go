package parse

import "testing"

// TestParse has texts that parallax takes as seeds.
func TestParse(t *testing.T) {
	for _, s := range []string{"0.0.0", "1.2.3", "1.2.3-alpha.1", "1.2.3-0.a-b+5.x"} {
		for name, parse := range map[string]func(string) (string, error){
			"mod": Mod, "masterminds": Masterminds, "blang": Blang, "hashicorp": Hashicorp,
		} {
			if got, err := parse(s); err != nil || got != s {
				t.Errorf("%s: %s is read as %q, %v", name, s, got, err)
			}
		}
	}
}

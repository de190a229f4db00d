package cidr

import "testing"

// TestRead has texts that parallax takes as seeds.
func TestRead(t *testing.T) {
	for name, f := range map[string]func(string) (string, error){"net": Net, "netip": Netip, "netipx": Netipx} {
		for _, s := range []string{"10.0.0.0/8", "2001:db8::/32", "::/0"} {
			if got, err := f(s); err != nil || got != s {
				t.Errorf("%s: %s is read as %q, %v", name, s, got, err)
			}
		}
		if _, err := f("::ffff:8.8.8.8/128"); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

package addr

import "testing"

// TestRead has texts that parallax takes as seeds.
func TestRead(t *testing.T) {
	for _, s := range []string{"1.2.3.4", "2001:db8::1", "::"} {
		for name, f := range map[string]func(string) (string, error){"net": Net, "netip": Netip} {
			if got, err := f(s); err != nil || got != s {
				t.Errorf("%s: %s is read as %q, %v", name, s, got, err)
			}
		}
	}
	for name, f := range map[string]func(string) (string, error){"net": Net, "netip": Netip} {
		if _, err := f("::ffff:8.8.8.8"); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

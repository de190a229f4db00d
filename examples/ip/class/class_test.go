package class

import "testing"

// TestClass has texts that parallax takes as seeds.
func TestClass(t *testing.T) {
	for addr, want := range map[string]string{
		"0.0.0.0":        "unspecified",
		"127.0.0.1":      "loopback",
		"10.0.0.1":       "private global-unicast",
		"224.0.0.1":      "multicast link-local-multicast",
		"169.254.0.1":    "link-local-unicast",
		"8.8.8.8":        "global-unicast",
		"::":             "unspecified",
		"ff01::1":        "multicast interface-local-multicast",
		"fd00::1":        "private global-unicast",
		"::ffff:8.8.8.8": "global-unicast",
	} {
		for name, f := range map[string]func(string) (string, error){"net": Net, "netip": Netip} {
			if got, err := f(addr); err != nil || got != want {
				t.Errorf("%s: %s is %q, %v, want %q", name, addr, got, err, want)
			}
		}
	}
}

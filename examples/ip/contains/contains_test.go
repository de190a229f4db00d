package contains

import "testing"

// TestContains has texts that parallax takes as seeds. In a target with two strings, it makes an
// input of neighbors.
func TestContains(t *testing.T) {
	tests := []struct {
		cidr, addr string
		want       bool
	}{
		{"10.0.0.0/8", "10.1.2.3", true},
		{"192.168.0.0/24", "192.168.1.1", false},
		{"2001:db8::/32", "2001:db8::1", true},
		{"0.0.0.0/0", "127.0.0.1", true},
		{"::/0", "::1", true},
		{"fe80::/10", "ff02::1", false},
		{"fc00::/7", "::ffff:8.8.8.8", false},
	}
	contains := map[string]func(cidr, addr string) (bool, error){
		"net": Net, "netip": Netip, "netipx": Netipx,
	}
	for _, test := range tests {
		for name, f := range contains {
			if got, err := f(test.cidr, test.addr); err != nil || got != test.want {
				t.Errorf("%s: %s in %s is %t, %v", name, test.addr, test.cidr, got, err)
			}
		}
	}
}

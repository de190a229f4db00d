package ip

import "testing"

// TestControl checks the control seeds, with which the campaigns begin: parallax takes the strings
// in a package's tests. Every library accepts those of the first list, with one value, and rejects
// those of the second.
func TestControl(t *testing.T) {
	libraries := map[string]func(string) (string, error){
		"Net": Net, "Netip": Netip, "Netipx": Netipx, "Sloppy": Sloppy,
	}
	for _, seed := range []string{
		"1.2.3.4", "255.255.255.255", "2001:db8::1", "::", "::ffff:8.8.8.8", "fe80::1:2:3:4", "10.0.0.0/8",
		"192.168.1.17/24", "2001:db8::/32", "::/0",
	} {
		want, _ := Net(seed)
		for name, f := range libraries {
			if got, err := f(seed); err != nil || got != want {
				t.Errorf("%s: %q is %#v, %v, not %#v", name, seed, got, err, want)
			}
		}
	}
	for _, seed := range []string{
		"1.2.3", "1.2.3.4.5", "256.0.0.1", "2001:db8::1::2", "10.0.0.0/33", "::/129", "10.0.0.0/", "host", "",
	} {
		for name, f := range libraries {
			if got, err := f(seed); err == nil {
				t.Errorf("%s accepts %q: %#v", name, seed, got)
			}
		}
	}
}

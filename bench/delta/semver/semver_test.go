package semver

import "testing"

// TestControl checks the control seeds, with which the campaigns begin: parallax takes the strings
// in a package's tests. Every library accepts those of the first list, with one value, and rejects
// those of the second.
func TestControl(t *testing.T) {
	libraries := map[string]func(string) (string, error){
		"Mod": Mod, "Masterminds": Masterminds, "Blang": Blang, "Hashicorp": Hashicorp,
	}
	for _, seed := range []string{
		"0.0.0", "1.2.3", "10.20.30", "1.2.3-alpha.1", "1.2.3-0.a-b+5.x", "1.0.0-rc.1+build.42", "1.0.0+20130313144700",
	} {
		want, _ := Mod(seed)
		for name, f := range libraries {
			if got, err := f(seed); err != nil || got != want {
				t.Errorf("%s: %q is %#v, %v, not %#v", name, seed, got, err, want)
			}
		}
	}
	for _, seed := range []string{
		"1.2.x", "a.b.c", "1.2.3-", "1.2.3+", "-1.0.0", "",
	} {
		for name, f := range libraries {
			if got, err := f(seed); err == nil {
				t.Errorf("%s accepts %q: %#v", name, seed, got)
			}
		}
	}
}

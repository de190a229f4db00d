package url

import "testing"

// TestControl checks the control seeds, with which the campaigns begin: parallax takes the strings
// in a package's tests. Every library accepts those of the first list, with one value, and rejects
// those of the second.
func TestControl(t *testing.T) {
	libraries := map[string]func(string) (string, error){
		"Std": Std, "Whatwg": Whatwg, "Fasthttp": Fasthttp,
	}
	for _, seed := range []string{
		"example.com", "user:pw@example.com:8443", "192.0.2.1:80", "[2001:db8::1]:8080", "files.example.org",
		"a.b.example.co.uk",
	} {
		want, _ := Std(seed)
		for name, f := range libraries {
			if got, err := f(seed); err != nil || got != want {
				t.Errorf("%s: %q is %#v, %v, not %#v", name, seed, got, err, want)
			}
		}
	}
	for _, seed := range []string{
		"[::1", "a/b", "a b", "a:port", "",
	} {
		for name, f := range libraries {
			if got, err := f(seed); err == nil {
				t.Errorf("%s accepts %q: %#v", name, seed, got)
			}
		}
	}
}

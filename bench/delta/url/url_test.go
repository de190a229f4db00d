package url

import "testing"

// The control seeds, with which the campaigns begin: parallax takes the strings in a package's tests. Those of the first list every
// library accepts, with one value; those of the second every library rejects.
func TestControl(t *testing.T) {
	libraries := map[string]func(string) (string, error){
		"Std": Std, "Whatwg": Whatwg, "Fredbi": Fredbi, "Fasthttp": Fasthttp,
	}
	for _, seed := range []string{
		"http://example.com/", "https://user:pw@example.com:8443/a/b?c=d#e", "http://192.0.2.1:80/x",
		"http://[2001:db8::1]:8080/", "ftp://files.example.org/pub/x.tar.gz", "https://a.b.example.co.uk/?q=1&r=2",
	} {
		want, _ := Std(seed)
		for name, f := range libraries {
			if got, err := f(seed); err != nil || got != want {
				t.Errorf("%s: %q is %#v, %v, not %#v", name, seed, got, err, want)
			}
		}
	}
	for _, seed := range []string{
		"example.com", "/path", "http://", "http://[::1/", "?q", "",
	} {
		for name, f := range libraries {
			if got, err := f(seed); err == nil {
				t.Errorf("%s accepts %q: %#v", name, seed, got)
			}
		}
	}
}

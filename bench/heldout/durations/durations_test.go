package durations

import "testing"

// The control seeds, with which the campaigns begin: parallax takes the strings in a package's
// tests. Those of the first list every library accepts, with one value; those of the second every
// library rejects.
func TestControl(t *testing.T) {
	libraries := map[string]func(string) (int64, error){
		"Std": Std, "Str2duration": Str2duration, "Prometheus": Prometheus,
	}
	for _, seed := range []string{"0", "5s", "1h30m", "250ms", "2h45m10s7ms", "90m"} {
		want, _ := Std(seed)
		for name, f := range libraries {
			if got, err := f(seed); err != nil || got != want {
				t.Errorf("%s: %q is %d, %v, not %d", name, seed, got, err, want)
			}
		}
	}
	for _, seed := range []string{"", "5", "s", "1 h", "-", "1x"} {
		for name, f := range libraries {
			if got, err := f(seed); err == nil {
				t.Errorf("%s accepts %q: %d", name, seed, got)
			}
		}
	}
}

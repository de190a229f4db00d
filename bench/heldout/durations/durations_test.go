package durations

import "testing"

// TestControl checks the control seeds, with which the campaigns begin: parallax takes the strings
// in a package's tests. Every library accepts those of the first list, with one value, and rejects
// those of the second.
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

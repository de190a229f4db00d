package periods

import "testing"

// TestControl checks the control seeds, with which the campaigns begin: parallax takes the strings
// in a package's tests. Every library accepts those of the first list, with one value, and rejects
// those of the second.
func TestControl(t *testing.T) {
	libraries := map[string]func(string) (Period, error){"Sosodev": Sosodev, "Senseyeio": Senseyeio, "Rickb777": Rickb777}
	for _, seed := range []string{"P1Y", "P3M", "P2W", "P10D", "PT12H", "PT5M30S", "P1W2D", "P1Y2M3DT4H5M6S", "P0DT"} {
		want, _ := Sosodev(seed)
		for name, f := range libraries {
			if got, err := f(seed); err != nil || got != want {
				t.Errorf("%s: %q is %v, %v, not %v", name, seed, got, err, want)
			}
		}
	}
	for _, seed := range []string{"", "P1", "1D", "PT1", "P1H", "PT1D", "p1d", "P1X", "P-1D"} {
		for name, f := range libraries {
			if got, err := f(seed); err == nil {
				t.Errorf("%s accepts %q: %v", name, seed, got)
			}
		}
	}
}

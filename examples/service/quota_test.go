package quota

import "testing"

func TestParse(t *testing.T) {
	for text, want := range map[string]int64{"0": 0, "12": 12, "10MB": 10e6, "1.5 gb": 15e8, "7b": 7} {
		if got, err := Parse(text); err != nil || got != want {
			t.Errorf("%q: %d, %v, want %d", text, got, err, want)
		}
	}
	for _, text := range []string{"", "MB", "-1", "1e3", "1  MB", "99999999TB", "1 2", "."} {
		if got, err := Parse(text); err == nil {
			t.Errorf("%q: %d", text, got)
		}
	}
}

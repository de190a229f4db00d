package campaign

import (
	"strings"
	"testing"
	"time"
)

// TestPace checks that the remaining time follows from the pace so far, and never exceeds the time
// until the end. At first it is unknown.
func TestPace(t *testing.T) {
	start := time.Unix(1000, 0)
	at := func(s int) time.Time { return start.Add(time.Duration(s) * time.Second) }
	for _, test := range []struct {
		name  string
		until time.Time
		steps [][3]int // seconds, waiting, seconds left
	}{
		{"no end", time.Time{}, [][3]int{{0, 10, 0}, {4, 10, 0}, {10, 5, 10}, {18, 1, 2}, {20, 0, 0}}},
		{"an end", at(15), [][3]int{{0, 10, 15}, {10, 5, 5}, {14, 4, 1}, {16, 4, 0}}},
		{"more wait", time.Time{}, [][3]int{{0, 2, 0}, {1, 4, 0}, {3, 2, 2}}},
	} {
		var p pace
		for _, s := range test.steps {
			if got := p.left(at(s[0]), s[1], test.until); got != time.Duration(s[2])*time.Second {
				t.Errorf("%s, after %d s with %d: %v, want %d s", test.name, s[0], s[1], got, s[2])
			}
		}
	}
}

// TestSilence checks that a note names the file that a silent driver lacks, unless coverage is off.
func TestSilence(t *testing.T) {
	for command, want := range map[string]string{
		"python3 parallax_driver.py json:loads":             "parallax_cover.py",
		"node drivers/driver.mjs ./x.mjs":                   "cover.mjs",
		"python3 parallax_driver.py json:loads --cover off": "",
		"./driver": "driver-protocol",
	} {
		if got := silence(command); want == "" && got != "" || !strings.Contains(got, want) {
			t.Errorf("%s: %q, want %q in it", command, got, want)
		}
	}
}

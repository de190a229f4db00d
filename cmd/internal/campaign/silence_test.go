package campaign

import (
	"strings"
	"testing"
)

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

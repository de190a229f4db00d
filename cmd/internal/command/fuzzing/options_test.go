package fuzzing

import (
	"testing"
	"time"
)

// TestTriageTimeVariable checks that the flag wins over the variable. A time of 0 in either means
// no limit. Without both, triage has the usual end.
func TestTriageTimeVariable(t *testing.T) {
	options := func(given bool, flag time.Duration) *Options {
		f := &Options{Given: func(name string) bool { return given && name == "triage-time" }}
		f.Campaign.TriageTime = flag
		return f
	}
	for _, test := range []struct {
		variable string
		given    bool
		flag     time.Duration
		time     time.Duration
		all      bool
	}{
		{"", false, 0, 0, false},
		{"0", false, 0, 0, true},
		{"90s", false, 0, 90 * time.Second, false},
		{"90s", true, time.Minute, time.Minute, false},
		{"90s", true, 0, 0, true},
		{"soon", true, time.Minute, time.Minute, false},
	} {
		t.Setenv(TriageVariable, test.variable)
		f := options(test.given, test.flag)
		if err := f.triageTime(); err != nil || f.Campaign.TriageTime != test.time || f.Campaign.TriageAll != test.all {
			t.Errorf("%+v: %v, all %v, %v", test, f.Campaign.TriageTime, f.Campaign.TriageAll, err)
		}
	}
	for _, bad := range []string{"soon", "-1m", "60"} {
		t.Setenv(TriageVariable, bad)
		if options(false, 0).triageTime() == nil {
			t.Errorf("%s=%q is no error", TriageVariable, bad)
		}
	}
}

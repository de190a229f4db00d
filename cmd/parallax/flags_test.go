package main

import (
	"testing"
	"time"

	"github.com/spf13/cobra"
)

// The flag wins over the variable. A time of 0 in either is no limit; neither is the usual end.
func TestTriageTimeVariable(t *testing.T) {
	for _, c := range []struct {
		variable string
		flags    []string
		time     time.Duration
		all      bool
	}{
		{"", nil, 0, false},
		{"0", nil, 0, true},
		{"90s", nil, 90 * time.Second, false},
		{"90s", []string{"--triage-time=1m"}, time.Minute, false},
		{"90s", []string{"--triage-time=0"}, 0, true},
		{"soon", []string{"--triage-time=1m"}, time.Minute, false},
	} {
		t.Setenv(triageVariable, c.variable)
		var f campaignFlags
		f.register(&cobra.Command{})
		if err := f.flags.Parse(c.flags); err != nil {
			t.Fatal(err)
		}
		if err := f.triageTime(); err != nil || f.options.TriageTime != c.time || f.options.TriageAll != c.all {
			t.Errorf("%s=%q %q: %v, all %v, %v", triageVariable, c.variable, c.flags, f.options.TriageTime, f.options.TriageAll, err)
		}
	}
	for _, bad := range []string{"soon", "-1m", "60"} {
		t.Setenv(triageVariable, bad)
		var f campaignFlags
		f.register(&cobra.Command{})
		if f.triageTime() == nil {
			t.Errorf("%s=%q is no error", triageVariable, bad)
		}
	}
}

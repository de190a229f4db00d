package fuzz

import (
	"testing"

	"github.com/blang/semver/v4"
)

// FuzzRange says that a range which was parsed can be used.
func FuzzRange(f *testing.F) {
	f.Add(">=1.2.0 <2.0.0 || >3.0.0-beta !3.0.1", "1.2.3")
	f.Fuzz(func(t *testing.T, text, version string) {
		inRange, err := semver.ParseRange(text)
		if err != nil {
			t.Skip("not a range")
		}
		v, err := semver.Parse(version)
		if err != nil {
			t.Skip("not a version")
		}
		inRange(v)
	})
}

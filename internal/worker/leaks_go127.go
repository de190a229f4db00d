//go:build go1.27

package worker

import (
	"bytes"
	"runtime/pprof"
)

// leaked returns where most of the permanently blocked goroutines wait, from Go 1.27's goroutine
// leak profile. Empty means unknown.
func leaked() string {
	profile := pprof.Lookup("goroutineleak")
	if profile == nil {
		return ""
	}
	var b bytes.Buffer
	if profile.WriteTo(&b, 1) != nil {
		return ""
	}
	if place := mostLeaked(b.String()); place != "" {
		return place + ", forever"
	}
	return ""
}

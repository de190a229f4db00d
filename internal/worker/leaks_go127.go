//go:build go1.27

package worker

import (
	"bytes"
	"runtime/pprof"
)

// leaked says where most of the goroutines wait that can never go on, by the profile that Go 1.27 has; "" if it knows none.
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

package main

import (
	"os"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
)

// While little is alive, garbage is collected at four times that instead of at once that. A campaign of a thousand inputs on
// net/netip.ParseAddr and net.ParseIP then takes a twelfth less CPU time in all of its processes (1.90 s after 2.07 s, Go 1.26), and
// parallax 256 MiB more at most.
const (
	relaxed  = 400
	usual    = 100
	littleIs = 64 << 20
)

// collectLess has this process collect garbage less often, unless the user has said how often.
func collectLess() {
	if os.Getenv("GOGC") != "" {
		return
	}
	debug.SetGCPercent(relaxed)
	watchHeap(relaxed)
}

// watchHeap sees to it after each collection that what is alive and how often garbage is collected go together.
func watchHeap(percent int) {
	// A pointer, so that the object is not one of the tiny ones that share a block: a finalizer of such a one may run late.
	object := new(*int)
	runtime.SetFinalizer(object, func(**int) {
		sample := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
		metrics.Read(sample)
		want := relaxed
		if sample[0].Value.Uint64() > littleIs {
			want = usual
		}
		if want != percent {
			debug.SetGCPercent(want)
		}
		watchHeap(want)
	})
}

package main

import (
	"os"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
)

// While little memory is alive, the collector waits until the heap has grown by relaxed percent
// instead of the usual. In a campaign of a thousand inputs on net/netip.ParseAddr and net.ParseIP,
// all processes together take 1.90 s of CPU time instead of 2.07 (Go 1.26). parallax needs at most
// 256 MiB more.
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

// watchHeap sees to it after each collection that what is alive and how often garbage is collected
// go together.
func watchHeap(percent int) {
	// A pointer, so that the object is not one of the tiny ones that share a block. A finalizer of a
	// tiny object may run late.
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

package faults

import (
	"runtime"
	"sync"
)

// MapWrites writes to a map from several goroutines, which is a fatal error of the runtime: no
// program recovers from it.
func MapWrites(data []byte) error {
	if Boom(data) {
		runtime.GOMAXPROCS(4) // workers run on one thread, where the writes hardly ever meet
		m := map[int]int{}
		var all sync.WaitGroup
		for g := 0; g < 4; g++ {
			all.Add(1)
			go func() {
				defer all.Done()
				for i := 0; i < 1<<24; i++ {
					m[i&1023]++
				}
			}()
		}
		all.Wait()
	}
	return Harmless(data)
}

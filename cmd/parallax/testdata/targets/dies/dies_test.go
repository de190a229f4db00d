package dies

import (
	"fmt"
	"os"
	"runtime"
	"sync"
	"testing"
	"time"
)

func each(f *testing.F, target func(t *testing.T, s string)) {
	f.Add("boo")
	f.Fuzz(target)
}

func FuzzExit3(f *testing.F) {
	each(f, func(t *testing.T, s string) {
		if Boom(s) {
			fmt.Println("good bye")
			os.Exit(3)
		}
	})
}

func FuzzMapWrites(f *testing.F) {
	each(f, func(t *testing.T, s string) {
		if !Boom(s) {
			return
		}
		runtime.GOMAXPROCS(4) // workers run on one thread, where the writes hardly ever meet
		m := map[int]int{}
		var wg sync.WaitGroup
		for range 4 {
			wg.Add(1)
			go func() {
				defer wg.Done()
				for i := range 1 << 24 {
					m[i&1023]++
				}
			}()
		}
		wg.Wait()
	})
}

func FuzzOverflow(f *testing.F) {
	each(f, func(t *testing.T, s string) {
		if Boom(s) {
			Overflow(0)
		}
	})
}

func FuzzDeadlock(f *testing.F) {
	each(f, func(t *testing.T, s string) {
		if Boom(s) {
			select {}
		}
	})
}

func FuzzLock(f *testing.F) {
	var mu sync.Mutex
	each(f, func(t *testing.T, s string) {
		mu.Lock()
		if Boom(s) {
			t.Skip("forgets to unlock")
		}
		mu.Unlock()
	})
}

var hog [][]byte

func FuzzHog(f *testing.F) {
	each(f, func(t *testing.T, s string) {
		for Boom(s) {
			b := make([]byte, 1<<20)
			for i := range b {
				b[i] = 1
			}
			hog = append(hog, b)
		}
	})
}

func FuzzLoop(f *testing.F) {
	each(f, func(t *testing.T, s string) {
		for i := 0; Boom(s); i++ {
			_ = i
		}
	})
}

func FuzzSleep(f *testing.F) {
	each(f, func(t *testing.T, s string) {
		if Boom(s) {
			time.Sleep(time.Hour)
		}
	})
}

func FuzzGoroutinePanic(f *testing.F) {
	each(f, func(t *testing.T, s string) {
		if Boom(s) {
			done := make(chan bool)
			go func() {
				defer close(done)
				panic("panic in another goroutine")
			}()
			<-done
		}
	})
}

func FuzzLatePanic(f *testing.F) {
	each(f, func(t *testing.T, s string) {
		if Boom(s) {
			go func() {
				time.Sleep(time.Millisecond)
				panic("after the fact")
			}()
			return
		}
		time.Sleep(100 * time.Microsecond) // a few inputs later, also on a busy machine
	})
}

func FuzzLateError(f *testing.F) {
	each(f, func(t *testing.T, s string) {
		if Boom(s) {
			go func() {
				time.Sleep(time.Millisecond)
				t.Error("when nobody listens")
			}()
			return
		}
		time.Sleep(100 * time.Microsecond) // a few inputs later, also on a busy machine
	})
}

func FuzzLeak(f *testing.F) {
	block := make(chan bool)
	each(f, func(t *testing.T, s string) {
		go func() { <-block }()
		if Boom(s) {
			t.Error("failed among leaks")
		}
	})
}

func FuzzSlow(f *testing.F) {
	each(f, func(t *testing.T, s string) {
		time.Sleep(2 * time.Millisecond)
		if Boom(s) {
			t.Error("failed slowly")
		}
	})
}

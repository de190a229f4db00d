package fails

import (
	"errors"
	"fmt"
	"hash/fnv"
	"os"
	"runtime"
	"strings"
	"testing"
)

// each makes a fuzz test of a target.
func each(f *testing.F, target func(t *testing.T, s string)) {
	f.Add("seed")
	f.Fuzz(target)
}

func FuzzPanic(f *testing.F) {
	each(f, func(t *testing.T, s string) {
		if Boom(s) {
			panic("the roof is on fire")
		}
	})
}

func FuzzPanicNil(f *testing.F) {
	each(f, func(t *testing.T, s string) {
		if Boom(s) {
			panic(nil)
		}
	})
}

func FuzzPanicError(f *testing.F) {
	each(f, func(t *testing.T, s string) {
		if Boom(s) {
			panic(fmt.Errorf("wrapped: %w", errors.New("the cause")))
		}
	})
}

func FuzzNilMap(f *testing.F) {
	each(f, func(t *testing.T, s string) {
		if Boom(s) {
			var m map[string]int
			m[s]++
		}
	})
}

func FuzzGoexit(f *testing.F) {
	each(f, func(t *testing.T, s string) {
		if Boom(s) {
			runtime.Goexit()
		}
	})
}

func FuzzFatal(f *testing.F) {
	each(f, func(t *testing.T, s string) {
		if Boom(s) {
			t.Fatal("fatal is", "what it is")
		}
	})
}

func FuzzErrorTwice(f *testing.F) {
	each(f, func(t *testing.T, s string) {
		if Boom(s) {
			t.Error("the first error")
			t.Error("the second error")
		}
	})
}

func FuzzFail(f *testing.F) {
	each(f, func(t *testing.T, s string) {
		if Boom(s) {
			t.Fail()
		}
	})
}

func FuzzFailNow(f *testing.F) {
	each(f, func(t *testing.T, s string) {
		t.Log("before")
		if Boom(s) {
			t.FailNow()
		}
	})
}

func FuzzErrorThenSkip(f *testing.F) {
	each(f, func(t *testing.T, s string) {
		if Boom(s) {
			t.Error("failed before it was skipped")
		}
		t.Skip("skipped")
	})
}

func FuzzErrorThenPanic(f *testing.F) {
	each(f, func(t *testing.T, s string) {
		if Boom(s) {
			t.Error("failed before it panicked")
			panic("and now this")
		}
	})
}

func FuzzFatalInDefer(f *testing.F) {
	each(f, func(t *testing.T, s string) {
		defer func() {
			if recover() != nil {
				t.Fatal("recovered and failed")
			}
		}()
		if Boom(s) {
			panic("to be recovered")
		}
	})
}

func FuzzCleanupError(f *testing.F) {
	each(f, func(t *testing.T, s string) {
		t.Cleanup(func() {
			if Boom(s) {
				t.Error("failed in cleanup")
			}
		})
	})
}

func FuzzCleanupFatal(f *testing.F) {
	each(f, func(t *testing.T, s string) {
		t.Cleanup(func() {
			if Boom(s) {
				t.Fatal("fatal in cleanup")
			}
		})
	})
}

func FuzzCleanupPanic(f *testing.F) {
	each(f, func(t *testing.T, s string) {
		t.Cleanup(func() {
			if Boom(s) {
				panic("panic in cleanup")
			}
		})
	})
}

func FuzzCleanupAfterSkip(f *testing.F) {
	each(f, func(t *testing.T, s string) {
		t.Cleanup(func() {
			if Boom(s) {
				t.Error("failed in cleanup after skip")
			}
		})
		t.SkipNow()
	})
}

func FuzzSubtestError(f *testing.F) {
	each(f, func(t *testing.T, s string) {
		t.Run("sub", func(t *testing.T) {
			if Boom(s) {
				t.Error("failed in a subtest")
			}
		})
	})
}

func FuzzSubtestFatal(f *testing.F) {
	each(f, func(t *testing.T, s string) {
		if !t.Run("sub", func(t *testing.T) {
			if Boom(s) {
				t.Fatal("fatal in a subtest")
			}
		}) {
			t.Log("the subtest has failed")
		}
	})
}

func FuzzSubtestPanic(f *testing.F) {
	each(f, func(t *testing.T, s string) {
		t.Run("sub", func(t *testing.T) {
			if Boom(s) {
				panic("panic in a subtest")
			}
		})
	})
}

func FuzzSubtestParallel(f *testing.F) {
	each(f, func(t *testing.T, s string) {
		for _, name := range []string{"one", "two"} {
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				if Boom(s) && name == "two" {
					t.Error("failed in a parallel subtest")
				}
			})
		}
	})
}

func FuzzSubtestSkip(f *testing.F) {
	each(f, func(t *testing.T, s string) {
		t.Run("sub", func(t *testing.T) { t.Skip("only this one") })
		if Boom(s) {
			t.Error("failed after a skipped subtest")
		}
	})
}

func FuzzParallel(f *testing.F) {
	each(f, func(t *testing.T, s string) {
		t.Parallel()
		if Boom(s) {
			t.Error("failed in parallel")
		}
	})
}

func FuzzGoroutineError(f *testing.F) {
	each(f, func(t *testing.T, s string) {
		done := make(chan bool)
		go func() {
			defer close(done)
			if Boom(s) {
				t.Error("failed in another goroutine")
			}
		}()
		<-done
	})
}

func check(t *testing.T, s string) {
	t.Helper()
	if Boom(s) {
		t.Fatal("failed in a helper")
	}
}

func FuzzHelper(f *testing.F) {
	each(f, func(t *testing.T, s string) {
		check(t, s)
	})
}

func FuzzSkips(f *testing.F) {
	each(f, func(t *testing.T, s string) {
		defer func() { recover() }()
		if len(s) < 3 || s[0] != 'b' {
			t.Skip("not wanted: ", s)
		}
		if Boom(s) {
			t.Error("failed among skips")
		}
	})
}

func FuzzExit0(f *testing.F) {
	each(f, func(t *testing.T, s string) {
		if Boom(s) {
			os.Exit(0)
		}
	})
}

func FuzzRecursion(f *testing.F) {
	f.Add("boom[")
	f.Add("boom[[[[[[[[")
	each(f, func(t *testing.T, s string) {
		if Boom(s) {
			Depth(s[4:])
		}
	})
}

func FuzzTwoCauses(f *testing.F) {
	f.Add("boom")
	each(f, func(t *testing.T, s string) { Two(s) })
}

func FuzzTwoMessages(f *testing.F) {
	f.Add("boom")
	each(f, func(t *testing.T, s string) {
		message := ""
		if Boom(s) && strings.HasSuffix(s, "x") {
			message = "ends in the first letter"
		} else if Boom(s) && strings.HasSuffix(s, "y") {
			message = "ends in the other letter"
		}
		if message != "" {
			t.Fatal(message)
		}
	})
}

func FuzzOneCause(f *testing.F) {
	f.Add("boom")
	each(f, func(t *testing.T, s string) {
		if !Boom(s) {
			return
		}
		n := len(s)
		if strings.Contains(s, "x") {
			n++
		}
		if n > 6 {
			t.Fatal("too long")
		}
	})
}

func FuzzEchoes(f *testing.F) {
	f.Add("boom")
	each(f, func(t *testing.T, s string) {
		if Boom(s) && len(s) > 4 {
			t.Fatalf("cannot read %s, which is %q", s, s)
		}
	})
}

func FuzzComputed(f *testing.F) {
	f.Add("boom")
	each(f, func(t *testing.T, s string) {
		if Boom(s) && len(s) > 4 {
			h := fnv.New64a()
			h.Write([]byte(s))
			t.Fatalf("got %x want %v of %d", h.Sum(nil), []byte(s), len(s))
		}
	})
}

func FuzzTransformed(f *testing.F) {
	f.Add("boom")
	each(f, func(t *testing.T, s string) {
		if Boom(s) && len(s) > 4 {
			t.Fatal(strings.Map(func(r rune) rune { return r + 1 }, s), " is not what it was")
		}
	})
}

func FuzzFlood(f *testing.F) {
	flood := strings.Repeat("flood ", 1000)
	each(f, func(t *testing.T, s string) {
		fmt.Println(flood)
		fmt.Fprintln(os.Stderr, flood)
		t.Log(flood)
		if Boom(s) {
			t.Fatal("failed in a flood")
		}
	})
}

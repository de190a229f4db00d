package verdicts

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

var cases = map[string]func(t *testing.T){
	"pass":            func(t *testing.T) {},
	"log":             func(t *testing.T) { t.Log("a line"); t.Logf("%s", strings.Repeat("more\n", 100)) },
	"skip":            func(t *testing.T) { t.Skip("not wanted") },
	"skipf":           func(t *testing.T) { t.Skipf("not %s", "wanted") },
	"skip-now":        func(t *testing.T) { t.SkipNow() },
	"fatal":           func(t *testing.T) { t.Fatal("fatal") },
	"fatalf":          func(t *testing.T) { t.Fatalf("%s", "fatal") },
	"error":           func(t *testing.T) { t.Error("error") },
	"errorf":          func(t *testing.T) { t.Errorf("%d", 1); t.Errorf("%d", 2) },
	"fail":            func(t *testing.T) { t.Fail() },
	"fail-now":        func(t *testing.T) { t.FailNow() },
	"log-fatal":       func(t *testing.T) { t.Log("before"); t.Fatal("fatal") },
	"error-skip":      func(t *testing.T) { t.Error("error"); t.Skip("skip") },
	"error-panic":     func(t *testing.T) { t.Error("error"); panic("panic") },
	"panic":           func(t *testing.T) { panic("panic") },
	"panic-error":     func(t *testing.T) { panic(errors.New("error")) },
	"panic-nil":       func(t *testing.T) { panic(nil) },
	"panic-int":       func(t *testing.T) { panic(3) },
	"nil-map":         func(t *testing.T) { var m map[int]int; m[1]++ },
	"nil-pointer":     func(t *testing.T) { var p *int; *p++ },
	"goexit":          func(t *testing.T) { runtime.Goexit() },
	"exit-0":          func(t *testing.T) { os.Exit(0) },
	"recovered":       func(t *testing.T) { defer func() { recover() }(); panic("mine") },
	"recovered-error": func(t *testing.T) { defer func() { t.Error(recover()) }(); panic("mine") },
	"recovered-fatal": func(t *testing.T) { defer func() { t.Fatal(recover()) }(); panic("mine") },
	"recovered-skip":  func(t *testing.T) { defer func() { recover(); t.Skip() }(); panic("mine") },
	"recover-skip":    func(t *testing.T) { defer func() { recover() }(); t.Skip() },
	"recover-fatal":   func(t *testing.T) { defer func() { recover() }(); t.Fatal() },
	"panic-in-defer":  func(t *testing.T) { defer func() { panic("second") }(); t.Skip() },
	"failed":          func(t *testing.T) { fresh(t); t.Error(); expect(t, t.Failed()) },
	"skipped":         func(t *testing.T) { fresh(t); defer func() { expect(t, t.Skipped()) }(); t.Skip() },
	"helper":          func(t *testing.T) { t.Helper(); expect(t, false) },
	"name":            func(t *testing.T) { expect(t, strings.HasPrefix(t.Name(), "FuzzVerdict")) },
	"allocations":     func(t *testing.T) { expect(t, testing.AllocsPerRun(10, func() {}) == 0) },
	"goroutine-error": func(t *testing.T) { wait(func() { t.Error("error") }) },
	"goroutine-log":   func(t *testing.T) { wait(func() { t.Log("fine") }) },
	"goroutine-skip":  func(t *testing.T) { wait(func() { t.Skip("skip") }) },

	"cleanup":           func(t *testing.T) { fresh(t); t.Cleanup(func() {}) },
	"cleanup-error":     func(t *testing.T) { t.Cleanup(func() { t.Error("error") }) },
	"cleanup-fatal":     func(t *testing.T) { t.Cleanup(func() { t.Fatal("fatal") }) },
	"cleanup-skip":      func(t *testing.T) { t.Cleanup(func() { t.Skip("skip") }) },
	"cleanup-goexit":    func(t *testing.T) { t.Cleanup(func() { runtime.Goexit() }) },
	"cleanup-panic":     func(t *testing.T) { t.Cleanup(func() { panic("panic") }) },
	"cleanup-panic-nil": func(t *testing.T) { t.Cleanup(func() { panic(nil) }) },
	"cleanup-nested":    func(t *testing.T) { t.Cleanup(func() { t.Cleanup(func() { t.Error("error") }) }) },
	"cleanup-twice":     func(t *testing.T) { t.Cleanup(func() { t.Error("error") }); t.Cleanup(func() { t.FailNow() }) },
	"cleanup-run":       func(t *testing.T) { t.Cleanup(func() { t.Run("too late", func(*testing.T) {}) }) },
	"skip-cleanup":      func(t *testing.T) { t.Cleanup(func() {}); t.Skip() },
	"skip-error":        func(t *testing.T) { t.Cleanup(func() { t.Error("error") }); t.Skip() },
	"skip-panic":        func(t *testing.T) { t.Cleanup(func() { panic("panic") }); t.Skip() },
	"fatal-skip":        func(t *testing.T) { t.Cleanup(func() { t.Skip() }); t.Fatal("fatal") },
	"panic-fatal":       func(t *testing.T) { t.Cleanup(func() { t.FailNow() }); panic("panic") },
	"panic-skip":        func(t *testing.T) { t.Cleanup(func() { t.SkipNow() }); panic("panic") },
	"goexit-cleanup":    func(t *testing.T) { t.Cleanup(func() {}); runtime.Goexit() },
	"cleanup-order": func(t *testing.T) {
		order := ""
		t.Cleanup(func() { expect(t, order == "ba") })
		t.Cleanup(func() { order += "a" })
		t.Cleanup(func() { order += "b" })
	},

	"sub":        func(t *testing.T) { fresh(t); expect(t, t.Run("sub", func(t *testing.T) {})) },
	"sub-same":   func(t *testing.T) { t.Run("sub", named("sub")); t.Run("sub", named("sub#01")) },
	"sub-error":  func(t *testing.T) { t.Run("sub", func(t *testing.T) { t.Error("error") }) },
	"sub-fatal":  func(t *testing.T) { expect(t, !t.Run("sub", func(t *testing.T) { t.Fatal("fatal") })) },
	"sub-skip":   func(t *testing.T) { t.Run("sub", func(t *testing.T) { t.Skip("skip") }) },
	"sub-panic":  func(t *testing.T) { t.Run("sub", func(t *testing.T) { panic("panic") }) },
	"sub-goexit": func(t *testing.T) { t.Run("sub", func(t *testing.T) { runtime.Goexit() }) },
	"sub-deep": func(t *testing.T) {
		t.Run("a", func(t *testing.T) { t.Run("b", func(t *testing.T) { t.Error("error") }) })
	},
	"sub-cleanup":   func(t *testing.T) { t.Run("sub", func(t *testing.T) { t.Cleanup(func() { t.Error("error") }) }) },
	"sub-parent":    func(t *testing.T) { t.Run("sub", func(*testing.T) { t.FailNow() }) },
	"sub-then-skip": func(t *testing.T) { t.Run("sub", func(t *testing.T) {}); t.Skip() },
	"sub-parallel": func(t *testing.T) {
		t.Run("one", func(t *testing.T) { t.Parallel() })
		t.Run("two", func(t *testing.T) { t.Parallel() })
	},
	"sub-parallel-error": func(t *testing.T) {
		t.Run("one", func(t *testing.T) { t.Parallel(); t.Error("error") })
		t.Run("two", func(t *testing.T) { t.Parallel() })
	},
	"sub-parallel-panic": func(t *testing.T) {
		t.Run("one", func(t *testing.T) { t.Parallel(); panic("panic") })
	},
	"sub-parallel-skip": func(t *testing.T) {
		t.Run("one", func(t *testing.T) { t.Parallel(); t.Skip() })
	},
	"sub-parallel-end": func(t *testing.T) {
		ran := false
		t.Cleanup(func() { expect(t, ran) })
		t.Run("one", func(t *testing.T) { t.Parallel(); ran = true })
		expect(t, !ran)
	},
	"sub-parallel-fatal": func(t *testing.T) {
		t.Run("one", func(t *testing.T) { t.Parallel(); t.Error("error") })
		t.FailNow()
	},
	"sub-parallel-group": func(t *testing.T) {
		t.Run("group", func(t *testing.T) {
			for _, name := range []string{"one", "two", "three"} {
				t.Run(name, func(t *testing.T) { t.Parallel(); t.Cleanup(func() { expect(t, name != "two") }) })
			}
		})
	},
	"parallel":       func(t *testing.T) { t.Parallel() },
	"parallel-error": func(t *testing.T) { t.Parallel(); t.Error("error") },

	"setenv": func(t *testing.T) {
		expect(t, os.Getenv("VERDICTS") == "")
		t.Setenv("VERDICTS", "set")
		expect(t, os.Getenv("VERDICTS") == "set")
	},
	"setenv-skip": func(t *testing.T) { t.Setenv("VERDICTS", "set"); t.Skip() },
	"setenv-fail": func(t *testing.T) { t.Setenv("VERDICTS", "set"); t.Fatal() },
	"temp-dir": func(t *testing.T) {
		a, b := t.TempDir(), t.TempDir()
		expect(t, a != b && os.WriteFile(filepath.Join(a, "file"), nil, 0o600) == nil)
	},
	"temp-dir-gone": func(t *testing.T) {
		t.Cleanup(func() { _, err := os.Stat(lastDir); expect(t, err == nil) })
		t.Cleanup(func() { lastDir = t.TempDir() })
		_, err := os.Stat(lastDir)
		expect(t, lastDir == "" || err != nil)
	},
	"chdir": func(t *testing.T) {
		_, err := os.Stat("verdicts.go")
		expect(t, err == nil)
		t.Chdir(t.TempDir())
		_, err = os.Stat("verdicts.go")
		expect(t, err != nil)
	},
	"context": func(t *testing.T) {
		ctx := t.Context()
		expect(t, ctx.Err() == nil)
		ended := make(chan bool)
		go func() { <-ctx.Done(); close(ended) }()
		t.Cleanup(func() { <-ended; expect(t, errors.Is(ctx.Err(), context.Canceled)) })
	},
	"context-skip": func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		t.Cleanup(func() { expect(t, ctx.Err() != nil) })
		t.Skip()
	},
	"context-child": func(t *testing.T) {
		ctx, cancel := context.WithCancel(context.WithValue(t.Context(), "key", 1))
		defer cancel()
		t.Run("sub", func(t *testing.T) { expect(t, t.Context().Err() == nil && ctx.Err() == nil && ctx.Value("key") == 1) })
	},
}

var lastDir string

// fresh fails unless nothing has happened to the T.
func fresh(t *testing.T) {
	t.Helper()
	expect(t, !t.Failed() && !t.Skipped() && t.Context().Err() == nil)
}

func expect(t *testing.T, ok bool) {
	t.Helper()
	if !ok {
		t.Fatal("not as expected")
	}
}

func named(name string) func(t *testing.T) {
	return func(t *testing.T) {
		if base := t.Name()[strings.LastIndexByte(t.Name(), '/')+1:]; base != name {
			t.Errorf("%s is not %s", base, name)
		}
	}
}

func wait(f func()) {
	done := make(chan bool)
	go func() {
		defer close(done)
		f()
	}()
	<-done
}

func FuzzVerdict(f *testing.F) {
	f.Fuzz(func(t *testing.T, name string) {
		if run := cases[name]; run != nil {
			run(t)
		}
	})
}

// TestList prints the names of the cases that this release of Go has.
func TestList(t *testing.T) {
	for name := range cases {
		fmt.Println("case", name)
	}
}

func FuzzSecret(f *testing.F) {
	f.Fuzz(func(t *testing.T, s string) {
		if Secret(s) {
			t.Fatal("found")
		}
	})
}

func BenchmarkNothing(b *testing.B) {}

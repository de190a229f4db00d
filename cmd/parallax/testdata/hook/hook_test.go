// Package hook_test is for TestReleases: a fuzz test that uses what package testing has, and fails for two kinds of input.
// Whatever the hook does otherwise than go test shows as another failure.
package hook_test

import (
	"context"
	"os"
	"path/filepath"
	"sync/atomic"
	"testing"
)

func TestMain(m *testing.M) {
	os.Setenv("FROM_MAIN", "yes")
	os.Exit(m.Run())
}

func FuzzAll(f *testing.F) {
	f.Add("seed", 1)
	f.Add("sub", 2)
	f.Add("end", 3)
	home, err := os.Getwd()
	if err != nil {
		f.Fatal(err)
	}
	inputs, cleaned := 0, 0
	f.Fuzz(func(t *testing.T, s string, n int) {
		inputs++
		if os.Getenv("FROM_MAIN") != "yes" {
			t.Error("TestMain did not run")
		}
		if wd, err := os.Getwd(); err != nil || wd != home || os.Getenv("PARALLAX_TEST") != "" {
			t.Error("the folder or the environment is not restored")
		}
		if cleaned != inputs-1 {
			t.Error("a cleanup function did not run")
		}
		ctx := context.Background()
		if n%3 == 1 {
			if ctx = t.Context(); ctx.Err() != nil {
				t.Error("the context is canceled too early")
			}
		}
		ran := false
		t.Cleanup(func() {
			cleaned++
			if n%3 == 1 && ctx.Err() == nil {
				t.Error("the context is not canceled")
			}
			if s == "sub" && !ran {
				t.Error("the parallel subtest did not run")
			}
			if s == "end!" {
				t.Error("planted in a cleanup function")
			}
		})
		if n%2 == 0 {
			dir := t.TempDir()
			t.Setenv("PARALLAX_TEST", "set")
			t.Chdir(dir)
			if err := os.WriteFile(filepath.Join(dir, "file"), nil, 0o600); err != nil {
				t.Error(err)
			}
		}
		if len(s) > 4 {
			t.Skip("long")
		}
		if s == "sub" || s == "sub!" {
			t.Run("sub", func(t *testing.T) {
				t.Parallel()
				ran = true
				if s == "sub!" {
					t.Error("planted in a subtest")
				}
			})
		}
	})
}

// Neither go test -fuzz nor the hook takes notice of t.Parallel: an input is done when the next one comes.
func FuzzParallel(f *testing.F) {
	var running atomic.Int32
	f.Fuzz(func(t *testing.T, s string) {
		t.Parallel()
		if running.Add(1) > 1 && os.Getenv("PARALLAX_WORKER") != "" {
			t.Error("two inputs at once")
		}
		defer running.Add(-1)
		if s == "par!" {
			t.Fatal("planted after t.Parallel")
		}
	})
}

package confirm

import (
	"fmt"
	"os"
	"testing"
)

// TestMain compiles drivers once for all tests, in a cache of their own.
func TestMain(m *testing.M) { os.Exit(withCache(m)) }

func withCache(m *testing.M) int {
	dir, err := os.MkdirTemp("", "confirm")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer os.RemoveAll(dir)
	os.Setenv("XDG_CACHE_HOME", dir)
	return m.Run()
}

package command

import (
	"os"
	"path/filepath"
	"testing"

	"parallax/cmd/internal/program/programtest"
)

// TestMain lets the test's own executable be the sandbox.
func TestMain(m *testing.M) {
	programtest.Sandbox()
	os.Exit(m.Run())
}

// eachWay runs a test with the isolation that the machine permits, and without any.
func eachWay(t *testing.T, test func(t *testing.T, plain bool)) {
	t.Run("namespaces", func(t *testing.T) { test(t, false) })
	t.Run("plain", func(t *testing.T) { test(t, true) })
}

// complete adds the settings that all tests need.
func complete(t *testing.T, c Config, plain bool) Config {
	t.Helper()
	c.Name = "tool"
	c.Sandbox.Tool, c.Sandbox.Plain, c.Sandbox.Dir = programtest.Tool(t), plain, t.TempDir()
	if c.Env == nil {
		c.Env = []string{"PATH=/usr/local/bin:/usr/bin:/bin", "LC_ALL=C"}
	}
	return c
}

func open(t *testing.T, c Config, plain bool) *Executor {
	t.Helper()
	c = complete(t, c, plain)
	e, err := Open(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := e.Close(); err != nil {
			t.Error(err)
		}
		if left, err := os.ReadDir(c.Sandbox.Dir); err != nil || len(left) > 0 {
			t.Errorf("left: %v, %v", left, err)
		}
	})
	return e
}

// script returns the command line of a shell script.
func script(text string, args ...string) []string {
	return append([]string{"sh", "-c", text, "sh"}, args...)
}

// file writes a file and returns its path.
func file(t *testing.T, name, content string, mode os.FileMode) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(content), mode); err != nil {
		t.Fatal(err)
	}
	return path
}

package command

import (
	"os"
	"path/filepath"
	"testing"

	"parallax/cmd/internal/confine"
	"parallax/cmd/internal/program"
)

// TestMain lets the test's own executable be the box.
func TestMain(m *testing.M) {
	if len(os.Args) > 2 && os.Args[1] == "box" {
		os.Exit(confine.Main(os.Args[2:]))
	}
	os.Exit(m.Run())
}

// eachWay runs a test with what the machine permits and with nothing of it.
func eachWay(t *testing.T, test func(t *testing.T, plain bool)) {
	t.Run("namespaces", func(t *testing.T) { test(t, false) })
	t.Run("plain", func(t *testing.T) { test(t, true) })
}

// complete adds to a configuration what all tests need.
func complete(t *testing.T, c Config, plain bool) Config {
	t.Helper()
	tool, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	c.Name = "tool"
	c.Box.Tool, c.Box.Plain, c.Box.Dir = tool, plain, t.TempDir()
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
		if left, err := os.ReadDir(c.Box.Dir); err != nil || len(left) > 0 {
			t.Errorf("left: %v, %v", left, err)
		}
	})
	return e
}

// execute runs inputs.
func execute(t *testing.T, e *Executor, inputs ...string) []program.Observation {
	t.Helper()
	obs, err := try(t, e, inputs...)
	if err != nil {
		t.Fatal(err)
	}
	return obs
}

func try(t *testing.T, e *Executor, inputs ...string) ([]program.Observation, error) {
	t.Helper()
	var all [][]byte
	for _, input := range inputs {
		all = append(all, []byte(input))
	}
	obs := make([]program.Observation, len(all))
	return obs, e.Execute(t.Context(), all, obs)
}

// script is the command line of a shell script.
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

// Package programtest has helpers for the tests of all kinds of programs. The test's executable is
// the tool with the sandbox, and a text holds the inputs.
package programtest

import (
	"context"
	"os"
	"testing"

	"parallax/cmd/internal/process/confine"
	"parallax/cmd/internal/program"
)

// Sandbox runs the sandbox if the test's executable was started as one, and returns otherwise.
// TestMain calls it first.
func Sandbox() {
	if len(os.Args) > 2 && os.Args[1] == "sandbox" {
		os.Exit(confine.Main(os.Args[2:]))
	}
}

// Tool returns the test's executable, which replaces the tool by Sandbox.
func Tool(t testing.TB) string {
	t.Helper()
	path, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return path
}

// Inputs converts texts to inputs.
func Inputs(texts ...string) [][]byte {
	inputs := make([][]byte, len(texts))
	for i, text := range texts {
		inputs[i] = []byte(text)
	}
	return inputs
}

// Try runs the inputs in one batch.
func Try(e program.Executor, inputs ...string) ([]program.Observation, error) {
	obs := make([]program.Observation, len(inputs))
	return obs, e.Execute(context.Background(), Inputs(inputs...), obs)
}

// Execute runs the inputs in one batch, and fails the test on an error.
func Execute(t testing.TB, e program.Executor, inputs ...string) []program.Observation {
	t.Helper()
	obs, err := Try(e, inputs...)
	if err != nil {
		t.Fatal(err)
	}
	return obs
}

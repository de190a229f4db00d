// Package programtest has what the tests of all kinds of programs share: the test's executable as
// the tool whose sandbox programs run in, and inputs that are written as text. Tests of the kinds
// call it.
package programtest

import (
	"context"
	"os"
	"testing"

	"parallax/cmd/internal/process/confine"
	"parallax/cmd/internal/program"
)

// Sandbox is the sandbox if the test's executable was started as one, and returns otherwise:
// TestMain begins with it.
func Sandbox() {
	if len(os.Args) > 2 && os.Args[1] == "sandbox" {
		os.Exit(confine.Main(os.Args[2:]))
	}
}

// Tool is the test's executable, which Sandbox makes do for the tool's.
func Tool(t testing.TB) string {
	t.Helper()
	path, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return path
}

// Inputs are texts as inputs.
func Inputs(texts ...string) [][]byte {
	inputs := make([][]byte, len(texts))
	for i, text := range texts {
		inputs[i] = []byte(text)
	}
	return inputs
}

// Try runs the inputs at once.
func Try(e program.Executor, inputs ...string) ([]program.Observation, error) {
	obs := make([]program.Observation, len(inputs))
	return obs, e.Execute(context.Background(), Inputs(inputs...), obs)
}

// Execute runs the inputs at once, of a program that can be run.
func Execute(t testing.TB, e program.Executor, inputs ...string) []program.Observation {
	t.Helper()
	obs, err := Try(e, inputs...)
	if err != nil {
		t.Fatal(err)
	}
	return obs
}

package fuzztest

import (
	"os"
	"testing"

	"parallax/cmd/internal/gobuild/gocommand"
)

// The test binary stands for the parallax executable.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == "guard" {
		os.Exit(gocommand.Guard(os.Args[2:]))
	}
	os.Exit(m.Run())
}

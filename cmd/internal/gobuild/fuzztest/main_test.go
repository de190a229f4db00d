package fuzztest

import (
	"os"
	"testing"

	"parallax/cmd/internal/gobuild/gocommand"
)

// TestMain runs the test binary as the parallax executable, too.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == "guard" {
		os.Exit(gocommand.Guard(os.Args[2:]))
	}
	os.Exit(m.Run())
}

package confine

import (
	"os"
	"testing"
)

// TestMain lets the test's own executable be the box, and whatever programs the tests need.
func TestMain(m *testing.M) {
	if len(os.Args) > 2 && os.Args[1] == "box" {
		os.Exit(Main(os.Args[2:]))
	}
	if name := os.Getenv("CONFINE_TEST_PROGRAM"); name != "" {
		os.Exit(testPrograms[name]())
	}
	os.Exit(m.Run())
}

// testPrograms are what the test's executable is when it is started with a name in its environment.
var testPrograms = map[string]func() int{}

package main

import (
	"os"
	"testing"
)

// TestOutside makes the go command run these tests again after a change of files outside their
// module, such as documents and drivers: it compares the variables that tests read.
func TestOutside(t *testing.T) { t.Log(os.Getenv("PARALLAX_OUTSIDE")) }

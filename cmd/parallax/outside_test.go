package main_test

import (
	"os"
	"testing"
)

// TestOutsideFiles reads a variable that changes with the files outside the module. So the go
// command does not reuse results of these tests after a change of documents or drivers.
func TestOutsideFiles(t *testing.T) { t.Log(os.Getenv("PARALLAX_OUTSIDE")) }

// Package fuzzfunc is a small stand-in for the library's own.
package fuzzfunc

import (
	"fmt"
	"os"
	"testing"

	"parallax/internal/implementation"
	_ "parallax/internal/worker"
)

// Install stands for what hands fuzz targets over.
func Install() {
	if os.Getenv("FAKE_WORKER") != "" {
		fmt.Println("installed")
	}
}

// Differential stands for a worker that compares.
func Differential() bool { return os.Getenv("FAKE_WORKER") != "" }

// Drive stands for what compares the implementations.
func Drive(f *testing.F, c implementation.Config) {
	fmt.Println("driven", c.Name)
	f.Fuzz(func(*testing.T, string) {})
}

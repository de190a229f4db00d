// Package fuzzfunc is a small stand-in for the library's own.
package fuzzfunc

import (
	"fmt"
	"os"

	_ "parallax/internal/worker"
)

// Install stands for what hands fuzz targets over.
func Install() {
	if os.Getenv("FAKE_WORKER") != "" {
		fmt.Println("installed")
	}
}

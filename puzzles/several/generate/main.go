// Generate writes program B of each puzzle and its variants with one cause each, from program A and
// the list of changes. `go generate` in puzzles/several runs it.
package main

import (
	"fmt"
	"os"
	"path/filepath"
	"sort"

	"parallax/puzzles/several/variant"
)

func main() {
	if err := run("."); err != nil {
		fmt.Fprintln(os.Stderr, "generate:", err)
		os.Exit(1)
	}
}

func run(dir string) error {
	files, err := variant.Files(dir)
	if err != nil {
		return err
	}
	var names []string
	for name := range files {
		names = append(names, name)
	}
	sort.Strings(names)
	for _, name := range names {
		file := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(file, files[name], 0o644); err != nil {
			return err
		}
	}
	return nil
}

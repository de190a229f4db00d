package harness

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"

	"parallax"
	"parallax/cmd/internal/exit"
)

var versionLine = regexp.MustCompile(`(?m)^const Version = (\d+)$`)

// LibraryVersion reads which version of the library a folder holds: the library itself, a copy, or a vendored one.
func LibraryVersion(dir string) (int, error) {
	files, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil {
		return 0, err
	}
	for _, name := range files {
		if text, err := os.ReadFile(name); err == nil && strings.Contains(string(text), "package parallax\n") {
			if m := versionLine.FindSubmatch(text); m != nil {
				return strconv.Atoi(string(m[1]))
			}
		}
	}
	return 0, fmt.Errorf("%s does not hold the library of parallax", dir)
}

// CheckLibrary compares the version of the library that a user's module has with that of the tool. What the tool adds to a
// test binary compiles only if they are the same.
func CheckLibrary(dir string) error {
	v, err := LibraryVersion(dir)
	switch {
	case err != nil:
		return exit.Usage("package %s is not the library of this tool: %w", libraryPath, err)
	case v < parallax.Version:
		return exit.Usage("the library in %s has version %d, and this parallax needs version %d: bring it up to date with\n\tparallax init", dir, v, parallax.Version)
	case v > parallax.Version:
		return exit.Usage("the library in %s has version %d, and this parallax knows version %d only: install the parallax that made it, or a later one", dir, v, parallax.Version)
	}
	return nil
}

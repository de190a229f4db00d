// Package library knows the library of parallax where it stands outside of its own module: copies and versions of it that
// users' modules have, and the copy below another import path that is compiled into a worker.
//
// Called by package gobuild, which makes workers, and by package scaffold, which writes the copy that users keep. It reads
// what it is given and writes nothing.
package library

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

// Path is the import path of the library, under which a FuzzXxx calls Diff. It is the path of its module too.
const Path = "parallax"

// Attached is the import path below which the library is compiled into a worker, as a module of its own that builds share.
const Attached = "parallax.invalid/plx"

var versionLine = regexp.MustCompile(`(?m)^const Version = (\d+)$`)

// Version reads which version of the library a folder holds: the library itself, a copy, or a vendored one.
func Version(dir string) (int, error) {
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

// Check compares the version of the library that a user's module has with that of the tool. What the tool adds to a
// test binary compiles only if they are the same.
func Check(dir string) error {
	v, err := Version(dir)
	switch {
	case err != nil:
		return exit.Usage("package %s is not the library of this tool: %w", Path, err)
	case v < parallax.Version:
		return exit.Usage("the library in %s has version %d, and this parallax needs version %d: update it with\n\tparallax init", dir, v, parallax.Version)
	case v > parallax.Version:
		return exit.Usage("the library in %s has version %d, and this parallax knows only version %d: install the parallax that made it, or a later one", dir, v, parallax.Version)
	}
	return nil
}

// Package library handles parallax's library outside of its own module. Users' modules keep copies,
// of this version or another one. A worker is compiled with a copy below another import path.
//
// The copies have different import paths, so they are different packages to the compiler. A copy is
// recognized by the end of its path and by its declarations (Holds). Its Version decides whether
// the tool can use it; the one before the current version works too (Known).
//
// Packages fuzztest, gobuild, plan and gencheck search imports for copies. Package scaffold writes
// the copy of a user, and package bisect finds the copy of an earlier commit. This package writes
// no files.
package library

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"

	"parallax"
	"parallax/cmd/internal/base/exit"
	"parallax/cmd/internal/base/lazyregexp"
)

// Path is the import path of the library in its own module, and the path of that module.
const Path = "parallax"

// Name is the name of the library's package, and the last element of the import path of a copy
// (path.go).
const Name = "parallax"

// Attached is the import path below which the library is compiled into a worker, as a module of its
// own that builds share.
const Attached = "parallax.invalid/plx"

var (
	packageLine = lazyregexp.New(`(?m)^package parallax\s*$`)
	versionLine = lazyregexp.New(`(?m)^const Version = (\d+)\s*$`)
	driverLine  = lazyregexp.New(`(?m)^var Driver func\(`)
)

// Holds reports whether the package in a folder is the library: one file declares what the tool's
// own test file refers to, Version and Driver. A package that only has the library's name does not,
// whatever its path.
func Holds(dir string) bool {
	return read(dir, func(text []byte) bool { return versionLine().Match(text) && driverLine().Match(text) }) != nil
}

// Version reads which version of the library a folder holds: the library itself, a copy, or a
// vendored one.
func Version(dir string) (int, error) {
	text := read(dir, versionLine().Match)
	if text == nil {
		return 0, fmt.Errorf("%s does not hold the library of parallax", dir)
	}
	return strconv.Atoi(string(versionLine().FindSubmatch(text)[1]))
}

// read returns the first file of package parallax in a folder that is wanted, nil if there is none.
func read(dir string, wanted func(text []byte) bool) []byte {
	if dir == "" {
		return nil
	}
	files, _ := filepath.Glob(filepath.Join(dir, "*.go"))
	for _, name := range files {
		if text, err := os.ReadFile(name); err == nil && packageLine().Match(text) && wanted(text) {
			return text
		}
	}
	return nil
}

// Check compares the version of the library that a user's module has with that of the tool.
func Check(importPath, dir string) error { return check(importPath, dir, parallax.Version) }

// oldest is the oldest version of the library that the tool knows.
const oldest = 2

// Known is Check for what the tool adds to a test binary: it writes that for the version that the
// user's module has. The note says that this is an earlier one than its own.
func Known(importPath, dir string) (note string, err error) {
	if err := check(importPath, dir, oldest); err != nil {
		return "", err
	}
	if v, err := Version(dir); err == nil && v < parallax.Version {
		note = fmt.Sprintf("the library in %s has version %d, and this parallax has version %d: it goes on with that, without parallax.Generate. Update it with parallax init", dir, v, parallax.Version)
	}
	return note, nil
}

func check(importPath, dir string, least int) error {
	v, err := Version(dir)
	switch {
	case err != nil:
		return exit.Usage("package %s is not the library of this tool: %w", importPath, err)
	case v < least:
		return exit.Usage("the library in %s has version %d, and this parallax needs version %d: update it with\n\tparallax init", dir, v, parallax.Version)
	case v > parallax.Version:
		return exit.Usage("the library in %s has version %d, and this parallax knows only version %d: install the parallax that made it, or a later one", dir, v, parallax.Version)
	}
	return nil
}

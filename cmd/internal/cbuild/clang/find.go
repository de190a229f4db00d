package clang

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"

	"parallax/cmd/internal/base/exit"
	"parallax/cmd/internal/base/lazyregexp"
)

const (
	wanted = 19 // the version that is measured and recommended
	newest = 40 // the newest version to search for
	oldest = 16 // the first with -fsanitize-coverage=control-flow
)

const getClang = "install it, for example with: apt-get install clang-19 libclang-rt-19-dev; or name one in PARALLAX_CLANG"

// find returns the path of clang: the one that PARALLAX_CLANG names, else the recommended version,
// else the newest there is. Versions that are part of the name are believed; the others are asked,
// once (see library).
func find() (string, error) {
	if name := os.Getenv("PARALLAX_CLANG"); name != "" {
		path, err := exec.LookPath(name)
		if err != nil {
			return "", exit.Infra("PARALLAX_CLANG names %s, which cannot be run: %w: %s", name, err, getClang)
		}
		return path, nil
	}
	names := []string{fmt.Sprintf("clang-%d", wanted)}
	for v := newest; v >= oldest; v-- {
		if v != wanted {
			names = append(names, fmt.Sprintf("clang-%d", v))
		}
	}
	for _, name := range append(names, "clang") {
		if path, err := exec.LookPath(name); err == nil {
			return path, nil
		}
	}
	return "", exit.Infra("C and C++ programs are built with clang %d or newer, and there is none on PATH: %s", oldest, getClang)
}

// Compiler returns the path of clang, for compilations of C without parallax's additions.
func Compiler() (string, error) { return find() }

// Version returns the version of a clang.
func Version(path string) (string, error) { return releaseOf(path) }

var versionLine = lazyregexp.New(`clang version (([0-9]+)\.[0-9.]+)`)

// ask returns the version of a clang, and checks that it is supported.
func ask(path string) (string, error) {
	out, err := exec.Command(path, "--version").Output()
	if err != nil {
		return "", exit.Infra("asking %s for its version: %w", path, err)
	}
	m := versionLine().FindSubmatch(out)
	if m == nil {
		first, _, _ := strings.Cut(string(out), "\n")
		return "", exit.Infra("%s is not clang: it says %q: %s", path, first, getClang)
	}
	if major, err := strconv.Atoi(string(m[2])); err != nil || major < oldest {
		return "", exit.Infra("%s is clang %s, and %d or newer is needed: %s", path, m[1], oldest, getClang)
	}
	return string(m[1]), nil
}

// identity distinguishes clangs, also before and after an update.
func identity(path string) (string, error) {
	real, err := filepath.EvalSymlinks(path)
	if err != nil {
		return "", exit.Infra("%w", err)
	}
	info, err := os.Stat(real)
	if err != nil {
		return "", exit.Infra("%w", err)
	}
	return fmt.Sprintf("%s %d %d", real, info.Size(), info.ModTime().UnixNano()), nil
}

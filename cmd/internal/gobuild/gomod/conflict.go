package gomod

import (
	"fmt"

	"parallax/cmd/internal/base/exit"
	"parallax/cmd/internal/base/lazyregexp"
)

// VersionsError says that functions cannot share a binary, since they are of two versions of one
// module.
type VersionsError struct{ Text string }

// Error implements error.
func (e *VersionsError) Error() string { return e.Text }

// OneVersion says why versions of a module cannot be compared directly, and the way around it. A
// path that is not known is empty.
func OneVersion(path, version string) error {
	if path == "" {
		path = "MODULE"
	}
	if !Exact(version) {
		version = "VERSION"
	}
	return &VersionsError{Text: fmt.Sprintf(`two versions of one module cannot share a binary; in a module of your own, give one of them a second path:
	go mod edit -require example.com/second@v0.0.0 -replace example.com/second=%s@%s
and compare functions there that call each of them (parallax help diff.md, "Two versions of one module")`, path, version)}
}

// TwoVersions is the error for functions that need two versions of one module; versionA may be
// empty, for the local one.
func TwoVersions(a, path, versionA, b, versionB string) error {
	return exit.Usage("%s is at %s of module %s and %s at %s: %w", a, orLocal(versionA), path, b, versionB, OneVersion(path, versionB))
}

func orLocal(version string) string {
	if version == "" {
		return "the local version"
	}
	return version
}

var exactVersion = lazyregexp.New(`^v[0-9]+\.[0-9]+\.[0-9]+`)

// Exact reports whether the version names one version, and not a query such as latest, v1 or a
// branch.
func Exact(version string) bool { return exactVersion().MatchString(version) }

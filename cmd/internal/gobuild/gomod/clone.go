package gomod

import (
	"fmt"
	"path"
	"strings"

	"parallax/cmd/internal/base/exit"
)

// Clone returns the line of a shell that clones the repository of a module and enters the module's
// folder. It is empty if the module's path does not show the repository.
func Clone(module string) string {
	parts := strings.Split(module, "/")
	switch parts[0] {
	case "github.com", "gitlab.com", "bitbucket.org", "codeberg.org":
	default:
		return ""
	}
	if len(parts) < 3 {
		return ""
	}
	folder := parts[3:]
	if n := len(folder); n > 0 && isMajor(folder[n-1]) {
		folder = folder[:n-1]
	}
	return fmt.Sprintf("git clone https://%s && cd %s", strings.Join(parts[:3], "/"), path.Join(append(parts[2:3:3], folder...)...))
}

// DependencyError is the error for a package of a dependency whose changes are asked for.
func DependencyError(pkg, module, version string) error {
	text := fmt.Sprintf("%s belongs to module %s, a dependency: compare two versions of it:\n\tparallax regress %s@OLD %s", pkg, WithVersion(module, version), module, WithVersion(module, version))
	if clone := Clone(module); clone != "" {
		text += "\nor changes in a clone of its repository:\n\t" + clone
	}
	return exit.Usage("%s", text)
}

// isMajor reports whether the last element of a path is a major version.
func isMajor(element string) bool {
	return len(element) > 1 && element[0] == 'v' && strings.Trim(element[1:], "0123456789") == ""
}

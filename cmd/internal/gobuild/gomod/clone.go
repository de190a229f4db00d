package gomod

import (
	"fmt"
	"strings"

	"golang.org/x/mod/module"

	"parallax/cmd/internal/base/exit"
)

// Clone returns the line of a shell that clones the repository of a module and enters the module's
// folder. It is empty if the path does not show the repository.
func Clone(path string) string {
	prefix, _, _ := module.SplitPathVersion(path)
	parts := strings.Split(prefix, "/")
	switch parts[0] {
	case "github.com", "gitlab.com", "bitbucket.org", "codeberg.org":
	default:
		return ""
	}
	if len(parts) < 3 {
		return ""
	}
	return fmt.Sprintf("git clone https://%s && cd %s", strings.Join(parts[:3], "/"), strings.Join(parts[2:], "/"))
}

// DependencyError is the error for a package of a dependency whose changes are asked for.
func DependencyError(pkg, of, version string) error {
	text := fmt.Sprintf("%s belongs to module %s, a dependency: compare two versions of it:\n\tparallax regress %s@OLD %s", pkg, WithVersion(of, version), of, WithVersion(of, version))
	if clone := Clone(of); clone != "" {
		text += "\nor changes in a clone of its repository:\n\t" + clone
	}
	return exit.Usage("%s", text)
}

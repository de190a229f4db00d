package gomod

import (
	"strings"
	"testing"

	"parallax/cmd/internal/base/exit"
)

func TestClone(t *testing.T) {
	for module, want := range map[string]string{
		"github.com/google/uuid":       "git clone https://github.com/google/uuid && cd uuid",
		"github.com/a/b/v3":            "git clone https://github.com/a/b && cd b",
		"gitlab.com/a/b/sub/folder/v2": "git clone https://gitlab.com/a/b && cd b/sub/folder",
		"golang.org/x/mod":             "",
		"gopkg.in/yaml.v3":             "",
		"github.com/a":                 "",
	} {
		if got := Clone(module); got != want {
			t.Errorf("%s: %q, want %q", module, got, want)
		}
	}
}

// TestDependencyError checks that the error for a dependency has a command that compares its
// versions. It also has one that clones the dependency if the path shows the repository.
func TestDependencyError(t *testing.T) {
	err := DependencyError("github.com/a/b/v2/c", "github.com/a/b/v2", "v2.1.0")
	for _, want := range []string{"parallax regress github.com/a/b/v2@OLD github.com/a/b/v2@v2.1.0", "git clone https://github.com/a/b && cd b"} {
		if exit.Code(err) != exit.UsageCode || !strings.Contains(err.Error(), want) {
			t.Errorf("%v lacks %q", err, want)
		}
	}
	if err := DependencyError("golang.org/x/mod/semver", "golang.org/x/mod", "v0.20.0"); strings.Contains(err.Error(), "clone") {
		t.Error(err)
	}
}

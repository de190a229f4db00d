//go:build go1.26

package verdicts

import (
	"os"
	"path/filepath"
	"testing"
)

func init() {
	cases["artifact-dir"] = func(t *testing.T) {
		expect(t, os.WriteFile(filepath.Join(t.ArtifactDir(), "file"), nil, 0o600) == nil)
	}
}

package buildroot

import (
	"errors"
	"os/exec"
	"strings"
	"testing"

	"parallax/cmd/internal/base/exit"
	"parallax/cmd/internal/gobuild/funcname"
	"parallax/cmd/internal/gobuild/gocommand"
	"parallax/cmd/internal/gobuild/gocommand/moduletest"
)

// TestGetError checks messages of go get that are hard to provoke with real modules.
func TestGetError(t *testing.T) {
	r := &Root{Env: gocommand.Env{GOPROXY: "https://proxy", GOVERSION: "go1.22.1"}}
	for _, arg := range []string{"a.org/m/p.F@v1.0.0", "b.org/m.F@v1.2.0"} {
		f, err := funcname.Parse(arg)
		if err != nil {
			t.Fatal(err)
		}
		r.funcs = append(r.funcs, f)
	}
	for _, tt := range []struct {
		text string
		code int
		part string
	}{
		{"go: b.org/m@v1.2.0 indirectly requires a.org/m@v1.5.0, not a.org/m@v1.0.0 (matching a.org/m/p@v1.0.0)", exit.UsageCode,
			"a.org/m/p.F@v1.0.0 cannot be used at v1.0.0: b.org/m@v1.2.0 indirectly requires a.org/m@v1.5.0; ask for that version"},
		{"go: b.org/m@v1.2.0 requires a.org/m@v1.5.0, not a.org/m@v1.0.0", exit.UsageCode, "b.org/m@v1.2.0 requires a.org/m@v1.5.0;"},
		{"go: b.org/m@v1.2.0 requires go >= 1.25.0 (running go 1.22.1; GOTOOLCHAIN=local)", exit.UsageCode, "newer Go than go1.22.1"},
		{"go: a.org/m/p@v1.0.0: Get \"https://proxy/a.org\": dial tcp: lookup proxy: no such host", exit.UsageCode, "could not be reached (GOPROXY=https://proxy): a.org/m/p@v1.0.0"},
		{"go: downloading x\ngo: b.org/m@v1.2.0: invalid version: unknown revision v1.2.0", exit.UsageCode, "b.org/m.F@v1.2.0: there is no module that holds package b.org/m at version v1.2.0"},
		{"go: writing go.mod: no space left on device", exit.InfraCode, "no space left"},
		{strings.Repeat("go: something else\n", 50), exit.UsageCode, "could not be resolved"},
	} {
		err := r.getError([]byte(tt.text), &exec.ExitError{})
		moduletest.WantError(t, err, tt.code, tt.part)
		if strings.Contains(err.Error(), "downloading") || strings.Count(err.Error(), "\n") > gocommand.MaxLines+1 {
			t.Errorf("not trimmed: %v", err)
		}
	}
	if err := r.getError(nil, errors.ErrUnsupported); err != errors.ErrUnsupported {
		t.Errorf("an error of another kind becomes %v", err)
	}
}

package gocommand

import (
	"context"
	"testing"
)

// A guard would cost as much as the answer.
func TestReadEnvHasNoGuard(t *testing.T) {
	e, err := ReadEnv(context.Background(), Command{Dir: t.TempDir(), Guard: "/there/is/none"})
	if err != nil || e.GOVERSION == "" {
		t.Errorf("%+v, %v", e, err)
	}
}

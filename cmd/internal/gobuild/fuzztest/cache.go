package fuzztest

import (
	"context"
	"strings"

	"parallax/cmd/internal/base/corpus"
	"parallax/cmd/internal/base/exit"
	"parallax/cmd/internal/gobuild/gocommand"
)

// Cache is the folder where `go test -fuzz` keeps the inputs that it found interesting for a
// FuzzXxx, which need not exist. The go command is asked as if it ran in dir.
func Cache(ctx context.Context, dir, importPath, name string) (string, error) {
	out, errs, err := gocommand.Run(ctx, gocommand.Command{Dir: dir, Args: []string{"env", "GOCACHE"}})
	if err != nil {
		return "", exit.Infra("asking go env for GOCACHE: %w\n%s", err, errs)
	}
	return corpus.GoCache(strings.TrimSpace(string(out)), importPath, name), nil
}

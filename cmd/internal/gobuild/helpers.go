package gobuild

import (
	"context"
	"os"
	"path/filepath"
	"strings"

	"parallax/cmd/internal/gobuild/fuzztest"
)

// Helpers lists folders below the module of a plan for FuzzXxx. They hold packages that its tests
// need, that only tests import, and that another tree of the module lacks.
func (p *Plan) Helpers(ctx context.Context, other string) ([]string, error) {
	missing := false
	for _, q := range p.graph.All {
		if rel, ok := strings.CutPrefix(q.ImportPath, p.fuzz.Module+"/"); ok && !strings.HasPrefix(rel, mainFolder) {
			if _, err := os.Stat(filepath.Join(other, filepath.FromSlash(rel))); err != nil && q.ImportPath != p.fuzz.External() {
				missing = true
			}
		}
	}
	if !missing {
		return nil, nil
	}
	all, err := p.root.List(ctx, "--", p.fuzz.Module+"/...")
	if err != nil {
		return nil, err
	}
	return fuzztest.Helpers(p.fuzz.Module, p.fuzz.ImportPath, p.graph.All, all), nil
}

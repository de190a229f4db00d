package subject

import (
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"parallax/cmd/internal/base/exit"
	"parallax/cmd/internal/gobuild/fuzztest"
)

// tree returns the place of the package in a version.
func (b *pairBuilder) tree(name string, newer *side) fuzztest.Tree {
	pkg := newer.test.pkg
	rel, err := filepath.Rel(pkg.ModuleDir, pkg.Dir)
	if err != nil {
		rel = "."
	}
	t := fuzztest.Tree{Dir: pkg.ModuleDir, Package: filepath.ToSlash(rel)}
	if name == OldVersion {
		old := &b.t.Pair.request.Old
		t.Dir = old.root()
		if strings.HasPrefix(old.Package, ".") {
			if rel, err := filepath.Rel(t.Dir, filepath.Join(old.Dir, filepath.FromSlash(old.Package))); err == nil {
				t.Package = filepath.ToSlash(rel)
			}
		}
	}
	return t
}

// root returns the folder of the module that holds Dir.
func (v *Version) root() string {
	for dir := v.Dir; ; dir = filepath.Dir(dir) {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return dir
		}
		if dir == filepath.Dir(dir) {
			return v.Dir
		}
	}
}

// overlay chooses the files to lay over the old tree.
func (b *pairBuilder) overlay(ctx context.Context, newer *side) (*fuzztest.Over, error) {
	r := &b.t.Pair.request
	from, onto := b.tree(NewVersion, newer), b.tree(OldVersion, newer)
	there, _ := os.ReadDir(filepath.Join(onto.Dir, filepath.FromSlash(onto.Package)))
	if !slices.ContainsFunc(there, func(e fs.DirEntry) bool { return filepath.Ext(e.Name()) == ".go" }) {
		return nil, &OldError{exit.Build("it has no package in the folder %s, where the new one has %s", onto.Package, r.Fuzz)}
	}
	if r.Old.Package == "" {
		rel, err := filepath.Rel(r.Old.Dir, filepath.Join(onto.Dir, filepath.FromSlash(onto.Package)))
		if err != nil {
			return nil, exit.Infra("finding the package in the old version: %w", err)
		}
		r.Old.Package = "./" + filepath.ToSlash(rel)
	}
	helpers, err := newer.plan.Helpers(ctx, onto.Dir)
	if err != nil {
		return nil, err
	}
	over, err := fuzztest.LayOver(from, onto, helpers, nil)
	if err != nil {
		return nil, exit.Infra("laying the harness over the old version: %w", err)
	}
	return over, nil
}

// neededTests returns an overlay without the tests that the harness does not need. Nil means that
// it needs all.
func (b *pairBuilder) neededTests(newer *side, all *fuzztest.Over) *fuzztest.Over {
	from, onto := b.tree(NewVersion, newer), b.tree(OldVersion, newer)
	needed, err := fuzztest.Needed(from, b.t.Pair.request.Fuzz)
	if err != nil || len(needed) == 0 || len(needed) == len(all.Tests) {
		return nil
	}
	over, err := fuzztest.LayOver(from, onto, all.Helpers, needed)
	if err != nil {
		return nil
	}
	return over
}

// neededFunctions returns an overlay without the functions that the harness does not need. Nil
// means that it needs all.
func (b *pairBuilder) neededFunctions(newer *side, all *fuzztest.Over) *fuzztest.Over {
	from, onto, fuzz := b.tree(NewVersion, newer), b.tree(OldVersion, newer), b.t.Pair.request.Fuzz
	needed, err := fuzztest.Needed(from, fuzz)
	if err != nil || len(needed) == 0 {
		return nil
	}
	dir := filepath.Join(b.t.assembly.space.Dir, "pruned")
	if err := os.RemoveAll(dir); err != nil {
		return nil
	}
	files, err := fuzztest.Prune(from, onto, fuzz, needed, dir)
	if err != nil || len(files) == 0 {
		return nil
	}
	over, err := fuzztest.LayOver(from, onto, all.Helpers, needed)
	if err != nil {
		return nil
	}
	for name, path := range files {
		over.Overlay[filepath.Join(onto.Dir, filepath.FromSlash(onto.Package), name)] = path
	}
	return over
}

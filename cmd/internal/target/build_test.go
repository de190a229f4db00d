package target

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"parallax/cmd/internal/execute"
	"parallax/cmd/internal/target/cache"
)

// A variant is built once, whether that succeeds or not; an attempt that is interrupted is made again.
func TestVariants(t *testing.T) {
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	space, err := cache.Open(t.Context(), "variants")
	if err != nil {
		t.Fatal(err)
	}
	defer space.Close()
	broken := errors.New("does not build")
	for _, fails := range []error{nil, broken} {
		b := &variants{space: space}
		tries := 0
		ctx, cancel := context.WithCancel(context.Background())
		interrupted := func() (string, error) { tries++; cancel(); return "", errors.New("killed") }
		if _, err := b.make(ctx, &b.ordered, interrupted); !errors.Is(err, context.Canceled) || b.tried(&b.ordered) {
			t.Errorf("interrupted: %v, tried %v", err, b.tried(&b.ordered))
		}
		build := func() (string, error) { tries++; return "binary", fails }
		for range 2 {
			path, err := b.make(context.Background(), &b.ordered, build)
			if err != fails || path != "binary" || !b.tried(&b.ordered) || b.tried(&b.cmplog) {
				t.Errorf("%q, %v, want %v", path, err, fails)
			}
		}
		if tries != 2 {
			t.Errorf("built %d times", tries)
		}
	}
}

// Where the cmplog build of Go functions does not build, something stands in its place until the target is closed, so that nobody waits for it.
func TestCmpLogDoesNotBuild(t *testing.T) {
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	space, err := cache.Open(t.Context(), "cmplog")
	if err != nil {
		t.Fatal(err)
	}
	broken := errors.New("does not build")
	p := &part{functions: []*function{{program: 0}}, dir: t.TempDir()}
	m := &assembly{variants: variants{space: space, cmplog: variant{failed: broken}}, parts: []*part{p}, dir: t.TempDir()}
	if err := m.Ask(&execute.Spec{}); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(p.cmplogPath(space)); err == nil {
		t.Error("it is there before it is built")
	}
	if err := m.Build(t.Context()); err != broken {
		t.Errorf("%v", err)
	}
	if info, err := os.Stat(p.cmplogPath(space)); err != nil || info.Mode()&0o111 != 0 {
		t.Errorf("%v, %v", info, err)
	}
	done := m.own("done")
	if err := os.WriteFile(done, nil, 0o644); err != nil || filepath.Dir(done) != m.dir {
		t.Errorf("%s: %v", done, err)
	}
	space.Close()
	for _, dir := range []string{p.dir, m.dir} {
		if left, _ := os.ReadDir(dir); len(left) > 0 {
			t.Errorf("left: %v", left)
		}
	}
}

package subject

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"parallax/cmd/internal/base/buildcache"
	"parallax/cmd/internal/process/execute"
)

// TestVariants checks that a variant is built once, whether it compiles or not, and that an
// interrupted build is made again.
func TestVariants(t *testing.T) {
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	space, err := buildcache.Open(t.Context(), "variants")
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
		if _, err := b.make(ctx, &b.ordered, interrupted); !errors.Is(err, context.Canceled) || b.ordered.done.Load() {
			t.Errorf("interrupted: %v, tried %v", err, b.ordered.done.Load())
		}
		build := func() (string, error) { tries++; return "binary", fails }
		for range 2 {
			path, err := b.make(context.Background(), &b.ordered, build)
			if err != fails || path != "binary" || !b.ordered.done.Load() || b.cmplog.done.Load() {
				t.Errorf("%q, %v, want %v", path, err, fails)
			}
		}
		if tries != 2 {
			t.Errorf("built %d times", tries)
		}
	}
}

// TestCmpLogGivesWay checks that the cmplog build gives up its turn to a build that findings wait
// for, and is made afterwards. A finished cmplog build takes no turn.
func TestCmpLogGivesWay(t *testing.T) {
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	space, err := buildcache.Open(t.Context(), "turns")
	if err != nil {
		t.Fatal(err)
	}
	defer space.Close()
	const judges = 3
	b := &variants{space: space}
	var steps []string
	begun, made, found := make(chan bool, 1), make(chan error, 1), make(chan error, judges)
	go func() {
		made <- b.makeCmpLog(t.Context(), func(ctx context.Context) (string, error) {
			if b.ordered.done.Load() {
				steps = append(steps, "cmplog")
				return "operands", nil
			}
			begun <- true
			<-ctx.Done() // like the go command, which is killed
			steps = append(steps, "given up")
			return "", ctx.Err()
		})
	}()
	<-begun
	for range judges {
		go func() {
			_, err := b.makeFirst(t.Context(), &b.ordered, func() (string, error) {
				steps = append(steps, "ordered")
				return "ordered", nil
			})
			found <- err
		}()
	}
	for range judges {
		if err := <-found; err != nil {
			t.Error(err)
		}
	}
	if err := <-made; err != nil {
		t.Error(err)
	}
	if path, err := b.makeFirst(t.Context(), &b.ordered, nil); path != "ordered" || err != nil || b.yield != nil {
		t.Errorf("%q, %v", path, err)
	}
	if want := []string{"given up", "ordered", "cmplog"}; !slices.Equal(steps, want) {
		t.Errorf("%q, want %q", steps, want)
	}
	other := &variants{space: space}
	ctx, cancel := context.WithCancel(t.Context())
	err = other.makeCmpLog(ctx, func(ctx context.Context) (string, error) { cancel(); return "", ctx.Err() })
	if !errors.Is(err, context.Canceled) || other.cmplog.done.Load() {
		t.Errorf("interrupted: %v", err)
	}
}

// TestCmpLogDoesNotBuild checks that a file replaces a cmplog build that does not compile until the
// target is closed, so that no process waits for it.
func TestCmpLogDoesNotBuild(t *testing.T) {
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	space, err := buildcache.Open(t.Context(), "cmplog")
	if err != nil {
		t.Fatal(err)
	}
	broken := errors.New("does not build")
	p := &part{functions: []*function{{program: 0}}, dir: t.TempDir()}
	m := &assembly{variants: variants{space: space}, parts: []*part{p}, dir: t.TempDir()}
	m.cmplog.failed = broken
	m.cmplog.done.Store(true)
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
	done := m.ownFile("done")
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

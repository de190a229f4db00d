package target

import (
	"context"
	"errors"
	"testing"

	"parallax/cmd/internal/target/cache"
)

// A variant is built once, whether that succeeds or not; an attempt that is interrupted is made again.
func TestVariants(t *testing.T) {
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	space, err := cache.Open("variants")
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

package past

import (
	"errors"
	"strings"
	"testing"

	"parallax/cmd/internal/base/exit"
)

// TestWorstError checks that the error of several campaigns is the worst: findings hide no failure.
func TestWorstError(t *testing.T) {
	broken := exit.Build("it does not build")
	for _, test := range []struct{ a, b, want error }{
		{nil, nil, nil},
		{nil, exit.ErrFound, exit.ErrFound},
		{exit.ErrFound, nil, exit.ErrFound},
		{exit.ErrFound, broken, broken},
		{broken, exit.ErrFound, broken},
		{broken, nil, broken},
	} {
		if got := worse(test.a, test.b); !errors.Is(got, test.want) && got != test.want {
			t.Errorf("worse(%v, %v): %v, want %v", test.a, test.b, got, test.want)
		}
	}
}

// TestNoFolder checks that the commands on a folder without a campaign name it and are usage
// errors.
func TestNoFolder(t *testing.T) {
	dir := t.TempDir()
	for name, run := range map[string]func() error{
		"show":         func() error { return Show(Shown{Folder: dir}, []string{"0123"}) },
		"show --json":  func() error { return Show(Shown{Folder: dir, JSON: true}, []string{"0123"}) },
		"show --flaky": func() error { return Show(Shown{Folder: dir, Flaky: true}, nil) },
		"show a list":  func() error { return Show(Shown{Folder: dir}, nil) },
	} {
		if err := run(); exit.Code(err) != exit.UsageCode || !strings.Contains(err.Error(), dir) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

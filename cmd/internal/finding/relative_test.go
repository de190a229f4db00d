package finding_test

import (
	"testing"

	"parallax/cmd/internal/finding"
)

func TestRelative(t *testing.T) {
	tests := []struct{ base, path, want string }{
		{"/home/user", "/home/user/.parallax/a-b", ".parallax/a-b"},
		{"/home/user", "/home/user", "."},
		{"/home/user", "/tmp/out", "/tmp/out"},
		{"/home/user", "/home/user2", "/home/user2"},
		{"relative", "/tmp/out", "/tmp/out"},
		{"/", "/tmp/out", "tmp/out"},
		{"/home/user", "/home/user/..out", "..out"},
	}
	for _, test := range tests {
		if got := finding.Relative(test.base, test.path); got != test.want {
			t.Errorf("%s from %s: %q, want %q", test.path, test.base, got, test.want)
		}
	}
}

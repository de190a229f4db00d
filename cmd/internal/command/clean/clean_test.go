package clean

import (
	"strings"
	"testing"
	"time"

	"parallax/cmd/internal/base/buildcache"
	"parallax/cmd/internal/base/exit"
)

// TestUsage checks that wrong times and sizes are refused before anything is removed.
func TestUsage(t *testing.T) {
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	given := func(names ...string) func(string) bool {
		return func(flag string) bool { return strings.Contains(strings.Join(names, " "), flag) }
	}
	for _, test := range []struct {
		options Options
		text    string
	}{
		{Options{Given: given("older"), Older: 0}, "--older"},
		{Options{Given: given("older"), Older: -time.Hour}, "--older"},
		{Options{Given: given("size"), Size: "5"}, "--size"},
		{Options{Given: given("size"), Size: "five GiB"}, "--size"},
	} {
		err := Run(test.options)
		if exit.Code(err) != exit.UsageCode || !strings.Contains(err.Error(), test.text) {
			t.Errorf("%+v: %v", test.options.Size, err)
		}
	}
	if err := Run(Options{Given: given(), JSON: true, Request: buildcache.Request{Dry: true}}); err != nil {
		t.Errorf("an empty cache: %v", err)
	}
}

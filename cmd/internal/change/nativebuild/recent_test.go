package nativebuild

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"parallax/cmd/internal/base/buildcache"
	"parallax/cmd/internal/change/revision"
)

// TestRecent checks that the latest builds of a work tree are kept, and those in use.
func TestRecent(t *testing.T) {
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	b := &builder{Request: Request{Command: []string{"make"}}}
	v := &revision.Version{Dir: "/project", WorkTree: true}
	var folders []*buildcache.Folder
	for i := range mostRecent + 3 {
		f, err := buildcache.Open(t.Context(), "a build", fmt.Sprint(i))
		if err != nil {
			t.Fatal(err)
		}
		folders = append(folders, f)
		if i != 1 {
			f.Close()
		}
		b.recent(t.Context(), v, ".", f.Dir)
		b.recent(t.Context(), v, ".", folders[max(i-1, 0)].Dir) // it was used again
		b.recent(t.Context(), v, ".", f.Dir)
	}
	for i, f := range folders {
		_, err := os.Stat(f.Dir)
		if kept := i == 1 || i >= 3; (err == nil) != kept {
			t.Errorf("build %d of %d is kept: %v", i, len(folders), err == nil)
		}
	}
	folders[1].Close()
	if err := os.WriteFile(filepath.Join(folders[4].Dir, "x"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	// another work tree has its own list
	b.recent(t.Context(), &revision.Version{Dir: "/another"}, ".", folders[0].Dir)
	if _, err := os.Stat(folders[4].Dir); err != nil {
		t.Error(err)
	}
}

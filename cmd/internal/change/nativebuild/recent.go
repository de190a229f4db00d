package nativebuild

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"

	"parallax/cmd/internal/base/buildcache"
	"parallax/cmd/internal/change/revision"
	"parallax/internal/atomicfile"
)

// mostRecent limits the builds of one work tree that are kept. Each change of a file makes another
// build, with all files of the project.
const mostRecent = 8

// recentFile lists the folders of the builds of a work tree, the latest first.
const recentFile = "recent.json"

// recent records the folder of a work tree's build, and removes old ones that are not in use. It
// ignores errors, since the cache removes its old folders too.
func (b *builder) recent(ctx context.Context, v *revision.Version, rel, dir string) {
	place, err := buildcache.Open(ctx, append([]string{"native-recent", v.Dir, rel}, b.Command...)...)
	if err != nil {
		return
	}
	defer place.Close()
	release, err := place.Lock(ctx, nil)
	if err != nil {
		return
	}
	defer release()
	path := filepath.Join(place.Dir, recentFile)
	var list []string
	if text, err := os.ReadFile(path); err == nil {
		json.Unmarshal(text, &list) // an unreadable list starts empty
	}
	list = append([]string{dir}, slices.DeleteFunc(list, func(other string) bool { return other == dir })...)
	for len(list) > mostRecent {
		last := list[len(list)-1]
		if filepath.Dir(last) == filepath.Dir(dir) { // whatever the file contains
			buildcache.Discard(last)
		}
		list = list[:len(list)-1]
	}
	if text, err := json.Marshal(list); err == nil {
		atomicfile.Write(atomicfile.OS, path, text)
	}
}

package plan

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"parallax/cmd/internal/base/buildcache"
	"parallax/cmd/internal/change"
	"parallax/cmd/internal/flow"
)

// The user's cache has the change points of two trees, by all their inputs. Users often repeat a
// comparison while they work on a change. Points that cannot be read or written there are computed.

// cachedChanges is the cached result of a comparison.
type cachedChanges struct {
	Points []cachedPoint
	Notes  []change.Note
	Was    map[string]string
}

type cachedPoint struct {
	change.Point
	At []cachedSpot
	In []flow.Position // functions of its blocks: positions of their keywords func
}

type cachedSpot struct {
	File      string
	Line, Col int
	Kind      flow.Kind
}

// read returns nil for a missing or damaged entry.
func read(in buildcache.Results, key string) *cachedChanges {
	var k cachedChanges
	if json.Unmarshal(in.Read(key), &k) != nil {
		return nil
	}
	return &k
}

func write(in buildcache.Results, key string, k *cachedChanges) {
	if data, err := json.Marshal(k); err == nil {
		in.Write(key, data)
	}
}

// key hashes the inputs of a comparison by this executable. It is empty if a file cannot be read.
// Packages of the standard library and of published modules do not change under one version, unless
// they are vendored.
func key(tool string, trees ...*change.Tree) string {
	h := sha256.New()
	info, err := os.Stat(tool)
	if err != nil {
		return ""
	}
	fmt.Fprintln(h, info.Size(), info.ModTime().UnixNano())
	for _, t := range trees {
		fmt.Fprintf(h, "tree %q %s %d\n", t.Root, t.Go, len(t.Packages))
		for _, p := range t.Packages {
			fmt.Fprintf(h, "%q %q %q %q %s %q %v %v %q %q %v\n", p.Path, p.Name, p.Dir, p.Module, p.Version, p.Language, p.Main, p.Standard, p.Error, p.Imports, p.ImportMap)
			fixed := p.Standard || p.Version != "" && !p.Main && !strings.Contains(filepath.ToSlash(p.Dir), "/vendor/")
			for _, name := range p.Data() { // notes mention these; size and time of a file suffice
				if info, err := os.Lstat(name); err == nil {
					fmt.Fprintf(h, "data %q %d %d\n", name, info.Size(), info.ModTime().UnixNano())
				}
			}
			for _, name := range slices.Concat(p.Files, p.Native, p.Embedded, p.Ignored, p.Tests) {
				if buildcache.HashFile(h, name, fixed) != nil {
					return ""
				}
			}
		}
	}
	return hex.EncodeToString(h.Sum(nil))
}

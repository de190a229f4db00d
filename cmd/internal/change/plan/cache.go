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

// Change points of two trees are kept in the user's cache, by all that they are computed from: the same pair is asked for again and again
// while a change is worked at. What cannot be read or written there is computed.

// kept is what is kept.
type kept struct {
	Points []keptPoint
	Notes  []change.Note
	Was    map[string]string
}

type keptPoint struct {
	change.Point
	At []keptSpot
	In []flow.Place // the functions that hold its blocks: their keywords func
}

type keptSpot struct {
	File      string
	Line, Col int
	Kind      flow.Kind
}

// read returns nil for what is not there or damaged.
func read(in buildcache.Results, key string) *kept {
	var k kept
	if json.Unmarshal(in.Read(key), &k) != nil {
		return nil
	}
	return &k
}

func write(in buildcache.Results, key string, k *kept) {
	if data, err := json.Marshal(k); err == nil {
		in.Write(key, data)
	}
}

// key names what is computed from two trees by this executable; "" if a file cannot be read. Packages of the standard library and of published
// modules do not change under one version, unless they are vendored.
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
			for _, name := range p.Data() { // of which notes tell; the size and the time of a file will do
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

package state

import (
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/mod/modfile"
)

// Where a campaign's folder lies is not written into it, nor where the command was given: it can be moved, and two campaigns of one kind are
// equal wherever they are. In campaign.json, dirWord stands for the folder where the command was given, and what tells that folder from any
// other is named from there. In memory all paths are absolute.

// dirWord stands in campaign.json for the folder where the command was given.
const dirWord = "{dir}"

// anchors are the options whose files tell that folder from any other.
var anchors = []string{"config", "harness", "harnesses", "package_dir"}

// Module is the Go module in which the command was given.
type Module struct {
	File string `json:"file"` // its go.mod, as it is seen from there
	Path string `json:"path"`
}

// placed is the configuration as campaign.json has it.
func (c Config) placed(fsys FS) Config {
	dir := c.Dir
	if !filepath.IsAbs(dir) {
		return c
	}
	c.Dir, c.Module = "", moduleAbove(fsys, dir)
	c.rewrite(func(path string) string {
		if path == dir {
			return dirWord
		}
		if rest, ok := strings.CutPrefix(path, strings.TrimSuffix(dir, "/")+"/"); ok {
			return dirWord + "/" + rest
		}
		return path
	})
	return c
}

// moduleAbove is the module that a folder lies in, nil if it lies in none.
func moduleAbove(fsys FS, dir string) *Module {
	for up := ""; ; up = filepath.Join(up, "..") {
		at := filepath.Join(dir, up)
		if path, ok := modulePath(fsys, filepath.Join(at, "go.mod")); ok {
			return &Module{File: filepath.Join(up, "go.mod"), Path: path}
		}
		if at == filepath.Dir(at) {
			return nil
		}
	}
}

func modulePath(fsys FS, file string) (path string, ok bool) {
	data, err := fsys.ReadFile(file)
	return modfile.ModulePath(data), err == nil
}

// found makes the paths of a campaign.json in folder absolute again. The command was given in the folder that has what the campaign ran on:
// the nearest above the campaign's, or else the current one.
func (c *Config) found(fsys FS, folder string) {
	folder, err := filepath.Abs(folder)
	if err != nil {
		return
	}
	var places []string
	for _, at := range []string{folder, realPath(folder)} {
		for at != filepath.Dir(at) {
			at = filepath.Dir(at)
			places = append(places, at)
		}
	}
	here, _ := os.Getwd()
	c.Dir = here // where nothing tells it, nothing depends on it
	if filepath.Base(filepath.Dir(folder)) == Home {
		c.Dir = filepath.Dir(filepath.Dir(folder))
	}
	if c.Module != nil || slices.ContainsFunc(anchors, func(key string) bool { return strings.Contains(c.Options[key], dirWord) }) {
		places = append(places, here)
		if at := slices.IndexFunc(places, func(dir string) bool { return c.fits(fsys, dir) }); at >= 0 {
			c.Dir = places[at]
		}
	}
	c.rewrite(func(path string) string { return expand(path, c.Dir) })
}

func realPath(path string) string {
	if real, err := filepath.EvalSymlinks(path); err == nil {
		return real
	}
	return path
}

// fits reports whether what the campaign ran on is in a folder.
func (c *Config) fits(fsys FS, dir string) bool {
	if m := c.Module; m != nil {
		if path, ok := modulePath(fsys, filepath.Join(dir, m.File)); !ok || path != m.Path {
			return false
		}
	}
	for _, key := range anchors {
		for _, path := range filepath.SplitList(c.Options[key]) {
			if !strings.HasPrefix(path, dirWord) {
				continue
			}
			// A campaign's folder may have the name of a harness.
			if info, err := fsys.Stat(expand(path, dir)); err != nil || info.IsDir() != (key == "package_dir") {
				return false
			}
		}
	}
	return dir != ""
}

// rewrite changes the paths of the configuration but Dir. Options may be lists of them.
func (c *Config) rewrite(path func(string) string) {
	list := func(paths []string) []string {
		var out []string
		for _, p := range paths {
			out = append(out, path(p))
		}
		return out
	}
	c.SeedPaths = list(c.SeedPaths)
	c.Dictionary = path(c.Dictionary)
	if c.Options == nil {
		return
	}
	options := map[string]string{}
	for key, value := range c.Options {
		const sep = string(filepath.ListSeparator)
		options[key] = strings.Join(list(strings.Split(value, sep)), sep)
	}
	c.Options = options
}

// expand puts the folder where the command was given in the place of its word.
func expand(path, dir string) string {
	if path == dirWord {
		return dir
	}
	if rest, ok := strings.CutPrefix(path, dirWord+"/"); ok {
		return filepath.Join(dir, rest)
	}
	return path
}

package state

import (
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/mod/modfile"
)

// No file in a campaign's folder names the folder or the working directory of the command. So the
// folder can be moved, and equal campaigns in different places have equal files. In campaign.json,
// dirWord represents the working directory, and the files that identify it have paths relative to
// it. In memory, all paths are absolute.

// dirWord represents the command's working directory in campaign.json.
const dirWord = "{dir}"

// anchors lists the options whose files identify the working directory.
var anchors = []string{"config", "harness", "harnesses", "package_dir"}

// Module is the Go module of the working directory.
type Module struct {
	File string `json:"file"` // path of its go.mod, relative to the working directory
	Path string `json:"path"`
}

// relocatable returns the configuration as it is written to campaign.json.
func (c Config) relocatable(fsys FS) Config {
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

// moduleAbove returns the module that holds a folder, or nil.
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

// makeAbsolute makes the paths of a campaign.json in folder absolute. The working directory is the
// nearest folder above the campaign's that has the files of the campaign, or else the current one.
func (c *Config) makeAbsolute(fsys FS, folder string) {
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
	c.Dir = here // without anchors, no path depends on it
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

// fits reports whether a folder has the files of the campaign.
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

// rewrite changes all paths of the configuration except Dir. Options may be lists of paths.
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

// expand replaces dirWord by the working directory.
func expand(path, dir string) string {
	if path == dirWord {
		return dir
	}
	if rest, ok := strings.CutPrefix(path, dirWord+"/"); ok {
		return filepath.Join(dir, rest)
	}
	return path
}

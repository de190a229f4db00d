// Package sources reads the source files that reports of findings show lines of. It reads only
// files that belong to what was tested, since a record may name any file.
package sources

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"golang.org/x/mod/modfile"
)

// longestSource is the size of a source file from which on no lines of it are shown.
const longestSource = 16 << 20

// Of returns a reader of the source files of campaigns that started in these folders. It reads Go,
// C and C++ files in the folders, in the modules there, in GOROOT and in the module cache. A
// campaign's folder may be from a stranger, and could otherwise copy any file of this machine into
// a report.
func Of(dirs ...string) func(file string) ([]byte, error) {
	return func(file string) ([]byte, error) {
		real, err := filepath.EvalSymlinks(file)
		if err != nil {
			return nil, err
		}
		if real, err = filepath.Abs(real); err != nil {
			return nil, err
		}
		if !slices.Contains(languages, filepath.Ext(file)) || !slices.Contains(languages, filepath.Ext(real)) {
			return nil, fmt.Errorf("%s is not a file of Go, C or C++", file)
		}
		if !inSources(dirs, real) {
			return nil, fmt.Errorf("%s is not in a module of the campaign", file)
		}
		if info, err := os.Stat(real); err != nil {
			return nil, err
		} else if !info.Mode().IsRegular() || info.Size() > longestSource {
			return nil, errors.New(file + " is not a source file")
		}
		return os.ReadFile(real)
	}
}

// languages are the ends of names of source files.
var languages = []string{".go", ".c", ".h", ".cc", ".cpp", ".cxx", ".c++", ".hh", ".hpp", ".hxx", ".inc", ".y", ".l"}

// inSources examines the folders first. Most files lie there, and the go command is not needed for
// them.
func inSources(dirs []string, file string) bool {
	for _, dir := range dirs {
		if within(dir, file) {
			return true
		}
	}
	for _, dir := range dirs {
		for _, root := range sourceRoots(dir) {
			if inFolder(root, file) {
				return true
			}
		}
	}
	return false
}

// within reports whether a file is in a folder. Only the file's path has no symbolic links.
func within(dir, file string) bool {
	real, err := filepath.EvalSymlinks(dir)
	return err == nil && filepath.IsAbs(dir) && inFolder(real, file)
}

func inFolder(root, file string) bool {
	rel, err := filepath.Rel(root, file)
	return err == nil && filepath.IsLocal(rel)
}

// known are the roots by folder: asking the go command takes some time, and reports are written
// while a campaign runs.
var known sync.Map

// sourceRoots are the folders that sources of a campaign started in dir are in, without symbolic
// links.
func sourceRoots(dir string) []string {
	if list, ok := known.Load(dir); ok {
		return list.([]string)
	}
	env := goEnv(dir)
	roots := []string{dir, env.GOROOT, env.GOMODCACHE}
	roots = append(roots, moduleRoots(env.GOMOD)...)
	if filepath.IsAbs(env.GOWORK) {
		roots = append(roots, workRoots(env.GOWORK)...)
	}
	var list []string
	for _, root := range roots {
		if !filepath.IsAbs(root) {
			continue
		}
		if real, err := filepath.EvalSymlinks(root); err == nil {
			list = append(list, real)
		}
	}
	known.Store(dir, list)
	return list
}

type goFolders struct{ GOROOT, GOMODCACHE, GOMOD, GOWORK string }

// goEnv asks the go command, without having it get another one. It is empty where there is no go
// command.
func goEnv(dir string) (env goFolders) {
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	defer cancel()
	c := exec.CommandContext(ctx, "go", "env", "-json", "GOROOT", "GOMODCACHE", "GOMOD", "GOWORK")
	c.Env = append(os.Environ(), "GOTOOLCHAIN=local")
	info, err := os.Stat(dir)
	there := err == nil && info.IsDir()
	if c.Dir = dir; !there {
		c.Dir = os.TempDir()
	}
	out, err := c.Output()
	if err != nil || json.Unmarshal(out, &env) != nil {
		return goFolders{}
	}
	if !there {
		env.GOMOD, env.GOWORK = "", ""
	}
	return env
}

// moduleRoots are the folder of a go.mod and those that it replaces modules by.
func moduleRoots(file string) []string {
	if filepath.Base(file) != "go.mod" { // where there is none, the go command says os.DevNull
		return nil
	}
	data, err := os.ReadFile(file)
	if err != nil {
		return nil
	}
	list := []string{filepath.Dir(file)}
	if mod, err := modfile.Parse(file, data, nil); err == nil {
		list = append(list, replacedBy(filepath.Dir(file), mod.Replace)...)
	}
	return list
}

// workRoots are the folders of a go.work's modules, and those that modules are replaced by.
func workRoots(file string) []string {
	data, err := os.ReadFile(file)
	if err != nil {
		return nil
	}
	work, err := modfile.ParseWork(file, data, nil)
	if err != nil {
		return nil
	}
	list := replacedBy(filepath.Dir(file), work.Replace)
	for _, use := range work.Use {
		list = append(list, moduleRoots(filepath.Join(from(filepath.Dir(file), use.Path), "go.mod"))...)
	}
	return list
}

// replacedBy are the folders among replacements.
func replacedBy(dir string, list []*modfile.Replace) (folders []string) {
	for _, r := range list {
		if r.New.Version == "" {
			folders = append(folders, from(dir, r.New.Path))
		}
	}
	return folders
}

// from is a path that may be relative to a folder.
func from(dir, path string) string {
	if path = filepath.FromSlash(path); filepath.IsAbs(path) {
		return path
	}
	return filepath.Join(dir, path)
}

package main

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sort"
	"strings"
)

// planted lists the copied parts of the repository: the programs that are fuzzed, and the library,
// which they import.
var planted = []string{"go.mod", "*.go", "internal", "repair", "examples", "puzzles", "drivers", "bench/same/subject", "bench/c/puzzles"}

// plant copies the subjects to a folder named by their content. So they do not change during a
// campaign, and the build cache stays warm. Recordings of two work trees with the same subjects
// have the same paths.
func plant(root, temp string) (tree string, err error) {
	var paths []string
	for _, pattern := range planted {
		found, err := filepath.Glob(filepath.Join(root, filepath.FromSlash(pattern)))
		if err != nil {
			return "", err
		}
		if len(found) == 0 {
			return "", fmt.Errorf("%s has no %s: -root names a repository of parallax", root, pattern)
		}
		paths = append(paths, found...)
	}
	sum, err := hashTree(root, paths)
	if err != nil {
		return "", err
	}
	tree = filepath.Join(temp, "subjects-"+sum)
	if _, err := os.Stat(tree); err == nil {
		now, err := hashTree(tree, []string{tree})
		if err == nil && now != sum {
			err = fmt.Errorf("%s was changed: remove it", tree)
		}
		return tree, err
	}
	half, err := os.MkdirTemp(temp, "planting-")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(half)
	for _, path := range paths {
		rel, err := filepath.Rel(root, path)
		if err != nil {
			return "", err
		}
		if err := copyTree(path, filepath.Join(half, rel)); err != nil {
			return "", err
		}
	}
	err = os.Rename(half, tree)
	if errors.Is(err, fs.ErrExist) { // another recording was quicker
		err = nil
	}
	return tree, err
}

// skipped reports whether an entry is left out of trees, such as output of campaigns and builds in
// a work tree.
func skipped(d fs.DirEntry) bool {
	return d.IsDir() && (d.Name() == ".parallax" || d.Name() == "__pycache__" || d.Name() == "node_modules") ||
		!d.IsDir() && !d.Type().IsRegular()
}

// hashTree is of the names, from root on, and the contents of all files in the paths.
func hashTree(root string, paths []string) (string, error) {
	var all []string
	for _, path := range paths {
		err := filepath.WalkDir(path, func(name string, d fs.DirEntry, err error) error {
			switch {
			case err != nil:
				return err
			case skipped(d) && d.IsDir():
				return fs.SkipDir
			case d.IsDir() || skipped(d):
				return nil
			}
			data, err := os.ReadFile(name)
			all = append(all, fmt.Sprintf("%s %x\n", strings.TrimPrefix(name, root), sha256.Sum256(data)))
			return err
		})
		if err != nil {
			return "", err
		}
	}
	sort.Strings(all)
	return short(strings.Join(all, "")), nil
}

func copyTree(from, to string) error {
	return filepath.WalkDir(from, func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case skipped(d) && d.IsDir():
			return fs.SkipDir
		case skipped(d):
			return nil
		}
		rel, err := filepath.Rel(from, name)
		if err != nil {
			return err
		}
		if d.IsDir() {
			return os.MkdirAll(filepath.Join(to, rel), 0o755)
		}
		return copyFile(name, filepath.Join(to, rel))
	})
}

func copyFile(from, to string) error {
	data, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	info, err := os.Stat(from)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
		return err
	}
	return os.WriteFile(to, data, info.Mode().Perm())
}

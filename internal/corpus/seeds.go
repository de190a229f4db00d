package corpus

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"parallax/internal/input"
)

// maxSeed is the largest file taken as a seed. Mutation works on inputs of kilobytes; a file of this size in a
// folder of seeds is there by accident, and reading it would only cost memory.
const maxSeed = 16 << 20

// Seeds reads the inputs a user gives with --seeds: every file of dir and its folders, in the order of their paths,
// each content once, in flat form. dir may be a single file. Names that begin with a dot and the metadata of another
// campaign's corpus are skipped; files that cannot be read as an input of the shape are reported in problems.
func Seeds(dir string, shape input.Shape) (flats [][]byte, problems []string, err error) {
	// WalkDir does not follow a symbolic link, not even as its root.
	root, err := filepath.EvalSymlinks(dir)
	if err != nil {
		return nil, nil, fmt.Errorf("seeds: %w", err)
	}
	dir = filepath.Clean(dir)
	seen := map[string]bool{}
	err = filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		shown := dir + strings.TrimPrefix(path, root)
		if err != nil {
			if path == root {
				return fmt.Errorf("seeds: %w", err)
			}
			problems = append(problems, fmt.Sprintf("seed %s: %v", shown, reason(err)))
			return nil
		}
		if path != root && strings.HasPrefix(d.Name(), ".") {
			if d.IsDir() {
				return filepath.SkipDir
			}
			return nil
		}
		if d.IsDir() || isMetaOf(path) {
			return nil
		}
		flat, err := seed(path, shape)
		if err != nil {
			problems = append(problems, fmt.Sprintf("seed %s: %v", shown, reason(err)))
			return nil
		}
		if !seen[string(flat)] {
			seen[string(flat)] = true
			flats = append(flats, flat)
		}
		return nil
	})
	return flats, problems, err
}

func seed(path string, shape input.Shape) ([]byte, error) {
	info, err := os.Stat(path)
	switch {
	case err != nil:
		return nil, err
	case info.IsDir():
		return nil, fmt.Errorf("a symbolic link to a folder is not followed")
	case !info.Mode().IsRegular():
		return nil, fmt.Errorf("not a file")
	case info.Size() > maxSeed:
		return nil, fmt.Errorf("%d bytes are too many: a seed has at most %d", info.Size(), maxSeed)
	}
	file, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	return shape.Import(file)
}

// isMetaOf reports whether path is the metadata beside an input of a corpus, rather than a seed in JSON.
func isMetaOf(path string) bool {
	if !isMeta(filepath.Base(path)) {
		return false
	}
	_, err := os.Stat(strings.TrimSuffix(path, metaSuffix))
	return err == nil
}

// reason drops the path that the message names already.
func reason(err error) error {
	if e, ok := err.(*fs.PathError); ok {
		return e.Err
	}
	return err
}

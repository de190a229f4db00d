package clang

import (
	"debug/elf"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Folders are where the sources of a harness probably are: its own folder, the one in which it was linked, those of the sources, objects and
// libraries on its link, and those that these were built from. None if it cannot be read.
func Folders(path string) []string {
	f, err := elf.Open(path)
	if err != nil {
		return nil
	}
	defer f.Close()
	section := f.Section(noteSection)
	if section == nil {
		return nil
	}
	text, err := section.Data()
	var n note
	if err != nil || json.Unmarshal(text, &n) != nil || !filepath.IsAbs(n.Dir) {
		return nil
	}
	list := []string{n.Dir}
	if real, err := filepath.EvalSymlinks(path); err == nil {
		list = append(list, filepath.Dir(real))
	}
	for i, arg := range n.Link {
		dir, folder := strings.CutPrefix(arg, "-L")
		switch ext := filepath.Ext(arg); {
		case folder && dir == "" && i+1 < len(n.Link):
			dir = n.Link[i+1]
		case folder:
		case strings.HasPrefix(arg, "-") || !slices.Contains([]string{".a", ".o", ".lo", ".so", ".c", ".cc", ".cpp", ".cxx", ".C"}, ext):
			continue
		default:
			dir = filepath.Dir(arg)
		}
		if !filepath.IsAbs(dir) {
			dir = filepath.Join(n.Dir, dir)
		}
		if filepath.Base(dir) == ".libs" { // libtool's
			dir = filepath.Dir(dir)
		}
		list = append(list, dir)
	}
	for _, dir := range list {
		list = append(list, sourceFolders(dir)...)
	}
	return list
}

// sourceFolders are where the sources are of what was built in a folder of its own, or in one below it: CMake says so, Meson and autoconf
// have the folder above.
func sourceFolders(dir string) (found []string) {
	for range buildDepth {
		if cache, err := os.ReadFile(filepath.Join(dir, "CMakeCache.txt")); err == nil {
			for line := range strings.Lines(string(cache)) {
				if home, ok := strings.CutPrefix(strings.TrimSpace(line), "CMAKE_HOME_DIRECTORY:INTERNAL="); ok && filepath.IsAbs(home) {
					found = append(found, home)
				}
			}
			return found
		}
		above := filepath.Dir(dir)
		for _, build := range []string{"meson.build", "configure"} {
			if _, err := os.Stat(filepath.Join(above, build)); err == nil {
				return append(found, above)
			}
		}
		dir = above
	}
	return nil
}

// buildDepth is how far above a library the folder of its build is looked for.
const buildDepth = 4

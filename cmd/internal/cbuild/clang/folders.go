package clang

import (
	"debug/elf"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Folders returns the probable source folders of a harness. These are its own folder, that of its
// link, those of the sources, objects and libraries on its link, and those of their sources. It
// returns none if the file is unreadable.
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

// sourceFolders returns the source folders of a build in a separate folder, or below it. CMake
// records the folder; for Meson and autoconf, it is the parent folder.
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

// buildDepth limits the levels above a library at which the build folder is searched.
const buildDepth = 4

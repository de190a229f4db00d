package clang

import (
	"debug/elf"
	"encoding/json"
	"path/filepath"
	"strings"
)

// Folders are where the sources of a harness probably are: its own folder, the one in which it was linked, and those of the objects and
// archives on its link. None if it cannot be read.
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
	for _, arg := range n.Link {
		if ext := filepath.Ext(arg); strings.HasPrefix(arg, "-") || ext != ".a" && ext != ".o" && ext != ".lo" {
			continue
		}
		if !filepath.IsAbs(arg) {
			arg = filepath.Join(n.Dir, arg)
		}
		dir := filepath.Dir(arg)
		if filepath.Base(dir) == ".libs" { // libtool's
			dir = filepath.Dir(dir)
		}
		list = append(list, dir)
	}
	return list
}

package scaffold

import (
	"fmt"
	"go/parser"
	"go/token"
	"path"
	"sort"
	"strconv"
	"strings"

	"parallax"
	"parallax/cmd/internal/library"
	"parallax/internal"
)

// File is a file of the library's copy.
type File = internal.File

// notCopied is the file of the library that only the tool needs.
const notCopied = "sources.go"

// readme tells people who come across the folder what it is.
const readme = "This folder is a copy of the library of parallax, which fuzz tests of this repository import to compare implementations.\n" +
	"`parallax init` made it and updates it, which overwrites changes made here.\n"

// repairFolder is the folder of the public package beside the root.
const repairFolder = "repair"

// Files are those of a copy: the packages parallax and repair, what they import of the library, go.mod and a README, sorted by path. The
// go.mod asks for an old Go, since the module that requires it must ask for one as new, and the files for the one that they
// are written in.
func Files() ([]File, error) {
	all := map[string][]File{} // by folder
	for _, folder := range []string{".", repairFolder} {
		entries, err := parallax.Sources.ReadDir(folder)
		if err != nil {
			return nil, fmt.Errorf("reading the embedded library: %w", err)
		}
		for _, e := range entries {
			if e.IsDir() || e.Name() == notCopied || strings.HasSuffix(e.Name(), "_test.go") {
				continue
			}
			name := path.Join(folder, e.Name())
			text, err := parallax.Sources.ReadFile(name)
			if err != nil {
				return nil, fmt.Errorf("reading the embedded library: %w", err)
			}
			all[folder] = append(all[folder], File{Path: name, Text: text})
		}
	}
	for _, f := range internal.Files() {
		f.Path = path.Join("internal", f.Path)
		all[path.Dir(f.Path)] = append(all[path.Dir(f.Path)], f)
	}
	files := []File{
		{Path: "go.mod", Text: []byte(mark + "\nmodule " + library.Path + "\n\ngo 1.16\n")},
		{Path: "README.md", Text: []byte(readme)},
	}
	for queue, seen := []string{".", repairFolder}, map[string]bool{".": true, repairFolder: true}; len(queue) > 0; queue = queue[1:] {
		for _, f := range all[queue[0]] {
			parsed, err := parser.ParseFile(token.NewFileSet(), f.Path, f.Text, parser.ImportsOnly)
			if err != nil {
				return nil, fmt.Errorf("reading the embedded library: %w", err)
			}
			for _, s := range parsed.Imports {
				name, _ := strconv.Unquote(s.Path.Value)
				if folder, ok := strings.CutPrefix(name, library.Path+"/"); ok && !seen[folder] {
					seen[folder] = true
					queue = append(queue, folder)
				}
			}
			files = append(files, File{Path: f.Path, Text: library.AtLeast122(f.Text)})
		}
	}
	sort.Slice(files, func(i, j int) bool { return files[i].Path < files[j].Path })
	return files, nil
}

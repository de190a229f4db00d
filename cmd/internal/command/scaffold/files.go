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
	"parallax/cmd/internal/gobuild/library"
	"parallax/internal"
)

// File is a file of the library's copy.
type File = internal.File

// notCopied is the file of the library that only the tool needs.
const notCopied = "sources.go"

// Files returns the files of a copy with an import path, sorted by path. A copy has the packages
// parallax, repair and gen, and the packages of the library that these import, a quarter of the
// library. The engine is only for workers, to which the tool adds its own. Each file requires its
// version of Go, since the go.mod of the module may require an older one.
func Files(importPath string) ([]File, error) {
	all := map[string][]File{} // by folder
	for _, folder := range []string{".", library.Repair, library.Gen} {
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
	var files []File
	moved := strings.NewReplacer(`"`+library.Path+`/internal/`, `"`+importPath+`/internal/`, `"`+library.Path+`/`+library.Gen+`"`, `"`+importPath+`/`+library.Gen+`"`)
	for queue, seen := []string{".", library.Repair, library.Gen}, map[string]bool{".": true, library.Repair: true, library.Gen: true}; len(queue) > 0; queue = queue[1:] {
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
			text := moved.Replace(string(library.AtLeast122(f.Text)))
			files = append(files, File{Path: f.Path, Text: library.Mark([]byte(text))})
		}
	}
	sort.Slice(files, func(i, j int) bool { return files[i].Path < files[j].Path })
	return files, nil
}

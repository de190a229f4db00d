package library

import (
	"fmt"
	"go/parser"
	"go/token"
	"path"
	"sort"
	"strconv"
	"strings"

	"parallax/internal"
)

// Language makes a generated file Go 1.22 whatever the go line of the module that it is built in.
const Language = "//go:build go1.22\n\n"

// workerOnly is the build constraint of files that compile only in the tool's copy of the library.
const workerOnly = "parallax_worker"

// AtLeast122 makes a source file Go 1.22 whatever the go line of the module that it is put into.
func AtLeast122(text []byte) []byte { return []byte(atLeast122(string(text))) }

// atLeast122 sets the language of a source file to Go 1.22 by its build constraint, in addition to
// an existing one.
func atLeast122(text string) string {
	const directive = "//go:build "
	text = strings.Replace(text, directive+workerOnly+"\n", directive+"go1.22\n", 1)
	head, _, _ := strings.Cut(text, "\npackage ")
	for _, line := range strings.Split(head, "\n") {
		if rest, ok := strings.CutPrefix(line, directive); ok {
			return strings.Replace(text, line, directive+"go1.22 && ("+strings.TrimSpace(rest)+")", 1)
		}
	}
	return Language + text
}

// Copy returns packages of the library, and their imports in it, for another import path. The files
// are those of all, sorted by path.
func Copy(all []internal.File, importPath string, packages ...string) ([]internal.File, error) {
	byPackage := map[string][]internal.File{}
	imports := map[string][]string{}
	for _, f := range all {
		folder := path.Dir(f.Path)
		parsed, err := parser.ParseFile(token.NewFileSet(), f.Path, f.Text, parser.ImportsOnly|parser.ParseComments)
		if err != nil {
			return nil, fmt.Errorf("reading the embedded library: %w", err)
		}
		for _, s := range parsed.Imports {
			if name, _ := strconv.Unquote(s.Path.Value); strings.HasPrefix(name, "parallax/internal/") {
				imports[folder] = append(imports[folder], strings.TrimPrefix(name, "parallax/internal/"))
			}
		}
		text := strings.ReplaceAll(string(f.Text), `"parallax/internal/`, `"`+importPath+`/`)
		byPackage[folder] = append(byPackage[folder], internal.File{Path: f.Path, Text: []byte(atLeast122(text))})
	}
	var files []internal.File
	seen := map[string]bool{}
	var add func(folder string) error
	add = func(folder string) error {
		if seen[folder] {
			return nil
		}
		seen[folder] = true
		if len(byPackage[folder]) == 0 {
			return fmt.Errorf("the embedded library lacks package %s", folder)
		}
		files = append(files, byPackage[folder]...)
		for _, other := range imports[folder] {
			if err := add(other); err != nil {
				return err
			}
		}
		return nil
	}
	for _, folder := range packages {
		if err := add(folder); err != nil {
			return nil, err
		}
	}
	sort.Slice(files, func(i, j int) bool { return files[i].Path < files[j].Path })
	return files, nil
}

// Package internal carries the sources of the library's own packages. The tool builds workers anywhere, also where the
// parallax module is not to be had, so it brings what a worker is made of: cmd/internal/gobuild copies these files into
// the program it builds. The packages must therefore import nothing but the standard library and each other, and use
// neither cgo nor assembly nor go:embed.
package internal

import (
	"embed"
	"path"
	"strings"
)

//go:embed */*.go
var sources embed.FS

// File is one source file of the library.
type File struct {
	Path string // below this folder, with slashes: "worker/worker.go"
	Text []byte
}

// Files returns the library's files without its tests, sorted by path. The texts are the caller's own.
func Files() []File {
	var files []File
	folders, err := sources.ReadDir(".")
	if err != nil {
		panic(err) // the root of an embedded file system is always there
	}
	for _, folder := range folders {
		entries, err := sources.ReadDir(folder.Name())
		if err != nil {
			panic(err)
		}
		for _, e := range entries {
			name := path.Join(folder.Name(), e.Name())
			if strings.HasSuffix(name, "_test.go") {
				continue
			}
			text, err := sources.ReadFile(name)
			if err != nil {
				panic(err)
			}
			files = append(files, File{Path: name, Text: text})
		}
	}
	return files
}

// Package internal embeds the sources of the library's own packages. A worker is built from these
// sources, and the tool must build workers without access to the parallax module.
// cmd/internal/gobuild therefore copies the files into the program that it builds. The packages may
// import only the standard library and each other. They may not use cgo, assembly or go:embed.
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
	Path string // relative to this folder, with slashes: "worker/worker.go"
	Text []byte
}

// Files returns the library's files without its tests, sorted by path. The caller owns the texts.
func Files() []File {
	var files []File
	folders, err := sources.ReadDir(".")
	if err != nil {
		panic(err) // the root of an embedded file system always exists
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

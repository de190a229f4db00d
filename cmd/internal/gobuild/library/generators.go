package library

import (
	"io/fs"
	"path"
	"strings"

	"parallax"
	"parallax/internal"
)

// Generators are the files of package gen, as those of the library's other packages, without tests:
// what a worker draws structs with.
func Generators() (files []internal.File) {
	names, err := fs.Glob(parallax.Sources, Gen+"/*.go")
	if err != nil {
		panic(err) // the pattern is a good one
	}
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		text, err := parallax.Sources.ReadFile(name)
		if err != nil {
			panic(err)
		}
		files = append(files, internal.File{Path: path.Clean(name), Text: text})
	}
	return files
}

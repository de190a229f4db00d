// Package prepared writes what the campaign of a model begins with, into a folder of its own: the configuration, its files, and seeds.
package prepared

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"

	"parallax/cmd/internal/base/exit"
	"parallax/internal/atomicfile"
)

// The names of the configuration and of the folder of seeds.
const (
	Config = "parallax.toml"
	Seeds  = "seeds"
)

// File is written by Write to a path in the folder.
type File struct {
	Name  string
	Write func(path string) error
}

// Text is a file with a text.
func Text(name, text string) File {
	return File{name, func(path string) error { return atomicfile.Write(atomicfile.OS, path, []byte(text)) }}
}

// Write makes the folder where it is not there, and writes files into it. The configuration is best the last one.
func Write(dir string, files ...File) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return exit.Infra("%w", atomicfile.Explain("create", dir, err))
	}
	for _, f := range files {
		path := filepath.Join(dir, f.Name)
		if err := f.Write(path); err != nil {
			return exit.Infra("%w", atomicfile.Explain("write", path, err))
		}
	}
	return nil
}

// WriteSeeds puts inputs in the place of those of other samples.
func WriteSeeds(dir string, inputs [][]byte) error {
	folder := filepath.Join(dir, Seeds)
	if err := os.RemoveAll(folder); err != nil {
		return exit.Infra("%w", atomicfile.Explain("remove", folder, err))
	}
	files := make([]File, len(inputs))
	for i, flat := range inputs {
		files[i] = Text(fmt.Sprintf("%03d", i), string(flat))
	}
	return Write(folder, files...)
}

// Quoted is a string of TOML.
func Quoted(s string) string {
	data, _ := json.Marshal(s)
	return string(data)
}

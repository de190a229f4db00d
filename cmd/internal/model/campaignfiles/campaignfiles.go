// Package campaignfiles writes the initial files of a model's campaign to a folder: the
// configuration, its files, and seeds.
package campaignfiles

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"

	"parallax/cmd/internal/base/exit"
	"parallax/internal/atomicfile"
)

// Names of the configuration and of the folder of seeds.
const (
	Config = "parallax.toml"
	Seeds  = "seeds"
)

// File is a file that Write writes to a path in the folder.
type File struct {
	Name  string
	Write func(path string) error
}

// Text returns a file with the given text.
func Text(name, text string) File {
	return File{name, func(path string) error { return atomicfile.Write(atomicfile.OS, path, []byte(text)) }}
}

// Write makes the folder if necessary and writes the files. The configuration should come last.
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

// WriteSeeds replaces the seeds of the folder.
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

// Quoted returns s as a TOML string.
func Quoted(s string) string {
	data, _ := json.Marshal(s)
	return string(data)
}

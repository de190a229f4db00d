package clang

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"io"
	"os"
	"path/filepath"

	"parallax/cmd/internal/base/exit"
)

// noteSection holds the note of a harness, as JSON. The loader ignores it and strip keeps it.
const noteSection = ".parallax.build"

const noteVersion = 1

// A note records how a harness was built. Keys are added, never renamed.
type note struct {
	Version int    `json:"version"`
	Clang   string `json:"clang,omitempty"`
	Dir     string `json:"dir,omitempty"`
	// arguments of the link, without response files
	Link     []string                `json:"link,omitempty"`
	Compiler string                  `json:"compiler,omitempty"` // cc or c++
	Variants map[Variant]noteVariant `json:"variants,omitempty"`
	// variants that could not be built, and why
	Missing map[Variant]string `json:"missing,omitempty"`
	// object files, archives and shared libraries without instrumentation
	Plain []string `json:"plain,omitempty"`
	// shared libraries with instrumentation, which have the fast variant only
	Shared []string `json:"shared,omitempty"`
	// in the note of a variant: which one it is
	Variant Variant `json:"variant,omitempty"`
	// variants that are made when they are needed
	Later *noteKit `json:"later,omitempty"`
}

type noteVariant struct {
	Path   string `json:"path"` // absolute, at the time of the link
	SHA256 string `json:"sha256"`
}

func (w *wrapper) newNote() (*note, error) {
	dir, err := os.Getwd()
	if err != nil {
		return nil, exit.Infra("%w", err)
	}
	return &note{Clang: w.library.clang, Dir: dir, Link: w.args, Compiler: w.compiler,
		Variants: map[Variant]noteVariant{}, Missing: map[Variant]string{}}, nil
}

// add notes a variant that was linked, or why it was not.
func (n *note) add(v Variant, path, why string) error {
	if why != "" {
		n.Missing[v] = why
		return nil
	}
	sum, err := digestFile(path)
	if err == nil {
		path, err = filepath.Abs(path)
	}
	if err != nil {
		return exit.Infra("%w", err)
	}
	n.Variants[v] = noteVariant{Path: path, SHA256: sum}
	return nil
}

// embed writes the note into a program.
func (n *note) embed(program []byte) ([]byte, error) {
	n.Version = noteVersion
	text, err := json.Marshal(n)
	if err != nil {
		return nil, err
	}
	return withSections(program, 0, []section{{noteSection, text}})
}

// readNote returns the note in a program, nil if there is none.
func readNote(program []byte) (*note, error) {
	f, err := parseELF(program)
	if err != nil {
		return nil, err
	}
	text, ok := f.read(noteSection)
	if !ok {
		return nil, nil
	}
	n := &note{}
	d := json.NewDecoder(bytes.NewReader(text))
	return n, d.Decode(n)
}

func digestFile(path string) (string, error) {
	f, err := openRegular(path)
	if err != nil {
		return "", err
	}
	defer f.Close()
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return "", err
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}

// variantFolder returns the folder of a program's variants.
func variantFolder(program string) string { return program + ".parallax" }

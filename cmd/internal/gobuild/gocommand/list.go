package gocommand

import (
	"bytes"
	"encoding/json"
	"io"
)

// Package is a package in the output of `go list -json`.
type Package struct {
	ImportPath, Name, Dir     string
	ForTest                   string // of a package rebuilt for the tests of this one
	Standard, DepOnly         bool
	Match                     []string
	GoFiles, CgoFiles         []string
	CompiledGoFiles           []string // only where they were asked for
	TestGoFiles, XTestGoFiles []string
	IgnoredGoFiles            []string
	Imports                   []string
	ImportMap                 map[string]string
	Module                    *Module
	Error                     *PackageError
}

// listFields are the fields asked for: all of them cost time.
const listFields = "-json=ImportPath,Name,Dir,Standard,DepOnly,ForTest,Match,GoFiles,CgoFiles,TestGoFiles,XTestGoFiles,IgnoredGoFiles,Imports,ImportMap,Module,Error"

// Module is a package's module in the output of `go list -json`, or a module in that of `go list -m
// -json`.
type Module struct {
	Path, Version, Dir, GoMod string
	GoVersion                 string // of its go line, such as 1.22
	Main                      bool
	Replace                   *Module
}

// CodeDir is the folder of the module's code.
func (m *Module) CodeDir() string {
	if m.Replace != nil && m.Replace.Dir != "" {
		return m.Replace.Dir
	}
	return m.Dir
}

// PackageError is why a package could not be read, and where.
type PackageError struct{ Pos, Err string }

// String is the reason behind its place, as compilers write it.
func (e *PackageError) String() string {
	if e.Pos != "" {
		return e.Pos + ": " + e.Err
	}
	return e.Err
}

// DecodeStream decodes the JSON objects that the go command writes one after another.
func DecodeStream[T any](data []byte) ([]T, error) {
	var all []T
	dec := json.NewDecoder(bytes.NewReader(data))
	for {
		var v T
		if err := dec.Decode(&v); err == io.EOF {
			return all, nil
		} else if err != nil {
			return nil, err
		}
		all = append(all, v)
	}
}

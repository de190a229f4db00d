// Package musl contains functions of the C library musl 1.2.3 as clang's text IR: the originals of
// function models. make.sh makes the files from musl's source. COPYRIGHT is musl's license.
//
// Link links C files with them, as a linker does with a static library: definitions in the files
// replace musl's.
package musl

import (
	"embed"
	"sync"

	"parallax/cmd/internal/model/llvmir"
)

//go:embed *.ll
var files embed.FS

// Version is the version of musl.
const Version = "1.2.3"

// Module returns the module of musl's functions alone. It is made once.
var Module = sync.OnceValues(func() (*llvmir.Module, error) { return Link(nil) })

// Link links files with musl's functions. externals are further functions that the user of the
// machine supplies.
func Link(own []*llvmir.File, externals ...string) (*llvmir.Module, error) {
	library, err := read()
	if err != nil {
		return nil, err
	}
	for _, file := range library {
		for _, f := range file.Functions {
			if f.Linkage == llvmir.External {
				f.Linkage = llvmir.Weak
			}
		}
		for _, g := range file.Globals {
			if g.Linkage == llvmir.External {
				g.Linkage = llvmir.Weak
			}
		}
		for _, f := range own {
			for name := range f.Aliases {
				delete(file.Aliases, name)
			}
		}
	}
	for name := range supplied {
		externals = append(externals, name)
	}
	for _, f := range own {
		for name, other := range renamed {
			if _, ok := f.Aliases[name]; !ok {
				f.Aliases[name] = other
			}
		}
	}
	return llvmir.Link(append(own[:len(own):len(own)], library...), externals...)
}

// read reads the files. Link stores its results in a file, so each module has its own.
func read() (read []*llvmir.File, err error) {
	names, err := files.ReadDir(".")
	if err != nil {
		return nil, err
	}
	for _, name := range names {
		text, err := files.ReadFile(name.Name())
		if err != nil {
			return nil, err
		}
		f, err := llvmir.Parse(name.Name(), string(text))
		if err != nil {
			return nil, err
		}
		read = append(read, f)
	}
	return read, nil
}

// renamed maps names in the headers of other C libraries to musl's names.
var renamed = map[string]string{"__isoc23_strtol": "strtol", "__isoc23_strtoul": "strtoul", "__isoc23_strtoll": "strtoll", "__isoc23_strtoull": "strtoull"}

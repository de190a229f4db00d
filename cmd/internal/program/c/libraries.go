package c

import (
	"debug/elf"
	"path/filepath"
	"slices"
	"strings"
)

// languageLibraries are shared libraries that compilers add to programs, by stem. No program under
// test is one of them.
var languageLibraries = []string{"libc", "libm", "libstdc++", "libc++", "libc++abi", "libgcc_s", "libunwind", "libpthread",
	"libdl", "librt", "libutil", "libresolv", "libatomic", "libgomp", "libomp", "libquadmath", "libgfortran", "libobjc"}

// uncounted returns the names of the shared libraries that a program needs and that have no
// counters. Those in counted have some, and languageLibraries need none.
func uncounted(path string, counted []string) (names []string) {
	f, err := elf.Open(path)
	if err != nil {
		return nil // the program's start reports it
	}
	defer f.Close()
	needed, err := f.ImportedLibraries()
	if err != nil {
		return nil
	}
	for _, name := range needed {
		if s := stem(name); !slices.Contains(languageLibraries, s) && !strings.HasPrefix(s, "ld-") && !slices.Contains(stems(counted), s) {
			names = append(names, name)
		}
	}
	return names
}

// stem returns the name of a shared library without its folder and its version: libz of
// /lib/libz.so.1.
func stem(path string) string {
	name, _, _ := strings.Cut(filepath.Base(path), ".so")
	return name
}

func stems(paths []string) (list []string) {
	for _, p := range paths {
		list = append(list, stem(p))
	}
	return list
}

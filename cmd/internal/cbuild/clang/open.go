package clang

import (
	"bytes"
	"debug/elf"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"parallax/cmd/internal/base/exit"
)

// A Build is a harness that parallax built.
type Build struct {
	Path     string // of the program: the fast variant
	Clang    string // version
	Compiler string // cc or c++
	Dir      string // where it was linked
	Link     []string
	Variants map[Variant]string // paths of existing variants, including the fast one
	Later    map[Variant]string // paths of variants that can be made: see Make
	Missing  map[Variant]string // why the others are not
	// object files, archives and shared libraries that are linked without instrumentation
	Plain []string
	// shared libraries with instrumentation, which have the fast variant only
	Shared []string

	kit   string // digest of the kit
	notes map[Variant][]string
}

// Open reads a harness's note about its build, and finds its variants. They are in the folder next
// to it, also after both were moved, or at their original place. Missing variants have a reason in
// Build.Missing and are no error. A program that parallax cannot run is an error.
func Open(path string) (*Build, error) {
	program, err := os.ReadFile(path)
	if err != nil {
		if errors.Is(err, fs.ErrNotExist) {
			return nil, exit.Usage("there is no program %s: build it with parallax cc or parallax c++", path)
		}
		return nil, exit.Usage("%w", err)
	}
	n, err := readNote(program)
	switch {
	case errors.Is(err, errNotELF):
		return nil, exit.Usage("%s is not a program for this machine; link a harness with parallax cc or parallax c++%s", path, libtoolHint(program))
	case err != nil:
		return nil, exit.Usage("%s: the note of its build is damaged (%w): link it again", path, err)
	case n == nil:
		return nil, unnoted(path, program)
	case n.Version != noteVersion:
		return nil, exit.Usage("%s was built by another version of parallax: build it again", path)
	case n.Variant != "":
		return nil, exit.Usage("%s is the %s variant of a program: name the program itself, next to the folder %s", path, n.Variant, filepath.Dir(path))
	}
	b := &Build{Path: path, Clang: n.Clang, Compiler: n.Compiler, Dir: n.Dir, Link: n.Link, Plain: n.Plain, Shared: n.Shared,
		Variants: map[Variant]string{Fast: path}, Later: map[Variant]string{}, Missing: map[Variant]string{}, notes: map[Variant][]string{}}
	for _, v := range Variants[1:] {
		noted, ok := n.Variants[v]
		if !ok {
			b.Missing[v] = n.Missing[v]
			continue
		}
		found, why := locate(path, v, noted)
		if found == "" {
			b.Missing[v] = why
			continue
		}
		b.Variants[v] = found
	}
	b.postponed(n.Later)
	// With the program alone a campaign goes on, since libraries that it loads may have counters.
	if b.Variants[CmpLog]+b.Later[CmpLog] != "" && !counted(program) {
		return nil, exit.Usage("%s has no counters, because none of the object files and archives that it is linked with was compiled by parallax cc or parallax c++%s:"+
			" build it and what it tests with CC=\"parallax cc\" and CXX=\"parallax c++\"", path, listed(n.Plain))
	}
	return b, nil
}

// counted reports whether blocks of the program itself are counted.
func counted(program []byte) bool {
	f, err := parseELF(program)
	if err != nil {
		return false
	}
	points, _ := f.read(pointSection)
	return len(points) > 0
}

// listed lists some of the files in parentheses.
func listed(files []string) string {
	const most = 3
	switch {
	case len(files) == 0:
		return ""
	case len(files) > most:
		return " (" + strings.Join(files[:most], ", ") + " and others)"
	}
	return " (" + strings.Join(files, ", ") + ")"
}

// locate finds the variant that was linked together with the program.
func locate(program string, v Variant, noted noteVariant) (path, why string) {
	real := program
	if r, err := filepath.EvalSymlinks(program); err == nil {
		real = r
	}
	beside := filepath.Join(variantFolder(real), string(v))
	why = beside + " is not there: move or copy the folder with the program, or link it again"
	for _, path := range []string{beside, noted.Path} {
		sum, err := digestFile(path)
		switch {
		case err == nil && sum == noted.SHA256:
			return path, ""
		case err == nil:
			why = path + " belongs to another build of the program: link it again"
		case !errors.Is(err, fs.ErrNotExist):
			why = err.Error()
		}
	}
	return "", why
}

// unnoted returns the error for a program without a note.
func unnoted(path string, program []byte) error {
	f, err := parseELF(program)
	if err != nil {
		return exit.Usage("%s: %w", path, err)
	}
	switch {
	case elfType(program) == elfRelocatable:
		return exit.Usage("%s is an object file: link it by parallax cc or parallax c++", path)
	case f.find(harnessMark) > 0:
		return exit.Usage("%s has lost the note of its build, as llvm-strip and an interrupted build do to it: link it again", path)
	case defines(program, "LLVMFuzzerRunDriver"):
		return exit.Usage("%s has the main function of libFuzzer, in whose place parallax runs programs: leave libFuzzer out, and link it by parallax cc or parallax c++", path)
	case f.find(pointSection) > 0 && defines(program, entry):
		return exit.Usage("%s has a main function of its own (or is a shared library), next to %s: leave that main function out, and link it by parallax cc or parallax c++", path, entry)
	case f.find(pointSection) > 0:
		return exit.Usage("%s has a main function of its own (or is a shared library): a harness defines %s instead, and is linked by parallax cc or parallax c++", path, entry)
	}
	return exit.Usage("%s has no counters: build it and what it tests with CC=\"parallax cc\" and CXX=\"parallax c++\"", path)
}

// defines reports whether a function is among the symbols of the program, which may be stripped.
func defines(program []byte, function string) bool {
	f, err := elf.NewFile(bytes.NewReader(program))
	if err != nil {
		return false
	}
	own, _ := f.Symbols()
	exported, _ := f.DynamicSymbols()
	for _, s := range append(own, exported...) {
		if s.Name == function && s.Section != elf.SHN_UNDEF {
			return true
		}
	}
	return false
}

// libtoolHint explains the scripts that libtool writes in place of programs.
func libtoolHint(program []byte) string {
	if len(program) > 2 && string(program[:2]) == "#!" {
		return " (this is a script: libtool keeps the program itself in the folder .libs)"
	}
	return ""
}

package clang

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"parallax/cmd/internal/exit"
)

// A Build is a harness that was built by parallax.
type Build struct {
	Path     string // of the program: the fast variant
	Clang    string // version
	Compiler string // cc or c++
	Dir      string // where it was linked
	Link     []string
	Variants map[Variant]string // paths of what is there, the fast variant among them
	Missing  map[Variant]string // why the others are not
	Plain    []string           // object files and archives that are linked without instrumentation
}

// Open reads what a harness says about how it was built, and finds its variants: in the folder beside it, also after both were
// moved, or where they were built. What is missing has its reason in Build.Missing and is no error; a program that
// cannot be run by parallax is one.
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
		return nil, exit.Usage("%s is no program for this machine; a harness is linked by parallax cc or parallax c++%s", path, libtoolHint(program))
	case err != nil:
		return nil, exit.Usage("%s: the note of its build is damaged (%w): link it again", path, err)
	case n == nil:
		return nil, unnoted(path, program)
	case n.Version != noteVersion:
		return nil, exit.Usage("%s was built by another version of parallax: build it again", path)
	case n.Variant != "":
		return nil, exit.Usage("%s is the %s variant of a program: name the program itself, beside the folder %s", path, n.Variant, filepath.Dir(path))
	}
	b := &Build{Path: path, Clang: n.Clang, Compiler: n.Compiler, Dir: n.Dir, Link: n.Link, Plain: n.Plain,
		Variants: map[Variant]string{Fast: path}, Missing: map[Variant]string{}}
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
	return b, nil
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

// unnoted is the error for a program without a note.
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
	case f.find("__sancov_pcs") > 0:
		return exit.Usage("%s has a main function of its own (or is a shared library): a harness defines %s instead, and is linked by parallax cc or parallax c++", path, entry)
	}
	return exit.Usage("%s has no counters: build it and what it tests with CC=\"parallax cc\" and CXX=\"parallax c++\"", path)
}

// libtoolHint tells of the scripts that libtool leaves in the place of programs.
func libtoolHint(program []byte) string {
	if len(program) > 2 && string(program[:2]) == "#!" {
		return " (this is a script: libtool keeps the program itself in the folder .libs)"
	}
	return ""
}

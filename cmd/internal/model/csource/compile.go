// Package csource runs functions of users' C files as originals of models and as models, such as an
// analyzer's stubs of a C library.
//
// clang compiles a file to textual IR (Compile). Sources.Load links it with musl for missing
// functions, and package original runs it byte by byte. The machine runs an original natively only
// to confirm a computed effect (Part.Shared). Floating point, pointers to functions, and calls of
// undefined functions are refused with their line.
//
// Models may also call the functions by which stubs talk to analyzers. See supplied.go.
package csource

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"parallax/cmd/internal/base/exit"
	"parallax/cmd/internal/cbuild/clang"
	ccompiler "parallax/cmd/internal/model/compiler"
)

// Source describes files to compile.
type Source struct {
	Dir   string   // clang's working folder; file names and -I are relative to it
	Files []string // at least one
	Flags []string // see allowed

	Model  bool // the functions are models
	Speech      // for models
}

// Speech names functions that stubs call to talk to an analyzer, besides those of known analyzers.
type Speech struct {
	Unsupported []string `json:"unsupported,omitempty"` // the model rejects the call
	// the model covers the call only if the first argument is not 0
	Assume []string `json:"assume,omitempty"`
	Any    []string `json:"any,omitempty"` // any value
}

// Sources is a compiled source. It can be stored as JSON and read without a compiler.
type Sources struct {
	Units []Unit   `json:"units"`
	Model bool     `json:"model,omitempty"`
	Flags []string `json:"flags,omitempty"` // the user's flags that also matter after preprocessing
	Speech
}

// Unit is a file with its textual IR.
type Unit struct {
	File   string `json:"file"`
	IR     string `json:"ir"`
	Source string `json:"source,omitempty"` // preprocessed, so it needs no header
}

// Flags that users may give. They define the meaning of the source. Optimization and the target
// machine are fixed.
var (
	allowed = []string{"-I", "-D", "-U", "-std=", "-iquote", "-isystem", "-include", "-f", "-W", "-w", "-pthread"}
	// may have their value in the next word
	separate  = []string{"-I", "-D", "-U", "-iquote", "-isystem", "-include"}
	forbidden = []string{"-fsanitize", "-fprofile", "-fcoverage", "-flto", "-fplugin", "-fpass-plugin", "-fembed-", "-fsplit-", "-ftime-", "-fmodule", "-fsyntax-only",
		"-fdebug-", "-fuse-", "-funsigned-char", "-fshort-", "-fopenmp", "-fsave-", "-fcrash-", "-fdiagnostics-format", "-Wl,", "-Wa,", "-Wp,"}
)

// ours lists the flags that llvmir needs. With __NO_CTYPE, the functions of ctype.h are called
// instead of using a table of the C library. Unused static functions are compiled too.
var ours = append([]string{"-O0", "-Xclang", "-disable-O0-optnone", "-gline-tables-only", "-gno-column-info", "-fdebug-compilation-dir=.", "-femit-all-decls",
	"-S", "-emit-llvm"}, both...)

// both lists the flags that the preprocessor needs too.
var both = []string{"-fno-builtin", "-U_FORTIFY_SOURCE", "-D__NO_CTYPE", "-w", "-ferror-limit=5", "-fno-color-diagnostics", "-o", "-", "-x", "c"}

const lines = 12 // of the compiler's message

// CheckFlags returns an error for a user's flag that cannot be used.
func CheckFlags(flags []string) error {
	for i := 0; i < len(flags); i++ {
		f := flags[i]
		starts := func(prefix string) bool { return strings.HasPrefix(f, prefix) }
		switch {
		case !slices.ContainsFunc(allowed, starts) || slices.ContainsFunc(forbidden, starts):
			return exit.Usage("the flag %q of a C file cannot be used: only %s can", f, strings.Join(allowed, " "))
		case slices.Contains(separate, f):
			if i++; i == len(flags) {
				return exit.Usage("the flag %s of a C file has no value", f)
			}
		}
	}
	return nil
}

// Compile compiles the files.
func Compile(ctx context.Context, s Source) (*Sources, error) {
	if len(s.Files) == 0 {
		return nil, exit.Usage("there is no C file to compile")
	}
	if err := CheckFlags(s.Flags); err != nil {
		return nil, err
	}
	compiler, err := clang.Compiler()
	if err != nil {
		return nil, err
	}
	compiled := &Sources{Model: s.Model, Flags: afterPreprocessing(s.Flags), Speech: s.Speech}
	for _, file := range s.Files {
		path := file
		if !filepath.IsAbs(path) {
			path = filepath.Join(s.Dir, path)
		} else if short, err := filepath.Rel(s.Dir, path); err == nil && filepath.IsLocal(short) {
			// source positions use this name
			file = short
		}
		info, err := os.Stat(path)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			return nil, exit.Usage("there is no file %s", path)
		case err != nil:
			return nil, exit.Usage("%w", err)
		case !info.Mode().IsRegular():
			return nil, exit.Usage("%s is no C file", path)
		case filepath.Ext(file) != ".c":
			return nil, exit.Usage("%s is no C file: its name does not end with .c", file)
		}
		ir, err := compile(ctx, compiler, s, file, ours)
		if err != nil {
			return nil, err
		}
		source, err := compile(ctx, compiler, s, file, append([]string{"-E"}, both...))
		if err != nil {
			return nil, err
		}
		compiled.Units = append(compiled.Units, Unit{file, ir, source})
	}
	return compiled, nil
}

// afterPreprocessing returns the flags that also matter after preprocessing.
func afterPreprocessing(flags []string) (kept []string) {
	for i := 0; i < len(flags); i++ {
		switch f := flags[i]; {
		case slices.Contains(separate, f):
			i++
		case strings.HasPrefix(f, "-std="), strings.HasPrefix(f, "-f"), f == "-pthread":
			kept = append(kept, f)
		}
	}
	return kept
}

func compile(ctx context.Context, compiler string, s Source, file string, how []string) (string, error) {
	name := file
	if strings.HasPrefix(name, "-") {
		name = "./" + name
	}
	out, messages, err := ccompiler.Run(ctx, s.Dir, compiler, append(append(slices.Clone(s.Flags), how...), name)...)
	var failed *exec.ExitError
	var slow *ccompiler.SlowError
	switch {
	case err == nil:
		return string(out), nil
	case ctx.Err() != nil:
		return "", ctx.Err()
	case errors.As(err, &slow):
		return "", exit.Build("%s: %w", file, err)
	case !errors.As(err, &failed):
		return "", exit.Infra("running %s: %w", compiler, err)
	}
	return "", exit.Build("%s does not compile:\n%s", file, first(string(messages), err))
}

// first returns the first lines of the compiler's message.
func first(message string, err error) string {
	message = strings.TrimSpace(message)
	if message == "" {
		return err.Error()
	}
	all := strings.Split(message, "\n")
	if len(all) > lines {
		all = append(all[:lines], "…")
	}
	return strings.Join(all, "\n")
}

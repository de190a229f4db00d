package clang

import (
	"bytes"
	"context"
	"crypto/sha256"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"parallax/cmd/internal/base/buildcache"
	"parallax/cmd/internal/base/exit"
	"parallax/cmd/internal/base/filelock"
	"parallax/internal/atomicfile"
)

// sources holds the runtime in C. Every file is part of every variant. main.c is the main function
// of harnesses.
//
//go:embed runtime/*.c runtime/*.h shared/*.c shared/*.h
var sources embed.FS

// A runtimeLibrary is the built runtime: a folder of the user's cache per clang and version of the
// sources.
type runtimeLibrary struct {
	dir     string
	include string // the folder of parallax.h
	clang   string // the version

	use *filelock.Lock // keeps it from being removed, as long as this process uses it
}

// archive returns the archive for programs of a variant.
func (l *runtimeLibrary) archive(v Variant) string {
	return filepath.Join(l.dir, "libparallax-"+string(v)+".a")
}

// stubs returns the archive for shared libraries.
func (l *runtimeLibrary) stubs() string { return filepath.Join(l.dir, "libparallax-shared.a") }

// revision must change when build's result does.
const revision = 3

const versionFile = "clang-version"

// cacheDir returns the folder of the wrapper's files. Package builders have no home folder, and use
// one for temporary files.
func cacheDir() (string, error) {
	if dir := os.Getenv(runtimeVariable); dir != "" {
		return dir, nil
	}
	if dir, err := os.UserCacheDir(); err == nil {
		dir = filepath.Join(dir, "parallax", "cc")
		if buildcache.MkdirAll(dir) == nil && syscall.Access(dir, 2) == nil {
			return dir, nil
		}
	}
	dir := filepath.Join(os.TempDir(), fmt.Sprintf("parallax-%d", os.Getuid()))
	err := os.MkdirAll(dir, 0o700)
	if err == nil {
		var s syscall.Stat_t
		if err = syscall.Lstat(dir, &s); err == nil && (s.Uid != uint32(os.Getuid()) || s.Mode&syscall.S_IFMT != syscall.S_IFDIR) {
			err = errors.New(dir + " belongs to somebody else")
		}
	}
	if err != nil {
		return "", exit.Infra("there is no folder for the runtime of C programs: %w: set HOME or XDG_CACHE_HOME", err)
	}
	return dir, nil
}

// whereLibrary returns the place of the runtime for a clang, whether it exists or not, and its
// sources.
func whereLibrary(clang string) (*runtimeLibrary, []member, error) {
	dir, err := cacheDir()
	if err != nil {
		return nil, nil, err
	}
	id, err := identity(clang)
	if err != nil {
		return nil, nil, err
	}
	h := sha256.New()
	fmt.Fprintln(h, revision, id)
	files, err := embedded()
	if err != nil {
		return nil, nil, exit.Infra("%w", err)
	}
	for _, f := range files {
		fmt.Fprintf(h, "%s %d\n%s", f.name, len(f.data), f.data)
	}
	for _, v := range Variants {
		fmt.Fprintln(h, v, runtimeFlags(v))
	}
	fmt.Fprint(h, assembler)
	return &runtimeLibrary{dir: filepath.Join(dir, fmt.Sprintf("%x", h.Sum(nil)[:8])), include: filepath.Join(dir, "include")}, files, nil
}

// releaseOf returns the version of a clang. It runs the clang only if it has no runtime yet, since
// that takes as long as compiling a small source.
func releaseOf(clang string) (string, error) {
	if l, _, err := whereLibrary(clang); err == nil && l.read() == nil {
		return l.clang, nil
	}
	return ask(clang)
}

// openLibrary finds the runtime for a clang and builds it first if need be.
func openLibrary(ctx context.Context, clang string) (*runtimeLibrary, error) {
	l, files, err := whereLibrary(clang)
	if err != nil {
		return nil, err
	}
	var failed error // of the build
	l.use, err = filelock.Use(ctx, l.dir+".lock", func() bool { return l.read() == nil }, func() error {
		if failed = l.build(ctx, clang, files); failed == nil {
			if err := l.read(); err != nil {
				failed = exit.Infra("the runtime of C programs: %w", err)
			}
		}
		return failed
	}, nil)
	switch {
	case err == nil:
		now := time.Now()
		os.Chtimes(l.dir, now, now) // when it was used last
		return l, l.header(files)
	case failed != nil:
		return nil, failed
	case ctx.Err() != nil:
		return nil, ctx.Err()
	}
	return nil, exit.Infra("building the runtime of C programs: locking %s.lock: %w", l.dir, err)
}

// header sees to it that the public header is there. Its folder is the same for all versions, so
// that the rules that compilers write for make stay valid.
func (l *runtimeLibrary) header(files []member) error {
	for _, f := range files {
		if path.Base(f.name) != "parallax.h" {
			continue
		}
		name := filepath.Join(l.include, "parallax.h")
		if have, err := os.ReadFile(name); err == nil && bytes.Equal(have, f.data) {
			return nil
		}
		if err := replace(name, f.data, 0o644); err != nil {
			return exit.Infra("writing parallax.h: %w", err)
		}
	}
	return nil
}

// read returns an error if the library does not exist.
func (l *runtimeLibrary) read() error {
	version, err := os.ReadFile(filepath.Join(l.dir, versionFile))
	l.clang = string(version)
	return err
}

func embedded() ([]member, error) {
	var files []member
	err := fs.WalkDir(sources, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := sources.ReadFile(name)
		files = append(files, member{name, data})
		return err
	})
	return files, err
}

// build makes the folder under another name first: it is there whole or not at all.
func (l *runtimeLibrary) build(ctx context.Context, clang string, files []member) error {
	version, err := ask(clang)
	if err != nil {
		return err
	}
	fail := func(err error) error { return exit.Infra("building the runtime of C programs: %w", err) }
	temp, err := os.MkdirTemp(filepath.Dir(l.dir), atomicfile.TempPrefix+filepath.Base(l.dir)+"-")
	if err != nil {
		return fail(err)
	}
	defer os.RemoveAll(temp)
	if err := os.Chmod(temp, 0o755); err != nil {
		return fail(err)
	}
	for _, f := range files {
		name := filepath.Join(temp, filepath.FromSlash(f.name))
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			return fail(err)
		}
		if err := os.WriteFile(name, f.data, 0o644); err != nil {
			return fail(err)
		}
	}
	for _, v := range Variants {
		var names []string
		for _, f := range files {
			if path.Dir(f.name) == "runtime" && path.Ext(f.name) == ".c" {
				names = append(names, f.name)
			}
		}
		if err := compileArchive(ctx, clang, temp, filepath.Base(l.archive(v)), names, runtimeFlags(v)); err != nil {
			return fail(err)
		}
	}
	if err := compileArchive(ctx, clang, temp, filepath.Base(l.stubs()), []string{"shared/shared.c"}, commonFlags); err != nil {
		return fail(err)
	}
	if err := writeAssembler(temp, clang); err != nil {
		return fail(err)
	}
	if err := os.WriteFile(filepath.Join(temp, versionFile), []byte(version), 0o644); err != nil {
		return fail(err)
	}
	os.RemoveAll(l.dir) // a folder without the last file, if any
	if err := os.Rename(temp, l.dir); err != nil {
		return fail(err)
	}
	return nil
}

// The runtime is linked into programs of every kind: position-independent or not, with threads,
// with --gc-sections or without.
var commonFlags = []string{"-std=gnu11", "-O2", "-g", "-fPIC", "-fno-exceptions", "-fvisibility=default"}

func runtimeFlags(v Variant) []string {
	flags := slices.Clone(commonFlags)
	switch v {
	case CmpLog:
		flags = append(asCalls(flags), "-DPLX_GUARDS")
	case Sanitize:
		flags = append(flags, "-DPLX_SANITIZE")
	}
	return flags
}

// compileArchive compiles files of dir into an archive there.
func compileArchive(ctx context.Context, clang, dir, archive string, names, flags []string) error {
	var members []member
	for _, name := range names {
		object := filepath.Join(dir, "object.o")
		args := append(slices.Clone(flags), "-ffile-prefix-map="+dir+"=/parallax", "-c", filepath.FromSlash(name), "-o", object)
		if path.Base(name) == "main.c" {
			args = append(args, "-include", filepath.Join("shared", "harness.h"))
		}
		var said bytes.Buffer
		cmd := child(ctx, clang, args)
		cmd.Dir, cmd.Stdout, cmd.Stderr = dir, &said, &said
		if err := cmd.Run(); err != nil {
			return fmt.Errorf("%s %s: %w\n%s", clang, strings.Join(args, " "), err, bytes.TrimSpace(said.Bytes()))
		}
		data, err := os.ReadFile(object)
		if err != nil {
			return err
		}
		members = append(members, member{strings.TrimSuffix(path.Base(name), ".c") + ".o", data})
	}
	data, err := writeArchive(members)
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, archive), data, 0o644)
}

// replace writes a file whole or not at all.
func replace(name string, data []byte, mode fs.FileMode) error {
	dir := filepath.Dir(name)
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	f, err := os.CreateTemp(dir, "."+filepath.Base(name)+".*")
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	if e := f.Chmod(mode); err == nil {
		err = e
	}
	if e := f.Close(); err == nil {
		err = e
	}
	if err == nil {
		err = os.Rename(f.Name(), name)
	}
	if err != nil {
		os.Remove(f.Name())
	}
	return err
}

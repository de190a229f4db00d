package nativebuild

import (
	"context"
	"debug/elf"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"parallax/cmd/internal/base/buildcache"
	"parallax/cmd/internal/base/exit"
	"parallax/cmd/internal/cbuild/clang"
	"parallax/cmd/internal/change/revision"
	"parallax/cmd/internal/finding/regress"
	"parallax/internal/atomicfile"
)

// Version is a built version.
type Version struct {
	Binary string // the harness
	Dir    string // configuration's folder in the build tree, where the harness runs
	Root   string // of the build tree
	Name   string // of the version, for records

	from   string // folder of the version
	folder *buildcache.Folder
}

// workTree is the name of a version with uncommitted changes.
const workTree = "work-tree"

// format is incremented if the same version is built in another way.
const format = "1"

// Names in the folder of a build.
const (
	treeDir   = "tree"       // files and build results
	homeDir   = "home"       // HOME of the build
	tempDir   = "temp"       // TMPDIR
	binDir    = "bin"        // the compilers
	logFile   = "build.log"  // output of the command
	builtFile = "built.json" // data about a successful build, written last
)

// built is the content of builtFile.
type built struct {
	// stamps of the requested harnesses, by path, to detect changes without reading them
	Binaries map[string]string
}

// version builds a version, unless it is built already.
func (b *builder) version(ctx context.Context, v *revision.Version, name string) (*Version, error) {
	b.Progress("reading the files of the " + name + " version")
	source, err := v.Source(ctx)
	if err != nil {
		return nil, err
	}
	b.notes = append(b.notes, source.Notes...)
	rel, err := below(v)
	if err != nil {
		return nil, err
	}
	identity := append([]string{"native", format, source.Digest, rel, b.compiler.Identity}, b.Command...)
	folder, err := buildcache.Open(ctx, append(append(identity, ""), b.Env...)...)
	if err != nil {
		return nil, err
	}
	done, err := b.buildIn(ctx, folder, source, rel, name)
	if err != nil {
		folder.Close()
		return nil, err
	}
	done.from = v.Dir
	if done.Name = v.Short; v.WorkTree {
		done.Name = workTree
		b.recent(ctx, v, rel, folder.Dir)
	}
	return done, nil
}

// buildIn builds in a folder.
func (b *builder) buildIn(ctx context.Context, folder *buildcache.Folder, source *revision.Source, rel, name string) (*Version, error) {
	dir, err := filepath.EvalSymlinks(folder.Dir) // as in the compiler's file names
	if err != nil {
		return nil, exit.Infra("the folder for build products: %w", err)
	}
	release, err := folder.Lock(ctx, b.Progress)
	if err != nil {
		return nil, err
	}
	defer release()
	root := filepath.Join(dir, treeDir)
	v := &Version{Root: root, Dir: filepath.Join(root, rel), folder: folder}
	v.Binary = filepath.Join(v.Dir, b.Binary)
	if !v.upToDate(dir, rel, b.Binary) {
		for _, part := range []string{builtFile, logFile, treeDir, homeDir, tempDir, binDir} {
			if err := revision.Remove(filepath.Join(dir, part)); err != nil {
				return nil, err
			}
		}
		if err := source.CopyTo(ctx, root); err != nil {
			return nil, err
		}
		if info, err := os.Stat(v.Dir); err != nil || !info.IsDir() {
			return nil, exit.Build("it has no folder %s, where the configuration is", filepath.ToSlash(rel))
		}
		b.Progress(fmt.Sprintf("building the %s version: %s", name, b.line()))
		x := &box{builder: b, dir: dir, tree: root, home: v.Dir}
		if err := x.run(ctx); err != nil {
			return nil, err
		}
		for _, part := range []string{homeDir, tempDir} {
			revision.Remove(filepath.Join(dir, part))
		}
	}
	if err := v.check(b, name); err != nil {
		return nil, err
	}
	return v, v.record(dir, rel, b.Binary)
}

// upToDate reports whether the version was built and the harness did not change since.
func (v *Version) upToDate(dir, rel, binary string) bool {
	text, err := os.ReadFile(filepath.Join(dir, builtFile))
	var b built
	if err != nil || json.Unmarshal(text, &b) != nil {
		return false
	}
	stamp, err := stampOf(v.Binary)
	if err != nil {
		return false
	}
	was, known := b.Binaries[filepath.Join(rel, binary)]
	return !known || was == stamp
}

// record writes builtFile.
func (v *Version) record(dir, rel, binary string) error {
	path := filepath.Join(dir, builtFile)
	b := built{Binaries: map[string]string{}}
	if text, err := os.ReadFile(path); err == nil {
		json.Unmarshal(text, &b) // an unreadable file is replaced
	}
	stamp, err := stampOf(v.Binary)
	if err != nil {
		return exit.Infra("the harness that was built: %w", err)
	}
	if b.Binaries[filepath.Join(rel, binary)] == stamp {
		return nil
	}
	b.Binaries[filepath.Join(rel, binary)] = stamp
	text, err := json.Marshal(b)
	if err == nil {
		err = atomicfile.Write(atomicfile.OS, path, text)
	}
	return exit.Doing("writing down what was built", err)
}

func stampOf(path string) (string, error) {
	info, err := os.Stat(path)
	if err != nil {
		return "", err
	}
	return fmt.Sprint(info.Mode(), info.Size(), info.ModTime().UnixNano()), nil
}

// check checks that the harness exists and can be run.
func (v *Version) check(b *builder, name string) error {
	fail := exit.Usage
	if name == regress.Old { // the user cannot change it
		fail = exit.Build
	}
	info, err := os.Stat(v.Binary)
	if err != nil || !info.Mode().IsRegular() {
		more := ""
		if list := programs(v.Root, v.Dir); len(list) > 0 {
			more = "; it makes " + strings.Join(list, ", ")
		}
		return fail("its build (%s) makes no %s, which binary in [regress] names%s", b.line(), b.Binary, more)
	}
	built, err := clang.Open(v.Binary)
	if err != nil {
		return fail("%w", err)
	}
	if err := built.Confine(v.Root); err != nil { // its variants are built in such a sandbox too
		return exit.Infra("%w", err)
	}
	return nil
}

// maxNamed limits the programs in a message.
const maxNamed = 5

// programs lists the programs that a build made, as values of the key binary.
func programs(root, dir string) (names []string) {
	filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() || len(names) > maxNamed {
			return nil
		}
		if info, err := d.Info(); err != nil || info.Mode()&0o100 == 0 || strings.HasSuffix(filepath.Dir(path), ".parallax") {
			return nil
		}
		f, err := elf.Open(path)
		if err != nil {
			return nil
		}
		defer f.Close()
		rel, err := filepath.Rel(dir, path)
		if err == nil && filepath.IsLocal(rel) && (f.Type == elf.ET_EXEC || f.Type == elf.ET_DYN) && !strings.Contains(filepath.Base(path), ".so") {
			names = append(names, rel)
		}
		return nil
	})
	if len(names) > maxNamed {
		names = append(names[:maxNamed], "and others")
	}
	return names
}

package revision

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"parallax/cmd/internal/base/exit"
	"parallax/cmd/internal/change/git"
)

// Source is the files of a version, to be built in another folder than theirs: a build writes beside what it reads, and neither the user's
// folder nor the commit's in the cache is to change.
type Source struct {
	// Digest is the same for the same files, whichever version they are of: names, contents, links, and who may be executed.
	Digest string
	Notes  []string // for the user

	dir   string
	files []sourceFile
}

// sourceFile is one of them.
type sourceFile struct {
	path   string // with slashes
	mode   git.Mode
	target string // of a link, as it is in the other folder
	sum    string // of the content
}

// home is the campaigns' folder, which is no part of a version.
const home = ".parallax"

// Source lists the files of the version. Of a work tree those count that are under version control or not ignored, and of submodules likewise.
func (v *Version) Source(ctx context.Context) (*Source, error) {
	s := &Source{dir: v.Dir}
	var names []string
	var err error
	if v.WorkTree {
		names, err = s.tracked(ctx, v.repo, "")
	} else {
		names, err = s.below(ctx)
	}
	if err != nil {
		return nil, err
	}
	slices.Sort(names)
	h := sha256.New()
	for _, name := range slices.Compact(names) {
		if ours(name) {
			continue
		}
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		f, err := s.file(name)
		if errors.Is(err, fs.ErrNotExist) {
			continue // it was removed, or a sparse checkout leaves it out
		}
		if err != nil {
			return nil, exit.Infra("reading the files of a version: %w", err)
		}
		if f != nil {
			s.files = append(s.files, *f)
			fmt.Fprintf(h, "%q %d %q %s\n", f.path, f.mode, f.target, f.sum)
		}
	}
	s.Digest = fmt.Sprintf("%x", h.Sum(nil)[:16])
	return s, nil
}

// tracked lists the files of a work tree. Submodules and repositories in it are folders to git, which they are followed into.
func (s *Source) tracked(ctx context.Context, repo *git.Repository, below string) ([]string, error) {
	all, err := repo.Files(ctx)
	if err != nil {
		return nil, err
	}
	var names []string
	for _, name := range all {
		name = strings.TrimSuffix(name, "/")
		full := path.Join(below, name)
		info, err := os.Lstat(filepath.Join(s.dir, filepath.FromSlash(full)))
		switch {
		case err != nil || !info.IsDir():
			names = append(names, full)
		default:
			inner := repo.Submodule(ctx, name)
			if inner == nil {
				s.Notes = append(s.Notes, fmt.Sprintf("The submodule %s is left out, which is not here: `git submodule update --init --recursive` fetches it.", full))
				continue
			}
			more, err := s.tracked(ctx, inner, full)
			if err != nil {
				return nil, err
			}
			names = append(names, more...)
		}
	}
	return names, nil
}

// below lists all files of the folder.
func (s *Source) below(ctx context.Context) (names []string, err error) {
	err = filepath.WalkDir(s.dir, func(name string, d fs.DirEntry, err error) error {
		if err != nil || ctx.Err() != nil {
			return errors.Join(err, ctx.Err())
		}
		if !d.IsDir() {
			rel, err := filepath.Rel(s.dir, name)
			if err != nil {
				return err
			}
			names = append(names, filepath.ToSlash(rel))
		}
		return nil
	})
	if err != nil && ctx.Err() == nil {
		err = exit.Infra("reading the files of a version: %w", err)
	}
	return names, err
}

// file looks at a file; nil: it is none that a build reads, as a socket.
func (s *Source) file(name string) (*sourceFile, error) {
	at := filepath.Join(s.dir, filepath.FromSlash(name))
	info, err := os.Lstat(at)
	if err != nil {
		return nil, err
	}
	f := &sourceFile{path: name, mode: git.Plain}
	switch {
	case info.Mode()&fs.ModeSymlink != 0:
		target, err := os.Readlink(at)
		if err != nil {
			return nil, err
		}
		f.mode = git.Symlink
		f.target, _ = (&layout{top: s.dir}).link(name, target)
	case !info.Mode().IsRegular():
		return nil, nil
	default:
		if info.Mode()&0o100 != 0 {
			f.mode = git.Executable
		}
		from, err := os.Open(at)
		if err != nil {
			return nil, err
		}
		defer from.Close()
		h := sha256.New()
		if _, err := io.Copy(h, from); err != nil {
			return nil, err
		}
		f.sum = fmt.Sprintf("%x", h.Sum(nil))
	}
	return f, nil
}

// copied is the time of all files that CopyTo writes. To make, nothing that is under version control is older than what it was made of then:
// as in an archive of sources, generated files that were committed are not made again.
var copied = time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC)

// errChanged says that what was copied is not what Digest stands for.
var errChanged = errors.New("has changed while it was copied")

// CopyTo writes the files into a folder that is not there yet.
func (s *Source) CopyTo(ctx context.Context, dir string) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return exit.Infra("copying the files of a version: %w", err)
	}
	in, err := os.OpenRoot(dir)
	if err != nil {
		return exit.Infra("copying the files of a version: %w", err)
	}
	defer in.Close()
	// Links come last, and nothing is written through one that leads out.
	for _, links := range []bool{false, true} {
		for _, f := range s.files {
			if ctx.Err() != nil {
				return ctx.Err()
			}
			if (f.mode == git.Symlink) != links {
				continue
			}
			if err := s.copy(f, in); err != nil {
				if errors.Is(err, errChanged) || errors.Is(err, fs.ErrNotExist) {
					return exit.Usage("%s %w: run parallax again", filepath.Join(s.dir, filepath.FromSlash(f.path)), errChanged)
				}
				return exit.Infra("copying the files of a version: %w", err)
			}
		}
	}
	return nil
}

func (s *Source) copy(f sourceFile, in *os.Root) error {
	name := filepath.FromSlash(f.path)
	if err := s.mkdir(in, filepath.Dir(name)); err != nil {
		return err
	}
	if f.mode == git.Symlink {
		return in.Symlink(f.target, name)
	}
	from, err := os.Open(filepath.Join(s.dir, filepath.FromSlash(f.path)))
	if err != nil {
		return err
	}
	defer from.Close()
	info, err := from.Stat()
	if err != nil {
		return err
	}
	to, err := in.OpenFile(name, os.O_CREATE|os.O_EXCL|os.O_WRONLY, info.Mode().Perm()|0o600)
	if err != nil {
		return err
	}
	h := sha256.New()
	_, err = io.Copy(to, io.TeeReader(from, h))
	if err := errors.Join(err, to.Close()); err != nil {
		return err
	}
	if fmt.Sprintf("%x", h.Sum(nil)) != f.sum {
		return errChanged
	}
	return in.Chtimes(name, copied, copied)
}

// mkdir makes a folder and those that it is in. As files do, they keep their permissions, and their owner may write.
func (s *Source) mkdir(in *os.Root, name string) error {
	if _, err := in.Lstat(name); err == nil {
		return nil
	}
	if err := s.mkdir(in, filepath.Dir(name)); err != nil {
		return err
	}
	info, err := os.Stat(filepath.Join(s.dir, name))
	if err != nil {
		return err
	}
	return in.Mkdir(name, info.Mode().Perm()|0o700)
}

// Remove empties a place for CopyTo, also one in which a program took its own right to write away.
func Remove(dir string) error {
	if err := removeAll(dir); err != nil {
		return exit.Infra("emptying a folder for the files of a version: %w", err)
	}
	return nil
}

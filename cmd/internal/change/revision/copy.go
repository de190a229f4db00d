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

// Source lists the files of a version, to build it in another folder. Builds write next to their
// sources, and neither the user's folder nor the cached commit may change.
type Source struct {
	// Digest hashes the files: names, contents, links and execute permissions. It is equal for
	// equal files of different versions.
	Digest string
	Notes  []string // for the user

	dir   string
	files []sourceFile
}

// sourceFile is a file of a Source.
type sourceFile struct {
	path   string // with slashes
	mode   git.Mode
	target string // of a link, as in the other folder
	sum    string // hash of the content
}

// home is the folder of campaigns, which belongs to no version.
const home = ".parallax"

// Source lists the files of the version. In a work tree and its submodules, files count if they are
// tracked or not ignored.
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
		if fromParallax(name) {
			continue
		}
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		f, err := s.file(name)
		if errors.Is(err, fs.ErrNotExist) {
			continue // removed, or left out by a sparse checkout
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

// tracked lists the files of a work tree. It descends into submodules and nested repositories,
// which git lists as folders.
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

// file describes a file. It returns nil for files that builds do not read, such as sockets.
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

// copyTime is the modification time of all files that CopyTo writes. So for make, no tracked file
// is older than its sources, and committed generated files are not rebuilt, as in a source archive.
var copyTime = time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC)

// errChanged means that a copied file does not match Digest.
var errChanged = errors.New("has changed while it was copied")

// CopyTo writes the files into a new folder.
func (s *Source) CopyTo(ctx context.Context, dir string) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return exit.Infra("copying the files of a version: %w", err)
	}
	in, err := os.OpenRoot(dir)
	if err != nil {
		return exit.Infra("copying the files of a version: %w", err)
	}
	defer in.Close()
	// Links come last, so nothing is written through a link that leads outside.
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
	return in.Chtimes(name, copyTime, copyTime)
}

// mkdir makes a folder and its parents. Folders keep their permissions, and their owner may write.
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

// Remove empties a place for CopyTo, even if a program removed its own write permission there.
func Remove(dir string) error {
	return exit.Doing("emptying a folder for the files of a version", removeAll(dir))
}

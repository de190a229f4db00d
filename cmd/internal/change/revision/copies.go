package revision

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/mod/modfile"

	"parallax/cmd/internal/base/buildcache"
	"parallax/cmd/internal/base/exit"
	"parallax/cmd/internal/gobuild/gocommand"
)

// copier copies modules into the cache, where their go.mod can be changed.
type copier struct {
	guard    string
	progress func(string)
}

// cached returns a version in a folder of the cache, by its identity. If the folder is missing,
// fill writes it. The go command finds no workspace for it, and no settings about the origin of
// modules.
func (c *copier) cached(ctx context.Context, p *Pair, what string, identity []string, fill func(root string) ([]string, error)) (v Version, err error) {
	folder, err := buildcache.OpenTree(ctx, append([]string{format}, identity...)...)
	if err != nil {
		return v, err
	}
	p.folders = append(p.folders, folder)
	release, err := folder.Lock(ctx, c.progress)
	if err != nil {
		return v, err
	}
	defer release()
	if !intact(folder.Dir) {
		if err := lay(ctx, folder.Dir, what, fill); err != nil {
			return v, err
		}
	}
	v.Dir = filepath.Join(folder.Dir, filesDir)
	v.Home, v.Modules, v.Notes = v.Dir, []string{"."}, notesOf(folder.Dir)
	v.Env, err = c.environ(ctx, folder.Dir, false)
	return v, err
}

// environ returns the environment of the go command for a copy. With edits, the go command may
// change its go.mod and go.sum. Settings are read in a folder without a go.mod, because a go.mod
// may require another toolchain.
func (c *copier) environ(ctx context.Context, dir string, edits bool) ([]string, error) {
	env, err := gocommand.ReadEnv(ctx, gocommand.Command{Dir: dir, Guard: c.guard, Env: []string{"GOWORK=off"}})
	if err != nil {
		return nil, err
	}
	flags := gocommand.ModuleFlags(env.GOFLAGS)
	if !edits {
		flags = strings.TrimSpace(strings.TrimSuffix(flags, "-mod=mod"))
	}
	return []string{"GOWORK=off", "GOFLAGS=" + flags}, nil
}

// run runs the go command in a copy. said is empty if it succeeded.
func (c *copier) run(ctx context.Context, dir string, edits bool, args ...string) (said string, err error) {
	env, err := c.environ(ctx, filepath.Dir(dir), edits)
	if err != nil {
		return "", err
	}
	out, errs, err := gocommand.Run(ctx, gocommand.Command{Dir: dir, Env: env, Guard: c.guard, Args: args})
	var failed *exec.ExitError
	if err != nil && errors.As(err, &failed) {
		if e := gocommand.DiskError(string(errs)); e != nil {
			return "", e
		}
		if said = gocommand.Relevant(string(errs)); said == "" {
			said = gocommand.Relevant(string(out)) + err.Error()
		}
		return said, nil
	}
	return "", err
}

// copyTree copies a folder except for the files that skip selects by relative path. Links keep
// their targets.
func copyTree(from, to string, skip func(rel string, d fs.DirEntry) bool) error {
	return filepath.WalkDir(from, func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(from, name)
		if err != nil {
			return err
		}
		if rel != "." && skip(filepath.ToSlash(rel), d) {
			if d.IsDir() {
				return filepath.SkipDir
			}
			return nil
		}
		at := filepath.Join(to, rel)
		switch {
		case d.IsDir():
			info, err := d.Info()
			if err != nil {
				return err
			}
			return os.MkdirAll(at, info.Mode().Perm()|0o700)
		case d.Type()&fs.ModeSymlink != 0:
			target, err := os.Readlink(name)
			if err == nil && !filepath.IsAbs(target) && !filepath.IsLocal(filepath.Join(filepath.Dir(rel), target)) {
				target = filepath.Join(filepath.Dir(name), target)
			}
			return errors.Join(err, os.Symlink(target, at))
		case d.Type().IsRegular():
			return copyFile(name, at)
		}
		return nil // sockets and pipes belong to no module
	})
}

// copyFile copies a file. The copy is writable, even for read-only files of the module cache.
func copyFile(from, to string) error {
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	info, err := in.Stat()
	if err != nil {
		return err
	}
	out, err := os.OpenFile(to, os.O_CREATE|os.O_EXCL|os.O_WRONLY, info.Mode().Perm()|0o600)
	if err != nil {
		return err
	}
	_, err = io.Copy(out, in)
	return errors.Join(err, out.Close())
}

// redirect changes the replace lines of a go.mod so that a copy finds their folders. Folders
// outside of the copy get absolute paths below from. If from is "", the lines are removed and
// returned.
func redirect(f *modfile.File, from string) (left []string, err error) {
	for _, r := range slices.Clone(f.Replace) {
		if r.New.Version != "" || filepath.IsAbs(r.New.Path) || filepath.IsLocal(filepath.FromSlash(r.New.Path)) {
			continue
		}
		if from == "" {
			left = append(left, fmt.Sprintf("%s => %s", r.Old.Path, r.New.Path))
			err = errors.Join(err, f.DropReplace(r.Old.Path, r.Old.Version))
			continue
		}
		err = errors.Join(err, f.AddReplace(r.Old.Path, r.Old.Version, filepath.Join(from, filepath.FromSlash(r.New.Path)), ""))
	}
	return left, err
}

// readMod parses a go.mod.
func readMod(file string) (*modfile.File, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, exit.Usage("reading go.mod: %w", err)
	}
	f, err := modfile.Parse(file, text, nil)
	if err != nil {
		return nil, exit.Usage("%w", err)
	}
	return f, nil
}

func writeMod(f *modfile.File, file string) error {
	f.Cleanup()
	text, err := f.Format()
	if err != nil {
		return err
	}
	return os.WriteFile(file, text, 0o644)
}

package revision

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/mod/modfile"
	"golang.org/x/mod/semver"

	"parallax/cmd/internal/base/exit"
	"parallax/cmd/internal/finding/state"
	"parallax/cmd/internal/gobuild/gocommand"
	"parallax/cmd/internal/gobuild/gomod"
)

// Dependent is a user's module that requires a published one and has its harness.
type Dependent struct {
	Dir      string            // of the harness's package
	Parallax string            // the parallax executable, for guard; may be empty
	Progress func(step string) // reports each long step; may be nil
}

// unpublished is the version in requirements of a module in a folder.
const unpublished = "v0.0.0-00010101000000-000000000000"

// Dependents copies the user's module twice, so that it requires each version of a published
// module. Home is the harness's folder. Other modules' requirements cannot raise the version, since
// only the module itself is compared. The harness must build with both.
func (p *Pair) Dependents(ctx context.Context, d Dependent) (*Pair, error) {
	if p.Head.Module == "" {
		return nil, exit.Usage("--harness names a harness for versions of a published module; a revision of a repository has its own")
	}
	if p.Head.Module != p.Base.Module {
		return nil, exit.Usage("--harness %s: a harness imports the packages of one module, and its path changed from %s to %s", d.Dir, p.Base.Module, p.Head.Module)
	}
	if info, err := os.Stat(d.Dir); err != nil || !info.IsDir() {
		return nil, exit.Usage("--harness %s: there is no such folder", d.Dir)
	}
	if d.Progress == nil {
		d.Progress = func(string) {}
	}
	dir, err := filepath.Abs(d.Dir)
	if err == nil {
		dir, err = filepath.EvalSymlinks(dir)
	}
	if err != nil {
		return nil, exit.Infra("finding the folder of the harness: %w", err)
	}
	m, err := gomod.Find(ctx, dir, d.Parallax)
	if err != nil {
		return nil, fmt.Errorf("--harness %s: %w", d.Dir, err)
	}
	c := &dependent{copier: copier{d.Parallax, d.Progress}, written: d.Dir, module: m}
	// a workspace's folder
	if c.rel, err = filepath.Rel(m.Dir, dir); err != nil || !filepath.IsLocal(c.rel) {
		return nil, exit.Usage("--harness %s: it lies in no module, but next to those of %s: name a package of one of them", d.Dir, m.Work)
	}
	if err := c.check(p.Head.Module); err != nil {
		return nil, err
	}
	if c.digest, err = digest(m.Dir, c.skip); err != nil {
		return nil, exit.Infra("reading the module of the harness: %w", err)
	}
	own := &Pair{}
	for _, v := range []struct{ from, to *Version }{{&p.Base, &own.Base}, {&p.Head, &own.Head}} {
		if *v.to, err = c.version(ctx, own, v.from); err != nil {
			own.Close()
			return nil, err
		}
	}
	return own, nil
}

// dependent is the module of the harness.
type dependent struct {
	copier
	written string // folder as the user wrote it
	module  *gomod.Module
	rel     string // folder below the module
	digest  string // of its files
}

// check checks that the module requires another one.
func (c *dependent) check(path string) error {
	if c.module.Path == path {
		return exit.Usage("--harness %s: it belongs to %s itself: name a package of another module that requires it", c.written, path)
	}
	for _, r := range c.module.Require {
		if r.Path == path {
			return nil
		}
	}
	return exit.Usage("--harness %s: %s does not require %s: run `go get %s` there", c.written, c.module.GoMod, path, path)
}

// skip excludes files that are not part of a module: repositories, campaigns, and vendored modules
// of other versions.
func (c *dependent) skip(rel string, d fs.DirEntry) bool {
	switch d.Name() {
	case ".git", ".hg", ".svn", ".jj", state.Home:
		return true
	}
	return rel == "vendor"
}

// version returns the module with a version of the other one.
func (c *dependent) version(ctx context.Context, p *Pair, of *Version) (Version, error) {
	with := of.Module + "@" + of.Short
	identity := append([]string{"dependent", c.module.Dir, c.module.Work, c.workspace(), c.rel, c.digest, with}, of.Require...)
	v, err := c.cached(ctx, p, "a module that requires "+with, identity, func(root string) ([]string, error) {
		c.progress("copying " + c.module.Path + " for " + of.Short)
		if err := copyTree(c.module.Dir, root, c.skip); err != nil {
			return nil, err
		}
		f, err := readMod(filepath.Join(root, "go.mod"))
		if err != nil {
			return nil, err
		}
		if err := c.require(f, of); err != nil {
			return nil, fmt.Errorf("changing go.mod: %w", err)
		}
		if err := errors.Join(writeMod(f, filepath.Join(root, "go.mod")), c.sums(filepath.Join(root, "go.sum"))); err != nil {
			return nil, err
		}
		return nil, c.build(ctx, root, with)
	})
	v.Short, v.Home = of.Short, filepath.Join(v.Dir, c.rel)
	return v, err
}

// workspace hashes go.work and the other modules of the workspace.
func (c *dependent) workspace() string {
	if c.module.Work == "" {
		return ""
	}
	h := sha256.New()
	for _, file := range append(c.sumFiles(), c.module.Work) {
		text, _ := os.ReadFile(file)
		fmt.Fprintf(h, "%q\n", text)
	}
	for _, s := range c.module.Siblings {
		text, _ := os.ReadFile(s.GoMod)
		fmt.Fprintf(h, "%q\n", text)
	}
	return hex.EncodeToString(h.Sum(nil))
}

// sumFiles returns the files with checksums that the workspace's modules need, besides the go.sum
// of the harness's module.
func (c *dependent) sumFiles() (files []string) {
	if c.module.Work == "" {
		return nil
	}
	files = []string{c.module.Work + ".sum"}
	for _, s := range c.module.Siblings {
		files = append(files, filepath.Join(s.Dir, "go.sum"))
	}
	return files
}

// sums adds the workspace's checksums to a go.sum.
func (c *dependent) sums(to string) error {
	own, err := os.ReadFile(to)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	all := own
	for _, file := range c.sumFiles() {
		if text, err := os.ReadFile(file); err == nil && len(text) > 0 {
			if n := len(all); n > 0 && all[n-1] != '\n' {
				all = append(all, '\n')
			}
			all = append(all, text...)
		}
	}
	if len(all) == len(own) {
		return nil
	}
	return os.WriteFile(to, all, 0o644)
}

// require makes a go.mod require exactly one version, and adjusts its other folders. The settings
// of go.work apply: its other modules are required from their folders, and replace lines have the
// priority of a workspace.
func (c *dependent) require(f *modfile.File, of *Version) error {
	if _, err := redirect(f, c.module.Dir); err != nil {
		return err
	}
	for _, s := range c.module.Siblings {
		for _, r := range s.Replace {
			if slices.ContainsFunc(f.Replace, func(own *modfile.Replace) bool { return own.Old.Path == r.Old.Path && own.Old.Version == r.Old.Version }) {
				continue
			}
			if err := f.AddReplace(r.Old.Path, r.Old.Version, r.New.Path, r.New.Version); err != nil {
				return err
			}
		}
	}
	for _, r := range c.module.Instead {
		if err := f.AddReplace(r.Old.Path, r.Old.Version, r.New.Path, r.New.Version); err != nil {
			return err
		}
	}
	for _, r := range append([]*modfile.Replace{}, f.Replace...) {
		if r.Old.Path == of.Module {
			if err := f.DropReplace(r.Old.Path, r.Old.Version); err != nil {
				return err
			}
		}
	}
	for _, s := range c.module.Siblings {
		if s.Path == of.Module {
			continue
		}
		if err := f.AddRequire(s.Path, unpublished); err != nil {
			return err
		}
		if err := f.AddReplace(s.Path, "", s.Dir, ""); err != nil {
			return err
		}
	}
	if err := f.AddRequire(of.Module, of.Short); err != nil {
		return err
	}
	if err := f.AddReplace(of.Module, "", of.Module, of.Short); err != nil {
		return err
	}
	for _, need := range of.Require {
		path, version, _ := strings.Cut(need, " ")
		if lower(f, path, version) {
			if err := f.AddRequire(path, version); err != nil {
				return err
			}
		}
	}
	return nil
}

// lower reports whether a go.mod requires less than a version.
func lower(f *modfile.File, path, version string) bool {
	for _, r := range f.Require {
		if r.Mod.Path == path {
			return semver.Compare(r.Mod.Version, version) < 0
		}
	}
	return true
}

// build completes go.mod and go.sum for the harness and compiles it once. So an incompatible
// version is reported before fuzzing, with the compiler's message.
func (c *dependent) build(ctx context.Context, root, with string) error {
	pattern := "./" + filepath.ToSlash(c.rel)
	said, err := c.run(ctx, root, true, "list", "-deps", "-test", "-f", "{{.ImportPath}}", pattern)
	if err != nil {
		return err
	}
	if said != "" {
		if env, e := gocommand.ReadEnv(ctx, gocommand.Command{Dir: c.module.Dir, Guard: c.guard}); e == nil {
			if e := env.NetworkError(said); e != nil {
				return e
			}
		}
		return exit.Build("the harness in %s does not go with %s:\n%s", c.written, with, said)
	}
	c.progress("compiling the harness with " + with)
	said, err = c.run(ctx, root, false, "test", "-c", "-vet=off", "-o", os.DevNull, pattern)
	if err == nil && said != "" {
		err = exit.Build("the harness in %s does not build with %s:\n%s", c.written, with, strings.ReplaceAll(said, root+string(filepath.Separator), ""))
	}
	return err
}

// digest hashes the contents of a folder.
func digest(dir string, skip func(string, fs.DirEntry) bool) (string, error) {
	h := sha256.New()
	err := filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(dir, name)
		if err != nil || rel == "." {
			return err
		}
		if skip(filepath.ToSlash(rel), d) {
			if d.IsDir() {
				return filepath.SkipDir
			}
			return nil
		}
		fmt.Fprintf(h, "%q %v\n", rel, d.Type())
		switch {
		case d.Type()&fs.ModeSymlink != 0:
			target, err := os.Readlink(name)
			fmt.Fprintf(h, "%q\n", target)
			return err
		case d.Type().IsRegular():
			f, err := os.Open(name)
			if err != nil {
				return err
			}
			defer f.Close()
			n, err := io.Copy(h, f)
			fmt.Fprintf(h, "%d\n", n)
			return err
		}
		return nil
	})
	return hex.EncodeToString(h.Sum(nil)), err
}

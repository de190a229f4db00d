package bisect

import (
	"context"
	"errors"
	"fmt"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"parallax/cmd/internal/base/exit"
	"parallax/cmd/internal/change/git"
	"parallax/cmd/internal/gobuild/gomod"
	"parallax/cmd/internal/gobuild/library"
	"parallax/cmd/internal/subject"
)

// commits holds the commits of a repository. The repository holds the target's own module, which
// then is built from them, or another module that the target uses.
type commits struct {
	bisection *bisection
	repo      *git.Repository
	list      []string
	named     bool
	module    string        // the module of another repository
	top       string        // the work tree with the target's own module
	own       *gomod.Module // the target's own module, as it is now
}

// commits chooses the repository and the range of its history.
func (s *bisection) commits(ctx context.Context) (*commits, error) {
	home := git.Real(s.past.Home())
	dir := s.Repo
	if dir == "" {
		dir = home
	}
	repo, err := openRepository(ctx, dir)
	if err != nil {
		return nil, err
	}
	s.Step("reading what the target is built from")
	modules, err := s.modules(ctx)
	if err != nil {
		return nil, err
	}
	c := &commits{bisection: s, repo: repo, named: s.From != ""}
	if err := c.choose(ctx, home, dir, modules); err != nil {
		return nil, err
	}
	s.report.Repository, s.report.Module = repo.Top, c.module
	if repo.Top == "" {
		s.report.Repository = dir
	}
	to := s.To
	if to == "" {
		to = "HEAD"
		c.warn(ctx)
	}
	s.Step("reading the history")
	if c.list, err = repo.Commits(ctx, s.From, to); err != nil {
		return nil, err
	}
	if len(c.list) < 2 {
		return nil, exit.Usage("the history of %s has only one commit: there is nothing to look through%s", s.report.Repository, c.unshallow())
	}
	if repo.Shallow && !c.named {
		s.report.Notes = append(s.report.Notes, "The clone is shallow: commits before its first one were not tried"+c.unshallow()+".")
	}
	return c, nil
}

// openRepository finds the repository of a folder.
func openRepository(ctx context.Context, dir string) (*git.Repository, error) {
	repo, err := git.Open(ctx, dir)
	switch {
	case errors.Is(err, git.ErrNone):
		return nil, exit.Usage("%w: name one with --repo DIR, or look through a module's versions with --module", err)
	case errors.Is(err, git.ErrMissing):
		return nil, exit.Usage("%w: --git reads the repository with it; install git", err)
	}
	return repo, err
}

func (c *commits) unshallow() string {
	if !c.repo.Shallow {
		return ""
	}
	return "; `git fetch --unshallow` fetches the rest of the history"
}

// warn adds a note on uncommitted changes.
func (c *commits) warn(ctx context.Context) {
	if dirty, err := c.repo.Dirty(ctx); err == nil && dirty {
		c.bisection.report.Notes = append(c.bisection.report.Notes, "The work tree has changes that are not committed: they were not tried.")
	}
}

// choose decides which module is built from commits: the target's own, or one that it uses.
func (c *commits) choose(ctx context.Context, home, dir string, modules []gomod.InUse) error {
	s, top := c.bisection, c.repo.Top
	inside := top != "" && git.Within(home, git.Real(top))
	var owned, used []string
	for _, m := range modules {
		switch {
		case m.Main && inside && git.Within(git.Real(m.Dir), git.Real(top)):
			owned = append(owned, m.Path)
		case !m.Main:
			used = append(used, m.Path)
		}
	}
	if len(owned) > 0 && (s.Module == "" || slices.Contains(owned, s.Module)) {
		c.top = git.Real(top)
		own, err := gomod.Find(ctx, home, s.Tool)
		c.own = own
		return err
	}
	if inside && s.Module == "" && s.Repo == "" {
		return exit.Usage("the target is not built from anything in the repository %s: name the repository of one of its modules with --repo DIR (%s), or look through versions with --module", top, strings.Join(used, ", "))
	}
	return c.usedModule(ctx, dir, used)
}

// usedModule finds the module of the repository that the target uses. The target's own go.mod then
// refers to the commit's folder.
func (c *commits) usedModule(ctx context.Context, dir string, used []string) error {
	s := c.bisection
	if s.Module != "" {
		if !slices.Contains(used, s.Module) {
			return exit.Usage("--module %s: the target is not built from it; it is built from %s", s.Module, strings.Join(used, ", "))
		}
		c.module = s.Module
		return nil
	}
	if err := c.repo.Checkout(ctx, "HEAD", s.tree()); err != nil {
		return err
	}
	var found []string
	for _, m := range used {
		if _, err := moduleAt(s.tree(), m); err == nil {
			found = append(found, m)
		}
	}
	switch len(found) {
	case 0:
		return exit.Usage("--repo %s: it has none of the modules that the target is built from: %s", dir, strings.Join(used, ", "))
	case 1:
		c.module = found[0]
		return nil
	}
	return exit.Usage("--repo %s has several of the target's modules: choose one with --module\n  %s", dir, strings.Join(found, "\n  "))
}

// Len, Name, Named, Describe and Place implement history.
func (c *commits) Len() int          { return len(c.list) }
func (c *commits) Name(i int) string { return c.list[i] }
func (c *commits) Named() bool       { return c.named }

func (c *commits) Describe(ctx context.Context, p *Point) error {
	about, err := c.repo.Describe(ctx, p.Name)
	p.Short, p.Date, p.Subject = about.Short, about.Date, about.Subject
	return err
}

func (c *commits) Place(ctx context.Context, i int) (*subject.Site, error) {
	s := c.bisection
	tree := s.tree()
	if err := c.repo.Checkout(ctx, c.list[i], tree); err != nil {
		return nil, s.skipped(ctx, err)
	}
	if c.own != nil {
		return c.ownSite(ctx, tree)
	}
	dir, err := moduleAt(tree, c.module)
	if err != nil {
		return nil, skip("it has no module %s", c.module)
	}
	at := s.currentSite()
	at.Instead = []gomod.Instead{{Module: c.module, Dir: dir}}
	return at, nil
}

// ownSite returns the site of a commit with the target's own module.
func (c *commits) ownSite(ctx context.Context, tree string) (*subject.Site, error) {
	s := c.bisection
	at := &subject.Site{Dir: c.inTree(git.Real(s.past.Home()), tree), Fuzz: s.past.Config.Options["fuzz"]}
	if _, err := os.Stat(at.Dir); err != nil {
		return nil, skip("there is no folder %s", c.relative(at.Dir, tree))
	}
	for _, f := range s.past.Options.Functions {
		if filepath.IsAbs(f) {
			f = c.inTree(f, tree)
		}
		at.Functions = append(at.Functions, f)
	}
	if !governed(at.Dir, tree) {
		return nil, skip("there is no go.mod")
	}
	then, err := gomod.Find(ctx, at.Dir, s.Tool)
	if err != nil {
		return nil, s.skipped(ctx, err)
	}
	at.Instead = c.outsideFolders(then, tree)
	if s.past.Config.Options["fuzz"] == "" {
		return at, nil
	}
	in, err := os.OpenRoot(tree)
	if err != nil {
		return nil, exit.Infra("%w", err)
	}
	defer in.Close()
	imports, err := c.tests(in, at.Dir)
	if err != nil {
		return nil, err
	}
	if err := c.library(in, then, imports); err != nil {
		return nil, err
	}
	at.Instead = append(at.Instead, c.missingModules(then, imports, at.Instead)...)
	return at, nil
}

// governed reports whether a folder of a tree belongs to a module.
func governed(dir, tree string) bool {
	for ; git.Within(dir, tree); dir = filepath.Dir(dir) {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return true
		}
	}
	return false
}

// inTree converts a path of the user's work tree to the folder of commits.
func (c *commits) inTree(path, tree string) string {
	rel, err := filepath.Rel(c.top, path)
	if err != nil || !filepath.IsLocal(rel) {
		return path
	}
	return filepath.Join(tree, rel)
}

func (c *commits) relative(path, tree string) string {
	if rel, err := filepath.Rel(tree, path); err == nil {
		return rel
	}
	return path
}

// outsideFolders finds the folders outside of the repository that a go.mod, or the user's
// workspace, names. Their relative paths do not hold in the folder of commits.
func (c *commits) outsideFolders(then *gomod.Module, tree string) []gomod.Instead {
	var list []gomod.Instead
	for _, r := range then.Replace {
		if r.New.Version == "" && !git.Within(r.New.Path, tree) {
			if rel, err := filepath.Rel(tree, r.New.Path); err == nil {
				list = append(list, gomod.Instead{Module: r.Old.Path, Dir: filepath.Join(c.top, rel)})
			}
		}
	}
	if c.own.Work != "" && then.Work == "" {
		for _, m := range c.own.Siblings {
			if !git.Within(git.Real(m.Dir), c.top) {
				list = append(list, gomod.Instead{Module: m.Path, Dir: m.Dir, Require: true})
			}
		}
	}
	return list
}

// tests replaces the test files of the commit by the user's current ones, and returns their
// imports. The finding was made with the current tests, and is also searched for in commits from
// before these were written. All writes stay in the commit's tree: a link of the commit may lead to
// the user's own files.
func (c *commits) tests(in *os.Root, dir string) (imports []string, err error) {
	at, err := filepath.Rel(in.Name(), dir)
	if err != nil {
		return nil, exit.Infra("%w", err)
	}
	old, err := fs.ReadDir(in.FS(), filepath.ToSlash(at))
	if err != nil {
		return nil, skip("its folder %s cannot be read within the commit", at)
	}
	for _, e := range old {
		if !strings.HasSuffix(e.Name(), "_test.go") {
			continue
		}
		if err := in.RemoveAll(filepath.Join(at, e.Name())); err != nil {
			return nil, exit.Infra("making room for test files: %w", err)
		}
	}
	home := c.bisection.past.Home()
	now, _ := filepath.Glob(filepath.Join(home, "*_test.go"))
	for _, path := range now {
		text, err := os.ReadFile(path)
		if err != nil {
			return nil, exit.Infra("reading the test files: %w", err)
		}
		if err := in.WriteFile(filepath.Join(at, filepath.Base(path)), text, 0o666); err != nil {
			return nil, exit.Infra("writing test files: %w", err)
		}
		f, err := parser.ParseFile(token.NewFileSet(), path, text, parser.ImportsOnly)
		if err != nil {
			continue // the compiler reports the error
		}
		for _, s := range f.Imports {
			if name, err := strconv.Unquote(s.Path.Value); err == nil && !slices.Contains(imports, name) {
				imports = append(imports, name)
			}
		}
	}
	return imports, nil
}

// library replaces the commit's copy of the library, if any, by the current one. It does so if the
// module has a copy that the current tests import.
func (c *commits) library(in *os.Root, then *gomod.Module, imports []string) error {
	for _, path := range imports {
		root, ok := library.Root(path)
		rest, inside := strings.CutPrefix(root, c.own.Path+"/")
		if !ok || !inside {
			continue
		}
		now := filepath.Join(c.own.Dir, filepath.FromSlash(rest))
		if !library.Holds(now) {
			continue
		}
		old, err := filepath.Rel(in.Name(), filepath.Join(then.Dir, filepath.FromSlash(rest)))
		if err == nil {
			err = errors.Join(in.RemoveAll(old), copyInto(in, old, now))
		}
		if err != nil {
			return exit.Infra("copying the library: %w", err)
		}
	}
	return nil
}

// copyInto copies the files of a folder into a folder below a root.
func copyInto(in *os.Root, to, from string) error {
	return filepath.WalkDir(from, func(path string, d fs.DirEntry, err error) error {
		rel, e := filepath.Rel(from, path)
		if err = errors.Join(err, e); err != nil {
			return err
		}
		switch {
		case d.IsDir():
			return in.MkdirAll(filepath.Join(to, rel), 0o777)
		case d.Type().IsRegular():
			text, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			return in.WriteFile(filepath.Join(to, rel), text, 0o666)
		}
		return nil
	})
}

// missingModules finds the modules that the current tests import and the commit's go.mod does not
// require. It returns them as in the current go.mod.
func (c *commits) missingModules(then *gomod.Module, imports []string, have []gomod.Instead) []gomod.Instead {
	var list []gomod.Instead
	for _, path := range imports {
		best := -1
		for i, r := range c.own.Require {
			if (path == r.Path || strings.HasPrefix(path, r.Path+"/")) && (best < 0 || len(r.Path) > len(c.own.Require[best].Path)) {
				best = i
			}
		}
		if best < 0 || path == then.Path || strings.HasPrefix(path, then.Path+"/") {
			continue
		}
		need := gomod.Instead{Module: c.own.Require[best].Path, Version: c.own.Require[best].Version, Require: true}
		for _, r := range c.own.Replace {
			if r.Old.Path == need.Module && r.New.Version == "" {
				need.Version, need.Dir = "", r.New.Path
			}
		}
		known := slices.ContainsFunc(then.Require, func(r gomod.Requirement) bool { return r.Path == need.Module }) ||
			slices.ContainsFunc(append(list, have...), func(i gomod.Instead) bool { return i.Module == need.Module })
		if !known {
			list = append(list, need)
		}
	}
	return list
}

// moduleAt finds the folder of a module in a tree. The one with the shortest path counts.
func moduleAt(tree, module string) (string, error) {
	best := ""
	err := filepath.WalkDir(tree, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && (d.Name() == ".git" || d.Name() == "vendor" || d.Name() == "node_modules"):
			return filepath.SkipDir
		case d.Name() != "go.mod" || d.IsDir() || gomod.PathOf(path) != module:
			return nil
		}
		if dir := filepath.Dir(path); best == "" || len(dir) < len(best) {
			best = dir
		}
		return nil
	})
	if err != nil {
		return "", err
	}
	if best == "" {
		return "", errors.New("no such module")
	}
	return best, nil
}

// explain adds the parents of a merge to the report.
func (c *commits) explain(ctx context.Context, r *Report) error {
	if r.Status != StatusFound {
		return nil
	}
	about, err := c.repo.Describe(ctx, r.First.Name)
	if err != nil || len(about.Parents) < 2 {
		return err
	}
	base, n, err := c.repo.MergeBase(ctx, about)
	if err != nil || n < 2 {
		return nil // the branches have no common base, or the merge has one commit: nothing to add
	}
	r.Notes = append(r.Notes, fmt.Sprintf("%s merges %d commits. To look through these:\n  parallax bisect %s --git --since %.12s --until %.12s",
		about.Short, n, r.Finding, base, about.Parents[1]))
	return nil
}

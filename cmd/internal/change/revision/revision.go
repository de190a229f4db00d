// Package revision provides two versions as folders: the base before a change, and the head after
// it. The user names revisions of a git repository, or versions of a published module. The command
// regress uses it.
//
// Invariants: the work tree, the index and the git folder do not change, not even in a time stamp.
// No hook and no filter of .gitattributes runs, so files are as committed. A version is in the
// user's cache completely or not at all, and later requests for it use the same files. Paths in
// go.mod and go.work that lead out of the repository keep their targets. Paths inside of it lead to
// the version's own files.
package revision

import (
	"context"
	"os"
	"path/filepath"

	"parallax/cmd/internal/base/buildcache"
	"parallax/cmd/internal/base/exit"
	"parallax/cmd/internal/change/git"
)

// Request names the versions in the user's terms.
type Request struct {
	Dir        string            // the user's folder; empty means the working directory
	Base, Head string            // revisions; empty means a default choice
	Modules    [2]string         // MODULE@VERSION for base and head, instead of revisions
	Native     bool              // a project with its own build, whose files are not Go
	Parallax   string            // the parallax executable, for guard; may be empty
	Progress   func(step string) // reports each long step; may be nil
}

// Pair holds two versions.
type Pair struct {
	Base, Head Version
	Notes      []string // for the user, about both: how the base was chosen

	folders []*buildcache.Folder
}

// Version is a version in a folder.
type Version struct {
	Commit   string // empty for a published module
	Short    string // short hash of the commit, or the module's version
	Subject  string // of the commit
	WorkTree bool   // the user's files with their changes since Commit
	Dir      string // folder of the version
	// the user's folder in it; for a published module, one in which the go command finds it
	Home    string
	Modules []string // folders of its modules, "." or with slashes, below Dir
	Module  string   // path of a published module
	// for a published module without a go.mod: its requirements, as "path version"
	Require []string
	Env     []string // additions to the environment of the go command
	Notes   []string // for the user, about this version: files that are left out

	language string          // go line with which a published module is built
	repo     *git.Repository // of a work tree
}

// Close releases the folders in the cache. They must not be used afterwards.
func (p *Pair) Close() {
	for _, f := range p.folders {
		f.Close()
	}
}

// Resolve finds the two versions and writes them to the cache.
func Resolve(ctx context.Context, q Request) (*Pair, error) {
	if q.Progress == nil {
		q.Progress = func(string) {}
	}
	if q.Modules != [2]string{} {
		if q.Base != "" || q.Head != "" {
			return nil, exit.Usage("--base and --head are revisions of a repository, and do not go with versions of a module")
		}
		return published(ctx, q)
	}
	var err error
	if q.Dir, err = filepath.Abs(q.Dir); err != nil {
		return nil, exit.Infra("finding the working directory: %w", err)
	}
	repo, err := git.Open(ctx, q.Dir)
	if err != nil {
		return nil, explained(err)
	}
	p := &Pair{}
	if err := p.resolve(ctx, q, repo); err != nil {
		p.Close()
		return nil, err
	}
	return p, nil
}

func (p *Pair) resolve(ctx context.Context, q Request, repo *git.Repository) error {
	q.Progress("reading the history")
	base, head, err := p.choose(ctx, q, repo)
	if err != nil {
		return err
	}
	top, rel := git.Real(repo.Top), "."
	if repo.Top != "" {
		if rel, err = filepath.Rel(top, git.Real(q.Dir)); err != nil || !filepath.IsLocal(rel) {
			rel = "." // in the git folder
		}
	}
	l := &layout{repo: repo, top: top, rel: rel, native: q.Native, guard: q.Parallax, progress: q.Progress}
	if err := l.survey(ctx, q.Head == ""); err != nil {
		return err
	}
	if p.Base, err = l.commit(ctx, p, base); err != nil {
		return err
	}
	if q.Head == "" {
		p.Head, err = l.workTree(ctx, head)
	} else {
		p.Head, err = l.commit(ctx, p, head)
	}
	return err
}

// explained adds a fix to an error about a missing repository.
func explained(err error) error {
	switch {
	case isErr(err, git.ErrNone):
		return exit.Usage("%w: a change is found by git: run parallax in the work tree of a repository, or name two versions of a module, as MODULE@v1.2.0 MODULE@v1.3.0", err)
	case isErr(err, git.ErrMissing):
		return exit.Usage("%w: --base and --head are read with it: install git", err)
	}
	return err
}

// exists reports whether a path is a folder.
func exists(dir string) bool {
	info, err := os.Stat(dir)
	return err == nil && info.IsDir()
}

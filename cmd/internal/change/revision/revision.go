// Package revision goes from what the user writes of two versions, revisions of a git repository or versions of a published
// module, to two folders that hold them: the base, which is the version before a change, and the head after it. The command
// regress calls it.
//
// Invariants: work tree, index and folder of git stay as they are, to the last time stamp. No hook runs, and no filter of
// .gitattributes: files are as they were committed. A version's files stand in the user's cache whole or not at all, and are
// used again by whoever asks for the same version. What go.mod and go.work take from outside of the repository is taken from
// where it is, and what they take from inside of it from the version's own files.
package revision

import (
	"context"
	"os"
	"path/filepath"

	"parallax/cmd/internal/base/buildcache"
	"parallax/cmd/internal/base/exit"
	"parallax/cmd/internal/change/git"
)

// Request is what the user writes.
type Request struct {
	Dir        string            // where the user stands; empty: the working directory
	Base, Head string            // revisions; empty: those that are chosen for the user
	Modules    [2]string         // MODULE@VERSION, the base and the head, instead of revisions
	Native     bool              // a project that its own build makes: its files are not those of Go
	Parallax   string            // the parallax executable, for guard; may be empty
	Progress   func(step string) // told of each long step; may be nil
}

// Pair is two versions.
type Pair struct {
	Base, Head Version
	Notes      []string // for the user, of both: how the base was chosen

	folders []*buildcache.Folder
}

// Version is one of them.
type Version struct {
	Commit   string   // "" of a published module
	Short    string   // of the commit, or the module's version
	Subject  string   // of the commit
	WorkTree bool     // the user's files as they are, which Commit is the latest commit of
	Dir      string   // the folder that holds the version
	Home     string   // the folder in it where the user stands; of a published module, one in which the go command finds it
	Modules  []string // the folders of its modules, "." or with slashes, below Dir
	Module   string   // the path of a published module
	Require  []string // of a published module without a go.mod: what it is built with, as "path version"
	Env      []string // additions to the environment of the go command
	Notes    []string // for the user, of this version: what is left out

	language string          // the go line of what a published module is built in
	repo     *git.Repository // of a work tree
}

// Close gives the folders back to the cache. They are not to be used any more.
func (p *Pair) Close() {
	for _, f := range p.folders {
		f.Close()
	}
}

// Resolve finds the two versions and lays them out.
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
			rel = "." // in the folder of git
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

// explained says what to do where there is no repository.
func explained(err error) error {
	switch {
	case isErr(err, git.ErrNone):
		return exit.Usage("%w: a change is found by git: run parallax in the work tree of a repository, or name two versions of a module, as MODULE@v1.2.0 MODULE@v1.3.0", err)
	case isErr(err, git.ErrMissing):
		return exit.Usage("%w: --base and --head are read with it: install git", err)
	}
	return err
}

// exists reports whether there is a folder at a path.
func exists(dir string) bool {
	info, err := os.Stat(dir)
	return err == nil && info.IsDir()
}

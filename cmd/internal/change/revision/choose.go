package revision

import (
	"context"
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"

	"parallax/cmd/internal/base/exit"
	"parallax/cmd/internal/change/git"
	"parallax/cmd/internal/finding/accept"
)

// mains lists references that may be the main branch, with their names for users, in the order of
// preference. A clone in a workflow has only branches of origin.
var mains = []struct{ ref, name string }{
	{"refs/remotes/origin/HEAD", "origin/HEAD"},
	{"refs/heads/main", "main"},
	{"refs/remotes/origin/main", "origin/main"},
	{"refs/heads/master", "master"},
	{"refs/remotes/origin/master", "origin/master"},
}

// choose finds the commits of the two versions. If the work tree is the new version, head is the
// latest commit.
func (p *Pair) choose(ctx context.Context, q Request, repo *git.Repository) (base, head string, err error) {
	if q.Head == "" && repo.Top == "" {
		return "", "", exit.Usage("%s is a bare repository, which has no work tree: name the new version with --head", repo.Shown())
	}
	rev := q.Head
	if rev == "" {
		rev = "HEAD"
	}
	if head, err = resolve(ctx, repo, "--head", rev); err != nil {
		return "", "", err
	}
	if q.Base != "" {
		if base, err = resolve(ctx, repo, "--base", q.Base); err == nil && base == head && q.Head != "" {
			err = exit.Usage("--base and --head are the same commit, %s", git.Short(head))
		}
		return base, head, err
	}
	base, err = p.mergeBase(ctx, q, repo, head)
	return base, head, err
}

// mergeBase returns the merge base of the head and the main branch. On the main branch, it returns
// the head or the commit before it.
func (p *Pair) mergeBase(ctx context.Context, q Request, repo *git.Repository, head string) (string, error) {
	var main, name, ref string
	for _, m := range mains {
		hash, ok, err := repo.Find(ctx, m.ref)
		if err != nil {
			return "", err
		}
		if ok {
			main, name, ref = hash, m.name, m.ref
			break
		}
	}
	if main == "" {
		if repo.Shallow {
			return "", shallow(repo, "lacks the main branch")
		}
		return "", exit.Usage("%s has no branch origin/HEAD, main or master that the change could have parted from: name the version before it with --base", repo.Shown())
	}
	on, err := onBranch(ctx, q, repo, ref)
	if err != nil {
		return "", err
	}
	if !on {
		base, err := repo.Common(ctx, main, head)
		if err != nil {
			return "", err
		}
		switch {
		case base == "" && repo.Shallow:
			return "", shallow(repo, "does not go back to where the change parted from "+name)
		case base == "":
			return "", exit.Usage("%s and %s have no commit in common: name the version before the change with --base", name, shownHead(q))
		case base != head:
			p.Notes = append(p.Notes, fmt.Sprintf("The base is %s, where %s parted from %s.", git.Short(base), shownHead(q), name))
			return base, nil
		}
	}
	if q.Head == "" {
		changed, err := uncommitted(ctx, q.Native, repo)
		if err != nil {
			return "", err
		}
		if len(changed.files) > 0 {
			p.Notes = append(p.Notes, fmt.Sprintf("The base is %s, the latest commit of %s: the work tree has changes.", git.Short(head), name))
			return head, nil
		}
	}
	base, ok, err := repo.Find(ctx, head+"~1")
	switch {
	case err != nil:
		return "", err
	case !ok && repo.Shallow:
		return "", shallow(repo, "lacks the commit before "+git.Short(head))
	case !ok:
		return "", exit.Usage("%s is the only commit, and the work tree is as it has it: there is no version before to compare with", git.Short(head))
	}
	p.Notes = append(p.Notes, fmt.Sprintf("The base is %s, the commit before %s: it is on %s, and the work tree has no changes.", git.Short(base), git.Short(head), name))
	if q.Head != "" {
		p.Notes[len(p.Notes)-1] = fmt.Sprintf("The base is %s, the commit before %s, which is on %s.", git.Short(base), git.Short(head), name)
	}
	return base, nil
}

// onBranch reports whether the head is the main branch itself.
func onBranch(ctx context.Context, q Request, repo *git.Repository, ref string) (bool, error) {
	if ref == "refs/remotes/origin/HEAD" {
		at, err := repo.Symbolic(ctx, ref)
		if err != nil {
			return false, err
		}
		if at != "" {
			ref = at
		}
	}
	branch := path.Base(ref)
	if name, ok := strings.CutPrefix(ref, "refs/remotes/origin/"); ok {
		branch = name
	} else if name, ok := strings.CutPrefix(ref, "refs/heads/"); ok {
		branch = name
	}
	if q.Head != "" {
		return q.Head == branch || q.Head == "refs/heads/"+branch, nil
	}
	at, err := repo.Symbolic(ctx, "HEAD")
	return at == "refs/heads/"+branch, err
}

// changes lists the files of a work tree that differ from the latest commit, without those that
// parallax writes.
type changes struct {
	files   []string // make a new version
	unknown []string // those of files that are untracked
	data    []string // test data of packages with a FuzzXxx, which both versions read
}

// uncommitted finds the changes. Untracked files count if they can take part in a build. Tracked
// files count unless they are irrelevant for Go.
func uncommitted(ctx context.Context, native bool, repo *git.Repository) (c changes, err error) {
	tracked, unknown, err := repo.Uncommitted(ctx)
	if err != nil {
		return c, err
	}
	u := &untracked{top: repo.Top, native: native, folders: map[string]goFolder{}}
	for _, name := range unknown {
		switch {
		case fromParallax(name):
		case u.builds(name):
			c.files, c.unknown = append(c.files, name), append(c.unknown, name)
		case u.seeds(name):
			c.data = append(c.data, name)
		}
	}
	for _, name := range tracked {
		switch {
		case fromParallax(name):
		case u.builds(name) || u.reads(name):
			c.files = append(c.files, name)
		case u.seeds(name):
			c.data = append(c.data, name)
		}
	}
	slices.Sort(c.files)
	slices.Sort(c.data)
	return c, nil
}

// fromParallax reports whether parallax writes a file, with slashes, next to the tested code. Such
// files belong to no version.
func fromParallax(name string) bool {
	return path.Base(name) == accept.FileName || slices.Contains(strings.Split(name, "/"), home)
}

// resolve finds the commit of a revision that the user wrote.
func resolve(ctx context.Context, repo *git.Repository, flag, rev string) (string, error) {
	if repo.Shallow && !strings.HasPrefix(rev, "-") && strings.TrimSpace(rev) != "" {
		if hash, ok, err := repo.Find(ctx, rev); ok || err != nil {
			return hash, err
		}
		if _, ok, _ := repo.Find(ctx, "HEAD"); ok {
			return "", shallow(repo, "lacks "+flag+" "+rev)
		}
	}
	return repo.Resolve(ctx, flag, rev)
}

// shallow returns an error that explains how to complete a clone.
func shallow(repo *git.Repository, what string) error {
	return exit.Usage(`the clone %s is shallow and %s: fetch the rest of the history with
	git fetch --unshallow --tags
or, in a workflow of GitHub's, have actions/checkout do so:
	with:
	  fetch-depth: 0`, repo.Shown(), what)
}

func shownHead(q Request) string {
	if q.Head == "" {
		return "HEAD"
	}
	return q.Head
}

func isErr(err, target error) bool { return errors.Is(err, target) }

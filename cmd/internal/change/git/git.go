// Package git reads a user's git repository: its revisions, and the files of a commit. Packages
// bisect and revision use it.
//
// Invariants: the repository is only read. No hook, no filter and no file system monitor runs,
// nothing is fetched, and git takes no avoidable lock. Checkouts go to another folder with an index
// of their own. So the work tree, the index, the branches and the list of worktrees do not change.
package git

import (
	"bytes"
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"parallax/cmd/internal/base/exit"
)

// Repository is a user's git repository.
type Repository struct {
	Top     string // the work tree; empty for a bare repository
	Shallow bool
	dir     string // git folder
}

// ErrNone means that a folder is in no repository, and ErrMissing that there is no git command. The
// fix depends on the request, so callers add it.
var (
	ErrNone    = errors.New("not in a git repository")
	ErrMissing = errors.New("no git command on PATH")
)

// Open finds the repository of a folder.
func Open(ctx context.Context, dir string) (*Repository, error) {
	if info, err := os.Stat(dir); err != nil || !info.IsDir() {
		return nil, exit.Usage("%s: there is no such folder", dir)
	}
	r := &Repository{}
	out, err := r.git(ctx, "-C", dir, "rev-parse", "--absolute-git-dir", "--is-shallow-repository", "--is-bare-repository")
	if err != nil {
		var failed *gitError
		if errors.As(err, &failed) && strings.Contains(failed.text, "not a git repository") {
			return nil, exit.Usage("%s is %w", dir, ErrNone)
		}
		return nil, err
	}
	lines := strings.Split(strings.TrimSuffix(out, "\n"), "\n")
	if len(lines) != 3 {
		return nil, exit.Infra("git rev-parse says %q", out)
	}
	r.dir, r.Shallow = lines[0], lines[1] == "true"
	if lines[2] == "true" {
		return r, nil
	}
	top, err := r.git(ctx, "-C", dir, "rev-parse", "--show-toplevel")
	r.Top = strings.TrimSuffix(top, "\n")
	return r, err
}

// Commit describes a commit.
type Commit struct {
	Hash, Short, Date, Subject string
	Parents                    []string
}

// Commits lists the commits from one revision to another, oldest first, along first parents. These
// are the steps of a branch, with merges as one step. Without from, it begins with the first
// commit.
func (r *Repository) Commits(ctx context.Context, from, to string) ([]string, error) {
	newest, err := r.Resolve(ctx, "--until", to)
	if err != nil {
		return nil, err
	}
	span, oldest := newest, ""
	if from != "" {
		if oldest, err = r.Resolve(ctx, "--since", from); err != nil {
			return nil, err
		}
		if oldest == newest {
			return nil, exit.Usage("--since and --until are the same commit, %s", Short(newest))
		}
		if err := r.ordered(ctx, from, oldest, to, newest); err != nil {
			return nil, err
		}
		span = oldest + ".." + newest
	}
	out, err := r.read(ctx, "rev-list", "--first-parent", "--reverse", span, "--")
	if err != nil {
		return nil, err
	}
	list := strings.Fields(out)
	if oldest != "" {
		list = append([]string{oldest}, list...)
	}
	return list, nil
}

// Resolve finds the commit of a revision that the user wrote for a flag.
func (r *Repository) Resolve(ctx context.Context, flag, rev string) (string, error) {
	if strings.HasPrefix(rev, "-") || strings.TrimSpace(rev) == "" {
		return "", exit.Usage("%s %q is not a revision: write a commit, a tag or a branch", flag, rev)
	}
	out, err := r.read(ctx, "rev-parse", "--verify", "--quiet", "--end-of-options", rev+"^{commit}")
	if err == nil {
		return strings.TrimSpace(out), nil
	}
	var failed *gitError
	if !errors.As(err, &failed) || failed.text != "" {
		return "", err
	}
	switch {
	case rev == "HEAD":
		return "", exit.Usage("the repository %s has no commit yet", r.shown())
	case r.Shallow:
		return "", exit.Usage("%s %s: the repository %s has no such commit; it is a shallow clone, and `git fetch --unshallow --tags` fetches the rest", flag, rev, r.shown())
	}
	return "", exit.Usage("%s %s: the repository %s has no such commit, tag or branch", flag, rev, r.shown())
}

// ordered checks that one commit is an ancestor of the other.
func (r *Repository) ordered(ctx context.Context, from, oldest, to, newest string) error {
	ok, err := r.ancestor(ctx, oldest, newest)
	if ok || err != nil {
		return err
	}
	if back, err := r.ancestor(ctx, newest, oldest); err != nil {
		return err
	} else if back {
		return exit.Usage("--since %s is later than --until %s: swap them", from, to)
	}
	if r.Shallow {
		return exit.Usage("--since %s does not lead to --until %s in this shallow clone: `git fetch --unshallow` fetches the rest of the history", from, to)
	}
	return exit.Usage("--since %s does not lead to --until %s: choose a commit that both have in common, as `git merge-base %s %s` does", from, to, from, to)
}

func (r *Repository) ancestor(ctx context.Context, a, b string) (bool, error) {
	_, err := r.read(ctx, "merge-base", "--is-ancestor", a, b)
	var failed *gitError
	if errors.As(err, &failed) && failed.code == 1 {
		return false, nil
	}
	return err == nil, err
}

// Describe returns the description of a commit.
func (r *Repository) Describe(ctx context.Context, hash string) (Commit, error) {
	// git show -s would read the files of the commit.
	out, err := r.read(ctx, "log", "--no-walk", "--no-show-signature", "--encoding=UTF-8", "--format=%H%x00%h%x00%cI%x00%P%x00%s", hash, "--")
	if err != nil {
		return Commit{}, err
	}
	part := strings.SplitN(strings.TrimSuffix(out, "\n"), "\x00", 5)
	if len(part) != 5 {
		return Commit{}, exit.Infra("git log says %q of commit %s", out, hash)
	}
	return Commit{Hash: part[0], Short: part[1], Date: part[2], Parents: strings.Fields(part[3]), Subject: part[4]}, nil
}

// MergeBase returns the merge base of a merge's parents, and the number of commits that the merge
// added.
func (r *Repository) MergeBase(ctx context.Context, c Commit) (base string, commits int, err error) {
	out, err := r.read(ctx, "merge-base", c.Parents[0], c.Parents[1])
	if err != nil {
		return "", 0, err
	}
	base = strings.TrimSpace(out)
	out, err = r.read(ctx, "rev-list", c.Parents[0]+".."+c.Parents[1], "--")
	return base, len(strings.Fields(out)), err
}

// Dirty reports whether tracked files differ from the latest commit.
func (r *Repository) Dirty(ctx context.Context) (bool, error) {
	if r.Top == "" {
		return false, nil
	}
	unfiltered, err := r.unfiltered(ctx)
	if err != nil {
		return false, err
	}
	out, err := r.git(ctx, append(unfiltered, "--no-optional-locks", "-C", r.Top, "status", "--porcelain", "--untracked-files=no", "--ignore-submodules=all")...)
	return out != "", err
}

// Checkout writes a commit's files into a folder. It removes all other files there. No filter of
// .gitattributes runs.
func (r *Repository) Checkout(ctx context.Context, hash, dir string) error {
	index := dir + ".index"
	for _, path := range []string{dir, index, index + ".lock"} {
		if err := os.RemoveAll(path); err != nil {
			return exit.Infra("emptying the folder for commits: %w", err)
		}
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return exit.Infra("making a folder for commits: %w", err)
	}
	unfiltered, err := r.unfiltered(ctx)
	if err != nil {
		return err
	}
	args := append(unfiltered, "--git-dir="+r.dir, "--work-tree="+dir,
		"-c", "core.sparseCheckout=false", "-c", "core.bare=false", "-c", "submodule.recurse=false",
		"read-tree", "--reset", "-u", "--no-recurse-submodules", hash)
	_, err = r.run(ctx, []string{"GIT_INDEX_FILE=" + index}, args...)
	var failed *gitError
	if errors.As(err, &failed) && strings.Contains(failed.text, "promisor remote") {
		return exit.Usage("commit %s has files that are not in this clone, which has been made without some: `git fetch --refetch` fetches them", Short(hash))
	}
	return err
}

func (r *Repository) shown() string {
	if r.Top != "" {
		return r.Top
	}
	return r.dir
}

// read runs a git command that writes nothing.
func (r *Repository) read(ctx context.Context, args ...string) (string, error) {
	return r.git(ctx, append([]string{"--no-optional-locks", "--git-dir=" + r.dir}, args...)...)
}

func (r *Repository) git(ctx context.Context, args ...string) (string, error) {
	return r.run(ctx, nil, args...)
}

// gitError is the error of a git command.
type gitError struct {
	code int
	text string
}

func (e *gitError) Error() string { return "git: " + e.text }

// run runs git without hooks and without a pager. Git runs outside of the terminal's process group,
// so parallax handles ^C.
func (r *Repository) run(ctx context.Context, env []string, args ...string) (string, error) {
	path, err := exec.LookPath("git")
	if err != nil {
		return "", exit.Usage("%w", ErrMissing)
	}
	cmd := exec.CommandContext(ctx, path, append(quiet, args...)...)
	cmd.Env = append(quietEnv(), env...)
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.WaitDelay = time.Second
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	err = cmd.Run()
	if ctx.Err() != nil {
		return "", ctx.Err()
	}
	if err == nil {
		return out.String(), nil
	}
	text := strings.TrimSpace(errs.String())
	var failed *exec.ExitError
	if !errors.As(err, &failed) {
		return "", exit.Infra("running git: %w", err)
	}
	return "", &exit.Error{Code: codeOf(text), Err: &gitError{code: failed.ExitCode(), text: text}}
}

// quiet lists settings under which git runs no program of the user's.
var quiet = slices.Clip([]string{"--no-pager", "-c", "core.hooksPath=/dev/null", "-c", "core.fsmonitor=false"})

// quietEnv returns an environment in which git asks for no input and fetches nothing. In a partial
// clone, fetching would run the commands that the configuration has for its remote, and change the
// clone. Git before 2.45 knows only GIT_ALLOW_PROTOCOL.
func quietEnv() []string {
	return append(environment(), "LC_ALL=C", "GIT_TERMINAL_PROMPT=0", "GIT_NO_LAZY_FETCH=1", "GIT_ALLOW_PROTOCOL=none")
}

// codeOf returns the exit code for a message of git. Usually the user can fix the repository.
func codeOf(text string) int {
	for _, word := range []string{"No space left", "Disk quota", "Read-only file system", "Too many open files"} {
		if strings.Contains(text, word) {
			return exit.InfraCode
		}
	}
	return exit.UsageCode
}

// environment returns the environment without variables that git sets for hooks, or that select
// another repository.
func environment() []string {
	var keep []string
	for _, v := range os.Environ() {
		name, _, _ := strings.Cut(v, "=")
		switch name {
		case "GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_PREFIX", "GIT_COMMON_DIR", "GIT_OBJECT_DIRECTORY", "GIT_NAMESPACE", "GIT_CEILING_DIRECTORIES":
			continue
		}
		keep = append(keep, v)
	}
	return keep
}

// Short returns the first digits of a hash, which identify it.
func Short(hash string) string { return hash[:min(12, len(hash))] }

// Real returns a folder's path without symbolic links, as git prints it. It returns the path itself
// if the folder does not exist.
func Real(dir string) string {
	if real, err := filepath.EvalSymlinks(dir); err == nil {
		return real
	}
	return dir
}

// Within reports whether a path is dir or below it.
func Within(path, dir string) bool {
	rel, err := filepath.Rel(dir, path)
	return err == nil && filepath.IsLocal(rel)
}

// Revision returns the latest commit of a folder's repository, in short, and says if tracked files
// differ from it. It returns "" for a folder in no repository.
func Revision(ctx context.Context, dir string) string {
	r, err := Open(ctx, dir)
	if err != nil {
		return ""
	}
	hash, err := r.Resolve(ctx, "", "HEAD")
	if err != nil {
		return ""
	}
	if dirty, err := r.Dirty(ctx); err == nil && dirty {
		return Short(hash) + " with changes"
	}
	return Short(hash)
}

package git

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"parallax/cmd/internal/base/exit"
)

// Mode is the kind of an entry in a commit's tree.
type Mode uint8

// The modes of entries.
const (
	Plain Mode = iota + 1
	Executable
	Symlink
	Submodule
)

// Entry is a file of a commit.
type Entry struct {
	Path string // below the top, with slashes
	Mode Mode
	Hash string
}

// Entries lists the files of a commit, by path.
func (r *Repository) Entries(ctx context.Context, commit string) ([]Entry, error) {
	out, err := r.read(ctx, "ls-tree", "-r", "-z", "--full-tree", commit, "--")
	if err != nil {
		return nil, err
	}
	var list []Entry
	for _, line := range strings.Split(strings.TrimSuffix(out, "\x00"), "\x00") {
		if line == "" {
			continue
		}
		about, path, ok := strings.Cut(line, "\t")
		field := strings.Fields(about)
		if !ok || len(field) != 3 {
			return nil, exit.Infra("git ls-tree says %q of commit %s", line, commit)
		}
		e := Entry{Path: path, Hash: field[2], Mode: Plain}
		switch field[0] {
		case "100755":
			e.Mode = Executable
		case "120000":
			e.Mode = Symlink
		case "160000":
			e.Mode = Submodule
		}
		list = append(list, e)
	}
	return list, nil
}

// Blobs calls use with the committed bytes of each entry. No filter of .gitattributes and no
// conversion of line endings applies. Submodules have no bytes and are skipped.
func (r *Repository) Blobs(ctx context.Context, entries []Entry, use func(e Entry, text io.Reader) error) error {
	path, err := exec.LookPath("git")
	if err != nil {
		return exit.Usage("%w", ErrMissing)
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	cmd := exec.CommandContext(ctx, path, append(quiet, "--no-optional-locks", "--git-dir="+r.dir, "cat-file", "--batch")...)
	cmd.Env = quietEnv()
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.WaitDelay = time.Second
	var asked, errs bytes.Buffer
	for _, e := range entries {
		if e.Mode != Submodule {
			asked.WriteString(e.Hash + "\n")
		}
	}
	cmd.Stdin, cmd.Stderr = &asked, &errs
	out, err := cmd.StdoutPipe()
	if err != nil {
		return exit.Infra("running git: %w", err)
	}
	if err := cmd.Start(); err != nil {
		return exit.Infra("running git: %w", err)
	}
	err = readBlobs(bufio.NewReaderSize(out, 1<<16), entries, use)
	if err != nil {
		cancel()
		cmd.Wait()
		if text := strings.TrimSpace(errs.String()); text != "" && errors.Is(err, io.ErrUnexpectedEOF) {
			err = &exit.Error{Code: codeOf(text), Err: &gitError{text: text}}
		}
		return err
	}
	if err := cmd.Wait(); err != nil && ctx.Err() == nil {
		return exit.Infra("running git: %w", err)
	}
	return ctx.Err()
}

// readBlobs reads the answers of cat-file.
func readBlobs(from *bufio.Reader, entries []Entry, use func(e Entry, text io.Reader) error) error {
	for _, e := range entries {
		if e.Mode == Submodule {
			continue
		}
		line, err := from.ReadString('\n')
		if err != nil {
			return exit.Infra("reading %s from git: %w", e.Path, io.ErrUnexpectedEOF)
		}
		field := strings.Fields(line)
		if len(field) == 2 && field[1] == "missing" {
			return exit.Usage("%s is not in this clone, which has been made without some files: `git fetch --refetch` fetches them", e.Path)
		}
		if len(field) != 3 {
			return exit.Infra("git cat-file says %q of %s", line, e.Path)
		}
		size, err := strconv.ParseInt(field[2], 10, 64)
		if err != nil {
			return exit.Infra("git cat-file says %q of %s", line, e.Path)
		}
		text := &io.LimitedReader{R: from, N: size}
		if err := use(e, text); err != nil {
			return err
		}
		if _, err := io.Copy(io.Discard, text); err != nil {
			return exit.Infra("reading %s from git: %w", e.Path, err)
		}
		if text.N > 0 {
			return exit.Infra("reading %s from git: %w", e.Path, io.ErrUnexpectedEOF)
		}
		if end, err := from.ReadByte(); err != nil || end != '\n' {
			return exit.Infra("reading %s from git: %w", e.Path, io.ErrUnexpectedEOF)
		}
	}
	return nil
}

// Submodule opens the repository of a submodule at a path below the top. It returns nil if the
// submodule was not fetched.
func (r *Repository) Submodule(ctx context.Context, path string) *Repository {
	if r.Top == "" {
		return nil
	}
	dir := filepath.Join(r.Top, filepath.FromSlash(path))
	sub, err := Open(ctx, dir)
	if err != nil || Real(sub.Top) != Real(dir) {
		return nil
	}
	return sub
}

// Has reports whether the repository has a commit.
func (r *Repository) Has(ctx context.Context, commit string) bool {
	_, ok, err := r.Find(ctx, commit)
	return ok && err == nil
}

// Find finds the commit of a revision, if there is one.
func (r *Repository) Find(ctx context.Context, rev string) (hash string, ok bool, err error) {
	out, err := r.read(ctx, "rev-parse", "--verify", "--quiet", "--end-of-options", rev+"^{commit}")
	var failed *gitError
	if errors.As(err, &failed) && failed.text == "" {
		return "", false, nil
	}
	return strings.TrimSpace(out), err == nil, err
}

// Symbolic returns the reference that a symbolic reference points to. It is empty for other
// references, such as a detached HEAD.
func (r *Repository) Symbolic(ctx context.Context, name string) (string, error) {
	out, err := r.read(ctx, "symbolic-ref", "--quiet", name)
	var failed *gitError
	if errors.As(err, &failed) && failed.code == 1 {
		return "", nil
	}
	return strings.TrimSpace(out), err
}

// Common returns the merge base of two commits, or "" if they have no common history.
func (r *Repository) Common(ctx context.Context, a, b string) (string, error) {
	out, err := r.read(ctx, "merge-base", a, b)
	var failed *gitError
	if errors.As(err, &failed) && failed.code == 1 && failed.text == "" {
		return "", nil
	}
	return strings.TrimSpace(out), err
}

// Uncommitted lists the files of the work tree that differ from the latest commit, and those that
// are neither tracked nor ignored, each by path. Submodules count by their commits. No filter of
// .gitattributes runs.
func (r *Repository) Uncommitted(ctx context.Context) (changed, untracked []string, err error) {
	if r.Top == "" {
		return nil, nil, nil
	}
	unfiltered, err := r.unfiltered(ctx)
	if err != nil {
		return nil, nil, err
	}
	args := append(unfiltered, "--no-optional-locks", "-C", r.Top, "status", "--porcelain", "-z", "--no-renames", "--untracked-files=all", "--ignore-submodules=dirty")
	out, err := r.git(ctx, args...)
	if err != nil {
		return nil, nil, err
	}
	for _, line := range strings.Split(out, "\x00") {
		switch {
		case len(line) <= 3:
		case strings.HasPrefix(line, "??"):
			untracked = append(untracked, line[3:])
		default:
			changed = append(changed, line[3:])
		}
	}
	return changed, untracked, nil
}

// unfiltered returns settings that remove the commands of filters. Git would run them on the files
// that it compares.
func (r *Repository) unfiltered(ctx context.Context) (settings []string, err error) {
	out, err := r.read(ctx, "config", "--name-only", "-z", "--get-regexp", `^filter\..*\.(clean|smudge|process|required)$`)
	var failed *gitError
	if errors.As(err, &failed) && failed.code == 1 {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	for _, name := range strings.Split(strings.TrimSuffix(out, "\x00"), "\x00") {
		value := ""
		if strings.HasSuffix(name, ".required") {
			value = "false"
		}
		settings = append(settings, "-c", fmt.Sprintf("%s=%s", name, value))
	}
	return settings, nil
}

// Skipped lists the tracked files that a sparse checkout leaves out of the work tree, by path.
func (r *Repository) Skipped(ctx context.Context) ([]string, error) {
	if r.Top == "" {
		return nil, nil
	}
	out, err := r.git(ctx, "--no-optional-locks", "-C", r.Top, "ls-files", "-t", "-z", "--full-name")
	if err != nil {
		return nil, err
	}
	var list []string
	for _, line := range strings.Split(out, "\x00") {
		if path, ok := strings.CutPrefix(line, "S "); ok {
			list = append(list, path)
		}
	}
	return list, nil
}

// Files lists the files of the work tree that are tracked or not ignored, by path.
func (r *Repository) Files(ctx context.Context, patterns ...string) ([]string, error) {
	args := append([]string{"--no-optional-locks", "-C", r.Top, "ls-files", "-z", "--cached", "--others", "--exclude-standard", "--full-name", "--"}, patterns...)
	out, err := r.git(ctx, args...)
	if err != nil {
		return nil, err
	}
	var list []string
	for _, path := range strings.Split(out, "\x00") {
		if path != "" {
			list = append(list, path)
		}
	}
	return list, nil
}

// Ignored lists the matching files of the work tree that git ignores, by path.
func (r *Repository) Ignored(ctx context.Context, patterns ...string) ([]string, error) {
	args := append([]string{"--no-optional-locks", "-C", r.Top, "ls-files", "-z", "--others", "--ignored", "--exclude-standard", "--full-name", "--"}, patterns...)
	out, err := r.git(ctx, args...)
	if err != nil {
		return nil, err
	}
	return slices.DeleteFunc(strings.Split(out, "\x00"), func(path string) bool { return path == "" }), nil
}

// Identity identifies the repository by its git folder. An added work tree has its own.
func (r *Repository) Identity() string { return r.dir }

// Shown returns the repository's name for the user.
func (r *Repository) Shown() string { return r.shown() }

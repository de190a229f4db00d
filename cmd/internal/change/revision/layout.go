package revision

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"parallax/cmd/internal/base/buildcache"
	"parallax/cmd/internal/base/exit"
	"parallax/cmd/internal/change/git"
	"parallax/cmd/internal/gobuild/gocommand"
)

// layout writes commits of a repository into the cache.
type layout struct {
	repo     *git.Repository
	top      string // the user's work tree; empty for a bare repository
	rel      string // the user's folder in it
	skipped  []string
	work     string // go.work that applies in the user's folder
	native   bool   // as in Request
	guard    string
	progress func(step string)
}

// format is incremented if the same commit is written in another way.
const format = "1"

// survey reads the settings in the user's folder that affect how commits are written.
func (l *layout) survey(ctx context.Context, beside bool) error {
	if l.top == "" {
		return nil
	}
	skipped, err := l.repo.Skipped(ctx)
	if err != nil {
		return err
	}
	for _, name := range skipped { // a file that exists anyway counts
		if _, err := os.Lstat(filepath.Join(l.top, filepath.FromSlash(name))); err != nil && beside {
			l.skipped = append(l.skipped, name)
		}
	}
	dir := filepath.Join(l.top, l.rel)
	if files, _ := l.repo.Files(ctx, "go.mod", "*/go.mod"); len(files) == 0 || !exists(dir) {
		return nil
	}
	env, err := gocommand.ReadEnv(ctx, gocommand.Command{Dir: dir, Guard: l.guard})
	if err != nil {
		return err
	}
	l.work = env.GOWORK
	return nil
}

// workTree returns the version in the user's own folder.
func (l *layout) workTree(ctx context.Context, latest string) (Version, error) {
	v := Version{WorkTree: true, Dir: l.top, Home: filepath.Join(l.top, l.rel), repo: l.repo}
	about, err := l.repo.Describe(ctx, latest)
	if err != nil {
		return v, err
	}
	v.Commit, v.Short, v.Subject = about.Hash, about.Short, about.Subject
	changed, err := uncommitted(ctx, l.native, l.repo)
	if err != nil {
		return v, err
	}
	if len(changed.files) > 0 {
		text := "The new version is the work tree, with changes that are not committed in " + listed(changed.files)
		if len(changed.unknown) > 0 {
			text += ". Git does not know " + listed(changed.unknown)
		}
		v.Notes = append(v.Notes, text+".")
	}
	if len(changed.data) > 0 {
		v.Notes = append(v.Notes, fmt.Sprintf("Both versions read test data that is not committed: %s.", listed(changed.data)))
	}
	files, err := l.repo.Files(ctx, "go.mod", "*/go.mod")
	for _, name := range files {
		if _, err := os.Stat(filepath.Join(l.top, filepath.FromSlash(name))); err == nil {
			v.Modules = append(v.Modules, name)
		}
	}
	v.Modules = modules(v.Modules)
	return v, err
}

// Lacking names the Go files of the work tree that git ignores, such as generated ones. No commit
// has them, so an old version that needs them does not compile. It returns "" if there are none.
func (v *Version) Lacking(ctx context.Context) string {
	if !v.WorkTree || v.repo == nil {
		return ""
	}
	files, err := v.repo.Ignored(ctx, "*.go")
	files = slices.DeleteFunc(files, func(name string) bool { return fromParallax(name) || strings.HasSuffix(name, "_test.go") })
	if err != nil || len(files) == 0 {
		return ""
	}
	return fmt.Sprintf("Git ignores %s, so that no commit has it: if the old version needs what is generated there, commit it.", listed(files))
}

// commit writes a commit to the cache, unless it is there.
func (l *layout) commit(ctx context.Context, p *Pair, commit string) (Version, error) {
	about, err := l.repo.Describe(ctx, commit)
	if err != nil {
		return Version{}, err
	}
	v := Version{Commit: about.Hash, Short: about.Short, Subject: about.Subject}
	l.progress("reading the files of " + v.Short)
	files, notes, err := l.files(ctx, commit)
	if err != nil {
		return v, err
	}
	v.Notes = notes
	identity := []string{format, l.repo.Identity(), l.top, commit}
	for _, f := range files {
		if f.repo != l.repo { // the fetched submodules do not depend on the commit
			identity = append(identity, f.Path, f.Hash)
		}
	}
	folder, err := buildcache.OpenTree(ctx, append(identity, l.skipped...)...)
	if err != nil {
		return v, err
	}
	p.folders = append(p.folders, folder)
	release, err := folder.Lock(ctx, l.progress)
	if err != nil {
		return v, err
	}
	defer release()
	tree := filepath.Join(folder.Dir, filesDir)
	if !intact(folder.Dir) {
		l.progress("writing the files of " + v.Short)
		if err := l.write(ctx, files, folder.Dir); err != nil {
			return v, err
		}
	}
	v.Dir, v.Home = tree, filepath.Join(tree, l.rel)
	for _, f := range files {
		if f.Mode != git.Symlink && path.Base(f.Path) == "go.mod" {
			v.Modules = append(v.Modules, f.Path)
		}
	}
	v.Modules = modules(v.Modules)
	v.Notes = append(v.Notes, notesOf(folder.Dir)...)
	if len(v.Modules) > 0 {
		if v.Env, err = l.workspace(folder.Dir, tree); err != nil {
			return v, err
		}
	}
	if !exists(v.Home) {
		v.Notes = append(v.Notes, fmt.Sprintf("%s has no folder %s.", v.Short, filepath.ToSlash(l.rel)))
	}
	return v, nil
}

// file is a file of a commit, or of a submodule's commit.
type file struct {
	git.Entry
	repo *git.Repository
}

// files lists the files of a commit and of its submodules, with notes about files that are left
// out.
func (l *layout) files(ctx context.Context, commit string) (files []file, notes []string, err error) {
	entries, err := l.repo.Entries(ctx, commit)
	if err != nil {
		return nil, nil, err
	}
	var missing []string
	var add func(repo *git.Repository, below string, entries []git.Entry) error
	add = func(repo *git.Repository, below string, entries []git.Entry) error {
		for _, e := range entries {
			sub := e.Path
			e.Path = path.Join(below, e.Path)
			if !proper(e.Path) {
				return exit.Usage("commit %s holds a file %q, which no folder can hold: name another revision", git.Short(commit), e.Path)
			}
			if e.Mode != git.Submodule {
				files = append(files, file{e, repo})
				continue
			}
			inner := repo.Submodule(ctx, sub)
			if inner == nil || !inner.Has(ctx, e.Hash) {
				missing = append(missing, e.Path)
				continue
			}
			list, err := inner.Entries(ctx, e.Hash)
			if err == nil {
				err = add(inner, e.Path, list)
			}
			if err != nil {
				return err
			}
		}
		return nil
	}
	if err := add(l.repo, "", entries); err != nil {
		return nil, nil, err
	}
	if len(missing) > 0 {
		notes = append(notes, fmt.Sprintf("Submodules are left out that are not here at the commit that %s has of them: %s. `git submodule update --init --recursive` fetches those of the work tree.", git.Short(commit), listed(missing)))
	}
	if len(l.skipped) > 0 {
		before := len(files)
		files = slices.DeleteFunc(files, func(f file) bool {
			_, skipped := slices.BinarySearch(l.skipped, f.Path)
			return skipped && f.repo == l.repo
		})
		notes = append(notes, fmt.Sprintf("The checkout is sparse: the %d files that the work tree leaves out are left out of %s too.", before-len(files), git.Short(commit)))
	}
	attributes, err := l.filtered(ctx, files)
	return files, append(notes, attributes...), err
}

// proper reports whether a path stays in the folder and avoids git's own files.
func proper(name string) bool {
	if !filepath.IsLocal(filepath.FromSlash(name)) || path.Clean(name) != name || strings.ContainsRune(name, 0) {
		return false
	}
	for _, part := range strings.Split(name, "/") {
		if strings.EqualFold(part, ".git") {
			return false
		}
	}
	return true
}

// filters lists the attributes by which a file in a work tree may differ from the commit.
var filters = []string{"filter", "ident", "working-tree-encoding", "eol"}

// filtered adds notes about files that .gitattributes would convert.
func (l *layout) filtered(ctx context.Context, files []file) (notes []string, err error) {
	var names []string
	found := map[string][]string{} // patterns by attribute
	err = l.read(ctx, files, func(f file) bool { return path.Base(f.Path) == ".gitattributes" && f.Mode != git.Symlink }, func(f file, text io.Reader) error {
		data, err := io.ReadAll(text)
		for _, line := range bytes.Split(data, []byte("\n")) {
			field := strings.Fields(string(line))
			if len(field) < 2 || strings.HasPrefix(field[0], "#") {
				continue
			}
			for _, a := range field[1:] {
				name, value, _ := strings.Cut(a, "=")
				if slices.Contains(filters, name) && value != "lf" {
					found[name] = append(found[name], path.Join(path.Dir(f.Path), field[0]))
				}
			}
		}
		return err
	})
	for _, a := range filters {
		if len(found[a]) > 0 {
			names = append(names, fmt.Sprintf("%s for %s", a, listed(found[a])))
		}
	}
	if len(names) > 0 {
		notes = append(notes, "Files are as they were committed, no filter runs, though .gitattributes has "+strings.Join(names, "; ")+". A file kept by Git LFS is a pointer there.")
	}
	return notes, err
}

// read calls use with the bytes of the wanted files.
func (l *layout) read(ctx context.Context, files []file, wanted func(file) bool, use func(f file, text io.Reader) error) error {
	of := map[*git.Repository][]git.Entry{}
	var order []*git.Repository
	for _, f := range files {
		if wanted(f) {
			if of[f.repo] == nil {
				order = append(order, f.repo)
			}
			of[f.repo] = append(of[f.repo], f.Entry)
		}
	}
	for _, repo := range order {
		err := repo.Blobs(ctx, of[repo], func(e git.Entry, text io.Reader) error { return use(file{e, repo}, text) })
		if err != nil {
			return err
		}
	}
	return nil
}

// modules returns the folders of go.mod files that belong to the user's modules.
func modules(files []string) (dirs []string) {
	for _, name := range files {
		dir := path.Dir(name)
		foreign := slices.ContainsFunc(strings.Split(dir, "/"), func(part string) bool {
			return part == "vendor" || part == "testdata" || part == "node_modules" || strings.HasPrefix(part, "_") || len(part) > 1 && part[0] == '.'
		})
		if !foreign && !slices.Contains(dirs, dir) {
			dirs = append(dirs, dir)
		}
	}
	slices.Sort(dirs)
	return dirs
}

// maxListed limits the names in a note.
const maxListed = 5

func listed(names []string) string {
	if len(names) <= maxListed {
		return strings.Join(names, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(names[:maxListed], ", "), len(names)-maxListed)
}

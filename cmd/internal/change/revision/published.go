package revision

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/mod/modfile"
	"golang.org/x/mod/module"

	"parallax/cmd/internal/base/buildcache"
	"parallax/cmd/internal/base/exit"
	"parallax/cmd/internal/gobuild/gomod"
	"parallax/internal/atomicfile"
)

// published finds two versions of a module on a proxy.
func published(ctx context.Context, q Request) (*Pair, error) {
	p := &Pair{}
	var paths, versions [2]string
	for i, written := range q.Modules {
		at := strings.LastIndex(written, "@")
		if at <= 0 || at == len(written)-1 {
			return nil, exit.Usage("%q is not a version of a module: write MODULE@VERSION twice, as in example.com/mod@v1.2.0 example.com/mod@v1.3.0", written)
		}
		paths[i], versions[i] = written[:at], written[at+1:]
	}
	prefix := func(of string) string {
		before, _, ok := module.SplitPathVersion(of)
		if !ok {
			return of
		}
		return before
	}
	if prefix(paths[0]) != prefix(paths[1]) {
		return nil, exit.Usage("%s and %s are two modules: regress compares versions of one; parallax diff compares functions of two", paths[0], paths[1])
	}
	for i, v := range []*Version{&p.Base, &p.Head} {
		if err := v.download(ctx, p, q, paths[i], versions[i]); err != nil {
			p.Close()
			return nil, err
		}
	}
	for i, v := range []*Version{&p.Base, &p.Head} {
		if err := v.require([]*Version{&p.Head, &p.Base}[i]); err != nil {
			p.Close()
			return nil, err
		}
	}
	if p.Base.Dir == p.Head.Dir {
		p.Close()
		return nil, exit.Usage("%s and %s are the same version, %s", q.Modules[0], q.Modules[1], p.Base.Short)
	}
	if paths[0] != paths[1] {
		p.Notes = append(p.Notes, fmt.Sprintf("The module's path changed from %s to %s: its packages are compared by their paths below it.", paths[0], paths[1]))
	}
	return p, nil
}

// download has the go command fetch a version.
func (v *Version) download(ctx context.Context, p *Pair, q Request, path, query string) error {
	folder, err := buildcache.OpenTree(ctx, format, "module", path, query)
	if err != nil {
		return err
	}
	p.folders = append(p.folders, folder)
	release, err := folder.Lock(ctx, q.Progress)
	if err != nil {
		return err
	}
	defer release()
	q.Progress(fmt.Sprintf("looking for %s@%s", path, query))
	var known *gomod.Versions
	if gomod.Exact(query) {
		known, err = gomod.Known(ctx, q.Parallax, filepath.Join(folder.Dir, "ask"), path)
	} else {
		known, err = gomod.ListVersions(ctx, q.Parallax, filepath.Join(folder.Dir, "ask"), path)
	}
	if err != nil {
		return err
	}
	version := query
	if !gomod.Exact(query) {
		if version, err = known.Find(ctx, query); err != nil {
			return err
		}
	}
	dir, err := known.Download(ctx, version)
	if err != nil {
		return err
	}
	v.Short, v.Dir, v.Module, v.Modules = version, dir, path, []string{"."}
	v.Home = filepath.Join(folder.Dir, "from")
	v.Env = known.Env()
	v.language = known.Language()
	if version != query {
		v.Notes = append(v.Notes, fmt.Sprintf("%s@%s is %s.", path, query, version))
	}
	return nil
}

// require makes the module in which the go command finds a version. A version without a go.mod gets
// the requirements of the other one. The latest versions, which the go command would choose, do not
// belong to the change.
func (v *Version) require(other *Version) error {
	need := []string{v.Module + " " + v.Short}
	if _, err := os.Stat(filepath.Join(v.Dir, "go.mod")); err != nil {
		text, _ := os.ReadFile(filepath.Join(other.Dir, "go.mod"))
		if f, err := modfile.ParseLax("go.mod", text, nil); err == nil {
			for _, r := range f.Require {
				if r.Mod.Path != v.Module {
					v.Require = append(v.Require, r.Mod.Path+" "+r.Mod.Version)
				}
			}
			if need = append(need, v.Require...); len(v.Require) > 0 {
				v.Notes = append(v.Notes, fmt.Sprintf("%s has no go.mod: it is built with the modules that %s requires.", v.Short, other.Short))
			}
		}
	}
	text := fmt.Sprintf("module %s\n\ngo %s\n\nrequire (\n\t%s\n)\n", gomod.Scratch, v.language, strings.Join(need, "\n\t"))
	file := filepath.Join(v.Home, "go.mod")
	if old, err := os.ReadFile(file); err == nil && !slices.ContainsFunc(need, func(n string) bool { return !strings.Contains(string(old), n) }) {
		return nil // with the lines that the go command added
	}
	if err := os.MkdirAll(v.Home, 0o755); err != nil {
		return exit.Infra("making a folder for a module: %w", err)
	}
	return exit.Doing("writing a go.mod", atomicfile.Write(atomicfile.OS, file, []byte(text)))
}

package revision

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/mod/modfile"
	"golang.org/x/mod/semver"

	"parallax/cmd/internal/base/exit"
)

// Standalone copies both versions of a published module to writable folders as main modules. Tests
// of a module are built there. As a dependency, its tests would lack their modules and checksums.
func (p *Pair) Standalone(ctx context.Context, q Request) (*Pair, error) {
	c := &copier{guard: q.Parallax, progress: q.Progress}
	if c.progress == nil {
		c.progress = func(string) {}
	}
	own := &Pair{}
	for _, v := range []struct{ from, other, to *Version }{{&p.Base, &p.Head, &own.Base}, {&p.Head, &p.Base, &own.Head}} {
		var err error
		if *v.to, err = c.standalone(ctx, own, v.from, v.other); err != nil {
			own.Close()
			return nil, err
		}
	}
	return own, nil
}

// standalone copies a version.
func (c *copier) standalone(ctx context.Context, p *Pair, from, other *Version) (Version, error) {
	identity := append([]string{"standalone", from.Module, from.Short, languageOf(other)}, from.Require...)
	v, err := c.cached(ctx, p, from.Module+"@"+from.Short, identity, func(root string) ([]string, error) {
		c.progress("copying " + from.Module + "@" + from.Short)
		// vendoring is incomplete, and a workspace has missing modules
		skip := func(rel string, d fs.DirEntry) bool {
			return rel == "vendor" || rel == "go.work" || rel == "go.work.sum"
		}
		if err := copyTree(from.Dir, root, skip); err != nil {
			return nil, err
		}
		notes, err := from.own(root, other)
		if err != nil {
			return nil, err
		}
		return c.complete(ctx, root, from, notes)
	})
	v.Short = from.Short
	v.Notes = append(append([]string{}, from.Notes...), v.Notes...)
	return v, err
}

// beforeLoops is the last language version with one loop variable for all iterations. Modules
// without a go.mod always had that.
const beforeLoops = "1.21"

// languageOf returns the go line for a module without a go.mod, given another version of it.
func languageOf(other *Version) string {
	text, _ := os.ReadFile(filepath.Join(other.Dir, "go.mod"))
	f, err := modfile.ParseLax("go.mod", text, nil)
	if err != nil || f.Go == nil || semver.Compare("v"+f.Go.Version, "v"+beforeLoops) > 0 {
		return beforeLoops
	}
	return f.Go.Version
}

// own gives a copy its own go.mod.
func (v *Version) own(root string, other *Version) (notes []string, err error) {
	file := filepath.Join(root, "go.mod")
	if _, err := os.Stat(file); err != nil {
		text := fmt.Sprintf("module %s\n\ngo %s\n", v.Module, languageOf(other))
		for _, need := range v.Require {
			text += "\nrequire " + need + "\n"
		}
		if sum, err := os.ReadFile(filepath.Join(other.Dir, "go.sum")); err == nil && len(v.Require) > 0 {
			if err := os.WriteFile(filepath.Join(root, "go.sum"), sum, 0o644); err != nil {
				return nil, err
			}
		}
		return nil, os.WriteFile(file, []byte(text), 0o644)
	}
	f, err := readMod(file)
	if err != nil {
		return nil, nil // the go command gives a better error
	}
	left, err := redirect(f, "")
	for _, r := range f.Replace { // a nested module that is published separately
		if r.New.Version == "" && !exists(filepath.Join(root, filepath.FromSlash(r.New.Path))) {
			left = append(left, fmt.Sprintf("%s => %s", r.Old.Path, r.New.Path))
			f.DropReplace(r.Old.Path, r.Old.Version)
		}
	}
	if err != nil || len(left) == 0 {
		return nil, err
	}
	return []string{fmt.Sprintf("%s is built without what it replaces by folders that are not published: %s.", v.Short, listed(left))}, writeMod(f, file)
}

// complete has the go command add the dependencies of the tests to go.mod and go.sum. Missing
// dependencies are reported, and fail only the tests that need them.
func (c *copier) complete(ctx context.Context, root string, v *Version, notes []string) ([]string, error) {
	all := []string{"list", "-deps", "-test", "-f", "{{.ImportPath}}", "./..."}
	said, err := c.run(ctx, root, false, all...)
	if err != nil || said == "" {
		return notes, err
	}
	c.progress("fetching what the tests of " + v.Short + " need")
	if said, err = c.run(ctx, root, true, all...); err != nil || said == "" {
		return notes, err
	}
	if strings.Contains(said, "requires go >=") {
		return nil, exit.Usage("%s@%s cannot be built by the go command on PATH:\n%s", v.Module, v.Short, said)
	}
	// the rest
	if _, err = c.run(ctx, root, true, append([]string{"list", "-e"}, all[1:]...)...); err != nil {
		return nil, err
	}
	return append(notes, fmt.Sprintf("Some tests of %s cannot be built:\n%s", v.Short, said)), nil
}

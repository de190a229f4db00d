// Package newtest writes the fuzz test of `parallax init` in memory. It chooses its name, its file,
// and seeds from existing tests of the functions. It wraps functions that cannot be called
// directly.
//
// Package scaffold calls it and writes the test to disk. The test calls the versions that the
// user's go.mod selects, compiles, and is formatted. Otherwise an error describes the steps to take
// first.
package newtest

import (
	"context"
	"os"

	"parallax/cmd/internal/base/exit"
	"parallax/cmd/internal/gobuild/signature"
)

// Plan reads the functions' signatures and writes a fuzz test in memory. Two or more functions are
// compared; a test of one function looks for crashes. The module of the package selects the
// versions of the functions.
func Plan(ctx context.Context, req Request) (*File, error) {
	t := &plan{Request: req, taken: map[string]string{}}
	if err := t.prepare(ctx); err != nil {
		return nil, err
	}
	if err := t.readOwn(ctx); err != nil {
		return nil, err
	}
	var err error
	if t.graph, err = t.root.Read(ctx, t.funcs); err != nil {
		return nil, err
	}
	if err := t.versions(); err != nil {
		return nil, err
	}
	if t.calls, err = signature.Find(&t.root.Env, t.graph, t.funcs, t.names(), t.check); err != nil {
		return nil, err
	}
	for _, c := range t.calls {
		c.Inside = t.inside
	}
	t.problems, _ = signature.ReadAll(t.calls)
	if err := t.readTaken(); err != nil {
		return nil, err
	}
	if err := t.chooseName(); err != nil {
		return nil, err
	}
	text, err := t.write()
	if err != nil {
		return nil, err
	}
	f := &File{Name: t.Name, Path: t.path(), Text: text, Compares: t.compares(), Notes: t.root.Notes}
	if _, err := os.Lstat(f.Path); err == nil {
		return nil, exit.Usage("%s exists already and is not overwritten: choose another --name, or remove it", t.shown(f.Path))
	}
	return f, nil
}

// Package nativebuild builds two versions of a C or C++ project, each in a copy of its own files, and finds what differs between them. The
// command regress calls it, with versions of package revision and what a parallax.toml says in [regress].
//
//	nativebuild.go  what is asked for, and both versions
//	version.go      one version: its folder in the user's cache, and whether it is built already
//	box.go          running the user's command: its environment and what it may write
//	recent.go       which builds of a work tree are kept
//	changes.go      change points, from the block tables and the sources of both
//
// A build runs in a box (package confine): it writes its own tree and a folder for temporary files, has no network but localhost, sees the
// environment that the configuration gives programs, and uses parallax's compilers as CC and CXX and by the usual names.
//
// Invariants: the user's work tree, and the folders of revisions in the cache, are read only. The same files and command are built once, by
// whichever process needs them first; what was built stays as it is while a Pair holds it. A version that does not build is told from the other:
// by subject.OldError.
package nativebuild

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"parallax/cmd/internal/base/exit"
	"parallax/cmd/internal/cbuild/clang"
	"parallax/cmd/internal/change/revision"
	"parallax/cmd/internal/finding/regress"
	"parallax/cmd/internal/subject"
	"parallax/cmd/internal/subject/config"
)

// Request is what is to be built.
type Request struct {
	New, Old *revision.Version // Old is nil where the new one is to run alone
	Alone    bool              // only the new version is built; the old one is for comparing sources
	// Command runs in each version's Home, and Binary is below it: config.Regress has both.
	Command []string
	Binary  string
	Env     []string // of the command, beside what the box sets: config.File.Environ
	Tool    string   // the parallax executable
	// Progress is told of each long step; may be nil.
	Progress func(step string)
}

// Of is a request for what a configuration says. The versions were resolved with the configuration's folder as revision.Request.Dir, so that
// Home is that folder in each.
func Of(file *config.File, newer, older *revision.Version, tool string, progress func(string), lookup func(string) (string, bool)) Request {
	return Request{New: newer, Old: older, Command: file.Regress.Build, Binary: file.Regress.Binary, Env: file.Environ(&config.Program{}, lookup), Tool: tool, Progress: progress}
}

// Pair is both versions, built.
type Pair struct {
	New, Old *Version // Old is nil where the new one is alone
	Notes    []string // for the user

	base string // the folder of the old version's sources
}

// Close gives the folders back to the cache. Nothing that was built is to be run any more.
func (p *Pair) Close() {
	for _, v := range []*Version{p.New, p.Old} {
		if v != nil {
			v.folder.Close()
		}
	}
}

// Built are the versions as config.File.Versions takes them.
func (p *Pair) Built() (list []config.Built) {
	for _, v := range []*Version{p.New, p.Old} {
		if v != nil {
			list = append(list, config.Built{Binary: v.Binary, Dir: v.Dir, Version: v.Name})
		}
	}
	return list
}

// Home is a file of one of the trees that were built in as the user knows it: in the folder of its version, the work tree or a revision's.
// Files that a build has made are there only where the user has made them too.
func (p *Pair) Home(file string) string {
	for _, v := range []*Version{p.New, p.Old} {
		if v == nil {
			continue
		}
		if rel, err := filepath.Rel(v.Root, file); err == nil && filepath.IsLocal(rel) {
			return filepath.Join(v.from, rel)
		}
	}
	return file
}

// Build builds the new version and the old one. What is wrong with the old one is a subject.OldError.
func Build(ctx context.Context, r Request) (*Pair, error) {
	if r.Progress == nil {
		r.Progress = func(string) {}
	}
	compiler, err := clang.Prepare(ctx)
	if err != nil {
		return nil, err
	}
	b := &builder{Request: r, compiler: compiler}
	p := &Pair{}
	if p.New, err = b.version(ctx, r.New, regress.New); err != nil {
		return nil, besides(ctx, "the new version", err)
	}
	if r.Old != nil {
		p.base = r.Old.Dir
	}
	if r.Old != nil && !r.Alone {
		if p.Old, err = b.version(ctx, r.Old, regress.Old); err != nil {
			p.Close()
			if ctx.Err() != nil || exit.Code(err) == exit.InfraCode {
				return nil, besides(ctx, "the old version", err)
			}
			return nil, &subject.OldError{Err: err}
		}
	}
	for _, text := range b.notes {
		if !slices.Contains(p.Notes, text) {
			p.Notes = append(p.Notes, text)
		}
	}
	return p, nil
}

// besides says which version an error is of.
func besides(ctx context.Context, which string, err error) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	return fmt.Errorf("%s: %w", which, err)
}

// builder builds versions.
type builder struct {
	Request
	compiler *clang.Prepared
	notes    []string
}

// line is the command as the user wrote it.
func (b *builder) line() string { return strings.Join(b.Command, " ") }

// below is where the version's Home is in its tree.
func below(v *revision.Version) (string, error) {
	if v.Home == "" {
		return ".", nil
	}
	rel, err := filepath.Rel(v.Dir, v.Home)
	if err == nil && !filepath.IsLocal(rel) {
		err = errors.New("it is not below " + v.Dir)
	}
	if err != nil {
		return "", exit.Infra("the folder of the configuration: %w", err)
	}
	return rel, nil
}

// Package nativebuild builds two versions of a C or C++ project, each in a copy of its own files,
// and finds the differences between them. The command regress uses it with versions of package
// revision and the [regress] section of parallax.toml.
//
//	nativebuild.go  the request, and both versions
//	version.go      one version: its folder in the user's cache, and whether it is built already
//	box.go          running the user's command: its environment and its sandbox
//	recent.go       which builds of a work tree are kept
//	changes.go      change points, from the block tables and the sources of both
//
// A build runs in a sandbox (package confine). It writes its own tree and a folder for temporary
// files, and has no network but localhost. It sees the environment that the configuration gives to
// programs. Its CC, CXX and usual compiler names are parallax's compilers.
//
// Invariants: the user's work tree and the cached revisions are only read. Builds of the same files
// with the same command are made once, by the first process that needs them. A build does not
// change while a Pair uses it. A failure of the old version is a subject.OldError.
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

// Request describes the versions to build.
type Request struct {
	New, Old *revision.Version // Old is nil if the new version runs alone
	// build only the new version; the old one serves for comparing sources
	Alone bool
	// Command runs in each version's Home, and Binary is below it. Both come from config.Regress.
	Command []string
	Binary  string
	Env     []string // of the command, in addition to the box's: config.File.Environ
	Tool    string   // the parallax executable
	// Progress reports each long step. It may be nil.
	Progress func(step string)
}

// NewRequest returns the request of a configuration. The versions must have been resolved with the
// configuration's folder as revision.Request.Dir, so Home is that folder in each.
func NewRequest(file *config.File, newer, older *revision.Version, tool string, progress func(string), lookup func(string) (string, bool)) Request {
	return Request{New: newer, Old: older, Command: file.Regress.Build, Binary: file.Regress.Binary, Env: file.Environ(&config.Program{}, lookup), Tool: tool, Progress: progress}
}

// Pair holds both built versions.
type Pair struct {
	New, Old *Version // Old is nil if the new version is alone
	Notes    []string // for the user

	base string // folder of the old version's sources
}

// Close releases the folders in the cache. The builds must not be run afterwards.
func (p *Pair) Close() {
	for _, v := range []*Version{p.New, p.Old} {
		if v != nil {
			v.folder.Close()
		}
	}
}

// Built returns the versions for config.File.Versions.
func (p *Pair) Built() (list []config.Built) {
	for _, v := range []*Version{p.New, p.Old} {
		if v != nil {
			list = append(list, config.Built{Binary: v.Binary, Dir: v.Dir, Version: v.Name})
		}
	}
	return list
}

// Home maps a file of a build tree to the folder of its version: the work tree or a revision.
// Generated files exist there only if the user generated them too.
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

// Build builds the new version and the old one. A failure of the old version is a subject.OldError.
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
		return nil, forVersion(ctx, "the new version", err)
	}
	if r.Old != nil {
		p.base = r.Old.Dir
	}
	if r.Old != nil && !r.Alone {
		if p.Old, err = b.version(ctx, r.Old, regress.Old); err != nil {
			p.Close()
			if ctx.Err() != nil || exit.Code(err) == exit.InfraCode {
				return nil, forVersion(ctx, "the old version", err)
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

// forVersion adds the name of the version to an error.
func forVersion(ctx context.Context, which string, err error) error {
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

// line returns the command as the user wrote it.
func (b *builder) line() string { return strings.Join(b.Command, " ") }

// below returns the path of the version's Home in its tree.
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

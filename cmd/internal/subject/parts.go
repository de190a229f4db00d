package subject

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"parallax/cmd/internal/base/buildcache"
	"parallax/cmd/internal/base/exit"
	"parallax/cmd/internal/gobuild"
	"parallax/cmd/internal/gobuild/buildroot"
	"parallax/cmd/internal/gobuild/gomod"
	"parallax/cmd/internal/gobuild/signature"
)

// group decides which functions share a binary, and resolves them. Functions of one folder and
// toolchain share one, unless they request different versions of one module.
func (m *assembly) group(ctx context.Context, all []*function, o *Options, progress func(string)) error {
	var groups [][]*function
next:
	for _, f := range all {
		for i, g := range groups {
			if g[0].fits(g, f) {
				groups[i] = append(g, f)
				continue next
			}
		}
		groups = append(groups, []*function{f})
	}
	for len(groups) > 0 {
		g := groups[0]
		groups = groups[1:]
		plan, dir, err := m.resolve(ctx, g, o, progress)
		var versions *gomod.VersionsError
		if err != nil && len(g) > 1 && (errors.As(err, &versions) || exit.Code(err) == exit.UsageCode) {
			// They cannot share a binary. Resolving each one alone finds its own mistakes.
			for k := len(g) - 1; k >= 0; k-- {
				groups = append([][]*function{{g[k]}}, groups...)
			}
			continue
		}
		if err != nil {
			return g[0].blame(o, err)
		}
		for i, f := range g {
			f.part, f.index = len(m.parts), i
			if f.program < 0 && !f.draws {
				if err := plan.Transforms(i); err != nil {
					return f.blame(o, exit.Usage("%w", err))
				}
			}
		}
		m.parts = append(m.parts, &part{functions: g, plan: plan, dir: dir})
	}
	return nil
}

// blame prefixes an error with the place in the configuration that names the function.
func (f *function) blame(o *Options, err error) error {
	if o.Config == nil || f.at.Line == 0 || exit.Code(err) != exit.UsageCode {
		return err
	}
	return o.Config.Fail(f.at, "%w", err)
}

// fits reports whether f can share the binary of a group that begins with first.
func (first *function) fits(group []*function, f *function) bool {
	if f.dir != first.dir || f.toolchain != first.toolchain || f.text != first.text || f.program < 0 || first.program < 0 || !slices.Equal(f.environ, first.environ) || !slices.Equal(f.require, first.require) {
		return false
	}
	if f.name != "" && !slices.Equal(f.instrument, first.instrument) {
		return false
	}
	path, version := pathOf(f.written)
	for _, g := range group {
		other, v := pathOf(g.written)
		if g.written == f.written || v != version && rootOf(other) == rootOf(path) && (v != "" || version != "") {
			return false
		}
	}
	return true
}

// pathOf splits a function into its path and version.
func pathOf(function string) (path, version string) {
	path, version, _ = strings.Cut(function, "@")
	return path, version
}

// rootOf approximates the module of a path: its first three elements, or two on hosts without
// users.
func rootOf(path string) string {
	parts := strings.Split(path, "/")
	if len(parts) > 3 {
		parts = parts[:3]
	}
	last := len(parts) - 1
	if i := strings.IndexByte(parts[last], '.'); i > 0 && last > 0 && parts[0] != "gopkg.in" {
		parts[last] = parts[last][:i] // as in github.com/a/b.Func
	}
	return strings.Join(parts, "/")
}

func (m *assembly) resolve(ctx context.Context, g []*function, o *Options, progress func(string)) (plan *gobuild.Plan, dir string, err error) {
	f := g[0]
	var functions []string
	for _, k := range g {
		functions = append(functions, k.written)
	}
	dir = filepath.Join(m.space.Dir, fmt.Sprintf("part-%016x", buildcache.Digest(append([]string{f.dir, f.toolchain, fmt.Sprint(f.text, f.texts, m.clock != "", f.instrument, f.environ, f.require, o.Tags)}, functions...)...)))
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, "", exit.Infra("creating the folder for build products: %w", err)
	}
	generator, drawFor := "", ""
	switch {
	case f.texts:
		functions, drawFor = nil, f.written
	case f.draws:
		functions, generator = nil, f.written
	}
	plan, err = gobuild.Resolve(ctx, gobuild.Request{
		Options:   buildroot.Options{Dir: f.dir, Out: dir, Parallax: m.tool, Toolchain: f.toolchain, Environ: f.environ, Tags: o.Tags, Require: f.require, Progress: progress},
		Functions: functions, Generator: generator, DrawFor: drawFor, Texts: f.program >= 0 && f.making == signature.MakeNone, Drawn: o.Generator != "", Libraries: m.space.Libraries(ctx, progress), Instrument: f.instrument, Label: f.label, Making: f.making, Harmless: o.Harmless, Marshal: f.text, Clock: o.clock() != "", Order: o.order(), Apart: o.Mode == Regress,
	})
	return plan, dir, err
}

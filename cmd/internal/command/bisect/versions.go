package bisect

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"parallax/cmd/internal/base/exit"
	"parallax/cmd/internal/base/shell"
	"parallax/cmd/internal/gobuild/gomod"
	"parallax/cmd/internal/subject"
)

// versions holds the versions of a module that the target uses.
type versions struct {
	bisection *bisection
	all       *gomod.Versions
	list      []string
	named     bool
}

// versions chooses the module and the range of its versions.
func (s *bisection) versions(ctx context.Context) (*versions, error) {
	s.Step("reading what the target is built from")
	modules, err := s.modules(ctx)
	if err != nil {
		return nil, err
	}
	now, err := s.versioned(modules)
	if err != nil {
		return nil, err
	}
	s.report.Module = now.Path
	s.Step("listing the versions of " + now.Path)
	v := &versions{bisection: s, named: s.From != ""}
	if v.all, err = gomod.ListVersions(ctx, s.Tool, filepath.Join(s.space.Dir, "versions"), now.Path); err != nil {
		return nil, err
	}
	span := Span{Module: now.Path, Listed: v.all.Listed, Retracted: v.all.Retracted, To: now.Version, Pre: s.Pre, Withdrawn: s.Retracted}
	if s.From != "" {
		if span.From, err = v.all.Find(ctx, s.From); err != nil {
			return nil, err
		}
	}
	if s.To != "" {
		if span.To, err = v.all.Find(ctx, s.To); err != nil {
			return nil, err
		}
	}
	v.list, err = span.Versions()
	return v, err
}

// versioned finds the module, and verifies that it has versions.
func (s *bisection) versioned(modules []gomod.InUse) (*gomod.InUse, error) {
	path, version, found := strings.Cut(s.Module, "@")
	if found {
		return nil, exit.Usage("--module %s: name the module without a version, and give versions with --since and --until, as in --until %s", s.Module, version)
	}
	i := slices.IndexFunc(modules, func(m gomod.InUse) bool { return m.Path == path })
	if i < 0 {
		return nil, exit.Usage("--module %s: the target is not built from it%s", path, s.suggestModules(path, modules))
	}
	switch m := &modules[i]; {
	case m.Main:
		return nil, exit.Usage("--module %s is your own module: use --git to look through its commits", path)
	case m.Folder:
		return nil, exit.Usage("--module %s: your go.mod or go.work takes it from the folder %s, so its versions are not used; use --git --repo %s for the commits there", path, m.Dir, shell.Word(m.Dir))
	default:
		return m, nil
	}
}

// suggestModules lists the modules that the user may mean.
func (s *bisection) suggestModules(path string, modules []gomod.InUse) string {
	if path == "std" || path == "" || !strings.Contains(path, ".") {
		return "; it is not a module: the standard library changes only with the Go release"
	}
	var list []string
	for _, m := range modules {
		if !m.Folder {
			list = append(list, m.Path)
		}
		if strings.HasPrefix(path, m.Path+"/") && !m.Main {
			return "; it is a package of module " + m.Path + ", which the target is built from"
		}
	}
	if len(list) == 0 {
		return ", nor from any other module that has versions"
	}
	return "; it is built from " + strings.Join(list, ", ")
}

// Len, Name, Named, Describe and Place implement history.
func (v *versions) Len() int          { return len(v.list) }
func (v *versions) Name(i int) string { return v.list[i] }
func (v *versions) Named() bool       { return v.named }

func (v *versions) Describe(context.Context, *Point) error { return nil }

func (v *versions) Place(_ context.Context, i int) (*subject.Site, error) {
	s := v.bisection
	at := s.currentSite()
	at.Instead = []gomod.Instead{{Module: s.report.Module, Version: v.list[i]}}
	return at, nil
}

// hint suggests other versions or modules to search.
func (v *versions) hint() string {
	last := v.list[len(v.list)-1]
	if n := len(v.all.Listed); n > 0 && v.bisection.To == "" && v.all.Listed[n-1] != last {
		return fmt.Sprintf("; for what changed later, use --since %s --until latest", last)
	}
	own := func(function string) bool { return !strings.Contains(function, "@") }
	if len(v.bisection.past.Options.Functions) > 0 && !slices.ContainsFunc(v.bisection.past.Options.Functions, own) {
		return "; the reason may be in another of the target's modules: name it with --module"
	}
	return "; the reason may be in another module, or in the programs' own code: try --git"
}

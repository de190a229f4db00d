package synthesis

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"parallax/cmd/internal/base/exit"
	"parallax/cmd/internal/change/revision"
	"parallax/cmd/internal/gobuild/buildroot"
	"parallax/cmd/internal/gobuild/gocommand"
	"parallax/cmd/internal/gobuild/gomod"
	"parallax/cmd/internal/gobuild/signature"
)

// side is a version with its packages.
type side struct {
	version *revision.Version
	module  string // its path
	// its folder, where functions are built; for a published module a folder that requires it
	dir      string
	at       string // that folder below the version, with slashes
	packages map[string]*gocommand.Package
	folders  []string // of packages, below the module, sorted
	index    *signature.Index
	listed   map[string][]signature.Assessment
}

// open lists the packages of a version. The old version uses the module's folder in the new one.
func open(ctx context.Context, r *Request, v *revision.Version, beside *side) (*side, error) {
	s := &side{version: v, module: v.Module, dir: v.Home, listed: map[string][]signature.Assessment{}, packages: map[string]*gocommand.Package{}}
	pattern := v.Module + "/..."
	if v.Module == "" {
		if err := s.place(r, beside); err != nil {
			return nil, err
		}
		pattern = "./..."
	}
	root, err := buildroot.Open(ctx, buildroot.Options{Dir: s.dir, Parallax: r.Parallax, Environ: v.Env})
	if err != nil {
		return nil, err
	}
	root.UseModule(r.Tags)
	all, err := root.List(ctx, "-deps", "--", pattern)
	if err != nil {
		return nil, err
	}
	if err := root.Locate(all); err != nil {
		return nil, err
	}
	var failed error
	for _, p := range all {
		if p.Error != nil && failed == nil {
			failed = exit.Build("%s: %s", v.Short, p.Error)
		}
		if p.Module == nil || p.Module.Path != s.module || p.DepOnly || len(p.GoFiles)+len(p.CgoFiles) == 0 {
			continue
		}
		folder := strings.TrimPrefix(strings.TrimPrefix(p.ImportPath, s.module), "/")
		if folder == "" {
			folder = "."
		}
		s.packages[folder] = p
		s.folders = append(s.folders, folder)
	}
	if len(s.packages) == 0 {
		if failed != nil {
			return nil, failed
		}
		return nil, exit.Usage("%s of %s has no Go package that is built here", v.Short, s.module)
	}
	slices.Sort(s.folders)
	s.index = signature.NewIndex(gocommand.NewGraph(all), root.Env.GOARCH, signature.MakeSpread)
	return s, nil
}

// place finds the module of a version in a folder. In the new version, the user's folder decides.
func (s *side) place(r *Request, beside *side) error {
	v := s.version
	switch {
	case r.Module != "":
		s.at = r.Module
	case beside != nil:
		s.at = beside.at
	default:
		for at := v.Home; ; at = filepath.Dir(at) {
			rel, err := filepath.Rel(v.Dir, at)
			if err != nil || !filepath.IsLocal(rel) {
				break
			}
			if s.at = filepath.ToSlash(rel); slices.Contains(v.Modules, s.at) {
				break
			}
			s.at = ""
		}
		if s.at == "" && len(v.Modules) == 1 {
			s.at = v.Modules[0]
		}
		if s.at == "" && len(v.Modules) == 0 {
			return exit.Usage("there is no go.mod in %s: functions are those of a Go module", v.Dir)
		}
		if s.at == "" {
			return exit.Usage("there is no go.mod in %s or above it: run parallax in one of the modules: %s", v.Home, strings.Join(v.Modules, ", "))
		}
	}
	s.dir = filepath.Join(v.Dir, filepath.FromSlash(s.at))
	s.module = gomod.PathOf(filepath.Join(s.dir, "go.mod"))
	if beside != nil && s.module == "" { // the module moved
		for _, at := range v.Modules {
			dir := filepath.Join(v.Dir, filepath.FromSlash(at))
			if gomod.PathOf(filepath.Join(dir, "go.mod")) == beside.module {
				s.at, s.dir, s.module = at, dir, beside.module
			}
		}
	}
	if s.module != "" {
		return nil
	}
	file := path.Join(s.at, "go.mod")
	if _, err := os.Stat(filepath.Join(s.dir, "go.mod")); errors.Is(err, fs.ErrNotExist) {
		return exit.Usage("%s has no %s: functions are compared where both versions have the module", v.Short, file)
	}
	return exit.Usage("%s of %s names no module", file, v.Short)
}

// importPath returns the import path of a package in a folder below the module.
func (s *side) importPath(folder string) string {
	if folder == "." {
		return s.module
	}
	return s.module + "/" + folder
}

// exported lists the exported functions of a package.
func (s *side) exported(folder string) []signature.Assessment {
	list, ok := s.listed[folder]
	if !ok {
		list = s.index.Exported(s.packages[folder])
		s.listed[folder] = list
	}
	return list
}

package fuzztest

import (
	"cmp"
	"fmt"
	"path/filepath"
	"sort"
	"strings"

	"parallax/cmd/internal/base/exit"
	"parallax/cmd/internal/base/shell"
	"parallax/cmd/internal/gobuild/gocommand"
	"parallax/cmd/internal/gobuild/gomod"
)

// unreadable explains a package that go list could not read.
func (s *search) unreadable(q *gocommand.Package) error {
	why := strings.TrimSpace(q.Error.Err)
	if e := s.root.Env.NetworkError(q.ImportPath + ": " + strings.ReplaceAll(why, "\n", " ")); e != nil {
		return e
	}
	if q.Dir == "" || len(q.GoFiles)+len(q.CgoFiles)+len(q.TestGoFiles)+len(q.XTestGoFiles) == 0 {
		switch {
		case strings.Contains(why, "build constraints exclude all Go files"):
			for _, name := range q.IgnoredGoFiles {
				s.readIgnored(q, name)
			}
			if len(s.ignored) > 0 {
				return exit.Usage("%s: %s; there are:\n\t%s\nname the tags with --tags", q.ImportPath, why, strings.Join(s.ignored, "\n\t"))
			}
		case strings.Contains(why, "no required module provides package"), strings.Contains(why, "cannot find module providing"):
			return exit.Usage("there is no package %s in your module or in those it requires: name packages of your own, as in ./...", q.ImportPath)
		case strings.Contains(why, "main module"), strings.Contains(why, "listed in go.work"):
			return exit.Usage("%s: %s\nrun parallax in the folder of the module that holds the package; in a workspace, name its modules' folders, as in ./MODULE/...", q.ImportPath, why)
		case strings.Contains(why, "no Go files in"):
			return exit.Usage("%s: %s; to run the FuzzXxx of the folders below, write %s/...", q.ImportPath, why, strings.TrimSuffix(q.ImportPath, "/"))
		}
		return exit.Usage("there is no package %s: %s", q.ImportPath, why)
	}
	return exit.Build("%s does not build: %s", q.ImportPath, q.Error)
}

// checkOwner rejects packages to which no file can be added. The go command permits no overlay of
// downloaded files, and vendored packages have no tests.
func (s *search) checkOwner(q *gocommand.Package) error {
	switch m := q.Module; {
	case q.Standard:
		return exit.Usage("%s belongs to the standard library, which parallax does not change: copy the package into a module of yours (from %s) and name the copy; to fuzz its exported functions, write a FuzzXxx that calls them", q.ImportPath, q.Dir)
	case m == nil:
		return exit.Usage("%s belongs to no module: run parallax inside the module that holds it", q.ImportPath)
	case !m.Main && !s.explicit(q):
		return exit.Usage("%s is a dependency", q.ImportPath)
	case s.downloaded(q.Dir):
		clone := gomod.Clone(m.Path)
		if clone != "" {
			clone = ":\n\t" + clone + "\n"
		}
		return exit.Usage("%s belongs to module %s, which the go command downloaded and protects from change: clone its repository and run parallax in the clone, as in `parallax fuzz ./...`%sor copy it:\n\tcp -r %s copy && chmod -R u+w copy && cd copy",
			q.ImportPath, gomod.WithVersion(m.Path, m.Version), cmp.Or(clone, ", "), shell.Word(m.CodeDir()))
	case !m.Main && strings.Contains(filepath.ToSlash(q.Dir), "/vendor/"):
		return exit.Usage("%s is vendored, and go mod vendor leaves tests out: clone the repository of module %s and run parallax in the clone", q.ImportPath, m.Path)
	}
	return nil
}

// downloaded reports whether a folder is in the module cache.
func (s *search) downloaded(dir string) bool {
	for _, cache := range filepath.SplitList(s.root.Env.GOMODCACHE) {
		if rel, err := filepath.Rel(cache, dir); err == nil && rel != ".." && !strings.HasPrefix(rel, "../") {
			return true
		}
	}
	return false
}

// readIgnored looks for FuzzXxx in a file that build constraints exclude.
func (s *search) readIgnored(q *gocommand.Package, name string) {
	if !strings.HasSuffix(name, "_test.go") {
		return
	}
	f, err := s.parse(q, name)
	if err != nil {
		return
	}
	decls, err := f.fuzzFuncs()
	if err != nil {
		return
	}
	for _, d := range decls {
		if s.Match == nil || s.Match.MatchString(d.Name.Name) {
			s.ignored = append(s.ignored, fmt.Sprintf("%s (%s)", d.Name.Name, f.name))
		}
	}
}

// maxNames bounds a list of FuzzXxx in a message.
const maxNames = 12

// nothing explains that no FuzzXxx is wanted: what was looked for, what there is, and what to do.
func (s *search) nothing() error {
	patterns := strings.Join(s.Patterns, " ")
	if len(s.failed) > 0 && len(s.others) == 0 {
		return s.failed[0]
	}
	var b strings.Builder
	what := "FuzzXxx"
	if s.Diff {
		what = "FuzzXxx that calls parallax.Diff"
	}
	if s.Gen {
		what = "TestXxx that calls gen.Check and no FuzzXxx that calls gen.Fuzz"
	}
	if s.Match != nil {
		what += fmt.Sprintf(" whose name matches %s", s.Match)
	}
	fmt.Fprintf(&b, "no %s in %s (%d %s read)", what, patterns, s.looked, plural(s.looked, "package"))
	switch {
	case len(s.others) > 0:
		sort.Strings(s.others)
		names := s.others
		if len(names) > maxNames {
			names = append(names[:maxNames:maxNames], fmt.Sprintf("and %d more", len(s.others)-maxNames))
		}
		fmt.Fprintf(&b, "; there are:\n\t%s\n", strings.Join(names, "\n\t"))
		switch {
		case s.Diff && s.diffs == 0:
			fmt.Fprintf(&b, "none of them calls parallax.Diff: `parallax fuzz` runs them; parallax help harness says how to compare implementations")
		default:
			fmt.Fprintf(&b, "--fuzz takes a regular expression for part of the name")
		}
	case len(s.ignored) > 0:
		fmt.Fprintf(&b, "; build constraints exclude:\n\t%s\nname the tags with --tags", strings.Join(s.ignored, "\n\t"))
	case s.Gen:
		fmt.Fprintf(&b, ": parallax help generators says how to write one")
	default:
		fmt.Fprintf(&b, ": write a func FuzzXxx(f *testing.F) in a _test.go file, have `parallax init` write one, or name other packages, as in ./...")
	}
	if s.foreign > 0 {
		fmt.Fprintf(&b, "; packages that do not belong to a module of yours are left out (%d)", s.foreign)
	}
	for _, err := range s.failed {
		fmt.Fprintf(&b, "\nleft out: %v", err)
	}
	return exit.Usage("%s", b.String())
}

func plural(n int, word string) string {
	if n == 1 {
		return word
	}
	return word + "s"
}

package revision

import (
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// An untracked file counts as a change of the work tree only if it can take part in a build. A
// report that parallax or another tool wrote next to the sources makes no new version.

var (
	goExtensions = strings.Fields(".go .c .cc .cpp .cxx .m .h .hh .hpp .hxx .f .F .for .f90 .s .S .sx .swig .swigcxx .syso")
	goNames      = strings.Fields("go.mod go.sum go.work go.work.sum")

	cExtensions = strings.Fields(`.c .cc .cpp .cxx .c++ .h .hh .hpp .hxx .h++ .inc .inl .ipp .tpp .tcc .def .s .S .asm .m .mm .l .ll .y .yy .re .rl .proto
		.in .ac .am .m4 .cmake .mk .mak .ninja .bazel .bzl .gn .gni .pro .ld .lds .sh .py .pl .awk`)
	cNames = strings.Fields("parallax.toml Makefile makefile GNUmakefile CMakeLists.txt CMakePresets.json configure meson.build meson.options meson_options.txt BUILD WORKSPACE SConstruct wscript Kbuild")
)

// builds reports whether an untracked file, by its path below the top, can take part in a build.
func (u *untracked) builds(name string) bool {
	base, ext := path.Base(name), path.Ext(name)
	if u.native {
		return slices.Contains(cNames, base) || slices.Contains(cExtensions, ext)
	}
	parts := strings.Split(name, "/")
	hidden := slices.ContainsFunc(parts, func(s string) bool { return strings.HasPrefix(s, ".") || strings.HasPrefix(s, "_") })
	if !hidden && (slices.Contains(goNames, base) || slices.Contains(goExtensions, ext) || strings.HasSuffix("/"+name, "/vendor/modules.txt")) {
		return true
	}
	for i := range parts {
		if folder := u.folder(path.Join(parts[:i]...)); folder.embeds(parts[i:]) {
			return true
		}
	}
	return false
}

// seeds reports whether a file is test data of a package with a FuzzXxx.
func (u *untracked) seeds(name string) bool {
	parts := strings.Split(name, "/")
	for i := range parts {
		if parts[i] == "testdata" && !u.native && u.folder(path.Join(parts[:i]...)).fuzz {
			return true
		}
	}
	return false
}

// reads reports whether a running program may read a committed file. It does not read documents and
// hidden files, and both versions share test data.
func (u *untracked) reads(name string) bool {
	return u.native || path.Ext(name) != ".md" && !slices.ContainsFunc(strings.Split(name, "/"), func(s string) bool { return s == "testdata" || strings.HasPrefix(s, ".") || strings.HasPrefix(s, "_") })
}

// untracked classifies the untracked files of one repository.
type untracked struct {
	top     string
	native  bool // a project with its own build, without Go
	folders map[string]goFolder
}

// goFolder describes how the Go files of a folder use other files.
type goFolder struct {
	fuzz     bool     // has a FuzzXxx, which reads seeds in testdata
	patterns []string // of go:embed
}

var (
	fuzzes   = regexp.MustCompile(`(?m)^func Fuzz`)
	embedded = regexp.MustCompile(`(?m)^//go:embed[ \t]+(.+)$`)
)

// folder reads the Go files of a folder below the top.
func (u *untracked) folder(dir string) goFolder {
	if f, ok := u.folders[dir]; ok {
		return f
	}
	var f goFolder
	at := filepath.Join(u.top, filepath.FromSlash(dir))
	entries, _ := os.ReadDir(at)
	for _, e := range entries {
		if !strings.HasSuffix(e.Name(), ".go") || !e.Type().IsRegular() {
			continue
		}
		text, _ := os.ReadFile(filepath.Join(at, e.Name()))
		f.fuzz = f.fuzz || strings.HasSuffix(e.Name(), "_test.go") && fuzzes.Match(text)
		for _, m := range embedded.FindAllSubmatch(text, -1) {
			for _, pattern := range strings.Fields(string(m[1])) {
				f.patterns = append(f.patterns, strings.TrimPrefix(strings.Trim(pattern, "\"`"), "all:"))
			}
		}
	}
	u.folders[dir] = f
	return f
}

// embeds reports whether a pattern matches a file, or a folder that contains it.
func (f *goFolder) embeds(parts []string) bool {
	return slices.ContainsFunc(f.patterns, func(pattern string) bool {
		for i := range parts {
			if ok, _ := path.Match(pattern, path.Join(parts[:i+1]...)); ok || pattern == "." {
				return true
			}
		}
		return false
	})
}

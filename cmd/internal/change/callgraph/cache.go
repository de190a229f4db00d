package callgraph

import (
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strings"
	"sync"

	"parallax/cmd/internal/base/buildcache"
	"parallax/cmd/internal/gobuild/golang"
)

//go:embed *.go
var ownSources embed.FS

// openCache is the folder of graphs, by what they were made of.
func openCache(dir string) buildcache.Results {
	if dir == "" {
		return buildcache.OpenResults("callgraph")
	}
	return buildcache.Results(dir)
}

// version is that of the code that makes graphs: a hash of this package's, and of what it is compiled with.
var version = sync.OnceValue(func() string {
	h := sha256.New()
	entries, _ := ownSources.ReadDir(".")
	for _, e := range entries {
		if strings.HasSuffix(e.Name(), "_test.go") {
			continue
		}
		text, _ := ownSources.ReadFile(e.Name())
		fmt.Fprintf(h, "%s %d\n%s", e.Name(), len(text), text)
	}
	fmt.Fprintln(h, runtime.Version(), golang.Flag(golang.Options{}), moduleVersion("golang.org/x/tools"))
	return hex.EncodeToString(h.Sum(nil))
})

// moduleVersion is the version of a module in this executable.
func moduleVersion(path string) string {
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, m := range info.Deps {
			if m.Path == path {
				return m.Version
			}
		}
	}
	return ""
}

// key names a graph by all that it is made of, empty if a file cannot be read. Packages of the standard library are named by
// their toolchain. Build tags show in the files that there are.
func (l *list) key() string {
	h := sha256.New()
	env := &l.root.Env
	fmt.Fprintln(h, version(), env.GOVERSION, env.GOROOT, env.GOOS, env.GOARCH)
	for _, path := range l.matched {
		fmt.Fprintf(h, "wanted %s\n", path)
	}
	for _, s := range l.sources {
		fmt.Fprintf(h, "package %q %s %q %q\n", s.path, s.goVersion, s.tested, s.problem)
		for _, names := range [][]string{s.files, s.tests} {
			fmt.Fprintf(h, "%d\n", len(names))
			for _, name := range names {
				if err := buildcache.HashFile(h, name, s.standard); err != nil {
					return ""
				}
			}
		}
	}
	for _, name := range l.moduleFiles() {
		fmt.Fprintf(h, "module %s\n", name)
		buildcache.HashFile(h, name, false)
	}
	return hex.EncodeToString(h.Sum(nil))
}

// moduleFiles say which versions of modules are in force.
func (l *list) moduleFiles() (names []string) {
	for _, name := range []string{l.root.Env.GOMOD, l.root.Env.Workspace()} {
		if name != "" && name != os.DevNull {
			ext := filepath.Ext(name)
			names = append(names, name, strings.TrimSuffix(name, ext)+strings.Replace(ext, "mod", "sum", 1))
		}
	}
	return names
}

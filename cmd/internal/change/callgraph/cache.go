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

// openCache opens the folder of graphs.
func openCache(dir string) buildcache.Results {
	if dir == "" {
		return buildcache.OpenResults("callgraph")
	}
	return buildcache.Results(dir)
}

// version hashes the code that makes graphs: this package and its toolchain and dependencies.
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

// moduleVersion returns the version of a module in this executable.
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

// key hashes all inputs of a graph. It is empty if a file cannot be read. The toolchain identifies
// the standard library. Build tags affect the list of files.
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

// moduleFiles returns the files that select the versions of modules.
func (l *list) moduleFiles() (names []string) {
	for _, name := range []string{l.root.Env.GOMOD, l.root.Env.Workspace()} {
		if name != "" && name != os.DevNull {
			ext := filepath.Ext(name)
			names = append(names, name, strings.TrimSuffix(name, ext)+strings.Replace(ext, "mod", "sum", 1))
		}
	}
	return names
}

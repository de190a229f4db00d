package gobuild

import (
	"bytes"
	"context"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	pathpkg "path"
	"slices"
	"sort"
	"strconv"
	"strings"

	"parallax/cmd/internal/base/exit"
	"parallax/cmd/internal/flow"
	"parallax/cmd/internal/gobuild/fuzztest"
	"parallax/cmd/internal/gobuild/gocommand"
	"parallax/cmd/internal/gobuild/golang"
	"parallax/cmd/internal/gobuild/gomod"
)

// instrumentable reports whether counters can be added to a package of the standard library. They
// cannot if the counters, the worker's loop or the runtime depend on it.
func instrumentable(path string) bool {
	for _, low := range []string{"runtime", "internal", "sync", "syscall", "unsafe", "vendor"} {
		if path == low || strings.HasPrefix(path, low+"/") {
			return false
		}
	}
	return true
}

// requested reports whether counters can be added to a package of the standard library that the
// user named. It may be internal, unless the runtime depends on it. internal/strconv is one of
// those, but has most code of Go 1.26's strconv. Instrumenting it builds the whole standard library
// again.
func (p *Plan) requested(path string) bool {
	if instrumentable(path) || path == "internal/strconv" {
		return true
	}
	return strings.HasPrefix(path, "internal/") && !slices.Contains(p.graph.Closure("runtime"), path)
}

// commonPackages lists packages of the standard library that nearly every package imports. A
// wrapper is not written to compare them, and their blocks would outnumber those of its subject.
var commonPackages = map[string]bool{
	"bufio": true, "bytes": true, "cmp": true, "context": true, "embed": true, "errors": true, "flag": true, "fmt": true,
	"io": true, "io/fs": true, "iter": true, "log": true, "log/slog": true, "maps": true, "math": true, "math/bits": true,
	"os": true, "path/filepath": true, "reflect": true, "slices": true, "sort": true, "strings": true, "testing": true,
	"time": true, "unicode": true, "unicode/utf8": true,
}

// wrappedPackages lists the packages of the standard library that the user's functions under test
// import directly. A wrapper around the standard library compares what it wraps.
func (p *Plan) wrappedPackages() map[string]bool {
	found := map[string]bool{}
	overlay, err := p.root.Overlay()
	if err != nil {
		overlay = nil // the go command has reported it already
	}
	for _, c := range p.calls {
		if m := c.Package.Module; m == nil || !m.Main {
			continue
		}
		for _, path := range fuzztest.CountedImports(c.Package, overlay) {
			if q := p.graph.Package(path); q != nil && q.Standard && !commonPackages[path] {
				found[path] = true
			}
		}
	}
	return found
}

// extraPackages lists the packages that --instrument selects.
func (p *Plan) extraPackages(ctx context.Context) (map[string]bool, error) {
	extra := map[string]bool{}
	if len(p.req.Instrument) == 0 {
		return extra, nil
	}
	pkgs, err := p.root.List(ctx, append([]string{"-find", "--"}, p.req.Instrument...)...)
	if err != nil {
		return nil, err
	}
	for _, pattern := range p.req.Instrument {
		found := false
		for _, q := range pkgs {
			if slices.Contains(q.Match, pattern) && p.graph.Package(q.ImportPath) != nil {
				extra[q.ImportPath], found = true, true
				if twin := p.twin(q.ImportPath); twin != "" {
					extra[twin] = true
				}
			}
		}
		if !found {
			p.root.Note("--instrument %s matches no package that the programs import", pattern)
		}
	}
	return extra, nil
}

// twin returns the internal package of the standard library with the code that a package of it
// forwards to. Go moves code there, as from strconv to internal/strconv, and keeps the name. Empty
// means that there is none.
func (p *Plan) twin(path string) string {
	q := p.graph.Package(path)
	if q == nil || !q.Standard {
		return ""
	}
	at := slices.IndexFunc(q.Imports, func(to string) bool {
		t := p.graph.Package(to)
		return t != nil && t.Standard && pathpkg.Base(to) == pathpkg.Base(path) && slices.Contains(strings.Split(to, "/"), "internal")
	})
	if at < 0 {
		return ""
	}
	return q.Imports[at]
}

// forwarding returns the files of a package that import its twin, if that has no counters.
func (p *Plan) forwarding(q Package) map[string]bool {
	twin := p.twin(q.ImportPath)
	if twin == "" || slices.ContainsFunc(p.Packages, func(t Package) bool { return t.ImportPath == twin }) {
		return nil
	}
	files := map[string]bool{}
	for _, name := range q.Files {
		f, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ImportsOnly)
		if err == nil && slices.ContainsFunc(f.Imports, func(i *ast.ImportSpec) bool { return i.Path.Value == strconv.Quote(twin) }) {
			files[name] = true
		}
	}
	return files
}

// selectPackages selects the packages to instrument.
func (p *Plan) selectPackages(ctx context.Context) error {
	if len(p.calls) == 0 { // a generator alone, without use of its blocks
		return nil
	}
	extra, err := p.extraPackages(ctx)
	if err != nil {
		return err
	}
	tested := map[string]bool{}
	for _, c := range p.calls {
		path := c.Package.ImportPath
		if !tested[path] && c.Package.Standard && !instrumentable(path) {
			p.root.Note("the worker itself uses %s, which is therefore not instrumented: its coverage does not guide", path)
		}
		tested[path] = true
		if twin := p.twin(path); twin != "" && instrumentable(path) {
			extra[twin] = true
		}
		own := path
		if c.Package.Module != nil {
			own = c.Package.Module.Path
		}
		if !slices.Contains(p.Own, own) {
			p.Own = append(p.Own, own)
		}
	}
	direct := p.wrappedPackages()
	onlyHelper := p.onlyHelper()
	for _, q := range p.graph.All {
		if onlyHelper(q.ImportPath) {
			continue
		}
		wanted := !q.Standard || (tested[q.ImportPath] || direct[q.ImportPath]) && instrumentable(q.ImportPath) || extra[q.ImportPath] && p.requested(q.ImportPath)
		if !wanted || len(q.GoFiles)+len(q.CgoFiles) == 0 {
			continue
		}
		if p.req.Clock && q.ImportPath == "time" {
			p.root.Note("package time is not instrumented, because its clock is pinned")
			continue
		}
		p.Packages = append(p.Packages, instrumented(q))
	}
	sort.Slice(p.Packages, func(i, j int) bool { return p.Packages[i].ImportPath < p.Packages[j].ImportPath })
	return nil
}

// instrumented describes a package that gets counters.
func instrumented(q *gocommand.Package) Package {
	pkg := Package{ImportPath: q.ImportPath, Dir: q.Dir, Standard: q.Standard}
	pkg.Files = append(append(pkg.Files, q.GoFiles...), q.CgoFiles...)
	if q.Module != nil {
		pkg.Module = q.Module.Path
	}
	return pkg
}

// NoteUncounted adds a note that no code of a program has counters. Only the worker's counters show
// it, because the linker drops packages.
func (p *Plan) NoteUncounted(program int) {
	if p.req.NoInstrument {
		return // the user knows
	}
	var note string
	if p.fuzz != nil {
		note = fmt.Sprintf("no code that the tests of %s execute is instrumented (assembly, or packages of the standard library that --instrument may add): coverage does not guide", p.fuzz.ImportPath)
	} else {
		c := p.calls[program]
		if c.Package.Standard && !instrumentable(c.Package.ImportPath) {
			return // the user knows already
		}
		note = fmt.Sprintf("no code of %s is instrumented (assembly, or packages of the standard library that --instrument may add): only its results guide", c.Name)
	}
	if !slices.Contains(p.Notes, note) {
		p.Notes = append(p.Notes, note)
	}
}

// Tables returns the block tables of the instrumented packages, in the order of Packages.
func (p *Plan) Tables() ([]*flow.Table, error) {
	var tables []*flow.Table
	for _, q := range p.Packages {
		t, err := golang.Analyze(q.ImportPath, q.Files, golang.Options{Order: p.req.Order})
		if err != nil {
			return nil, exit.Build("analyzing %s: %w", q.ImportPath, err)
		}
		t.Forwarding = p.forwarding(q)
		tables = append(tables, t)
	}
	return tables, nil
}

// readsClock reports whether an instrumented package may read the time. A match in a comment does
// no harm.
func (p *Plan) readsClock() bool {
	for _, q := range p.Packages {
		for _, name := range q.Files {
			text, err := os.ReadFile(name)
			for _, call := range []string{"time.Now(", "time.Since(", "time.Until("} {
				if err == nil && !strings.HasSuffix(name, "_test.go") && bytes.Contains(text, []byte(call)) {
					return true
				}
			}
		}
	}
	return false
}

// Modules lists the modules of the target's code, by path.
func (p *Plan) Modules() []gomod.InUse { return gomod.ModulesOf(p.graph.All) }

package harness

import (
	"context"
	"errors"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"

	"parallax/cmd/internal/exit"
	"parallax/cmd/internal/instrument/golang"
)

// Build compiles the worker, instrumented. It can be run again; what has not changed comes from Go's build cache.
func (p *Plan) Build(ctx context.Context) (binary string, err error) {
	if p.r.Parallax == "" {
		return "", exit.Infra("building the worker: the path of the parallax executable is not known")
	}
	binary = filepath.Join(p.r.Out, "worker")
	p.r.Progress("building " + p.Target)
	args := append([]string{"build", "-o", binary, "-buildvcs=false", "-toolexec=" + quote(p.r.Parallax) + " toolexec"}, p.r.site.flags...)
	if p.r.site.kind != scratch {
		args = append(args, "-overlay="+p.overlayFile())
	}
	if flags, stripped := keepSymbols(p.r.env.GOFLAGS); stripped {
		args = append(args, "-ldflags="+flags)
	}
	mark := golang.Flag(golang.Options{Order: p.r.Order})
	for _, q := range p.Packages {
		args = append(args, "-gcflags="+q.ImportPath+"="+mark)
	}
	out, errs, err := run(ctx, p.r.command(append(args, p.main)...))
	if err != nil {
		var failed *exec.ExitError
		if !errors.As(err, &failed) {
			return "", err
		}
		return "", p.buildError(string(out) + string(errs))
	}
	return binary, nil
}

var packageHeader = regexp.MustCompile(`(?m)^# (\S+)`)

// buildError says which program does not build, with the compiler's lines.
func (p *Plan) buildError(output string) error {
	if e := diskError(output); e != nil {
		return e
	}
	if e := p.r.networkError(output); e != nil {
		return e
	}
	text := relevant(output)
	var broken []string
	for _, m := range packageHeader.FindAllStringSubmatch(output, -1) {
		broken = append(broken, m[1])
	}
	if len(broken) == 0 { // an error from before compiling: it names the importing file or the package
		for path := range p.r.pkgs {
			if strings.Contains(path, "/") && strings.Contains(output, path) {
				broken = append(broken, path)
			}
		}
	}
	var names []string
	for _, c := range p.calls {
		for _, path := range broken {
			if p.imports(c.pkg, path) && !contains(names, c.name) {
				names = append(names, c.name)
			}
		}
	}
	switch {
	case len(names) == 1:
		return exit.Build("program %s does not build:\n%s", names[0], text)
	case len(names) > 1:
		return exit.Build("programs %s do not build:\n%s", strings.Join(names, ", "), text)
	}
	return exit.Build("the worker of %s does not build:\n%s", p.Target, text)
}

// imports reports whether the package is, or imports directly or not, the package at path.
func (p *Plan) imports(from *listed, path string) bool {
	seen := map[string]bool{}
	var visit func(q *listed) bool
	visit = func(q *listed) bool {
		if q == nil || seen[q.ImportPath] {
			return false
		}
		seen[q.ImportPath] = true
		if q.ImportPath == path {
			return true
		}
		for _, name := range q.Imports {
			if actual, ok := q.ImportMap[name]; ok {
				name = actual
			}
			if visit(p.r.pkgs[name]) {
				return true
			}
		}
		return false
	}
	return visit(from)
}

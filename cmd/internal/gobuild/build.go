package gobuild

import (
	"cmp"
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"parallax/cmd/internal/base/exit"
	"parallax/cmd/internal/base/lazyregexp"
	"parallax/cmd/internal/gobuild/gocommand"
	"parallax/cmd/internal/gobuild/golang"
)

// Build compiles the instrumented worker. It can be repeated: unchanged packages come from Go's
// build cache.
func (p *Plan) Build(ctx context.Context) (binary string, err error) {
	began := time.Now()
	if binary, err = p.compile(ctx, workerFile, golang.Options{Order: p.req.Order, Apart: p.req.Apart}); err == nil {
		p.built = began
	}
	return binary, err
}

// CmpLogFile is the name of the worker without counters, below Out.
const CmpLogFile = "worker-operands"

// BuildCmpLog compiles a second worker, which has no counters and records the operands of
// comparisons instead.
func (p *Plan) BuildCmpLog(ctx context.Context) (binary string, err error) {
	return p.compile(ctx, CmpLogFile, golang.Options{CmpLog: true})
}

// OrderedFile is the name of the worker that records the order in which blocks are first executed,
// below Out.
const OrderedFile = "worker-ordered"

// BuildOrdered compiles a worker that also records the order in which blocks are first executed.
// Its blocks are those of Build.
func (p *Plan) BuildOrdered(ctx context.Context) (binary string, err error) {
	return p.compile(ctx, OrderedFile, golang.Options{Order: true})
}

// compile builds the program or, for FuzzXxx, the test binary. The options are those of the
// instrumented packages.
func (p *Plan) compile(ctx context.Context, name string, o golang.Options) (binary string, err error) {
	if p.root.Parallax == "" {
		return "", exit.Infra("building the worker: the path of the parallax executable is unknown")
	}
	binary = filepath.Join(p.root.Out, name)
	of := p.Target
	if p.fuzz != nil {
		of = "the tests of " + p.fuzz.ImportPath
	}
	args := p.buildArguments(binary, o)
	if name == workerFile { // the others are built in parallel with other work
		p.root.Progress("building " + of)
	} else {
		if p.current(binary, args) {
			return binary, nil
		}
		os.Remove(variantNote(binary))
	}
	p.copyFromSibling(binary)
	out, errs, err := gocommand.Run(ctx, p.root.Command(args...))
	if err != nil {
		var failed *exec.ExitError
		if !errors.As(err, &failed) {
			return "", err
		}
		return "", p.buildError(string(out) + string(errs))
	}
	p.shareWithSiblings(binary)
	if name != workerFile {
		p.noteVariant(binary, args)
	}
	return binary, nil
}

// buildArguments are the go command's. Where several -gcflags match a package, the last counts for
// it.
func (p *Plan) buildArguments(binary string, o golang.Options) []string {
	args := []string{"build"}
	if p.fuzz != nil {
		args = []string{"test", "-c", "-vet=off"} // vet would look for the library's copy on disk
	}
	args = append(args, "-o", binary, "-toolexec="+toolexec(p.root.Parallax))
	args = append(args, p.root.BuildFlags()...)
	if p.fuzz != nil {
		args = append(args, "-gcflags=testing="+golang.TestingFlag())
	}
	if p.req.Clock {
		args = append(args, "-gcflags=time="+golang.ClockFlag())
	}
	mark := golang.Flag(o)
	for _, q := range p.Packages {
		path := q.ImportPath
		if p.fuzz != nil && path == p.fuzz.External() {
			path = p.fuzz.ImportPath // whose flags the go command gives to its external tests
		}
		if p.fuzz != nil && path == p.fuzz.ImportPath && p.req.Calls && !o.CmpLog {
			with := o
			with.Calls, with.Except = cmp.Or(p.req.CallsInto, p.fuzz.Module), strings.Join(p.Libraries, "|")
			args = append(args, "-gcflags="+path+"="+golang.Flag(with))
			continue
		}
		args = append(args, "-gcflags="+path+"="+mark)
	}
	if p.fuzz != nil {
		return append(args, p.fuzz.ImportPath)
	}
	return append(args, p.main)
}

const posixShell = "/bin/sh"

// toolexec returns the value of -toolexec on machines with a shell. Compilations with a flag of
// parallax, which begins with -plx, start parallax. Everything else starts the tool itself: version
// queries, which the go command makes in every build, packages that are not instrumented, and
// links. A shell starts in a tenth of parallax's time. The linker omits DWARF, which nothing reads
// and which takes two fifths of its time. -ldflags would hide the user's in GOFLAGS.
func toolexec(parallax string) string {
	quoted := gocommand.Quote(parallax)
	if _, err := os.Stat(posixShell); err != nil || runtime.GOOS != "linux" {
		return quoted + " toolexec"
	}
	return posixShell + ` -c 'case $2 in -V=*) exec "$@";; esac; case $1 in */link) tool=$1; shift; exec "$tool" -w "$@";; esac; ` +
		`case " $*" in *" -plx"*) exec "$0" toolexec "$@";; esac; exec "$@"' ` + quoted
}

var packageHeader = lazyregexp.New(`(?m)^# (\S+)`)

// buildError names the program that does not build, with the compiler's lines.
func (p *Plan) buildError(output string) error {
	if e := gocommand.DiskError(output); e != nil {
		return e
	}
	if e := p.root.Env.NetworkError(output); e != nil {
		return e
	}
	text := gocommand.Relevant(output)
	if p.fuzz != nil {
		if _, unfit, ok := strings.Cut(output, "parallax: instrumenting testing: "); ok {
			unfit, _, _ = strings.Cut(unfit, "\n")
			return exit.Usage("%s", unfit)
		}
		return exit.Build("the tests of %s do not build:\n%s", p.fuzz.ImportPath, text)
	}
	var broken []string
	for _, m := range packageHeader().FindAllStringSubmatch(output, -1) {
		broken = append(broken, m[1])
	}
	if len(broken) == 0 { // an error before compiling: it names the importing file or the package
		for _, q := range p.graph.All {
			if strings.Contains(q.ImportPath, "/") && strings.Contains(output, q.ImportPath) {
				broken = append(broken, q.ImportPath)
			}
		}
	}
	var names []string
	for _, c := range p.calls {
		for _, path := range broken {
			if p.graph.Reaches(c.Package, path) && !slices.Contains(names, c.Name) {
				names = append(names, c.Name)
			}
		}
	}
	if c := p.helper(); c != nil && len(names) == 0 {
		what := "repair function"
		if p.gen != nil {
			what = "generator"
		}
		for _, path := range broken {
			if p.graph.Reaches(c.Package, path) {
				return exit.Build("the %s %s does not build:\n%s", what, c.Func.Written, text)
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

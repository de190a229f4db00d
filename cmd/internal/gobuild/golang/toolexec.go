package golang

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"syscall"
)

// Toolexec is the main function of the wrapper that `go build -toolexec` runs instead of every
// tool. args are the tool's path and its arguments, and the result is the exit code. It changes
// only compilations with Flag. It and the tool die with the process that started them.
func Toolexec(args []string) int {
	if len(args) == 0 {
		fmt.Fprintln(os.Stderr, "parallax: toolexec: no tool given; this command is for go build -toolexec")
		return 2
	}
	// Death signals belong to threads: of the one that asked for it, and of the one that started
	// the child.
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	if err := dieWithParent(); err != nil {
		fmt.Fprintf(os.Stderr, "parallax: toolexec: %v\n", err)
		return 1
	}
	base := strings.TrimSuffix(filepath.Base(args[0]), ".exe")
	if base != "compile" || !slices.ContainsFunc(args[1:], isOurs) {
		if err := passThrough(args); err != nil {
			fmt.Fprintf(os.Stderr, "parallax: toolexec: %s: %v\n", args[0], err)
		}
		return 1
	}
	c, err := parseCompile(args)
	code := 1
	switch {
	case err != nil:
	case c.hook:
		code, err = c.runTesting()
	case c.clock:
		code, err = c.runClock()
	default:
		code, err = c.run()
	}
	if err != nil {
		fmt.Fprintf(os.Stderr, "parallax: instrumenting %s: %v\n", c.pkg, err)
		return 1
	}
	return code
}

func isFlag(arg string) bool { return strings.HasPrefix(arg, "-plx=") }

func isOurs(arg string) bool {
	return isFlag(arg) || strings.HasPrefix(arg, testingFlag) || isClock(arg)
}

// A compilation is one run of the compiler with instrumentation.
type compilation struct {
	tool   string
	flags  []string // without ours
	files  []string // as given
	pkg    string
	output string
	hook   bool // package testing gets the hook
	clock  bool // package time gets the pinned clock
	dialect

	signals chan os.Signal // end the compilation after the removal of temporary files
}

func parseCompile(args []string) (compilation, error) {
	c := compilation{tool: args[0], pkg: "a package"}
	rest := args[1:]
	for len(rest) > 0 && strings.HasSuffix(rest[len(rest)-1], ".go") {
		rest = rest[:len(rest)-1]
	}
	c.files = args[1+len(rest):]
	var ours string
	for i, arg := range rest {
		next := ""
		if i+1 < len(rest) {
			next = rest[i+1]
		}
		switch arg {
		case "-p":
			c.pkg = next
		case "-o":
			c.output = next
		case "-race", "-race=true":
			c.race = true
		}
		if strings.HasPrefix(arg, testingFlag) {
			c.hook = true
		} else if isClock(arg) {
			c.clock = true
		} else if isFlag(arg) {
			ours = arg
		} else {
			c.flags = append(c.flags, arg)
		}
	}
	if c.pkg == "runtime" || strings.HasPrefix(c.pkg, "internal/runtime/") {
		return c, errors.New("the runtime cannot be instrumented; leave it out")
	}
	if c.hook || c.clock {
		return c, nil
	}
	var err error
	c.Options, err = parseFlag(ours)
	return c, err
}

// run compiles the rewritten files and returns the compiler's exit code.
func (c compilation) run() (code int, err error) {
	c.signals = make(chan os.Signal, 1)
	signal.Notify(c.signals, os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	defer signal.Stop(c.signals)

	sources, err := load(c.files)
	if err != nil {
		return 0, err
	}
	if c.CmpLog {
		return c.runCmpLog(sources)
	}
	u, err := newUnit(sources)
	var syntax *parseError
	if errors.As(err, &syntax) {
		// The compiler words a syntax error better, and under the name the user knows.
		code, err := c.compile(c.files)
		if err == nil && code == 0 {
			err = fmt.Errorf("the compiler accepts what go/parser does not: %w", syntax)
		}
		return code, err
	}
	if err != nil {
		return 0, err
	}
	records := c.Calls != "" && holdsTests(sources)
	if u.blocks == 0 && !records {
		return c.compile(c.files)
	}

	temp, remove, err := c.tempDir()
	if err != nil {
		return 0, err
	}
	defer remove(&err)
	if records {
		if done, code, err := c.runRecorded(u, sources, temp); done || err != nil {
			return code, err
		}
	}
	files, err := c.write(u, sources, temp)
	if err != nil {
		return 0, err
	}
	return c.compileRewritten(files)
}

// compileRewritten compiles the rewritten files. If they have errors, so most likely do the user's
// files. The compiler then runs on those, so that its messages have the right columns.
func (c compilation) compileRewritten(files []string) (code int, err error) {
	var out, errs bytes.Buffer
	code, err = c.compileTo(&out, &errs, files)
	if err == nil && code > 0 && code < 128 {
		var plainOut, plainErrs bytes.Buffer
		if plain, e := c.compileTo(&plainOut, &plainErrs, c.files); e == nil && plain != 0 {
			code, out, errs = plain, plainOut, plainErrs
		}
	}
	_, _ = io.Copy(os.Stdout, &out)
	_, _ = io.Copy(os.Stderr, &errs)
	return code, err
}

// tempDir makes the folder of the rewritten files next to the compiler's output, in cmd/go's own
// work folder for this package. cmd/go removes it even if this process is killed, and trims it from
// the names that the compiler records. A fixed name inside it makes the object file reproducible.
// remove removes the folder, and sets an error that it meets unless there is one.
func (c compilation) tempDir() (dir string, remove func(*error), err error) {
	parent := ""
	if c.output != "" {
		parent = filepath.Dir(c.output)
		dir = filepath.Join(parent, "plx")
		err = os.Mkdir(dir, 0o700)
	}
	if c.output == "" || errors.Is(err, os.ErrExist) {
		dir, err = os.MkdirTemp(parent, "plx")
	}
	return dir, func(failed *error) { *failed = cmp.Or(*failed, os.RemoveAll(dir)) }, err
}

// write writes the rewritten files and the support file into dir. It returns the compiler's file
// arguments in their original order.
func (c compilation) write(u *unit, sources []source, dir string) ([]string, error) {
	out := slices.Clone(c.files)
	for _, f := range u.files {
		i := slices.IndexFunc(sources, func(s source) bool { return s.path == f.path })
		if len(f.edits) == 0 {
			continue
		}
		out[i] = filepath.Join(dir, tempName(i, f.path))
		if err := os.WriteFile(out[i], u.rewrite(f, c.dialect), 0o600); err != nil {
			return nil, err
		}
	}
	if u.blocks == 0 {
		return out, nil
	}
	support := filepath.Join(dir, "plx_cov.go")
	if err := os.WriteFile(support, c.support(u.name, u.blocks), 0o600); err != nil {
		return nil, err
	}
	return append(out, support), nil
}

// compile runs the compiler on files and waits for it.
func (c compilation) compile(files []string) (code int, err error) {
	return c.compileTo(os.Stdout, os.Stderr, files)
}

func (c compilation) compileTo(stdout, stderr io.Writer, files []string) (code int, err error) {
	cmd := exec.Command(c.tool, append(slices.Clone(c.flags), files...)...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, stdout, stderr

	childDiesWithUs(cmd)
	if err := cmd.Start(); err != nil {
		return 0, err
	}
	ended := make(chan struct{})
	killed := make(chan os.Signal, 1)
	go func() {
		select {
		case s := <-c.signals:
			killed <- s
			_ = cmd.Process.Kill() // it may have ended meanwhile
		case <-ended:
		}
	}()
	err = cmd.Wait()
	close(ended)
	select {
	case s := <-killed:
		return 128 + int(s.(syscall.Signal)), nil
	default:
	}
	var exit *exec.ExitError
	switch {
	case err == nil:
		return 0, nil
	case errors.As(err, &exit) && exit.ExitCode() >= 0:
		return exit.ExitCode(), nil
	}
	return 0, fmt.Errorf("%s: %w", c.tool, err)
}

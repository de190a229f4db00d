package clang

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/charmbracelet/x/term"

	"parallax/cmd/internal/exit"
)

// Main is the main function of `parallax cc` and `parallax c++`, which compiler tells apart ("cc", "c++"): args are what clang would
// be given, the result is the exit code, which is clang's where clang ran.
func Main(compiler string, args []string) int {
	if len(args) > 0 && args[0] == makeFlag {
		return makeAll(compiler, args[1:])
	}
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	w := &wrapper{compiler: compiler}
	code, err := w.run(ctx, args, cancel)
	if s := w.signal.Load(); s != 0 {
		return 128 + int(s)
	}
	if err != nil {
		fmt.Fprintf(os.Stderr, "parallax %s: %v\n", compiler, err)
		return exit.Code(err)
	}
	return code
}

// A wrapper is one run of the compiler.
type wrapper struct {
	compiler string
	clang    string
	library  *runtimeLibrary
	variants []Variant // to be built beside the fast one
	later    bool      // not at once, but when they are needed
	args     []string  // the user's, without response files
	command  *command
	stdin    []byte   // if a source is read from there
	dir      string   // in which clang runs; "": this process's
	env      []string // of clang; nil: this process's
	temp     string
	aside    bool         // what runs is for a build that is made later: see aside.go
	low      bool         // ... beside something more important
	probe    bool         // a test of a build system: see probing
	signal   atomic.Int32 // that ended this run
}

func (w *wrapper) run(ctx context.Context, args []string, cancel func()) (int, error) {
	var err error
	if w.clang, err = find(); err != nil {
		return 0, err
	}
	w.args = expand(args)
	w.command = parse(w.args)
	c := w.command
	if asks(w.args) || !slices.ContainsFunc(c.args, func(a argument) bool { return a.kind == argInput || a.kind == argLibrary || a.kind == argLinker }) {
		return w.become(args)
	}
	if c.foreign != "" {
		w.tell("%s asks for programs of another kind of machine: they are built without parallax", c.foreign)
		return w.become(args)
	}
	if w.variants, w.later, err = chosen(os.Getenv("PARALLAX_BUILDS")); err != nil {
		return 0, err
	}
	w.probe = probing(c)
	if len(c.removed) > 0 {
		w.tell("%s is left out: it does not go with the builds that parallax makes", strings.Join(c.removed, ", "))
	}
	stop := w.watch(cancel)
	defer stop()
	if w.library, err = openLibrary(ctx, w.clang); err != nil {
		return 0, err
	}
	if (c.stage != "" && c.stage != "-c") || c.precompiles() {
		return w.become(append([]string{"-idirafter", w.library.include}, argLine(c.args)...))
	}
	if slices.ContainsFunc(c.sources(), func(a argument) bool { return a.value == "-" }) {
		if w.stdin, err = io.ReadAll(os.Stdin); err != nil {
			return 0, exit.Infra("reading a source from standard input: %w", err)
		}
	}
	if w.temp, err = os.MkdirTemp("", "parallax-cc-"); err != nil {
		return 0, exit.Infra("%w", err)
	}
	defer os.RemoveAll(w.temp)
	products := []string{w.product()}
	code := 0
	if c.stage == "-c" {
		products = nil
		for _, s := range c.sources() {
			products = append(products, w.objectName(s))
		}
		code, err = w.compile(ctx)
	} else {
		code, err = w.link(ctx)
	}
	if err != nil || w.signal.Load() != 0 {
		// What is there is not what was asked for, and make would take it for that.
		for _, name := range products {
			if info, err := os.Lstat(name); err == nil && info.Mode().IsRegular() {
				os.Remove(name)
			}
		}
	}
	return code, err
}

// chosen reads PARALLAX_BUILDS: the variants beside the fast one, which is always built, and whether they are built later.
func chosen(setting string) (out []Variant, later bool, err error) {
	words := strings.FieldsFunc(setting, func(r rune) bool { return r == ',' || r == ' ' })
	if len(words) == 0 {
		words = []string{"later"}
	}
	all := true // unless some are named
	for _, word := range words {
		switch v := Variant(word); {
		case word == "later" || word == "now":
			later = word == "later"
			continue
		case !slices.Contains(Variants, v):
			return nil, false, exit.Usage("PARALLAX_BUILDS says %q: it is later, now, or a list of fast, operands and sanitize", word)
		case v != Fast && !slices.Contains(out, v):
			out = append(out, v)
		}
		all = false
	}
	if all {
		out = slices.Clone(Variants[1:])
	}
	slices.SortFunc(out, func(a, b Variant) int { return slices.Index(Variants, a) - slices.Index(Variants, b) })
	return out, later, nil
}

// probing tells whether a build system only tries the compiler out: nobody will fuzz that, and there are hundreds of such runs.
// The names are those of autoconf, CMake and Meson.
func probing(c *command) bool {
	if dir, err := os.Getwd(); err == nil {
		for _, part := range []string{"/CMakeFiles/CMakeTmp", "/CMakeFiles/CMakeScratch/", "/meson-private"} {
			if strings.Contains(dir+"/", part) {
				return true
			}
		}
	}
	return slices.ContainsFunc(c.inputs(), func(a argument) bool {
		return strings.HasPrefix(filepath.Base(a.value), "conftest.") || strings.Contains(a.value, "/meson-private/") ||
			strings.Contains(a.value, "/CMakeFiles/CMakeScratch/")
	})
}

// driver puts before args what makes clang the compiler that it is called as.
func (w *wrapper) driver(args ...string) []string {
	if w.compiler == "c++" {
		return append([]string{"--driver-mode=g++"}, args...)
	}
	return args
}

// become replaces this process by clang.
func (w *wrapper) become(args []string) (int, error) {
	err := syscall.Exec(w.clang, append([]string{w.clang}, w.driver(args...)...), os.Environ())
	return 0, exit.Infra("%s: %w", w.clang, err)
}

// watch ends the run with the signals that end a build, so that what is temporary is removed.
func (w *wrapper) watch(cancel func()) (stop func()) {
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	go func() {
		if s, ok := <-signals; ok {
			w.signal.Store(int32(s.(syscall.Signal)))
			cancel()
		}
	}()
	return func() { signal.Stop(signals); close(signals) }
}

// child is a process that ends when ctx does.
func child(ctx context.Context, path string, args []string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, path, args...)
	cmd.Cancel = func() error { return cmd.Process.Signal(syscall.SIGTERM) }
	cmd.WaitDelay = 2 * time.Second
	return cmd
}

// exec runs clang with the user's input, and says what it said to stdout and stderr.
func (w *wrapper) exec(ctx context.Context, args []string, stdout, stderr io.Writer) (int, error) {
	if stderr != io.Writer(os.Stderr) && term.IsTerminal(os.Stderr.Fd()) {
		args = append([]string{"-fcolor-diagnostics"}, args...)
	}
	args, err := inFile(w.temp, w.driver(args...))
	if err != nil {
		return 0, exit.Infra("%w", err)
	}
	cmd := child(ctx, w.clang, args)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, stdout, stderr
	if w.stdin != nil {
		cmd.Stdin = bytes.NewReader(w.stdin)
	}
	err = cmd.Run()
	var failed *exec.ExitError
	switch {
	case err == nil:
		return 0, nil
	case errors.As(err, &failed) && failed.ExitCode() >= 0:
		return failed.ExitCode(), nil
	case errors.As(err, &failed):
		return 128 + int(failed.Sys().(syscall.WaitStatus).Signal()), nil
	}
	return 0, exit.Infra("%s: %w", w.clang, err)
}

// quietly runs clang without showing anything, and returns why it failed, "" if it did not.
func (w *wrapper) quietly(ctx context.Context, args []string) (why string, err error) {
	return w.into(ctx, args, nil)
}

// again is a wrapper for other runs of clang with the same runtime, in the same folder for temporary files.
func (w *wrapper) again() *wrapper {
	return &wrapper{compiler: w.compiler, clang: w.clang, library: w.library, temp: w.temp, dir: w.dir, env: w.env, aside: w.aside, low: w.low}
}

// into is quietly with a place for the output.
func (w *wrapper) into(ctx context.Context, args []string, out io.Writer) (why string, err error) {
	var said bytes.Buffer
	cmdArgs, err := inFile(w.temp, w.driver(append([]string{"-fno-color-diagnostics"}, args...)...))
	if err != nil {
		return "", exit.Infra("%w", err)
	}
	cmd := child(ctx, w.clang, cmdArgs)
	if w.stdin != nil {
		cmd.Stdin = bytes.NewReader(w.stdin)
	}
	cmd.Stdout, cmd.Stderr, cmd.Dir, cmd.Env = out, &said, w.dir, w.env
	if w.aside {
		err = runAside(ctx, cmd, w.low)
	} else {
		err = cmd.Run()
	}
	var failed *exec.ExitError
	if err == nil || !errors.As(err, &failed) {
		return "", err
	}
	if w.aside {
		if err := passing(ctx, said.String(), failed); err != nil {
			return "", err
		}
	}
	why = reason(said.String(), failed)
	if crashed(said.String(), failed) {
		why = "the compiler crashed: " + why
	}
	return why, nil
}

// reason is the line of a compiler's or linker's messages that says why it failed.
func reason(said string, failed error) string {
	first := ""
	for text := range strings.Lines(said) {
		text = strings.TrimSpace(text)
		for _, sign := range []string{"error:", "undefined reference", "undefined symbol", "multiple definition", "cannot find", "fatal:"} {
			if strings.Contains(text, sign) && !strings.Contains(text, "linker command failed") {
				return shortened(text)
			}
		}
		if first == "" && text != "" {
			first = text
		}
	}
	if first == "" {
		return failed.Error()
	}
	return shortened(first)
}

func shortened(text string) string {
	const most = 300
	if len(text) > most {
		text = text[:most] + "..."
	}
	return text
}

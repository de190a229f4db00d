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

	"parallax/cmd/internal/base/exit"
)

// Main is the main function of `parallax cc` and `parallax c++`, distinguished by compiler ("cc",
// "c++"). args are those of clang. The result is the exit code, which is clang's if clang ran.
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
	compiler   string
	clang      string
	library    *runtimeLibrary
	variants   []Variant // to be built besides the fast one
	later      bool      // not at once, but when they are needed
	args       []string  // the user's, without response files
	command    *command
	stdin      []byte   // if a source is read from there
	dir        string   // working directory of clang; empty means this process's
	env        []string // environment of clang; nil means this process's
	temp       string
	background bool         // the run is for a deferred build: see runInBackground
	low        bool         // the deferred build runs during a campaign
	probe      bool         // a test of a build system: see probing
	signal     atomic.Int32 // that ended this run
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
		w.report("%s asks for programs of another kind of machine: they are built without parallax", c.foreign)
		return w.become(args)
	}
	if w.variants, w.later, err = chosen(os.Getenv("PARALLAX_BUILDS")); err != nil {
		return 0, err
	}
	w.probe = probing(c)
	if len(c.removed) > 0 {
		w.report("%s is left out: it does not go with the builds that parallax makes", strings.Join(c.removed, ", "))
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
		// The file is not the requested one, but make would accept it.
		for _, name := range products {
			if info, err := os.Lstat(name); err == nil && info.Mode().IsRegular() {
				os.Remove(name)
			}
		}
	}
	return code, err
}

// chosen parses PARALLAX_BUILDS: the variants besides the fast one, which is always built, and
// whether they are built later.
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

// probing reports whether a build system only tests the compiler. Such programs are not fuzzed, and
// there are hundreds of these runs. The names are those of autoconf, CMake and Meson.
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

// driver prepends the option that makes clang the compiler whose name was used.
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

// watch ends the run on the signals that end a build, so that temporary files are removed.
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

// child returns a command that ends when ctx does.
func child(ctx context.Context, path string, args []string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, path, args...)
	cmd.Cancel = func() error { return cmd.Process.Signal(syscall.SIGTERM) }
	cmd.WaitDelay = 2 * time.Second
	return cmd
}

// exec runs clang with the user's input, and writes its output to stdout and stderr.
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

// clone returns a wrapper for other runs of clang with the same runtime and the same folder for
// temporary files.
func (w *wrapper) clone() *wrapper {
	return &wrapper{compiler: w.compiler, clang: w.clang, library: w.library, temp: w.temp, dir: w.dir, env: w.env, background: w.background, low: w.low}
}

// into runs clang quietly with a destination for its output.
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
	if w.background {
		err = runInBackground(ctx, cmd, w.low)
	} else {
		err = cmd.Run()
	}
	var failed *exec.ExitError
	if err == nil || !errors.As(err, &failed) {
		return "", err
	}
	if w.background {
		if err := transient(ctx, said.String(), failed); err != nil {
			return "", err
		}
	}
	why = reason(said.String(), failed)
	if crashed(said.String(), failed) {
		why = "the compiler crashed: " + why
	}
	return why, nil
}

// reason returns the line of a compiler's or linker's messages with the cause of the failure.
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

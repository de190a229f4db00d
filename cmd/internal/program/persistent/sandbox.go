package persistent

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"

	"parallax/cmd/internal/base/exit"
	"parallax/cmd/internal/base/shell"
	"parallax/cmd/internal/process/confine"
	"parallax/cmd/internal/program"
)

// sandbox starts processes, one at a time, and running is one of them. Package confine implements
// both, and so do tests.
type sandbox interface {
	Start(confine.Command) (running, error)
	Close() error
}

type running interface {
	Wait() confine.Status
	Kill()
}

// sandboxed adapts a sandbox of package confine.
type sandboxed struct{ *confine.Sandbox }

func (b sandboxed) Start(c confine.Command) (running, error) {
	c.Env = b.Sandbox.Environ(c.Env)
	p, err := b.Sandbox.Start(c)
	if err != nil {
		return nil, err // a nil *Process is not a nil running
	}
	return p, nil
}

func openSandbox(ctx context.Context, c Config) (sandbox, error) {
	o := c.Sandbox
	o.Limits = c.Limits
	b, err := confine.Open(ctx, o)
	if err != nil {
		return nil, err
	}
	return sandboxed{b}, nil
}

// packages maps interpreters to Debian packages.
var packages = map[string]string{
	"python3": "python3", "python": "python3", "node": "nodejs", "nodejs": "nodejs", "java": "default-jdk-headless",
	"perl": "perl", "ruby": "ruby", "php": "php-cli", "lua": "lua5.4", "Rscript": "r-base-core", "mono": "mono-runtime",
}

// executable finds the driver's executable in the driver's PATH. A name with a slash is a path
// relative to the driver's working folder.
func executable(c Config) (string, error) {
	if len(c.Args) == 0 || c.Args[0] == "" {
		return "", &program.Failure{Program: c.Name, Code: exit.UsageCode, What: "its driver has no command line"}
	}
	name := c.Args[0]
	if strings.Contains(name, "/") {
		if !filepath.IsAbs(name) && c.Dir != "" {
			name = filepath.Join(c.Dir, name)
		}
		return name, nil
	}
	path, given := os.Getenv("PATH"), false
	for _, v := range c.Env {
		if p, found := strings.CutPrefix(v, "PATH="); found {
			path, given = p, true
		}
	}
	for _, dir := range filepath.SplitList(path) {
		if dir == "" {
			continue // searching the working folder is never intended
		}
		full := filepath.Join(dir, name)
		if info, err := os.Stat(full); err == nil && info.Mode().IsRegular() && info.Mode()&0o111 != 0 {
			return full, nil
		}
	}
	f := &program.Failure{Program: c.Name, Code: exit.UsageCode, What: fmt.Sprintf("there is no %s on the PATH to run its driver with", name)}
	f.Hint = "Install it, or write its path into the command."
	if p := packages[name]; p != "" {
		f.Hint = "Install it, for example with: sudo apt-get install " + p
	}
	if given && os.Getenv("PATH") != path {
		f.Hint += "\nThe PATH is that of the program's environment: " + path
	}
	return "", f
}

// noStart explains an error of starting the driver.
func (e *Executor) noStart(err error) error {
	if e.c.Dir != "" {
		if info, statErr := os.Stat(e.c.Dir); statErr != nil || !info.IsDir() {
			return e.failure(fmt.Sprintf("the folder %s, which its driver is to run in, is not there or is no folder", e.c.Dir), "")
		}
	}
	var f *program.Failure
	switch {
	case errors.As(err, &f):
		return err
	case errors.Is(err, fs.ErrNotExist):
		if path, _ := executable(e.c); isFile(path) {
			// The interpreter of a script, or the loader of a dynamically linked executable.
			return e.failure(fmt.Sprintf("its driver %s does not start: the interpreter in its first line, or its dynamic loader, is not there", path), "")
		}
		return e.failure(fmt.Sprintf("its driver %s is not there", e.c.Args[0]), "A relative path begins in the folder that the driver runs in.")
	case errors.Is(err, fs.ErrPermission):
		return e.failure(fmt.Sprintf("its driver %s may not be executed", e.c.Args[0]), "Make it executable with chmod +x, or name its interpreter first: python3 driver.py")
	case errors.Is(err, syscall.ENOEXEC):
		return e.failure(fmt.Sprintf("its driver %s is no program of this machine", e.c.Args[0]),
			"A script needs a first line like #!/usr/bin/env python3, or its interpreter in the command: python3 driver.py")
	}
	return e.asError(fmt.Errorf("starting the driver %s: %w", e.c.Args[0], err))
}

func isFile(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular()
}

// shellLine returns a command line as a user would type it.
func shellLine(args []string) string {
	words := make([]string, len(args))
	for i, a := range args {
		words[i] = a
		if a == "" || strings.ContainsAny(a, " \t\n\"'`$\\|&;<>()*?[]#~{}!") {
			words[i] = shell.Quote(a)
		}
	}
	return strings.Join(words, " ")
}

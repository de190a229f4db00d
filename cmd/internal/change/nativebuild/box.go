package nativebuild

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"parallax/cmd/internal/base/exit"
	"parallax/cmd/internal/base/shell"
	"parallax/cmd/internal/process/confine"
	"parallax/cmd/internal/process/quota"
)

// box runs the command in its sandbox.
type box struct {
	*builder
	// build folder in the cache; files of the version; working folder of the command
	dir, tree, home string
}

// compilers lists the names by which builds call a compiler, in addition to CC and CXX. A Makefile
// with CC = gcc ignores the environment.
var compilers = []struct {
	kind  string
	names []string
}{{"cc", []string{"cc", "gcc", "clang", "parallax-cc"}}, {"c++", []string{"c++", "g++", "clang++", "parallax-c++"}}}

// install makes the folder that comes first on PATH.
func (x *box) install() error {
	bin := filepath.Join(x.dir, binDir)
	tool, err := filepath.Abs(x.Tool)
	if err == nil {
		err = os.MkdirAll(bin, 0o755)
	}
	if err != nil {
		return exit.Infra("%w", err)
	}
	write := func(name, arguments string) error {
		return os.WriteFile(filepath.Join(bin, name), []byte("#!/bin/sh\nexec "+shell.Word(tool)+arguments+" \"$@\"\n"), 0o755)
	}
	err = write("parallax", "")
	for _, c := range compilers {
		for _, name := range c.names {
			err = errors.Join(err, write(name, " "+c.kind))
		}
	}
	for _, part := range []string{homeDir, tempDir} {
		err = errors.Join(err, os.MkdirAll(filepath.Join(x.dir, part), 0o755))
	}
	return exit.Doing("writing the compilers of a build", err)
}

// epoch fixes the build time for builds that respect it, so __DATE__ does not differ between
// versions.
const epoch = "SOURCE_DATE_EPOCH=946684800"

// environ returns the environment of the command. The box's own variables override others.
func (x *box) environ() []string {
	path := "/usr/local/bin:/usr/bin:/bin"
	own := []string{"CC=parallax cc", "CXX=parallax c++", "HOME=" + filepath.Join(x.dir, homeDir), "TMPDIR=" + filepath.Join(x.dir, tempDir),
		"GIT_CEILING_DIRECTORIES=" + x.dir} // repositories above the cache are not the version's
	own = append(own, x.compiler.Environ(x.tree)...)
	names := map[string]bool{"PATH": true}
	for _, v := range own {
		name, _, _ := strings.Cut(v, "=")
		names[name] = true
	}
	env := []string{epoch}
	for _, v := range x.Env {
		name, value, _ := strings.Cut(v, "=")
		switch {
		case name == "PATH" && value != "":
			path = value
		case name == "SOURCE_DATE_EPOCH":
			env[0] = v
		case !names[name]:
			env = append(env, v)
		}
	}
	return append(append(env, own...), "PATH="+filepath.Join(x.dir, binDir)+":"+path)
}

// executable finds the program of the command, below its working folder or on PATH.
func (x *box) executable(env []string) (string, error) {
	name := x.Command[0]
	if strings.Contains(name, "/") {
		path := name
		if !filepath.IsAbs(path) {
			path = filepath.Join(x.home, name)
		}
		switch info, err := os.Stat(path); {
		case err != nil:
			return "", exit.Build("it has no %s, which build in [regress] names", name)
		case info.IsDir() || info.Mode()&0o111 == 0:
			return "", exit.Build("%s, which build in [regress] names, cannot be executed: name the program that runs it too, as in build = [\"sh\", %q]", name, name)
		}
		return path, nil
	}
	at := slices.IndexFunc(env, func(v string) bool { return strings.HasPrefix(v, "PATH=") })
	for _, dir := range filepath.SplitList(env[at][len("PATH="):]) {
		path := filepath.Join(dir, name)
		if info, err := os.Stat(path); filepath.IsAbs(dir) && err == nil && info.Mode().IsRegular() && info.Mode()&0o111 != 0 {
			return path, nil
		}
	}
	return "", exit.Usage("there is no command %s on PATH, which build in [regress] names: install it, or write a path that begins with ./", name)
}

// run runs the command to its end.
func (x *box) run(ctx context.Context) error {
	if err := x.install(); err != nil {
		return err
	}
	env := x.environ()
	path, err := x.executable(env)
	if err != nil {
		return err
	}
	log, err := os.OpenFile(filepath.Join(x.dir, logFile), os.O_CREATE|os.O_TRUNC|os.O_RDWR|os.O_APPEND, 0o644)
	if err != nil {
		return exit.Infra("the output of a build: %w", err)
	}
	defer log.Close()
	// Users run such commands outside of a sandbox too, so only writes and network access are
	// limited.
	s, err := confine.Open(ctx, confine.Options{
		Tool: x.Tool, Hold: quota.None, Writable: []string{x.tree, filepath.Join(x.dir, homeDir), filepath.Join(x.dir, tempDir)},
	})
	if err != nil {
		return exit.Infra("%w", err)
	}
	defer s.Close()
	for _, note := range s.Notes() {
		x.notes = append(x.notes, "building: "+note)
	}
	p, err := s.Start(confine.Command{Path: path, Args: x.Command, Env: env, Dir: x.home, Stdout: log, Stderr: log})
	if err != nil {
		if errors.Is(err, confine.ErrGone) {
			return exit.Infra("%w", err)
		}
		return exit.Usage("%s, which build in [regress] names, cannot be started: %w", x.Command[0], err)
	}
	stop := context.AfterFunc(ctx, p.Kill)
	defer stop()
	status := p.Wait()
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case status.Err != nil:
		return exit.Infra("building: %w", status.Err)
	case status.Signal != 0:
		return x.failed(log, fmt.Sprintf("was ended by a signal (%v)", status.Signal))
	case status.Exit != 0:
		return x.failed(log, fmt.Sprintf("ended with exit status %d", status.Exit))
	}
	return nil
}

const (
	lastLines = 20   // of a failed build that are shown
	lastBytes = 8192 // limit of their size
)

// failed returns the error of a failed build, with the end of its output.
func (x *box) failed(log *os.File, how string) error {
	said := ending(log)
	text := fmt.Sprintf("%s %s", x.line(), how)
	if said == "" {
		return exit.Build("%s and said nothing", text)
	}
	hint := ""
	for _, h := range hints {
		if strings.Contains(said, h.sign) {
			hint = "\n" + h.text
			break
		}
	}
	return exit.Build("%s:\n  %s%s", text, strings.ReplaceAll(said, "\n", "\n  "), hint)
}

// hints explain failures that the box causes.
var hints = []struct{ sign, text string }{
	{"Read-only file system", "A build writes its own tree, and temporary files in $TMPDIR: what lies elsewhere cannot be changed."},
	{"Temporary failure in name resolution", "A build has no network: have what it needs installed, or committed."},
	{"Could not resolve host", "A build has no network: have what it needs installed, or committed."},
	{"Network is unreachable", "A build has no network: have what it needs installed, or committed."},
	{"not a git repository", "The tree that is built in is a copy of the version's files and no repository: the build cannot ask git."},
}

// ending returns the last lines of a build's output.
func ending(log *os.File) string {
	info, err := log.Stat()
	if err != nil {
		return ""
	}
	from := max(info.Size()-lastBytes, 0)
	data, err := io.ReadAll(io.NewSectionReader(log, from, info.Size()-from))
	if err != nil {
		return ""
	}
	if from > 0 {
		if at := slices.Index(data, '\n'); at >= 0 {
			data = data[at+1:] // the first line is incomplete
		}
	}
	lines := strings.Split(strings.TrimRight(strings.ToValidUTF8(string(data), "?"), "\n\r\t "), "\n")
	return strings.Join(lines[max(len(lines)-lastLines, 0):], "\n")
}

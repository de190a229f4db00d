package clang

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"parallax/cmd/internal/base/shell"
	"parallax/cmd/internal/gobuild/gocommand/moduletest"
)

func TestMain(m *testing.M) { os.Exit(moduletest.WithScratch(m, "clang")) }

// faultyClang is a clang that first sources the shell script $FAULT, if there is one. Tests share
// it, since the runtime is built per clang, and it has the same path and time in each run.
var faultyClang = sync.OnceValues(func() (string, error) {
	real, err := find()
	if err != nil {
		return "", err
	}
	if real, err = filepath.Abs(real); err != nil {
		return "", err
	}
	info, err := os.Stat(real)
	if err != nil {
		return "", err
	}
	path := filepath.Join(moduletest.Scratch(), "clang")
	if err := os.WriteFile(path, []byte("#!/bin/sh\ntest -z \"$FAULT\" || . \"$FAULT\"\nexec "+shell.Word(real)+" \"$@\"\n"), 0o755); err != nil {
		return "", err
	}
	if err := os.Chtimes(path, info.ModTime(), info.ModTime()); err != nil {
		return "", err
	}
	// without other names, such as that of a link to it
	_, err = openLibrary(context.Background(), path)
	return path, err
})

// faulty makes clang run a line of shell if a pattern is among its arguments.
func (b *box) faulty(pattern, line string) {
	b.t.Helper()
	clang, err := faultyClang()
	if err != nil {
		b.t.Fatal(err)
	}
	b.write(map[string]string{"fault": "case \" $* \" in " + pattern + ") " + line + ";; esac\n"})
	b.env = append(b.env, "PARALLAX_CLANG="+clang, "FAULT="+b.path("fault"))
}

// smallObjects are objects of small with all variants, for builds in which their origin does not
// matter.
var smallObjects = sync.OnceValues(func() (map[string]string, error) {
	dir := filepath.Join(moduletest.Scratch(), "small")
	if err := os.Mkdir(dir, 0o755); err != nil {
		return nil, err
	}
	for name, text := range small {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			return nil, err
		}
	}
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	cmd := exec.Command(self, "-c", "b.c", "h.c")
	cmd.Args[0], cmd.Dir, cmd.Env = "parallax-cc", dir, append(os.Environ(), "PARALLAX_BUILDS=now", "MAKEFLAGS=")
	if out, err := cmd.CombinedOutput(); err != nil || len(out) > 0 {
		return nil, fmt.Errorf("compiling: %v\n%s", err, out)
	}
	objects := map[string]string{}
	for _, name := range []string{"b.o", "h.o"} {
		data, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			return nil, err
		}
		objects[name] = string(data)
	}
	return objects, nil
})

// writeSmall writes the small library, and objects of two of its files.
func (b *box) writeSmall() {
	b.t.Helper()
	objects, err := smallObjects()
	if err != nil {
		b.t.Fatal(err)
	}
	b.write(small)
	b.write(objects)
}

var tablePrograms = struct {
	sync.Mutex
	made map[string]func() (string, error)
}{made: map[string]func() (string, error){}}

// tableProgram compiles sources of testdata/table into a program, once for the same flags.
func tableProgram(t *testing.T, flags []string, sources ...string) string {
	t.Helper()
	clang, err := find()
	if err != nil {
		t.Fatal(err)
	}
	tablePrograms.Lock()
	key := strings.Join(flags, " ") + " " + strings.Join(sources, " ")
	if tablePrograms.made[key] == nil {
		dir := filepath.Join(moduletest.Scratch(), fmt.Sprintf("table-%d", len(tablePrograms.made)))
		tablePrograms.made[key] = sync.OnceValues(func() (string, error) { return makeTableProgram(clang, dir, flags, sources) })
	}
	program := tablePrograms.made[key]
	tablePrograms.Unlock()
	path, err := program()
	if err != nil {
		t.Fatal(err)
	}
	return path
}

func makeTableProgram(clang, dir string, flags, sources []string) (string, error) {
	run := func(args ...string) error {
		if out, err := exec.Command(clang, args...).CombinedOutput(); err != nil {
			return fmt.Errorf("clang %s: %w\n%s", strings.Join(args, " "), err, out)
		}
		return nil
	}
	if err := os.Mkdir(dir, 0o755); err != nil {
		return "", err
	}
	var compile, link, objects []string
	relocated := false
	for _, f := range flags {
		if strings.HasPrefix(f, "-Wl,") || f == "-pie" || f == "-no-pie" || f == "-static" || f == "-s" {
			link, relocated = append(link, f), relocated || f == "-pie"
		} else {
			compile = append(compile, f)
		}
	}
	if !relocated {
		compile = append(compile, "-fno-pie")
	}
	for _, s := range append(sources[:len(sources):len(sources)], "trace.c") {
		path, err := filepath.Abs(filepath.Join("testdata", "table", s))
		if err != nil {
			return "", err
		}
		flags := compile
		if s == "trace.c" {
			flags = []string{"-O1"}
		}
		object := filepath.Join(dir, s+".o")
		if err := run(append(flags[:len(flags):len(flags)], "-c", path, "-o", object)...); err != nil {
			return "", err
		}
		objects = append(objects, object)
	}
	program := filepath.Join(dir, "program")
	return program, run(append(append(append([]string{"--driver-mode=g++"}, link...), objects...), "-o", program)...)
}

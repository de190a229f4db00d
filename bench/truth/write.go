package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// source is the folder with the calls, relative to bench.
const source = "truth/testdata"

// Versions of a pair, which are names of programs and of folders.
const (
	oldSide   = "old"
	fixedSide = "fixed"
)

func (m *measurement) dir(p pair) string { return filepath.Join(m.work, p.name) }

// write writes two modules for each pair, one for each version, the configuration of parallax, and
// truth.toml for parallax bench.
func (m *measurement) write() error {
	var bench strings.Builder
	fmt.Fprintf(&bench, "version = 1\ntrials = %d\nseed = 1\ninputs = %d\ncompare_at_inputs = %[2]d\n\n[[configuration]]\nname = \"default\"\n", m.trials, m.inputs)
	for _, p := range m.chosen() {
		if err := m.writePair(p); err != nil {
			return fmt.Errorf("%s: %w", p.name, err)
		}
		fmt.Fprintf(&bench, "\n[[subject]]\nname = %q\ndir = %[1]q\ntargets = [\"parallax.toml\"]\n\n[[subject.cause]]\nname = %q\n", p.name, p.advisory)
		bench.WriteString(p.known.cause())
	}
	return os.WriteFile(filepath.Join(m.work, "truth.toml"), []byte(bench.String()), 0o666)
}

// cause is the predicate in the form of parallax bench.
func (k known) cause() string {
	var b strings.Builder
	var outcomes []string
	if k.old != "" {
		outcomes = append(outcomes, fmt.Sprintf("%s = %q", oldSide, k.old))
	}
	if k.fixed != "" {
		outcomes = append(outcomes, fmt.Sprintf("%s = %q", fixedSide, k.fixed))
	}
	if outcomes != nil {
		fmt.Fprintf(&b, "outcomes = { %s }\n", strings.Join(outcomes, ", "))
	}
	if k.value {
		fmt.Fprintln(&b, `layer = "value"`)
	}
	if k.input != "" {
		fmt.Fprintf(&b, "input = '''%s'''\n", k.input)
	}
	return b.String()
}

func (m *measurement) writePair(p pair) error {
	call, err := os.ReadFile(filepath.Join(source, p.name, "call.go"))
	if err != nil {
		return err
	}
	config := "version = 1\n\n[input]\nseeds = \"seeds\"\n"
	for _, side := range []string{oldSide, fixedSide} {
		dir := filepath.Join(m.dir(p), side)
		files := map[string]string{"call/call.go": string(call), "side/main.go": sideProgram, "side/frame.go": frames}
		if side == fixedSide {
			files["fuzz/fuzz_test.go"], files["fuzz/frame_test.go"] = fuzzTest, strings.Replace(frames, "package main", "package fuzz", 1)
		}
		files["go.mod"] = fmt.Sprintf("module truth\n\ngo %s\n", p.language())
		if p.module != "" {
			files["go.mod"] += fmt.Sprintf("\nrequire %s %s\n", p.module, p.version(side))
		}
		for name, text := range files {
			if err := writeFile(filepath.Join(dir, name), text); err != nil {
				return err
			}
		}
		if p.module != "" {
			if _, err := m.goCommand(context.Background(), p, side, "list", "-deps", "./..."); err != nil { // completes go.mod and go.sum
				return err
			}
		}
		config += fmt.Sprintf("\n[[program]]\nname = %q\nkind = \"go\"\ndir = %[1]q\nfunction = \"./call.Call\"\n", side)
		if p.module == "" {
			config += fmt.Sprintf("go = %q\n", p.version(side))
		}
	}
	if err := writeFile(filepath.Join(m.dir(p), "parallax.toml"), config); err != nil {
		return err
	}
	seeds := filepath.Join(m.dir(p), "seeds")
	if err := os.RemoveAll(seeds); err != nil {
		return err
	}
	return os.CopyFS(seeds, os.DirFS(filepath.Join(source, p.name, "seeds")))
}

func (p pair) version(side string) string {
	if side == oldSide {
		return p.old
	}
	return p.fixed
}

// language is the version of Go in go.mod: one that both releases of the standard library know.
func (p pair) language() string {
	if p.module == "" {
		return "1.21"
	}
	return "1.25.0"
}

// goCommand runs the go command for a version of a pair, in its module.
func (m *measurement) goCommand(ctx context.Context, p pair, side string, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, "go", args...)
	cmd.Dir = filepath.Join(m.dir(p), side)
	cmd.Env = append(os.Environ(), "GOWORK=off", "GOFLAGS=-mod=mod")
	if p.module == "" {
		cmd.Env = append(cmd.Env, "GOTOOLCHAIN=go"+p.version(side))
	}
	out, err := cmd.CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("%s, %s: go %s: %w\n%s", p.name, side, strings.Join(args, " "), err, out)
	}
	return string(out), nil
}

// writeFile writes a file unless it has the text already, so that nothing is built again.
func writeFile(name, text string) error {
	if old, err := os.ReadFile(name); err == nil && string(old) == text {
		return nil
	}
	if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
		return err
	}
	return os.WriteFile(name, []byte(text), 0o666)
}

// build builds the program that calls one version.
func (m *measurement) build(ctx context.Context, p pair, side string) (binary string, err error) {
	binary = filepath.Join(m.dir(p), side+".side")
	_, err = m.goCommand(ctx, p, side, "build", "-o", binary, "./side")
	return binary, err
}

package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"parallax/bench/internal/process"
)

// replay runs the seeds on all programs, and the inputs of a folder if there is one. It uses
// parallax bench, with a budget that ends when they have run.
func (o *options) replay(ctx context.Context, t *trial, name, folder, inputs string) error {
	folders := o.seeds()
	if inputs != "" {
		folders = append(folders, inputs)
	}
	each, err := distinct(folders)
	if err != nil {
		return err
	}
	var seeds []string
	for _, folder := range folders {
		seeds = append(seeds, "--seeds", folder)
	}
	text := fmt.Sprintf("version = 1\ntrials = 1\ninputs = %d\nkeep_inputs = %q\n\n[[configuration]]\nname = %q\nflags = %s\n\n[[subject]]\nname = \"x509\"\ndir = %q\ntargets = [%q]\nflags = %s\n",
		len(each), o.kept(), name, list("--guidance", "random", "--schedule", "uniform", "--no-cmplog", "--no-triage"), o.examples, o.plan.target, list(seeds...))
	config := filepath.Join(folder, name+".toml")
	if err := os.WriteFile(config, []byte(text), 0o644); err != nil {
		return err
	}
	log, err := os.Create(filepath.Join(folder, name+".txt"))
	if err != nil {
		return err
	}
	file := filepath.Join(folder, name+".jsonl")
	used, err := process.Run(ctx, process.Command{Path: o.Tool, Args: []string{"bench", config, "--samples-file", file}, Dir: folder, Stderr: log})
	said, readErr := os.ReadFile(log.Name())
	if err := errors.Join(err, readErr, log.Close()); err != nil {
		return err
	}
	all, err := readBench(file)
	if err != nil {
		return err
	}
	if used.Exit != 0 || len(all) != 1 {
		return fmt.Errorf("parallax bench ended with exit code %d: %s", used.Exit, said)
	}
	all[0].Trial = t.Trial
	t.Replays = append(t.Replays, all[0])
	return nil
}

// distinct are the inputs in folders, each once, without those that are too long: parallax leaves
// them out.
func distinct(folders []string) (inputs [][]byte, err error) {
	seen := map[string]bool{}
	for _, folder := range folders {
		files, err := os.ReadDir(folder)
		if err != nil {
			return nil, err
		}
		for _, f := range files {
			data, err := os.ReadFile(filepath.Join(folder, f.Name()))
			if err != nil {
				return nil, err
			}
			if len(data) <= maxBytes && !seen[string(data)] {
				seen[string(data)] = true
				inputs = append(inputs, data)
			}
		}
	}
	return inputs, nil
}

// repair repairs what libFuzzer kept as parallax repairs mutants.
func (o *options) repair(ctx context.Context, from, to string) error {
	said, err := os.Create(filepath.Join(filepath.Dir(to), "repair.txt"))
	if err != nil {
		return err
	}
	used, err := process.Run(ctx, process.Command{
		Path: "/bin/sh", Args: []string{"-c", `exec go run ./x509/repair/apply -from "$0" -to "$1"`, from, to}, Dir: o.examples, Stderr: said,
	})
	text, readErr := os.ReadFile(said.Name())
	if err := errors.Join(err, readErr, said.Close()); err != nil {
		return err
	}
	if used.Exit != 0 {
		return fmt.Errorf("repairing what libFuzzer kept: %s", text)
	}
	return nil
}

// list is an array of TOML.
func list(words ...string) string {
	text := ""
	for i, w := range words {
		if i > 0 {
			text += ", "
		}
		text += fmt.Sprintf("%q", w)
	}
	return "[" + text + "]"
}

// Command record extracts the models of an engine, writes them as gzipped JSON lines, and prints a
// table. It serves measurements (bench/model), and makes the recordings for tests:
//
//	go run ./internal/experiment/record -functions toupper,strcmp -o internal/model/extract/testdata/angr-9.2.213.jsonl.gz
package main

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"parallax/cmd/internal/base/buildcache"
	"parallax/cmd/internal/model/extract"
	"parallax/internal/atomicfile"
)

var (
	name      = flag.String("engine", "angr==9.2.213", "the engine and its version")
	folder    = flag.String("cache", "", "parallax's cache; by default the user's")
	functions = flag.String("functions", "", "what to extract, with commas between; by default all that the engine lists")
	libraries = flag.String("libraries", "", "the engine's libraries that count, with commas between; by default all")
	buffer    = flag.Int("buffer", extract.DefaultBuffer, "elements of each buffer")
	workers   = flag.Int("workers", 1, "processes")
	timeout   = flag.Duration("timeout", time.Minute, "for one function")
	anew      = flag.Bool("anew", false, "ask for what was answered before, to measure it")
	output    = flag.String("o", "", "the file to write; by default none")
)

func main() {
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := record(ctx); err != nil {
		fmt.Fprintln(os.Stderr, "record:", err)
		os.Exit(1)
	}
}

func record(ctx context.Context) error {
	engine, version, ok := strings.Cut(*name, "==")
	if !ok {
		return fmt.Errorf("-engine is NAME==VERSION, and %q is not", *name)
	}
	if *folder == "" {
		dir, err := os.UserCacheDir()
		if err != nil {
			return err
		}
		*folder = filepath.Join(dir, "parallax")
	}
	declared := extract.Declared(engine)
	env, err := extract.Environment(ctx, *folder, engine, version, func(text string) { fmt.Fprintln(os.Stderr, text) })
	if err != nil {
		return err
	}
	o := extract.Options{Workers: *workers, Timeout: *timeout}
	if !*anew {
		o.Kept = buildcache.Results(filepath.Join(*folder, "extractions"))
	}
	e := extract.Open(env, o)
	defer e.Close()
	listed, err := e.List(ctx)
	if err != nil {
		return err
	}
	table, err := extracted(ctx, e, chosen(listed), declared)
	if err != nil {
		return err
	}
	if *output == "" {
		return nil
	}
	var file bytes.Buffer
	z, err := gzip.NewWriterLevel(&file, gzip.BestCompression)
	if err != nil {
		return err
	}
	lines := json.NewEncoder(z)
	for _, a := range table {
		if err := lines.Encode(a); err != nil {
			return err
		}
	}
	if err := z.Close(); err != nil {
		return err
	}
	return atomicfile.Write(atomicfile.OS, *output, file.Bytes())
}

// chosen returns the functions that the flags select.
func chosen(listed []extract.Listed) (some []extract.Listed) {
	for _, l := range listed {
		switch {
		case *functions != "" && !slices.Contains(strings.Split(*functions, ","), l.Function):
		case *libraries != "" && !slices.Contains(strings.Split(*libraries, ","), l.Library):
		default:
			some = append(some, l)
		}
	}
	return some
}

// extracted extracts models, prints the table and returns the answers.
func extracted(ctx context.Context, e *extract.Engine, functions []extract.Listed, declared map[string]extract.Declaration) ([]extract.Answer, error) {
	fmt.Printf("| function | library | status | reason | paths | seconds | CPU |\n|---|---|---|---|---|---|---|\n")
	var requests []extract.Request
	var where []string
	answers := []extract.Answer{}
	counts := map[string]int{}
	for _, l := range functions {
		d := declared[l.Function]
		if !d.Serves(l) {
			d = extract.Declaration{}
		}
		if l.Reason != "" && d.Text == "" {
			fmt.Printf("| %s | %s | not asked | %s | | | |\n", l.Function, l.Library, l.Reason)
			counts["not asked"]++
			continue
		}
		requests = append(requests, extract.Request{Function: l.Function, Prototype: d.Text, Held: d.Held, Mode: extract.Bytes, Sizes: extract.Sizes{Buffer: *buffer}})
		where = append(where, l.Library)
	}
	quick := 0
	var cpu float64
	all, err := e.Extract(ctx, requests, func(i int, a extract.Answer) {
		reason := a.Reason
		if reason == "" && len(a.Failed) > 0 {
			reason = "one size after another, since at once: " + a.Failed[0]
		}
		fmt.Printf("| %s | %s | %s | %s | %d | %.2f | %.2f |\n", a.Function, where[i], a.Status, strings.ReplaceAll(reason, "|", "\\|"), len(a.Paths), a.Seconds, a.CPU)
		counts[string(a.Status)]++
		cpu += a.CPU
		if a.CPU < 1 {
			quick++
		}
	})
	if err != nil {
		return nil, err
	}
	fmt.Printf("\n%d listed", len(functions))
	for _, status := range []string{"ok", "nothing", "crash", "timeout", "unsupported", "not asked"} {
		fmt.Printf(", %d %s", counts[status], status)
	}
	fmt.Printf("; %d of %d asked took less than a second of CPU, all %.0f s\n", quick, len(requests), cpu)
	// Recordings omit times, which differ from run to run.
	for _, a := range all {
		a.ID, a.Seconds, a.CPU = 0, 0, 0
		answers = append(answers, a)
	}
	return answers, nil
}

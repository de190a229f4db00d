// Model runs parallax model over all models of an engine and tabulates what comes of it. make -C
// bench model-check and make -C bench tables call it.
//
// A sample is a line of check.jsonl.gz: what one run printed with --json, the scopes that it left
// in its folders, and what it cost. The scopes are kept where findings are confirmed with symbols,
// as by default, since how they are confirmed does not change them. Runs on some functions each are
// tabulated as one.
package main

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"parallax/bench/internal/process"
)

// sample is a run.
type sample struct {
	Engine   string            `json:"engine"`
	Base     string            `json:"base,omitempty"`
	Confirm  string            `json:"confirm"`
	Revision string            `json:"revision"`
	Load     string            `json:"load"` // of the machine, before the run
	CPU      float64           `json:"cpu_seconds"`
	Wall     float64           `json:"wall_seconds"`
	Exit     int               `json:"exit"`
	Report   json.RawMessage   `json:"report"`
	Scopes   []json.RawMessage `json:"scopes,omitempty"`
}

func main() {
	var s sample
	tool := flag.String("parallax", "", "the executable of parallax")
	work := flag.String("work", "", "folder for campaigns, which is made anew")
	file := flag.String("samples", "model/check.jsonl.gz", "file of the samples; several with commas between are read as one, and only written with -join")
	functions := flag.String("functions", "", "functions alone, with commas between")
	table := flag.Bool("table", false, "print the tables of the samples, and run nothing")
	show := flag.Bool("findings", false, "print the findings of the samples, and run nothing")
	join := flag.String("join", "", "write the samples of the files into this one, and run nothing")
	collect := flag.String("collect", "", "take the scopes that an interrupted run left in this folder, and run nothing")
	draw := flag.Uint64("draw", 0, "print paths that are drawn by this seed, and run nothing")
	flag.StringVar(&s.Engine, "engine", "angr==9.2.213", "the engine")
	flag.StringVar(&s.Base, "base", "", "another version of it")
	flag.StringVar(&s.Confirm, "confirm", "symbolic", "how findings are confirmed")
	flag.StringVar(&s.Revision, "revision", "unknown", "revision of parallax")
	flag.Parse()
	var list []sample
	var err error
	for _, name := range strings.Split(*file, ",") {
		var more []sample
		if more, err = read(name); err != nil {
			break
		}
		list = append(list, more...)
	}
	switch {
	case err != nil:
	case *table, *show, *draw != 0:
		if len(list) == 0 {
			err = fmt.Errorf("%s has no samples", *file)
		}
	}
	switch {
	case err != nil:
	case *table:
		err = tables(os.Stdout, list)
	case *join != "":
		err = write(*join, list)
	case *show:
		err = findings(os.Stdout, list)
	case *draw != 0:
		err = drawn(os.Stdout, list, *draw)
	case *collect != "":
		s.Report = json.RawMessage("{}")
		if err = s.collect(*collect); err == nil {
			err = write(*file, append(list, s))
		}
	default:
		err = s.run(*tool, *work, *functions, s.Confirm == "symbolic" && s.Base == "")
		if err == nil {
			err = write(*file, append(list, s))
		}
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "model:", err)
		os.Exit(1)
	}
}

// run runs parallax.
func (s *sample) run(tool, work, functions string, scopes bool) error {
	if err := os.RemoveAll(work); err != nil {
		return err
	}
	if err := os.MkdirAll(work, 0o755); err != nil {
		return err
	}
	out, err := os.Create(filepath.Join(work, "report.json"))
	if err != nil {
		return err
	}
	defer out.Close()
	args := []string{"model", "--engine", s.Engine, "--confirm", s.Confirm, "--json", "--out", filepath.Join(work, "campaigns")}
	if s.Base != "" {
		args = append(args, "--base", s.Base)
	}
	if functions != "" {
		args = append(args, "--functions", functions)
	}
	load, err := os.ReadFile("/proc/loadavg")
	if err != nil {
		return err
	}
	s.Load = strings.Join(strings.Fields(string(load))[:3], " ")
	used, err := process.Run(context.Background(), process.Command{Path: tool, Args: args, Dir: work, Stdout: out, Stderr: os.Stderr})
	if err != nil {
		return err
	}
	s.CPU, s.Wall, s.Exit = used.CPU.Seconds(), used.Wall.Seconds(), used.Exit
	data, err := os.ReadFile(out.Name())
	if err != nil {
		return err
	}
	// Folders are of this machine.
	data = bytes.ReplaceAll(data, []byte(work+"/"), nil)
	var flat bytes.Buffer
	if err := json.Compact(&flat, data); err != nil {
		return fmt.Errorf("parallax ended with %d: %w", s.Exit, err)
	}
	s.Report = flat.Bytes()
	if !scopes {
		return nil
	}
	return s.collect(filepath.Join(work, "campaigns"))
}

// collect takes the scopes that a run left in its folder.
func (s *sample) collect(dir string) error {
	found, err := filepath.Glob(filepath.Join(dir, "*", "model", "scope.json"))
	if err != nil {
		return err
	}
	if one := filepath.Join(dir, "model", "scope.json"); len(found) == 0 {
		if _, err := os.Stat(one); err == nil {
			found = []string{one} // of one function
		}
	}
	slices.Sort(found)
	for _, f := range found {
		data, err := os.ReadFile(f)
		if err != nil {
			return err
		}
		var flat bytes.Buffer
		if err := json.Compact(&flat, data); err != nil {
			return fmt.Errorf("%s: %w", f, err)
		}
		s.Scopes = append(s.Scopes, flat.Bytes())
	}
	return nil
}

// read reads the samples, none where there is no file.
func read(file string) (list []sample, err error) {
	data, err := os.ReadFile(file)
	if os.IsNotExist(err) {
		return nil, nil
	} else if err != nil {
		return nil, err
	}
	z, err := gzip.NewReader(bytes.NewReader(data))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	for d := json.NewDecoder(z); d.More(); {
		var s sample
		if err := d.Decode(&s); err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
		list = append(list, s)
	}
	return list, nil
}

func write(file string, list []sample) error {
	var data bytes.Buffer
	z, _ := gzip.NewWriterLevel(&data, gzip.BestCompression)
	e := json.NewEncoder(z)
	for i := range list {
		if err := e.Encode(&list[i]); err != nil {
			return err
		}
	}
	if err := z.Close(); err != nil {
		return err
	}
	return os.WriteFile(file, data.Bytes(), 0o644)
}

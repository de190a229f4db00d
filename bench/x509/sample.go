package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"

	"parallax/bench/internal/origin"
	"parallax/bench/internal/samples"
)

// campaign is the result of a campaign of parallax: the part that is of use here of a sample of
// parallax bench, docs/guides/bench.md.
type campaign struct {
	Configuration string   `json:"configuration"`
	Trial         int      `json:"trial"`
	Cut           bool     `json:"cut,omitempty"`
	Inputs        uint64   `json:"inputs"`
	Executions    uint64   `json:"executions"`
	CPU           float64  `json:"cpu_seconds"`
	AllCPU        float64  `json:"all_cpu_seconds"`
	Wall          float64  `json:"wall_seconds"`
	Corpus        int      `json:"corpus"`
	Coarse        uint64   `json:"coarse"`
	Fine          uint64   `json:"fine"`
	Output        uint64   `json:"output"`
	Covered       int      `json:"covered"`
	Blocks        int      `json:"blocks"`
	Unique        int      `json:"unique_discrepancies"`
	Tuples        []string `json:"tuples"`
	Untriaged     int      `json:"unjudged,omitempty"` // candidates
	Load          string   `json:"loadavg"`
	Build         string   `json:"build"`
	Series        struct {
		Behaviour struct {
			Valid []float64 `json:"valid"` // inputs that a program accepts
		} `json:"behaviour"`
	} `json:"series"`
}

// accepted returns how many inputs some program has accepted, the seeds included, or 0 if the
// sample does not say it.
func (c campaign) accepted() float64 {
	if valid := c.Series.Behaviour.Valid; len(valid) > 0 {
		return valid[len(valid)-1]
	}
	return 0
}

// Names of what is no configuration of parallax bench.
const (
	libFuzzer      = "libfuzzer"      // with as many executions as parallax has inputs
	libFuzzerTimed = "libfuzzer-time" // with as much CPU time
	afl            = "afl"            // the same
	mucert         = "mucert"         // with as many executions
	repairedToo    = "-repaired"      // behind these names: with lengths and signatures repaired
	seedsOnly      = "seeds"          // nothing but the seeds
)

// trial is a line of the file of samples. It has a trial of a fuzzer of one library, and the
// replays of the inputs that it kept. Trial -1 is the seeds, with the replay alone.
type trial struct {
	Trial    int        `json:"trial"`
	Fuzzer   string     `json:"fuzzer,omitempty"` // "": libFuzzer
	Seed     int        `json:"seed"`
	Runs     int        `json:"runs,omitempty"`           // asked for
	Budget   float64    `json:"budget_seconds,omitempty"` // or CPU time
	Executed int64      `json:"executed"`
	CPU      float64    `json:"cpu_seconds"`
	Wall     float64    `json:"wall_seconds"`
	Corpus   int        `json:"corpus"` // inputs kept, without seeds
	Crashes  int        `json:"crashes"`
	Replays  []campaign `json:"replays"` // with the seeds
	Load     string     `json:"loadavg"`
	Clang    string     `json:"clang"`
	origin.Origin
}

const ofSeeds = -1

var errNone = errors.New("no samples")

// read reads all measurements, by configuration in the order of the report.
func (o *options) read() (all []campaign, trials []trial, err error) {
	for _, file := range o.bench {
		more, err := readBench(file)
		if err != nil {
			return nil, nil, err
		}
		all = append(all, more...)
	}
	files := []string{o.File}
	if o.planName == "x509" {
		files = append(files, o.later())
	}
	for _, file := range files {
		more, err := samples.Read[trial](file)
		if err != nil {
			return nil, nil, err
		}
		trials = append(trials, more...)
	}
	for _, t := range trials {
		all = append(all, t.Replays...)
	}
	if len(all) == 0 {
		return nil, nil, fmt.Errorf("%w in %q and %s", errNone, o.bench, o.File)
	}
	return all, trials, nil
}

// readBench reads samples of parallax bench. A half line at the end belongs to a run that was
// killed.
func readBench(file string) (all []campaign, err error) {
	data, err := os.ReadFile(file)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	for n := 1; ; n++ {
		line, rest, whole := bytes.Cut(data, []byte("\n"))
		if !whole {
			return all, nil
		}
		data = rest
		var version struct{ Version int }
		var c campaign
		if err := errors.Join(json.Unmarshal(line, &version), json.Unmarshal(line, &c)); err != nil || version.Version != 1 {
			return nil, fmt.Errorf("%s:%d: no sample of version 1: %v", file, n, err)
		}
		all = append(all, c)
	}
}

package main

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
)

// plan is a measurement: the configuration of parallax bench of its name, and what belongs to it.
type plan struct {
	target  string   // configuration of parallax diff, in the folder of examples
	seeds   []string // folders of seeds, in the folder x509 of examples
	inputs  string   // folder of the inputs that trials keep, one for each unique discrepancy
	singles []string // fuzzers of one library that are compared with parallax
	file    string   // their samples
}

// plans are the measurements by their names. In all but the first, a rejection counts by the
// library's own code.
var plans = map[string]plan{
	"x509": {
		target: "x509/parallax.toml", seeds: []string{"seeds-others", "control", "seeds"}, inputs: "inputs",
		singles: []string{libFuzzer, libFuzzerTimed, afl, mucert}, file: "libfuzzer.samples.jsonl",
	},
	"million": {target: "x509/codes.toml", seeds: []string{"seeds-others", "control", "seeds"}, inputs: "inputs-million", file: "million.single.samples.jsonl"},
	"paper":   {target: "x509/agreeing.toml", seeds: []string{"agreeing"}, inputs: "inputs-paper", singles: []string{mucert}, file: "paper.single.samples.jsonl"},
}

// choose sets the plan, and the files that the command line leaves open.
func (o *options) choose(benchFiles []string) error {
	var ok bool
	if o.plan, ok = plans[o.planName]; !ok {
		return fmt.Errorf("-plan %q: choose x509, million or paper", o.planName)
	}
	if o.File == "" {
		o.File = filepath.Join(o.folder, o.plan.file)
	}
	if o.bench = benchFiles; len(o.bench) == 0 {
		o.bench = []string{o.samples()}
		if o.planName == "x509" {
			o.bench = append(o.bench, filepath.Join(o.folder, "frankencert.samples.jsonl"))
		}
	}
	return nil
}

// samples is the file of samples of parallax bench.
func (o *options) samples() string { return filepath.Join(o.folder, o.planName+".samples.jsonl") }

// kept is the folder of inputs that parallax bench keeps, each under the name of its tuple. The
// configuration of parallax bench names it too.
func (o *options) kept() string {
	absolute, _ := filepath.Abs(filepath.Join(o.folder, o.plan.inputs))
	return absolute
}

// seeds are the folders of the inputs that all trials begin with.
func (o *options) seeds() (folders []string) {
	for _, name := range o.plan.seeds {
		folders = append(folders, filepath.Join(o.examples, "x509", name))
	}
	return folders
}

// needs returns the flags that are missing for the fuzzers of the plan.
func (o *options) needs() error {
	var missing []string
	for name, path := range map[string]string{libFuzzer: o.libfuzzer, afl: o.afl, mucert: o.mucert} {
		if slices.Contains(o.plan.singles, name) && path == "" {
			missing = append(missing, "-"+name)
		}
	}
	if slices.Contains(o.plan.singles, mucert) && o.cover == "" {
		missing = append(missing, "-cover")
	}
	if slices.Sort(missing); len(missing) > 0 {
		return fmt.Errorf("%s: not given, and needed; make x509 builds them", strings.Join(missing, ", "))
	}
	if len(o.plan.singles) == 0 {
		return fmt.Errorf("-plan %s has no trials here: parallax bench runs them", o.planName)
	}
	return nil
}

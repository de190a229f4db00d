// X509 does the part of the X.509 experiment that parallax bench does not. It runs the baseline of
// a fuzzer that has one library, and prints tables.
//
//	x509 -parallax TOOL -work FOLDER -libfuzzer BINARY -afl BINARY -mucert BINARY -cover BINARY
//	                                                       trials of libFuzzer, AFL++ and Mucerts on mbedTLS, and what they kept replayed on all
//	                                                       programs
//	x509 -parallax TOOL -work FOLDER -judge                findings of what all trials have shown
//	x509 -plan paper -parallax TOOL -work FOLDER -mucert BINARY -cover BINARY
//	                                                       trials of Mucerts for paper.toml
//	x509 -plan million -parallax TOOL -work FOLDER -classes
//	                                                       classes of what the trials of million.toml have shown, or with paper those of
//	                                                       paper.toml
//	x509 -table                                            tables of all samples
//	x509 -buckets FOLDER                                   the most frequent buckets as files, for people
//
//	plan.go       the measurements: x509.toml, million.toml, paper.toml
//	single.go     a trial of a fuzzer of one library
//	replay.go     what it kept, on all programs
//	sample.go     the results of trials, those of parallax bench included
//	triage.go     the findings of all trials, triaged once
//	tuple.go      the outcomes and classes of a unique discrepancy
//	classes.go    trials that count by codes
//	claims.go     the comparisons of paper.toml
//	pairs.go      discrepancies of each two programs
//	table.go      tables
//	buckets.go    buckets as files
//
// The configuration of parallax bench, x509.toml, has the number of trials, their inputs and their
// seeds of randomness. Trials in the file of samples are not repeated. The same command continues
// an interrupted run, and loses only the current trial.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"

	"parallax/bench/internal/setting"
)

// options are the command line.
type options struct {
	setting.Setting
	planName  string
	plan      plan
	folder    string // this one
	examples  string // the module that holds what is fuzzed
	libfuzzer string
	afl       string
	mucert    string
	cover     string
	trials    int
	inputs    int
	seed      int
	bench     []string // files of samples of parallax bench
	sample    int      // how many of the inputs that were kept are triaged
	findings  string   // their file
}

func main() {
	var o options
	o.Flags()
	flag.StringVar(&o.planName, "plan", "x509", "measurement: x509, million or paper")
	flag.StringVar(&o.folder, "folder", "x509", "folder of this program: configurations and raw data")
	flag.StringVar(&o.examples, "examples", "../examples", "folder of the module examples")
	flag.StringVar(&o.libfuzzer, "libfuzzer", "", "harness of mbedTLS for libFuzzer, which build.sh has built")
	flag.StringVar(&o.afl, "afl", "", "the same for AFL++")
	flag.StringVar(&o.mucert, "mucert", "", "examples/x509/mucert")
	flag.StringVar(&o.cover, "cover", "", "the harness that tells Mucerts what is covered, which build.sh has built")
	flag.IntVar(&o.trials, "trials", 0, "trials of fuzzers of one library (default those of the plan)")
	flag.IntVar(&o.inputs, "inputs", 0, "executions of a trial (default the inputs of the plan)")
	triage := flag.Bool("judge", false, "judge what trials have shown instead")
	flag.IntVar(&o.sample, "sample", 300, "how many inputs are judged, taken at random; 0: all")
	classes := flag.Bool("classes", false, "find the classes of what the trials of million or paper have shown instead")
	tables := flag.Bool("table", false, "print the tables instead")
	buckets := flag.String("buckets", "", "write the most frequent buckets to this folder instead")
	count := flag.Int("count", 30, "how many buckets that are")
	flag.Parse()
	o.findings = filepath.Join(o.folder, "judged.json")
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	err := o.choose(flag.Args())
	switch {
	case err != nil:
	case *triage:
		err = o.triage(ctx)
	case *classes:
		err = o.classify(ctx)
	case *tables:
		err = o.tables(os.Stdout)
	case *buckets != "":
		err = o.write(ctx, *buckets, *count)
	default:
		err = o.run(ctx)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "x509:", err)
		os.Exit(1)
	}
}

// Truth measures how many known differences between released versions are found. It compares
// parallax diff with the same comparison written by hand for go test -fuzz. README.md describes it.
//
//	truth -write -work FOLDER -inputs N   writes the programs and truth.toml, for parallax bench
//	truth -check -work FOLDER             runs the witness and the seeds of each pair
//	truth -work FOLDER -inputs N -samples FILE   runs go test -fuzz
//	truth -table FILE...                  sums up
//
// Trials in the file of samples are not repeated, so that the same command continues an interrupted
// run.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"regexp"
)

type measurement struct {
	work, file, revision string
	inputs, trials       int
	only                 *regexp.Regexp
}

func main() {
	var m measurement
	flag.StringVar(&m.work, "work", "", "folder for programs and trials")
	flag.StringVar(&m.file, "samples", "", "file of samples")
	flag.StringVar(&m.revision, "revision", "unknown", "revision of the repository, for the samples")
	flag.IntVar(&m.inputs, "inputs", 100_000, "inputs of a trial")
	flag.IntVar(&m.trials, "trials", 5, "trials of each pair")
	only := flag.String("only", "", "regular expression: pairs")
	more := flag.Bool("candidates", false, "the candidates instead of the pairs")
	write := flag.Bool("write", false, "write the programs and truth.toml")
	check := flag.Bool("check", false, "run witnesses and seeds")
	summary := flag.Bool("table", false, "sum up files of samples")
	flag.Parse()
	if *more {
		pairs = candidates
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	var err error
	if m.only, err = regexp.Compile(*only); err == nil && m.work != "" {
		m.work, err = filepath.Abs(m.work)
	}
	switch {
	case err != nil:
	case *summary:
		err = table(os.Stdout, flag.Args())
	case m.work == "":
		err = errors.New("-work is needed")
	case *write:
		err = m.write()
	case *check:
		err = m.check(ctx)
	default:
		err = m.run(ctx)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "truth:", err)
		os.Exit(1)
	}
}

// chosen are the pairs that -only selects.
func (m *measurement) chosen() (list []pair) {
	for _, p := range pairs {
		if m.only.MatchString(p.name) {
			list = append(list, p)
		}
	}
	return list
}

// Wavering counts false findings: it runs campaigns on programs that do not always do the same and
// agree but for that (puzzles/wavering). Every finding that counts is false.
//
//	wavering -parallax TOOL -revision REVISION -samples FILE -root REPOSITORY -trials 84
//	wavering -table -samples FILE
//
// A campaign has 20,000 inputs, one worker, and the number of its trial as seed. It is resumed by
// the same command.
package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"

	"parallax/bench/internal/origin"
	"parallax/bench/internal/samples"
	"parallax/puzzles/wavering"
)

// sample is a campaign.
type sample struct {
	Kind     string  `json:"kind"`
	Seed     int     `json:"seed"`
	Findings int     `json:"findings"` // that count: each of them is false
	Flaky    int     `json:"flaky"`    // candidates that did not repeat
	Demoted  int     `json:"demoted"`  // findings that were filed, and were flaky when they were run once more
	Wavers   bool    `json:"wavers"`   // the JSON names the program
	CPU      float64 `json:"cpu"`      // seconds, of all processes
	// The origin of the measurement; the first samples lack it.
	With *origin.Origin `json:"with,omitempty"`
}

func main() {
	tool := flag.String("parallax", "", "the parallax executable")
	file := flag.String("samples", "samples.jsonl", "file of samples")
	root := flag.String("root", ".", "the repository's root")
	revision := flag.String("revision", "", "of the repository that the executable was built from")
	trials := flag.Int("trials", 84, "campaigns a kind")
	table := flag.Bool("table", false, "print a table of the samples instead")
	flag.Parse()
	done, err := samples.Read[sample](*file)
	switch {
	case err != nil:
	case *table:
		print(done)
	default:
		err = run(*tool, *revision, *root, *file, *trials, done)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "wavering:", err)
		os.Exit(1)
	}
}

func run(tool, revision, root, file string, trials int, done []sample) error {
	if tool == "" {
		return errors.New("-parallax is needed")
	}
	here, err := origin.Here(tool, revision)
	if err != nil {
		return err
	}
	work, err := os.MkdirTemp("", "wavering")
	if err != nil {
		return err
	}
	defer os.RemoveAll(work)
	for seed := 1; seed <= trials; seed++ {
		for _, pair := range wavering.Kinds {
			if slices.ContainsFunc(done, func(s sample) bool { return s.Kind == pair[1] && s.Seed == seed }) {
				continue
			}
			s, err := campaign(tool, root, filepath.Join(work, "out"), pair, seed)
			if err != nil {
				return fmt.Errorf("%s, seed %d: %w", pair[1], seed, err)
			}
			s.With = &here
			if err := samples.Append(file, s); err != nil {
				return err
			}
		}
		fmt.Fprintf(os.Stderr, "seed %d of %d\n", seed, trials)
	}
	return nil
}

func campaign(tool, root, out string, pair [2]string, seed int) (sample, error) {
	s := sample{Kind: pair[1], Seed: seed}
	defer os.RemoveAll(out)
	cmd := exec.Command(tool, "diff", "./puzzles/wavering."+pair[0], "./puzzles/wavering."+pair[1], "--fuzztime", "20000x",
		"--parallel", "1", "--seed", fmt.Sprint(seed), "--out", out, "--json", "--ui", "none")
	cmd.Dir = root
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	err := cmd.Run()
	var failed *exec.ExitError
	if err != nil && (!errors.As(err, &failed) || failed.ExitCode() != 1) {
		return s, fmt.Errorf("%w: %s", err, stderr.Bytes())
	}
	var summary struct {
		Flaky    int
		Wavering []struct{}
		Findings struct {
			Buckets []struct{ Flaky bool }
		}
	}
	if err := json.Unmarshal(stdout.Bytes(), &summary); err != nil {
		return s, err
	}
	for _, b := range summary.Findings.Buckets {
		if b.Flaky {
			s.Demoted++
		} else {
			s.Findings++
		}
	}
	s.Flaky, s.Wavers = summary.Flaky, len(summary.Wavering) > 0
	s.CPU = (cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()).Seconds()
	return s, nil
}

// print prints what the samples say of each kind.
func print(all []sample) {
	fmt.Println("| kind | campaigns | with false findings | false findings | filed and demoted | flaky candidates, mean | program named | CPU s, mean |")
	fmt.Println("|---|--:|--:|--:|--:|--:|--:|--:|")
	row := func(kind string, of []sample) {
		var t sample
		campaigns, named, flaky := 0, 0, 0
		for _, s := range of {
			t.Findings += s.Findings
			t.Demoted += s.Demoted
			t.CPU += s.CPU
			flaky += s.Flaky
			if s.Findings > 0 {
				campaigns++
			}
			if s.Wavers {
				named++
			}
		}
		n := float64(max(1, len(of)))
		fmt.Printf("| %s | %d | %d | %d | %d | %.1f | %d | %.2f |\n", kind, len(of), campaigns, t.Findings, t.Demoted, float64(flaky)/n, named, t.CPU/n)
	}
	for _, pair := range wavering.Kinds {
		var of []sample
		for _, s := range all {
			if s.Kind == pair[1] {
				of = append(of, s)
			}
		}
		row(pair[1], of)
	}
	row("all", all)
}

// Command fleet measures the cost of joining a fleet. It runs pairs of campaigns with equal budgets
// of inputs. One is alone, and one joins at an empty hub on this machine. It compares the CPU time
// of all processes. In half of the pairs the joined campaign runs first. With -turns, it compares
// the blocks of members that take turns with those of one campaign.
package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"log"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"parallax/bench/internal/origin"
)

// Sample is one pair.
type Sample struct {
	Subject string  `json:"subject"`
	Round   int     `json:"round"`
	Inputs  uint64  `json:"inputs"`
	Alone   float64 `json:"alone_cpu_seconds"`
	Joined  float64 `json:"joined_cpu_seconds"`
	Load    string  `json:"load"` // of the machine, before the pair
	origin.Origin
}

func main() {
	tool := flag.String("parallax", "parallax", "the executable")
	root := flag.String("root", "..", "the repository")
	work := flag.String("work", "", "a folder for campaigns")
	file := flag.String("samples", "", "the file of samples")
	rounds := flag.Int("rounds", 10, "pairs per subject, or turns of each member")
	inputs := flag.Uint64("inputs", 1_000_000, "inputs per campaign")
	revision := flag.String("revision", "", "of the repository that the executable was built from")
	members := flag.Int("turns", 0, "compare the blocks of so many members that take turns with those of one campaign, instead of the cost")
	seeds := flag.Int("seeds", 3, "comparisons of blocks per subject")
	flag.Parse()
	var err error
	if *members > 0 {
		err = turns(*tool, *root, *work, *file, *members, *rounds, *inputs, *seeds)
	} else {
		err = run(*tool, *root, *work, *file, *revision, *rounds, *inputs)
	}
	if err != nil {
		log.Fatal(err)
	}
}

// subjects are fuzz tests of the folder throughput.
var subjects = []string{"json", "ladder"}

func run(tool, root, work, file, revision string, rounds int, inputs uint64) error {
	here, err := origin.Here(tool, revision)
	if err != nil {
		return err
	}
	out, err := os.OpenFile(file, os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o644)
	if err != nil {
		return err
	}
	defer out.Close()
	for _, subject := range subjects {
		var ratios []float64
		warm := []string{"fuzz", "./" + subject, "--fuzztime", "1000x", "--parallel", "1", "--no-cmplog", "--ui", "none", "--no-triage", "--out", filepath.Join(work, subject)}
		if _, err := campaign(tool, filepath.Join(root, "bench", "throughput", "subjects"), warm); err != nil { // builds
			return err
		}
		for round := range rounds {
			s := Sample{Subject: subject, Round: round, Inputs: inputs, Load: origin.Load(), Origin: here}
			for i := range 2 {
				joined := (i+round)%2 == 1
				dir := filepath.Join(work, fmt.Sprintf("%s-%d-%v", subject, round, joined))
				args := []string{"fuzz", "./" + subject, "--fuzztime", strconv.FormatUint(inputs, 10) + "x", "--parallel", "1", "--no-cmplog",
					"--seed", strconv.Itoa(round + 1), "--ui", "none", "--no-triage", "--out", dir}
				stop := func() {}
				if joined { // at an empty hub
					address, end, err := hub(tool, dir+".hub")
					if err != nil {
						return err
					}
					stop, args = end, append(args, "--join", "nats://"+address)
				}
				cpu, err := campaign(tool, filepath.Join(root, "bench", "throughput", "subjects"), args)
				stop()
				if err != nil {
					return err
				}
				if joined {
					s.Joined = cpu
				} else {
					s.Alone = cpu
				}
			}
			ratios = append(ratios, s.Joined/s.Alone)
			if err := json.NewEncoder(out).Encode(s); err != nil {
				return err
			}
		}
		slices.Sort(ratios)
		fmt.Printf("%s: CPU time joined / alone: median %.3f (%.3f to %.3f), %d pairs\n", subject, ratios[len(ratios)/2], ratios[0], ratios[len(ratios)-1], len(ratios))
	}
	return nil
}

// campaign runs a campaign and returns the CPU time of its processes. Exit code 1 means findings.
func campaign(tool, dir string, args []string) (float64, error) {
	c := exec.Command(tool, args...)
	c.Dir, c.Env = dir, append(os.Environ(), "GOWORK=off")
	text, err := c.CombinedOutput()
	if err != nil && c.ProcessState.ExitCode() != 1 {
		return 0, fmt.Errorf("%s: %w\n%s", strings.Join(args, " "), err, text)
	}
	return (c.ProcessState.UserTime() + c.ProcessState.SystemTime()).Seconds(), nil
}

// hub starts a hub and returns its address.
func hub(tool, dir string) (address string, stop func(), err error) {
	log, err := os.CreateTemp("", "hub")
	if err != nil {
		return "", nil, err
	}
	c := exec.Command(tool, "serve", "--hub", "127.0.0.1:0", "--dir", dir)
	c.Stderr = log
	if err := c.Start(); err != nil {
		return "", nil, err
	}
	stop = func() {
		_ = c.Process.Signal(os.Interrupt)
		_ = c.Wait()
	}
	pattern := regexp.MustCompile(`nats://([0-9.:]+),`)
	for range 600 {
		text, _ := os.ReadFile(log.Name())
		if m := pattern.FindSubmatch(text); m != nil {
			return string(m[1]), stop, nil
		}
		time.Sleep(100 * time.Millisecond)
	}
	stop()
	return "", nil, fmt.Errorf("the hub does not start: see %s", log.Name())
}

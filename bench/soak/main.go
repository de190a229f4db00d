// Soak runs long campaigns, with two workers and default limits. They have a billion inputs of
// cheap and of hash-like functions, and a hundred million of JSON parsers. At each tenth of the
// inputs it records the memory of the processes, the size of the folder, and the inputs per CPU
// second. Then it kills parallax with SIGKILL, and the same command continues.
//
//	soak -parallax TOOL -work DIR -samples FILE -root .. [-only NAME] [-inputs N]
//	soak -table -samples FILE [-only NAME] [-inputs N]
//
// The same command continues an interrupted run: the campaign in its folder, and the samples in
// their file.
package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"syscall"
	"time"

	"parallax/bench/internal/origin"
	"parallax/bench/internal/samples"
)

// sample has the figures of a campaign up to a tenth of it.
type sample struct {
	Subject string `json:"subject"`
	Budget  uint64 `json:"budget"` // inputs of the campaign
	Tenth   int    `json:"tenth"`  // 1 to 10
	progress
	InputsBefore uint64  `json:"inputs_before"` // where this tenth began, as it was resumed
	WorkersCPU   float64 `json:"workers_cpu"`   // seconds of this tenth
	ParallaxCPU  float64 `json:"parallax_cpu"`  // of parallax itself, which also resumes and judges findings
	Rate         float64 `json:"rate"`          // inputs for each CPU second of workers and parallax
	MeanBytes    float64 `json:"mean_bytes"`    // of an input of this tenth
	MeanBlocks   float64 `json:"mean_blocks"`   // that the programs enter on one, repetitions counted
	Peak         memory  `json:"peak"`          // in this tenth
	End          memory  `json:"end"`           // at its end
	Folder       sizes   `json:"folder"`
	Load         string  `json:"load"`
	origin.Origin
}

type soak struct {
	tool, work, root, file, revision string
	inputs                           uint64
}

func main() {
	var s soak
	flag.StringVar(&s.tool, "parallax", "", "the parallax executable")
	flag.StringVar(&s.work, "work", "", "folder for the campaigns")
	flag.StringVar(&s.root, "root", "..", "root of the repository")
	flag.StringVar(&s.file, "samples", "soak/samples.jsonl", "file for the samples")
	flag.StringVar(&s.revision, "revision", "unknown", "of the repository that parallax was built from")
	flag.Uint64Var(&s.inputs, "inputs", 0, "inputs of each campaign; 0: as many as the subject has")
	only := flag.String("only", "", "subjects whose names match")
	show := flag.Bool("table", false, "print the table of the samples instead")
	flag.Parse()
	err := error(nil)
	if *show {
		err = table(os.Stdout, s.file, *only, s.inputs)
	} else {
		err = s.all(*only)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "soak:", err)
		os.Exit(1)
	}
}

func (s *soak) all(only string) error {
	pattern, err := regexp.Compile(only)
	if err != nil {
		return fmt.Errorf("-only: %w", err)
	}
	if s.tool == "" || s.work == "" {
		return errors.New("-parallax and -work are needed")
	}
	if s.tool, err = filepath.Abs(s.tool); err != nil {
		return err
	}
	if s.work, err = filepath.Abs(s.work); err != nil {
		return err
	}
	for i := range subjects {
		if sub := subjects[i]; pattern.MatchString(sub.name) {
			if s.inputs > 0 {
				sub.inputs = s.inputs
			}
			if err := s.campaign(&sub); err != nil {
				return fmt.Errorf("%s: %w", sub.name, err)
			}
		}
	}
	return nil
}

// campaign runs the tenths of a subject that are missing.
func (s *soak) campaign(sub *subject) error {
	here, err := origin.Here(s.tool, s.revision)
	if err != nil {
		return err
	}
	earlier, err := samples.Read[sample](s.file)
	if err != nil {
		return err
	}
	tenth := 1
	for _, e := range earlier {
		if e.Subject == sub.name && e.Budget == sub.inputs {
			tenth = max(tenth, e.Tenth+1)
		}
	}
	for ; tenth <= 10; tenth++ {
		one, err := s.tenth(sub, tenth)
		if err != nil {
			return err
		}
		one.Origin = here
		if err := samples.Append(s.file, *one); err != nil {
			return err
		}
		fmt.Fprintf(os.Stderr, "%s %d/10: %d inputs, %.0f a CPU second, parallax %d MiB, worker %d MiB, folder %d MiB\n",
			sub.name, tenth, one.Inputs, one.Rate, one.Peak.Parallax>>10, one.Peak.Worker>>10, one.Folder.Bytes>>20)
	}
	return nil
}

// Between two looks at a campaign.
const interval = time.Second

// tenth runs a campaign up to a tenth of its inputs and kills it.
func (s *soak) tenth(sub *subject, tenth int) (*sample, error) {
	folder, target := sub.folder(s.work), sub.inputs/10*uint64(tenth)
	if err := os.MkdirAll(s.work, 0o755); err != nil {
		return nil, err
	}
	said, err := os.OpenFile(filepath.Join(s.work, sub.name+".err"), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	if err != nil {
		return nil, err
	}
	defer said.Close()
	before := latest(folder)
	cmd := exec.Command(s.tool, sub.command(folder, sub.inputs)...)
	cmd.Dir, cmd.Stderr = filepath.Join(s.root, sub.dir), said
	cmd.Env = append(os.Environ(), sub.env...)
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	one := &sample{Subject: sub.name, Budget: sub.inputs, Tenth: tenth}
	begun, cpu := progress{}, time.Duration(0)
	tick := time.NewTicker(interval)
	defer tick.Stop()
	for {
		select {
		case err := <-ended:
			return nil, fmt.Errorf("parallax ended before tenth %d, at %d inputs: %v, see %s", tenth, latest(folder).Inputs, err, said.Name())
		case <-tick.C:
		}
		now := latest(folder)
		if begun.Elapsed == 0 && now != before { // it fuzzes
			begun, cpu = now, spent(cmd.Process.Pid)
		}
		one.End = measure(cmd.Process.Pid)
		one.Peak = one.Peak.most(one.End)
		if begun.Elapsed == 0 || now.Inputs < target || now.Inputs == begun.Inputs {
			continue
		}
		one.progress, one.InputsBefore, one.Load = now, begun.Inputs, origin.Load()
		one.WorkersCPU, one.ParallaxCPU = now.CPU-begun.CPU, (spent(cmd.Process.Pid) - cpu).Seconds()
		inputs := float64(now.Inputs - begun.Inputs)
		one.Rate = inputs / (one.WorkersCPU + one.ParallaxCPU)
		one.MeanBytes, one.MeanBlocks = float64(now.Bytes-begun.Bytes)/inputs, float64(now.Blocks-begun.Blocks)/inputs
		cmd.Process.Kill()
		<-ended
		one.Folder = sizesOf(folder)
		return one, nil
	}
}

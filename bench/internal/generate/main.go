// Generate measures the time that a generator's inputs take, in two trees of parallax by turns. It
// runs BenchmarkMutate of package gen, in user CPU time, and BenchmarkDrawn of package lockstep,
// which prints the lost share of the throughput. With -table it prints medians and ratios.
//
//	go run ./internal/generate -base TREE -samples generate/samples.jsonl
//	go run ./internal/generate -table -samples generate/samples.jsonl
//
// A tree is a checkout of the repository, such as one that git worktree makes. The present one is
// that of the working directory.
package main

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"parallax/bench/internal/origin"
	"parallax/bench/internal/samples"
)

// sample is a run of a benchmark in a tree.
type sample struct {
	Round     int     `json:"round"`
	Build     string  `json:"build"` // base or present
	Benchmark string  `json:"benchmark"`
	Value     float64 `json:"value"` // user CPU µs per KB; lost % of the throughput by CPU time
	// Plain is the CPU time of programs for an input without a generator, in µs.
	Plain   float64       `json:"plain_us,omitempty"`
	Command string        `json:"command"`
	Load    string        `json:"loadavg"`
	Origin  origin.Origin `json:"origin"`
}

// tree is a checkout with its test binaries.
type tree struct {
	name, dir  string
	gen, drawn string
	revision   string
}

func main() {
	var file, base, work string
	flag.StringVar(&file, "samples", "", "file of samples")
	flag.StringVar(&base, "base", "", "the older tree")
	flag.StringVar(&work, "work", os.TempDir(), "folder for test binaries")
	rounds := flag.Int("rounds", 9, "rounds; in each, every tree runs each benchmark once")
	drawn := flag.Int("drawn", 3, "rounds that also run BenchmarkDrawn")
	table := flag.Bool("table", false, "only print the table")
	flag.Parse()
	err := error(nil)
	if file == "" || !*table && base == "" {
		err = fmt.Errorf("which samples, and which base? see go doc ./internal/generate")
	} else if !*table {
		err = measure(file, base, work, *rounds, *drawn)
	}
	if err == nil {
		err = print(os.Stdout, file)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "generate:", err)
		os.Exit(1)
	}
}

// measure adds the samples that the file lacks.
func measure(file, base, work string, rounds, drawn int) error {
	all, err := samples.Read[sample](file)
	if err != nil {
		return err
	}
	has := map[string]bool{}
	for _, s := range all {
		has[fmt.Sprint(s.Round, s.Build, s.Benchmark)] = true
	}
	trees := []*tree{{name: "base", dir: base}, {name: "present", dir: ".."}}
	for _, t := range trees {
		if err := t.build(work, drawn > 0); err != nil {
			return err
		}
	}
	for round := 1; round <= rounds; round++ {
		for i := range trees {
			t := trees[(round+i)%len(trees)] // each tree is the first in every second round
			for _, b := range benchmarks {
				if has[fmt.Sprint(round, t.name, b.name)] || b.drawn && round > drawn {
					continue
				}
				s, err := t.run(b)
				if err != nil {
					return err
				}
				s.Round, s.Build, s.Benchmark, s.Load = round, t.name, b.name, origin.Load()
				if err := samples.Append(file, s); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// build builds the test binaries.
func (t *tree) build(work string, drawn bool) (err error) {
	if t.dir, err = filepath.Abs(t.dir); err != nil {
		return err
	}
	if work, err = filepath.Abs(work); err != nil {
		return err
	}
	revision, err := exec.Command("git", "-C", t.dir, "describe", "--always", "--dirty").Output()
	if err != nil {
		return fmt.Errorf("the revision of %s: %w", t.dir, err)
	}
	t.revision = strings.TrimSpace(string(revision))
	t.gen, t.drawn = filepath.Join(work, t.name+".gen.test"), filepath.Join(work, t.name+".lockstep.test")
	if err := compile(t.dir, t.gen, "./gen"); err != nil || !drawn {
		return err
	}
	return compile(filepath.Join(t.dir, "cmd"), t.drawn, "./internal/program/lockstep")
}

func compile(dir, binary, packages string) error {
	c := exec.Command("go", "test", "-c", "-o", binary, packages)
	c.Dir = dir
	if out, err := c.CombinedOutput(); err != nil {
		return fmt.Errorf("%s in %s: %w\n%s", packages, dir, err, out)
	}
	return nil
}

// benchmark is one of those that each round runs.
type benchmark struct {
	name, unit string
	drawn      bool // it is of package lockstep
}

var benchmarks = []benchmark{
	{"Mutate", "user CPU µs per KB", false},
	{"Drawn/go", "throughput lost by CPU time, %", true},
	{"Drawn/persistent", "throughput lost by CPU time, %", true},
}

// mutants is the number in a run. The time of a run with one mutant is subtracted.
const mutants = 40000

func (t *tree) run(b benchmark) (s sample, err error) {
	binary := t.gen
	if b.drawn {
		binary = t.drawn
	}
	if s.Origin, err = origin.Here(binary, t.revision); err != nil {
		return s, err
	}
	if b.drawn {
		r, err := t.bench(binary, filepath.Join(t.dir, "cmd", "internal", "program", "lockstep"), b.name, "5x")
		s.Command, s.Value, s.Plain = r.command, r.metrics["%lost/cpu"], r.metrics["cpu-µs/plain-input"]
		return s, err
	}
	many, err := t.bench(binary, filepath.Join(t.dir, "gen"), b.name, fmt.Sprint(mutants, "x"))
	if err != nil {
		return s, err
	}
	one, err := t.bench(binary, filepath.Join(t.dir, "gen"), b.name, "1x")
	if err != nil {
		return s, err
	}
	kilobytes := many.metrics["ns/op"] / 1000 / many.metrics["µs/KB"] // per mutant
	s.Command, s.Value = many.command, float64((many.user-one.user).Nanoseconds())/1000/(mutants*kilobytes)
	return s, nil
}

// result is the output of a benchmark.
type result struct {
	command string
	user    time.Duration
	metrics map[string]float64
}

// bench runs a benchmark on one processor.
func (t *tree) bench(binary, dir, name, times string) (r result, err error) {
	args := []string{"-test.run", "^$", "-test.bench", "^Benchmark" + strings.ReplaceAll(name, "/", "$/^") + "$", "-test.benchtime", times, "-test.cpu", "1"}
	c := exec.Command(binary, args...)
	c.Dir = dir
	var out bytes.Buffer
	c.Stdout, c.Stderr = &out, &out
	r.command = filepath.Base(binary) + " " + strings.Join(args, " ")
	if err = c.Run(); err == nil {
		r.user, r.metrics = c.ProcessState.UserTime(), metrics(out.String())
		if len(r.metrics) == 0 {
			err = fmt.Errorf("no benchmark ran")
		}
	}
	if err != nil {
		return r, fmt.Errorf("%s in %s: %w\n%s", r.command, dir, err, out.Bytes())
	}
	return r, nil
}

// metrics reads the numbers of a line that package testing prints for a benchmark, by their units.
func metrics(out string) map[string]float64 {
	for line := range strings.Lines(out) {
		fields := strings.Fields(line)
		if len(fields) < 4 || !strings.HasPrefix(fields[0], "Benchmark") {
			continue
		}
		m := map[string]float64{}
		for i := 2; i+1 < len(fields); i += 2 {
			if v, err := strconv.ParseFloat(fields[i], 64); err == nil {
				m[fields[i+1]] = v
			}
		}
		return m
	}
	return nil
}

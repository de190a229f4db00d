// Programs measures the cost of running programs of several kinds side by side (parallax diff
// CONFIG.toml). It measures the cost per input for each kind of program, on programs that do
// nothing. It also measures the cost per input for 2, 3, 5 and 8 programs.
//
//	programs -parallax TOOL -work FOLDER -samples FILE -rounds 5
//	programs -table -samples FILE
//
// Each round runs all subjects one after another, so that other load of the machine affects all
// alike. The same command continues an interrupted run. Nothing guides and nothing is found:
// programs agree on everything.
package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"parallax/bench/internal/origin"
	"parallax/bench/internal/samples"
	"parallax/internal/stats"
)

func main() {
	var b bench
	flag.StringVar(&b.tool, "parallax", "", "the parallax executable")
	flag.StringVar(&b.work, "work", "", "folder for configurations and campaigns")
	flag.StringVar(&b.samples, "samples", "samples.jsonl", "file of samples")
	flag.IntVar(&b.rounds, "rounds", 5, "rounds")
	flag.StringVar(&b.root, "root", ".", "the repository's root")
	only := flag.String("only", "", "subjects whose names begin so")
	table := flag.Bool("table", false, "print tables of the samples instead")
	flag.Parse()
	var err error
	b.done, err = samples.Read[sample](b.samples)
	switch {
	case err != nil:
	case *table:
		b.tables()
	default:
		err = b.run(*only)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "programs:", err)
		os.Exit(1)
	}
}

type bench struct {
	tool, work, samples, root string
	rounds                    int
	done                      []sample
}

// sample is a campaign.
type sample struct {
	Subject  string  `json:"subject"`
	Round    int     `json:"round"`
	Programs int     `json:"programs"`
	Inputs   uint64  `json:"inputs"`
	Seconds  float64 `json:"seconds"` // of the inputs after the first ones: start of the programs not counted
	Load     string  `json:"load"`
}

func (s sample) micros() float64 { return s.Seconds / float64(s.Inputs) * 1e6 }

// subject is a target and how many inputs it gets.
type subject struct {
	name      string
	functions []string // of the command line, or
	programs  []string // tables of a configuration
	inputs    int
}

func function(name, fn string) string {
	return fmt.Sprintf("name = %q\nkind = \"go\"\nfunction = \"./.%s\"\n", name, fn)
}

// subjects lists what is measured.
func (b *bench) subjects() []subject {
	drivers, _ := filepath.Abs(filepath.Join(b.root, "drivers"))
	accept := function("accept", "Accept")
	driver := func(command ...string) string {
		return fmt.Sprintf("name = \"driver\"\nkind = \"persistent\"\ncommand = [\"%s\"]\n", strings.Join(command, `", "`))
	}
	list := []subject{
		{name: "kind/in one process", functions: []string{"./.Accept", "./.Accept2"}, inputs: 2_000_000},
		{name: "kind/workers in lockstep", programs: []string{accept, function("other", "Accept2") + "normalize = [\"trim\"]\n"}, inputs: 300_000},
		{name: "kind/driver, C", programs: []string{accept, driver(filepath.Join(b.work, "accept"))}, inputs: 200_000},
		{name: "kind/driver, Perl", programs: []string{accept, driver("perl", drivers+"/perl/driver.pl", "./Accept.pm", "Accept::accept")}, inputs: 100_000},
		{name: "kind/driver, Python", programs: []string{accept, driver("python3", drivers+"/python/parallax_driver.py", "accept:accept")}, inputs: 100_000},
		{name: "kind/driver, Node", programs: []string{accept, driver("node", drivers+"/node/driver.mjs", "./accept.mjs")}, inputs: 100_000},
		{name: "kind/driver, Java", programs: []string{accept, driver("java", "-XX:-UsePerfData", "-cp", b.work, "Driver", "Accept.accept")}, inputs: 100_000},
		{name: "kind/service", programs: []string{accept, "name = \"service\"\nkind = \"http\"\nurl = \"http://127.0.0.1:{port}/\"\nstart = [\"" + filepath.Join(b.work, "serve") + "\"]\n"}, inputs: 20_000},
		{name: "kind/command", programs: []string{accept, "name = \"true\"\nkind = \"command\"\ncommand = [\"true\"]\n"}, inputs: 4_000},
	}
	spins := func(n int, first string) []string {
		programs := []string{first}
		for i := 2; i <= n; i++ {
			programs = append(programs, function(fmt.Sprint("spin", i), fmt.Sprint("Spin", i))+"normalize = [\"trim\"]\n")
		}
		return programs
	}
	one := function("spin1", "Spin1") + "normalize = [\"trim\"]\n"
	slow := function("slow", "Slow") + "normalize = [\"trim\"]\n"
	list = append(list,
		subject{name: "alone/equal", programs: []string{one, accept}, inputs: 10_000},
		subject{name: "alone/slow", programs: []string{slow, accept}, inputs: 3_000})
	for _, n := range []int{2, 3, 5, 8} {
		list = append(list,
			subject{name: fmt.Sprintf("equal/%d", n), programs: spins(n, one), inputs: 10_000},
			subject{name: fmt.Sprintf("slow/%d", n), programs: spins(n, slow), inputs: 3_000})
	}
	return list
}

func (b *bench) run(only string) error {
	if b.tool == "" || b.work == "" {
		return fmt.Errorf("-parallax and -work are needed")
	}
	if err := b.prepare(); err != nil {
		return err
	}
	for round := 1; round <= b.rounds; round++ {
		for _, s := range b.subjects() {
			if !strings.HasPrefix(s.name, only) || b.has(s.name, round) {
				continue
			}
			got, err := b.measure(s, round)
			if err != nil {
				return fmt.Errorf("%s: %w", s.name, err)
			}
			if err := samples.Append(b.samples, got); err != nil {
				return err
			}
			fmt.Fprintf(os.Stderr, "round %d  %-26s %10.1f us per input\n", round, s.name, got.micros())
		}
	}
	return nil
}

func (b *bench) has(name string, round int) bool {
	for _, s := range b.done {
		if s.Subject == name && s.Round == round {
			return true
		}
	}
	return false
}

// prepare copies the subject and builds what is not Go's worker.
func (b *bench) prepare() error {
	if err := os.MkdirAll(b.work, 0o755); err != nil {
		return err
	}
	src := filepath.Join(b.root, "bench/programs/subject")
	for _, c := range [][]string{
		{"cp", "-r", src + "/.", b.work},
		{"cc", "-O1", "-o", b.work + "/accept", filepath.Join(b.root, "drivers/c/driver.c"), b.work + "/c/accept.c"},
		{"javac", "-d", b.work, filepath.Join(b.root, "drivers/java/Driver.java"), b.work + "/Accept.java"},
		{"go", "build", "-o", b.work + "/serve", b.work + "/serve.go"},
	} {
		if out, err := exec.Command(c[0], c[1:]...).CombinedOutput(); err != nil {
			return fmt.Errorf("%s: %w\n%s", strings.Join(c, " "), err, out)
		}
	}
	return nil
}

// measure runs a campaign, first a few inputs, so that everything is built, then the rest.
func (b *bench) measure(s subject, round int) (sample, error) {
	name := strings.Map(func(r rune) rune {
		if r == '/' || r == ' ' || r == ',' {
			return '-'
		}
		return r
	}, s.name)
	args := s.functions
	got := sample{Subject: s.name, Round: round, Programs: len(s.functions) + len(s.programs), Inputs: uint64(s.inputs)}
	if len(s.programs) > 0 {
		file := filepath.Join(b.work, name+".toml")
		text := "version = 1\n[input]\nmax_bytes = 64\n[environment]\ninherit = [\"PATH\", \"HOME\"]\n"
		for _, p := range s.programs {
			text += "[[program]]\n" + p
		}
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			return got, err
		}
		args = []string{file}
	} else {
		args = append(args[:len(args):len(args)], "--max-bytes", "64")
	}
	out := filepath.Join(b.work, "out-"+name)
	os.RemoveAll(out)
	got.Load = origin.Load()
	for _, inputs := range []int{64, s.inputs} {
		cmd := exec.Command(b.tool, append([]string{"diff", "--fuzztime", fmt.Sprint(inputs, "x"), "--parallel", "1", "--guidance", "random",
			"--no-cmplog", "--json", "--ui", "none", "--out", out}, args...)...)
		cmd.Dir = b.work
		var errs strings.Builder
		cmd.Stderr = &errs
		text, err := cmd.Output()
		if err != nil {
			return got, fmt.Errorf("%w\n%s", err, errs.String())
		}
		var summary struct {
			Elapsed float64 `json:"elapsed_seconds"`
		}
		if err := json.Unmarshal(text, &summary); err != nil {
			return got, err
		}
		got.Seconds = summary.Elapsed - got.Seconds // of the folder's whole life
	}
	return got, nil
}

// cost returns the median of the costs of a subject, with the least and the most.
func (b *bench) cost(name string) (median, least, most float64) {
	var all []float64
	for _, s := range b.done {
		if s.Subject == name {
			all = append(all, s.micros())
		}
	}
	if len(all) == 0 {
		return 0, 0, 0
	}
	return stats.Median(all), slices.Min(all), slices.Max(all)
}

const cores = 2

// tables prints the tables of NOTES.md.
func (b *bench) tables() {
	fmt.Println("| kind | microseconds per input, median (least, most) | inputs per second |\n|---|---|---|")
	seen := map[string]bool{}
	for _, s := range b.done {
		if kind, ok := strings.CutPrefix(s.Subject, "kind/"); ok && !seen[kind] {
			seen[kind] = true
			m, lo, hi := b.cost(s.Subject)
			fmt.Printf("| %s | %.1f (%.1f, %.1f) | %.0f |\n", kind, m, lo, hi, 1e6/m)
		}
	}
	equal, _, _ := b.cost("alone/equal")
	slow, _, _ := b.cost("alone/slow")
	fmt.Printf("\nalone: %.0f us, the slow one %.0f us\n\n", equal, slow)
	fmt.Println("| programs | of equal cost: us per input | bound | ratio | one four times as slow: us per input | bound | ratio |\n|---|---|---|---|---|---|---|")
	for _, n := range []int{2, 3, 5, 8} {
		e, _, _ := b.cost(fmt.Sprintf("equal/%d", n))
		s, _, _ := b.cost(fmt.Sprintf("slow/%d", n))
		be := max(equal, float64(n)*equal/cores)
		bs := max(slow, (slow+float64(n-1)*equal)/cores)
		fmt.Printf("| %d | %.0f | %.0f | %.2f | %.0f | %.0f | %.2f |\n", n, e, be, e/be, s, bs, s/bs)
	}
}

// Command `judging` measures the cost of confirming, minimizing and bucketing findings. It runs
// pairs of campaigns that differ in --no-triage alone, with several builds of parallax in turn. The
// difference in CPU time of a pair is the cost of triage.
//
//	judging -build before=PARALLAX -build after=PARALLAX -revision after=REVISION -samples FILE -root REPOSITORY -rounds 5
//	judging -table -samples FILE
//
// A campaign has one worker, a seed and a budget in inputs. All builds have its guidance and
// schedule, so that every build of one target has the same inputs. The same command continues where
// an earlier one stopped.
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
	"strings"

	"parallax/bench/internal/origin"
	"parallax/bench/internal/samples"
)

// sample is two campaigns, with triage and without.
type sample struct {
	Build    string  `json:"build"`
	Target   string  `json:"target"`
	Round    int     `json:"round"`
	With     float64 `json:"with"`    // CPU seconds of all processes
	Without  float64 `json:"without"` // the same with --no-triage
	Runs     uint64  `json:"runs"`    // of the programs to confirm and to minimize
	Findings int     `json:"findings"`
	// The origin of the measurement; the first samples lack it.
	Origin *origin.Origin `json:"origin,omitempty"`
}

// targets are deterministic programs, by the folder that their names are relative to.
var targets = []struct {
	name, dir string
	budget    int
	funcs     []string
}{
	{"semver order", "examples", 200_000, []string{"./semver/order.Mod", "./semver/order.Masterminds", "./semver/order.Blang", "./semver/order.Hashicorp"}},
	{"semver parse", "examples", 200_000, []string{"./semver/parse.Mod", "./semver/parse.Masterminds", "./semver/parse.Blang"}},
	{"json", "examples", 50_000, []string{"./json.Std", "./json.Goccy"}},
	{"ip", "examples", 100_000, []string{"./ip/addr.Net", "./ip/addr.Netip"}},
	{"glob", ".", 40_000, []string{"./puzzles/several/glob.Match", "./puzzles/several/glob/b.Match"}},
	{"query", ".", 40_000, []string{"./puzzles/several/query.Read", "./puzzles/several/query/b.Read"}},
}

// builds collects the flags -build NAME=PATH.
type builds [][2]string

func (b *builds) String() string { return fmt.Sprint(*b) }

func (b *builds) Set(text string) error {
	name, path, ok := strings.Cut(text, "=")
	if !ok {
		return errors.New("write NAME=PATH")
	}
	*b = append(*b, [2]string{name, path})
	return nil
}

func main() {
	var tools, revisions builds
	flag.Var(&revisions, "revision", "NAME=REVISION of the repository that a build was made from; may be repeated")
	flag.Var(&tools, "build", "NAME=PATH of a parallax executable; may be repeated, the first is what others are compared with")
	file := flag.String("samples", "samples.jsonl", "file of samples")
	root := flag.String("root", ".", "the repository's root")
	rounds := flag.Int("rounds", 5, "pairs for each build and target")
	table := flag.Bool("table", false, "print a table of the samples instead")
	flag.Parse()
	done, err := samples.Read[sample](*file)
	switch {
	case err != nil:
	case *table:
		print(done)
	case len(tools) == 0:
		err = errors.New("-build is needed")
	default:
		err = run(tools, revisions, *root, *file, *rounds, done)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "judging:", err)
		os.Exit(1)
	}
}

func run(tools, revisions builds, root, file string, rounds int, done []sample) error {
	work, err := os.MkdirTemp("", "judging")
	if err != nil {
		return err
	}
	defer os.RemoveAll(work)
	origins := map[string]*origin.Origin{}
	for _, tool := range tools {
		revision := ""
		for _, r := range revisions {
			if r[0] == tool[0] {
				revision = r[1]
			}
		}
		here, err := origin.Here(tool[1], revision)
		if err != nil {
			return err
		}
		origins[tool[0]] = &here
	}
	for round := 1; round <= rounds; round++ {
		for i := range targets {
			for k := range tools {
				tool := tools[(k+round)%len(tools)] // each is first as often
				s := sample{Build: tool[0], Target: targets[i].name, Round: round, Origin: origins[tool[0]]}
				if slices.ContainsFunc(done, func(o sample) bool { return o.Build == s.Build && o.Target == s.Target && o.Round == round }) {
					continue
				}
				if err := s.measure(tool[1], root, filepath.Join(work, "out"), i); err != nil {
					return fmt.Errorf("%s on %s: %w", s.Build, s.Target, err)
				}
				if err := samples.Append(file, s); err != nil {
					return err
				}
			}
		}
		fmt.Fprintf(os.Stderr, "round %d of %d\n", round, rounds)
	}
	return nil
}

// measure runs the two campaigns.
func (s *sample) measure(tool, root, out string, target int) error {
	t := targets[target]
	for _, triage := range []bool{true, false} {
		args := append([]string{"diff"}, t.funcs...)
		args = append(args, "--fuzztime", fmt.Sprint(t.budget, "x"), "--parallel", "1", "--seed", fmt.Sprint(s.Round), "--out", out, "--json", "--ui", "none",
			"--no-cmplog", "--guidance", "ensemble", "--schedule", "stratified")
		if !triage {
			args = append(args, "--no-triage")
		}
		if err := os.RemoveAll(out); err != nil {
			return err
		}
		cmd := exec.Command(tool, args...)
		cmd.Dir = filepath.Join(root, t.dir)
		var stdout, stderr bytes.Buffer
		cmd.Stdout, cmd.Stderr = &stdout, &stderr
		err := cmd.Run()
		var failed *exec.ExitError
		if err != nil && (!errors.As(err, &failed) || failed.ExitCode() != 1) {
			return fmt.Errorf("%w: %s", err, stderr.Bytes())
		}
		cpu := (cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()).Seconds()
		if !triage {
			s.Without = cpu
			continue
		}
		var summary struct {
			Runs     uint64 `json:"judging_runs"`
			Findings struct{ Total int }
		}
		if err := json.Unmarshal(stdout.Bytes(), &summary); err != nil {
			return err
		}
		s.With, s.Runs, s.Findings = cpu, summary.Runs, summary.Findings.Total
	}
	return nil
}

// print prints the median cost of triage for each target and build. It also prints the median,
// least and most over rounds of its ratio to the first build's.
func print(all []sample) {
	var names []string
	for _, s := range all {
		if !slices.Contains(names, s.Build) {
			names = append(names, s.Build)
		}
	}
	slices.Sort(names)
	fmt.Println("| target | build | CPU s of judging | runs | findings | ratio to " + names[0] + ": CPU | runs |")
	fmt.Println("|---|---|--:|--:|--:|--:|--:|")
	for _, t := range targets {
		base := of(all, t.name, names[0])
		for _, name := range names {
			mine := of(all, t.name, name)
			var cost, runs, found, ratio, more []float64
			for round, s := range mine {
				cost, runs, found = append(cost, s.With-s.Without), append(runs, float64(s.Runs)), append(found, float64(s.Findings))
				b, ok := base[round]
				if ok && b.With > b.Without {
					ratio = append(ratio, (s.With-s.Without)/(b.With-b.Without))
				}
				if ok && b.Runs > 0 {
					more = append(more, float64(s.Runs)/float64(b.Runs))
				}
			}
			fmt.Printf("| %s | %s | %.2f | %.0f | %.0f | %s | %s |\n", t.name, name, median(cost), median(runs), median(found), spread(ratio, len(mine)), spread(more, len(mine)))
		}
	}
}

// spread returns a median, the least and the most. If some rounds have no ratio, it adds the number
// of the others. In rounds without a ratio the first build cost nothing, within the variation of
// two runs.
func spread(v []float64, rounds int) string {
	if len(v) == 0 {
		return ""
	}
	text := fmt.Sprintf("%.2f (%.2f to %.2f", median(v), slices.Min(v), slices.Max(v))
	if len(v) < rounds {
		text += fmt.Sprintf(", %d of %d", len(v), rounds)
	}
	return text + ")"
}

// of are the samples of a target and build, by their rounds.
func of(all []sample, target, build string) map[int]sample {
	m := map[int]sample{}
	for _, s := range all {
		if s.Target == target && s.Build == build {
			m[s.Round] = s
		}
	}
	return m
}

func median(v []float64) float64 {
	if len(v) == 0 {
		return 0
	}
	slices.Sort(v)
	return (v[(len(v)-1)/2] + v[len(v)/2]) / 2
}

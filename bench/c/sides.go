package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
)

// Sides. After the first word of ours follow flags, except for the build.
const (
	ours      = "parallax"
	noCmpLog  = "parallax --no-operands"
	fastOnly  = "parallax, PARALLAX_BUILDS=fast"
	libFuzzer = "libFuzzer"
	afl       = "AFL++ persistent"
)

// side is a fuzzer and how it is run on a harness of build.sh. Everything that it writes goes into
// the folder, where it is run.
type side struct {
	name   string
	binary string // what the name of its harness ends with
	env    []string
	args   func(binary, seeds, folder string, seed, patience int) []string // the first is the command
	read   func(folder string) (told, error)
	corpus func(folder string) []string // patterns of the files that it kept
	again  bool                         // it ends at a crash, and is then started again on what it kept
}

// told holds the figures of a run, as the fuzzer reports them.
type told struct {
	executions             int64
	cmplogRuns, triageRuns int64 // of parallax, in its other builds; not among the executions
	findings               int
}

func (m *measurement) sides() []side {
	parallax := func(name, binary string, flags ...string) side {
		return side{
			name: name, binary: binary, read: readSummary,
			args: func(binary, seeds, folder string, seed, patience int) []string {
				return append(fuzzCommand(m.Tool, binary, seeds, folder, seed, fmt.Sprint(patience, "s")), flags...)
			},
			corpus: func(folder string) []string {
				return []string{folder + "/campaign/corpus/????????????????", folder + "/campaign/findings/*/*/input"}
			},
		}
	}
	return []side{
		parallax(ours, "parallax"), parallax(noCmpLog, "parallax", "--no-cmplog"), parallax(fastOnly, "fast"),
		{
			name: libFuzzer, binary: "libfuzzer", read: readLibFuzzer, again: true,
			args: func(binary, seeds, folder string, seed, patience int) []string {
				return []string{
					binary, fmt.Sprint("-seed=", seed), fmt.Sprint("-max_len=", maxBytes), "-print_final_stats=1",
					fmt.Sprint("-max_total_time=", patience), "corpus", seeds,
				}
			},
			corpus: func(folder string) []string { return []string{folder + "/corpus/*", folder + "/crash-*"} },
		},
		{
			name: afl, binary: "afl", read: readAFL,
			env: []string{"AFL_NO_UI=1", "AFL_SKIP_CPUFREQ=1", "AFL_NO_AFFINITY=1", "AFL_I_DONT_CARE_ABOUT_MISSING_CRASHES=1"},
			args: func(binary, seeds, folder string, seed, patience int) []string {
				return []string{
					"afl-fuzz", "-i", seeds, "-o", "out", "-G", strconv.Itoa(maxBytes), "-s", strconv.Itoa(seed),
					"-V", strconv.Itoa(patience), "--", binary,
				}
			},
			corpus: func(folder string) []string {
				return []string{folder + "/out/default/queue/id:*", folder + "/out/default/crashes/id:*"}
			},
		},
	}
}

func fuzzCommand(tool, binary, seeds, folder string, seed int, budget string) []string {
	return []string{
		tool, "fuzz", binary, "--seeds", seeds, "--max-bytes", strconv.Itoa(maxBytes), "--parallel", "1", "--seed", strconv.Itoa(seed),
		"--fuzztime", budget, "--ui", "none", "--json", "--out", filepath.Join(folder, "campaign"),
	}
}

// Files that standard output and standard error go to.
const (
	stdoutFile = "stdout.txt"
	stderrFile = "stderr.txt"
)

// summary has the used parts of the summary of parallax.
type summary struct {
	Executions int64
	CmpLogRuns int64 `json:"operand_runs"`
	TriageRuns int64 `json:"judging_runs"`
	Findings   struct {
		Buckets []struct {
			Kind      string
			FirstSeen int64 `json:"first_seen"`
		}
	}
}

func readJSON(folder string) (s summary, err error) {
	data, err := os.ReadFile(filepath.Join(folder, stdoutFile))
	if err == nil {
		err = json.Unmarshal(data, &s)
	}
	if err == nil && s.Executions == 0 {
		err = fmt.Errorf("no executions in the summary: %s", data)
	}
	return s, err
}

func readSummary(folder string) (told, error) {
	s, err := readJSON(folder)
	return told{s.Executions, s.CmpLogRuns, s.TriageRuns, len(s.Findings.Buckets)}, err
}

var (
	executedUnits = regexp.MustCompile(`(?m)^stat::number_of_executed_units: (\d+)$`)
	execsDone     = regexp.MustCompile(`(?m)^execs_done\s*: (\d+)$`)
	savedCrashes  = regexp.MustCompile(`(?m)^saved_crashes\s*: (\d+)$`)
)

// readLibFuzzer adds up the figures of all runs. There are several if libFuzzer has crashed.
func readLibFuzzer(folder string) (t told, err error) {
	data, err := os.ReadFile(filepath.Join(folder, stderrFile))
	if err != nil {
		return t, err
	}
	found := executedUnits.FindAllStringSubmatch(string(data), -1)
	if found == nil {
		return t, fmt.Errorf("libFuzzer has not said how much it executed: %s", tail(data))
	}
	for _, one := range found {
		t.executions += number(one[1])
	}
	t.findings = strings.Count(string(data), "\nSUMMARY: ")
	return t, nil
}

func readAFL(folder string) (t told, err error) {
	data, err := os.ReadFile(filepath.Join(folder, "out", "default", "fuzzer_stats"))
	if err != nil {
		return t, err
	}
	done, crashes := execsDone.FindSubmatch(data), savedCrashes.FindSubmatch(data)
	if done == nil || crashes == nil {
		return t, fmt.Errorf("AFL++ has not said how much it executed: %s", tail(data))
	}
	return told{executions: number(string(done[1])), findings: int(number(string(crashes[1])))}, nil
}

// number is that of a text that consists of digits.
func number(digits string) int64 {
	n, _ := strconv.ParseInt(digits, 10, 64)
	return n
}

func tail(text []byte) []byte { return text[max(0, len(text)-1000):] }

// Growth runs a campaign for a number of inputs. Every second it records how much memory its
// processes hold and how large its corpus is.
//
//	growth -parallax TOOL -out FOLDER -csv FILE -inputs 10000000 FUNC FUNC...
//	growth -table FILE
//
// The same command continues an interrupted run: the campaign in its folder, the samples in their
// file. Memory is the resident set as the kernel reports it (VmRSS), of parallax, and of all its
// workers together. Pages that both share count in both. PSS counts shared pages once. Processes
// that build the programs are counted apart.
package main

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"sort"
	"strconv"
	"strings"
	"time"

	"parallax/bench/internal/process"
)

func main() {
	var r run
	flag.StringVar(&r.tool, "parallax", "", "the parallax executable")
	flag.StringVar(&r.out, "out", "", "the campaign's folder")
	flag.StringVar(&r.csv, "csv", "", "file for the samples")
	flag.Uint64Var(&r.inputs, "inputs", 10_000_000, "inputs of the campaign over its whole life")
	flag.IntVar(&r.parallel, "parallel", 1, "workers")
	flag.DurationVar(&r.every, "every", time.Second, "time between samples")
	summary := flag.String("table", "", "sum up a file of samples instead")
	flag.Parse()
	r.functions = flag.Args()
	var err error
	if *summary != "" {
		err = table(*summary)
	} else {
		err = r.campaign()
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "growth:", err)
		os.Exit(1)
	}
}

type run struct {
	tool, out, csv string
	inputs         uint64
	parallel       int
	every          time.Duration
	functions      []string
}

// columns of the file of samples.
var columns = []string{
	"elapsed_seconds", "inputs", "corpus", "coarse", "fine", "output", "buckets",
	"parallax_kib", "workers_kib", "sum_kib", "pss_kib", "workers", "building_kib", "loadavg",
}

func (r *run) campaign() error {
	if r.tool == "" || r.out == "" || r.csv == "" || len(r.functions) < 2 {
		return errors.New("-parallax, -out, -csv and two functions are needed")
	}
	done := last(r.out).Inputs
	if done >= r.inputs {
		return fmt.Errorf("%s has its %d inputs", r.out, done)
	}
	_, statErr := os.Stat(r.csv)
	f, err := os.OpenFile(r.csv, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	if err != nil {
		return err
	}
	defer f.Close()
	w := csv.NewWriter(f)
	if statErr != nil {
		w.Write(columns)
	}
	args := append([]string{"diff"}, r.functions...)
	args = append(args, "--out", r.out, "--parallel", strconv.Itoa(r.parallel), "--seed", "1", "--ui", "none",
		"--fuzztime", fmt.Sprint(r.inputs-done)+"x")
	cmd := exec.Command(r.tool, args...)
	cmd.Stderr = os.Stderr
	if err := cmd.Start(); err != nil {
		return err
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	tick := time.NewTicker(r.every)
	defer tick.Stop()
	for {
		select {
		case err := <-ended:
			w.Write(row(last(r.out), memory{}))
			w.Flush()
			var exited *exec.ExitError
			if errors.As(err, &exited) && exited.ExitCode() == 1 {
				err = nil // there are findings
			}
			return errors.Join(err, w.Error())
		case <-tick.C:
			m := measure(cmd.Process.Pid)
			w.Write(row(last(r.out), m))
			w.Flush()
		}
	}
}

// progress is the latest line of the campaign's stats.jsonl.
type progress struct {
	Elapsed float64 `json:"elapsed_seconds"`
	Inputs  uint64  `json:"inputs"`
	Corpus  int     `json:"corpus"`
	Coarse  int     `json:"coarse"`
	Fine    int     `json:"fine"`
	Output  int     `json:"output"`
	Buckets int     `json:"buckets"`
}

func last(folder string) (p progress) {
	data, err := os.ReadFile(filepath.Join(folder, "stats.jsonl"))
	if err != nil {
		return p
	}
	lines := bytes.Split(bytes.TrimSpace(data), []byte("\n"))
	for i := len(lines) - 1; i >= 0; i-- {
		if json.Unmarshal(lines[i], &p) == nil {
			break
		}
	}
	return p
}

// memory is in KiB.
type memory struct {
	parallax, workers, pss, building int
	processes                        int
}

func measure(root int) (m memory) {
	for _, pid := range process.Tree(root) {
		exe, err := os.Readlink(fmt.Sprintf("/proc/%d/exe", pid))
		if err != nil {
			continue
		}
		rss := process.Size(fmt.Sprintf("/proc/%d/status", pid), "VmRSS:")
		switch {
		case pid == root:
			m.parallax += rss
		case strings.HasPrefix(filepath.Base(exe), "worker"):
			m.workers += rss
			m.processes++
		default:
			m.building += rss
			continue
		}
		m.pss += process.Size(fmt.Sprintf("/proc/%d/smaps_rollup", pid), "Pss:")
	}
	return m
}

func row(p progress, m memory) []string {
	load, _ := os.ReadFile("/proc/loadavg")
	first, _, _ := strings.Cut(string(load), " ")
	return []string{
		fmt.Sprintf("%.1f", p.Elapsed), fmt.Sprint(p.Inputs), fmt.Sprint(p.Corpus), fmt.Sprint(p.Coarse), fmt.Sprint(p.Fine),
		fmt.Sprint(p.Output), fmt.Sprint(p.Buckets), fmt.Sprint(m.parallax), fmt.Sprint(m.workers),
		fmt.Sprint(m.parallax + m.workers), fmt.Sprint(m.pss), fmt.Sprint(m.processes), fmt.Sprint(m.building), first,
	}
}

// table prints the samples nearest to each tenth of the inputs, the peaks, and the growth over the
// second half.
func table(file string) error {
	f, err := os.Open(file)
	if err != nil {
		return err
	}
	defer f.Close()
	rows, err := csv.NewReader(f).ReadAll()
	if err != nil {
		return err
	}
	if len(rows) < 3 {
		return fmt.Errorf("%s: no samples", file)
	}
	at := map[string]int{}
	for i, name := range rows[0] {
		at[name] = i
	}
	rows = rows[1:]
	get := func(k int, name string) int {
		n, _ := strconv.Atoi(rows[k][at[name]])
		return n
	}
	total := get(len(rows)-1, "inputs")
	nearest := func(inputs int) int {
		return min(len(rows)-1, sort.Search(len(rows), func(k int) bool { return get(k, "inputs") >= inputs }))
	}
	fmt.Println("| inputs | corpus | coarse tuples | fine tuples | parallax MiB | workers MiB | sum MiB | PSS MiB |")
	fmt.Println("|---|---|---|---|---|---|---|---|")
	for i := 1; i <= 10; i++ {
		k := nearest(total / 10 * i)
		fmt.Printf("| %d | %d | %d | %d |", get(k, "inputs"), get(k, "corpus"), get(k, "coarse"), get(k, "fine"))
		for k > 0 && get(k, "sum_kib") == 0 { // the last line is written when all have ended
			k--
		}
		for _, c := range []string{"parallax_kib", "workers_kib", "sum_kib", "pss_kib"} {
			fmt.Printf(" %d |", get(k, c)>>10)
		}
		fmt.Println()
	}
	peak := func(name string) int {
		most := 0
		for k := range rows {
			most = max(most, get(k, name))
		}
		return most >> 10
	}
	fmt.Printf("\nPeaks in MiB: parallax %d, workers %d, sum %d, PSS %d; while building %d.\n",
		peak("parallax_kib"), peak("workers_kib"), peak("sum_kib"), peak("pss_kib"), peak("building_kib"))
	half, end := get(nearest(total/2), "corpus"), get(len(rows)-1, "corpus")
	fmt.Printf("Corpus from %d to %d inputs: %d to %d, %+.1f %%.\n", get(nearest(total/2), "inputs"), total, half, end, 100*float64(end-half)/float64(half))
	return nil
}

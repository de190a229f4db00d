// Cover measures the cost of coverage in drivers. It compares the processor time of a driver on the
// same inputs with coverage and without. The packages are from PyPI and npm, and subjects.go has
// their versions.
//
//	cover -root REPOSITORY -work FOLDER -samples FILE -rounds 7 -python python3,python3.12
//	cover -table -samples FILE
//
// Packages are installed into the work folder by pip and npm. Runs with and without coverage take
// turns. The time until the greeting is a sample of its own and not counted in the others. The same
// command continues an interrupted run.
package main

import (
	"encoding/binary"
	"flag"
	"fmt"
	"io"
	"math/rand"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"parallax/bench/internal/origin"
	"parallax/bench/internal/samples"
)

func main() {
	var b bench
	flag.StringVar(&b.root, "root", ".", "the repository's root")
	flag.StringVar(&b.work, "work", "", "folder for packages")
	flag.StringVar(&b.samples, "samples", "samples.jsonl", "file of samples")
	flag.IntVar(&b.rounds, "rounds", 7, "rounds")
	pythons := flag.String("python", "python3", "interpreters of Python, with commas between")
	flag.StringVar(&b.node, "node", "node", "the interpreter of Node")
	flag.StringVar(&b.only, "only", "", "subjects whose names begin so")
	table := flag.Bool("table", false, "print tables of the samples instead")
	flag.Parse()
	b.pythons = strings.Split(*pythons, ",")
	var err error
	b.done, err = samples.Read[sample](b.samples)
	switch {
	case err != nil:
	case *table:
		b.table()
	default:
		err = b.run()
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "cover:", err)
		os.Exit(1)
	}
}

type bench struct {
	root, work, samples, node, only string
	pythons                         []string
	rounds                          int
	done                            []sample
}

// sample is a run of a driver.
type sample struct {
	Subject     string  `json:"subject"`
	Interpreter string  `json:"interpreter"`
	How         string  `json:"how"` // off, inserted, monitoring, v8
	Round       int     `json:"round"`
	Inputs      int     `json:"inputs"`
	Start       float64 `json:"start"` // seconds of processor time without inputs
	CPU         float64 `json:"cpu"`   // those of the inputs
	Seconds     float64 `json:"seconds"`
	Blocks      string  `json:"blocks"`
	Load        string  `json:"load"`
}

func (b *bench) run() error {
	for _, s := range subjects {
		if !strings.HasPrefix(s.name, b.only) {
			continue
		}
		interpreters := b.pythons
		if s.node {
			interpreters = []string{b.node}
		}
		for _, interpreter := range interpreters {
			if err := b.measure(s, interpreter); err != nil {
				return fmt.Errorf("%s with %s: %w", s.name, interpreter, err)
			}
		}
	}
	return nil
}

// measure takes what is missing of a subject.
func (b *bench) measure(s subject, interpreter string) error {
	version, err := versionOf(interpreter)
	if err != nil {
		return err
	}
	ways := []string{"off", "inserted", "v8"}
	if !s.node {
		ways = []string{"off", "inserted"}
		if newer(version) {
			ways = append(ways, "monitoring")
		}
	}
	place, err := b.install(s, interpreter, version)
	if err != nil {
		return err
	}
	inputs := s.inputs()
	for round := 1; round <= b.rounds; round++ {
		for i := range ways {
			how := ways[(i+round)%len(ways)] // each is first at times
			if b.has(s.name, version, how, round) {
				continue
			}
			sample := sample{Subject: s.name, Interpreter: version, How: how, Round: round, Inputs: len(inputs) * s.repeat, Load: origin.Load()}
			none, _, _, err := b.drive(s, interpreter, place, how, nil, 0)
			if err != nil {
				return err
			}
			cpu, seconds, greeting, err := b.drive(s, interpreter, place, how, inputs, s.repeat)
			if err != nil {
				return err
			}
			sample.Start, sample.CPU, sample.Seconds = none, cpu-none, seconds
			sample.Blocks = strings.TrimSpace(strings.TrimPrefix(strings.TrimPrefix(greeting, "parallax-driver 1"), " numbers"))
			if err := samples.Append(b.samples, sample); err != nil {
				return err
			}
			b.done = append(b.done, sample)
		}
	}
	return nil
}

func (b *bench) has(subject, version, how string, round int) bool {
	for _, s := range b.done {
		if s.Subject == subject && s.Interpreter == version && s.How == how && s.Round == round {
			return true
		}
	}
	return false
}

// drive gives a driver all inputs so many times, and returns its processor time, the time on the
// clock after its greeting, and the greeting.
func (b *bench) drive(s subject, interpreter, place, how string, inputs [][]byte, repeat int) (cpu, seconds float64, greeting string, err error) {
	cmd := exec.Command(interpreter, s.command(b.drivers(s, how), place)...)
	if how == "off" {
		cmd.Args = append(cmd.Args, "--cover", "off")
	}
	cmd.Dir, cmd.Stderr = place, io.Discard
	cmd.Env = append(os.Environ(), "PYTHONPATH="+place, "PYTHONHASHSEED=0")
	in, err := cmd.StdinPipe()
	if err != nil {
		return 0, 0, "", err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return 0, 0, "", err
	}
	if err := cmd.Start(); err != nil {
		return 0, 0, "", err
	}
	var line []byte
	for one := make([]byte, 1); ; {
		if _, err := io.ReadFull(out, one); err != nil {
			return 0, 0, "", fmt.Errorf("no greeting: %w", err)
		}
		if one[0] == '\n' {
			break
		}
		line = append(line, one[0])
	}
	began := time.Now()
	go func() {
		var b []byte
		for _, input := range inputs {
			b = append(binary.LittleEndian.AppendUint32(b, uint32(len(input))), input...)
		}
		for range repeat {
			in.Write(b)
		}
		in.Close()
	}()
	if _, err := io.Copy(io.Discard, out); err != nil {
		return 0, 0, "", err
	}
	seconds = time.Since(began).Seconds()
	if err := cmd.Wait(); err != nil {
		return 0, 0, "", err
	}
	return (cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()).Seconds(), seconds, string(line), nil
}

// drivers returns the folder of the driver with a way to cover. It is that of the repository, or a
// copy with another file next to it.
func (b *bench) drivers(s subject, how string) string {
	if how == "monitoring" || how == "v8" {
		return filepath.Join(b.work, how)
	}
	if s.node {
		return filepath.Join(b.root, "drivers/node")
	}
	return filepath.Join(b.root, "drivers/python")
}

// versionOf is "Python 3.12.1" or "Node v20.1.0".
func versionOf(interpreter string) (string, error) {
	out, err := exec.Command(interpreter, "--version").Output()
	text := strings.TrimSpace(string(out))
	if strings.HasPrefix(text, "v") {
		text = "Node " + text
	}
	return text, err
}

// newer reports whether a Python has sys.monitoring.
func newer(version string) bool {
	var minor int
	_, err := fmt.Sscanf(version, "Python 3.%d", &minor)
	return err == nil && minor >= 12
}

// mutants are inputs like those that fuzzing makes of seeds: most are seeds with a few edits. The
// same come whenever it is called.
func mutants(seeds []string, n int) (all [][]byte) {
	r := rand.New(rand.NewSource(1))
	for len(all) < n {
		m := []byte(seeds[r.Intn(len(seeds))])
		for range r.Intn(4) {
			at := r.Intn(len(m) + 1)
			switch r.Intn(4) {
			case 0:
				m = append(m[:at:at], append([]byte{byte(32 + r.Intn(95))}, m[at:]...)...)
			case 1:
				if at < len(m) {
					m[at] = byte(32 + r.Intn(95))
				}
			case 2:
				m = append(m[:at:at], m[min(len(m), at+1+r.Intn(4)):]...)
			case 3:
				other := seeds[r.Intn(len(seeds))]
				m = append(m[:at:at], other[r.Intn(len(other)):]...)
			}
		}
		all = append(all, m)
	}
	return all
}

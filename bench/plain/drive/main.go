// Drive runs the fuzzing worker of a target as a campaign does. It reports the cost, or records the
// inputs.
//
//	drive -parallax TOOL -target json-valid -n 1000000 -seed 1             one line of JSON: inputs and CPU time
//	drive -parallax TOOL -target json-valid -n 1000000 -seed 1 -record F   the inputs, one after another, into F
//
// The worker is the binary that `parallax diff` builds for the target. Its configuration is that of
// a campaign with one worker and the flags' defaults. Its inputs depend only on the seed. Recording
// orders 32 inputs at a time, fewer than the memory shared with a worker holds. It reads them
// there, so that the worker does not know of it. The digest of the events shows that both ways
// execute the same inputs.
package main

import (
	"bufio"
	"context"
	"encoding/binary"
	"encoding/json"
	"flag"
	"fmt"
	"hash/fnv"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"time"

	"parallax/cmd/internal/base/corpus"
	"parallax/cmd/internal/campaign"
	"parallax/cmd/internal/process/execute"
	"parallax/cmd/internal/subject"
	"parallax/internal/feature"
	"parallax/internal/mutate"
	"parallax/internal/oracle"
	"parallax/internal/policy"
	"parallax/internal/wire"
)

var targets = map[string][]string{
	"json-valid":  {"encoding/json.Valid", "github.com/goccy/go-json.Valid@v0.10.5"},
	"json-decode": {"encoding/json.Unmarshal", "github.com/goccy/go-json.Unmarshal@v0.10.5"},
	"toml-decode": {"github.com/BurntSushi/toml.Unmarshal@v1.6.0", "github.com/pelletier/go-toml/v2.Unmarshal@v2.4.3"},
}

// documents ends the name of a target that begins with documents besides the seeds mined from
// tests.
const documents = "-documents"

// result is the line that is printed.
type result struct {
	Side   string  `json:"side"`
	Target string  `json:"target"`
	Inputs uint64  `json:"inputs"`
	CPU    float64 `json:"cpu_seconds"`
	Wall   float64 `json:"wall_seconds"`
	Seed   uint64  `json:"seed"`
	Events string  `json:"events"` // digest of everything that the worker announced
	Kept   uint64  `json:"kept"`
	Novel  uint64  `json:"novel"`
	Blocks int     `json:"blocks"`
	Load   string  `json:"loadavg"`
}

func main() {
	tool := flag.String("parallax", "", "the parallax executable")
	target := flag.String("target", "json-valid", "json-valid, json-decode or toml-decode")
	n := flag.Uint64("n", 1_000_000, "inputs to fuzz")
	seed := flag.Uint64("seed", 1, "seed of randomness")
	record := flag.String("record", "", "file for the inputs")
	seeds := flag.String("seeds", "", "folder of inputs to begin with, as --seeds of parallax diff")
	flag.Parse()
	if err := run(*tool, *target, *seeds, *n, *seed, *record); err != nil {
		fmt.Fprintln(os.Stderr, "drive:", err)
		os.Exit(1)
	}
}

func run(tool, name, folder string, n, seed uint64, record string) error {
	functions := targets[strings.TrimSuffix(name, documents)]
	if functions == nil {
		return fmt.Errorf("unknown target %q", name)
	}
	tool, err := filepath.Abs(tool)
	if err != nil {
		return err
	}
	// A fixed name: the build products are found again by it.
	home := filepath.Join(os.TempDir(), "parallax-bench-plain")
	if err := os.MkdirAll(home, 0o755); err != nil {
		return err
	}
	o := campaign.Options{
		Options: subject.Options{
			Policy: policy.Policy{
				Guidance: []string{feature.Ensemble}, Schedule: "uniform", Mutators: "full", Layers: oracle.VerdictLayer | oracle.ValueLayer,
				MaxBytes: 4096, Seed: seed,
			},
			Functions: functions, Dir: home, Timeout: 2 * time.Second, Memory: 2 << 30,
		},
		Parallel: 1, Budget: campaign.Budget{Inputs: n},
	}
	if err := o.Check(); err != nil {
		return err
	}
	t, err := subject.Build(context.Background(), &o.Options, tool, func(string) {})
	if err != nil {
		return err
	}
	defer t.Close()
	about, spec := t.About(), t.Spec(&o.Options)
	w, err := execute.Start(spec)
	if err != nil {
		return err
	}
	defer w.Close()
	d := &driver{worker: w, pid: child(spec.Binary), digest: fnv.New64a()}
	if d.pid == 0 {
		return fmt.Errorf("the worker is not among the processes")
	}
	if record != "" {
		f, err := os.Create(record)
		if err != nil {
			return err
		}
		defer f.Close()
		d.out = bufio.NewWriterSize(f, 1<<20)
	}
	setup := policy.Setup{Policy: o.Policy, Dict: about.Plan.Dictionary, Stream: mutate.Stream(0, 0, 0)}
	if err := w.Send(wire.Setup, setup.Append(nil)); err != nil {
		return err
	}
	var given []corpus.Seed
	if folder != "" {
		if given, _, err = corpus.Seeds(folder, about.Shape); err != nil {
			return err
		}
	}
	if err := d.seeds(append(corpus.Flats(append(given, about.Plan.Seeds...)), about.Shape.Zero())); err != nil {
		return err
	}
	r := result{Side: "parallax", Target: name, Inputs: n, Seed: seed, Load: load()}
	for _, g := range w.Hello.Regions {
		r.Blocks += g.Counters
	}
	start, cpu := time.Now(), d.cpu()
	if d.out == nil {
		err = d.fuzz(n)
	} else {
		err = d.recorded(n)
	}
	if err != nil {
		return err
	}
	r.CPU, r.Wall = (d.cpu() - cpu).Seconds(), time.Since(start).Seconds()
	d.drain()
	r.Events, r.Kept, r.Novel = fmt.Sprintf("%016x", d.digest.Sum64()), d.kept, d.novel
	line, err := json.Marshal(r)
	if err != nil {
		return err
	}
	fmt.Println(string(line))
	return nil
}

// driver is the supervisor of one worker.
type driver struct {
	worker *execute.Worker
	pid    int
	out    *bufio.Writer
	digest interface {
		Write([]byte) (int, error)
		Sum64() uint64
	}
	kept, novel uint64
}

func (d *driver) seeds(flats [][]byte) error {
	b := wire.AppendBool(nil, false)
	seen := map[string]bool{}
	for _, f := range flats {
		if !seen[string(f)] && len(f) <= 4096 {
			seen[string(f)] = true
			b = wire.AppendBytes(b, f)
		}
	}
	_, err := d.worker.Call(wire.Seeds, b, wire.Done)
	d.drain()
	return err
}

// fuzz gives one order for all inputs and empties the ring meanwhile, as a campaign does.
func (d *driver) fuzz(n uint64) error {
	done := make(chan error, 1)
	go func() {
		_, err := d.worker.Call(wire.Fuzz, wire.AppendUint(nil, n), wire.Done)
		done <- err
	}()
	poll := time.NewTicker(5 * time.Millisecond)
	defer poll.Stop()
	for {
		select {
		case err := <-done:
			return err
		case <-poll.C:
			d.drain()
		}
	}
}

// recorded gives orders of as many inputs as can be read afterwards.
func (d *driver) recorded(n uint64) error {
	for n > 0 {
		k := min(n, wire.Slots/2)
		if _, err := d.worker.Call(wire.Fuzz, wire.AppendUint(nil, k), wire.Done); err != nil {
			return err
		}
		d.drain()
		recent := d.worker.Mem.Recent()
		if uint64(len(recent)) < k {
			return fmt.Errorf("%d inputs of %d in the shared memory", len(recent), k)
		}
		for i := int(k) - 1; i >= 0; i-- {
			var size [4]byte
			binary.LittleEndian.PutUint32(size[:], uint32(len(recent[i])))
			d.out.Write(size[:])
			d.out.Write(recent[i]) // an error stays and comes with Flush
		}
		n -= k
	}
	return d.out.Flush()
}

func (d *driver) drain() {
	d.worker.Mem.Drain(func(kind byte, payload []byte) {
		switch kind {
		case wire.EventNovel:
			d.novel++
		case wire.EventKept:
			d.kept++
		}
		d.digest.Write([]byte{kind})
		d.digest.Write(payload)
	})
}

// cpu is the CPU time of all threads of the worker.
func (d *driver) cpu() time.Duration {
	tasks, _ := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/schedstat", d.pid))
	total := time.Duration(0)
	for _, name := range tasks {
		if data, err := os.ReadFile(name); err == nil {
			first, _, _ := strings.Cut(string(data), " ")
			ns, _ := strconv.ParseInt(first, 10, 64)
			total += time.Duration(ns)
		}
	}
	return total
}

// child finds the process of ours that executes the binary.
func child(binary string) int {
	files, _ := filepath.Glob("/proc/[0-9]*/exe")
	for _, name := range files {
		pid, _ := strconv.Atoi(filepath.Base(filepath.Dir(name)))
		exe, err := os.Readlink(name)
		if err != nil || exe != binary {
			continue
		}
		stat, _ := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
		_, rest, _ := strings.Cut(string(stat), ") ")
		if f := strings.Fields(rest); len(f) > 1 && f[1] == strconv.Itoa(os.Getpid()) {
			return pid
		}
	}
	return 0
}

func load() string {
	data, _ := os.ReadFile("/proc/loadavg")
	return strings.Join(strings.Fields(string(data))[:3], " ") + fmt.Sprintf(" of %d", runtime.NumCPU())
}

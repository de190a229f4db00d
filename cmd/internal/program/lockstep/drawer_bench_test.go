package lockstep

import (
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"parallax/cmd/internal/base/limits"
	"parallax/cmd/internal/gobuild"
	"parallax/cmd/internal/process/confine"
	"parallax/cmd/internal/program/command"
	"parallax/cmd/internal/program/gofunc"
	"parallax/cmd/internal/program/persistent"
	"parallax/cmd/internal/subject/kinds"
	"parallax/internal/tape"
	"parallax/internal/wire"
)

// BenchmarkDrawn runs inputs drawn by the example generator on two programs, in pairs: from tapes,
// and as plain bytes. The next batch is made while one runs, as in a campaign. It reports the
// generator's share of CPU time of all processes and of wall time, as medians of all pairs.
func BenchmarkDrawn(b *testing.B) {
	for _, other := range []string{"go", "persistent", "command"} {
		b.Run(other, func(b *testing.B) { benchmarkDrawn(b, other) })
	}
}

const benchBatch = 64

func benchmarkDrawn(b *testing.B, other string) {
	benchBatches := 40
	if other == "command" { // it takes a process per input
		benchBatches = 4
	}
	examples, err := filepath.Abs(filepath.Join("..", "..", "..", "..", "examples"))
	if err != nil {
		b.Fatal(err)
	}
	self, err := os.Executable()
	if err != nil {
		b.Fatal(err)
	}
	built := func(r gobuild.Request) json.RawMessage {
		r.Dir, r.Out, r.Libraries, r.Parallax = examples, b.TempDir(), b.TempDir(), self
		r.Marshal = true
		plan, err := gobuild.Resolve(context.Background(), r)
		if err != nil {
			b.Fatal(err)
		}
		binary, err := plan.Build(context.Background())
		if err != nil {
			b.Fatal(err)
		}
		return encoded(b, gofunc.Worker{Binary: binary, Dir: b.TempDir()})
	}
	limits := limits.Limits{Timeout: time.Minute, Memory: 2 << 30, Output: 1 << 20, Processes: 64, FileSize: 1 << 20}
	spec := &Spec{
		Shape: "([]byte)", Text: true, MaxFlat: 4096, Generator: &External{Name: "any", Kind: "go", Limits: limits, Settings: built(gobuild.Request{Generator: "./generators/genjson.Any"})},
		Programs: []Program{
			{Name: "fastjson", Kind: "go", Limits: limits, Settings: built(gobuild.Request{Functions: []string{"github.com/valyala/fastjson.Validate"}})},
			{Name: "std", Kind: "go", Limits: limits},
		},
	}
	switch other {
	case "persistent":
		at, err := exec.LookPath("python3")
		if err != nil {
			b.Fatal("this benchmark runs a driver in Python: install python3, for example with apt-get install python3")
		}
		dir := b.TempDir()
		if err := os.WriteFile(filepath.Join(dir, "p.py"), []byte(pythonParser), 0o600); err != nil {
			b.Fatal(err)
		}
		spec.Programs[1].Kind = "persistent"
		spec.Programs[1].Settings = encoded(b, persistent.Config{
			Name: "std", Args: []string{at, "p.py"}, Dir: dir, Env: os.Environ(), Limits: limits, Sandbox: confine.Options{Tool: self, Limits: limits, Dir: b.TempDir()},
		})
	case "command":
		spec.Programs[1].Kind = "command"
		spec.Programs[1].Settings = encoded(b, command.Config{
			Name: "std", Args: []string{"cat"}, Env: os.Environ(), Limits: limits, Sandbox: confine.Options{Tool: self, Limits: limits, Dir: b.TempDir()},
		})
	default:
		spec.Programs[1].Settings = built(gobuild.Request{Functions: []string{"encoding/json.Unmarshal"}})
	}
	l, err := open(context.Background(), spec, kinds.Table)
	if err != nil {
		b.Fatal(err)
	}
	defer l.close()
	var tapes, inputs [][][]byte
	size := 0
	for i := range benchBatches {
		var batch, made [][]byte
		for k := range benchBatch {
			var t tape.Tape
			t.Reset()
			t.Rest = uint64(i*benchBatch + k + 1)
			batch = append(batch, t.Append(nil))
		}
		results, err := l.Detail(batch, wire.WantDetail|wire.WantDrawn)
		if err != nil {
			b.Fatal(err)
		}
		for k := range results {
			batch[k], made = []byte(results[k][0].Drawn), append(made, []byte(results[k][0].Made))
			size += len(made[k])
		}
		tapes, inputs = append(tapes, batch), append(inputs, made)
	}
	all := joints(benchBatch, 2)
	plain := func() {
		for _, batch := range inputs {
			if ok, err := l.runAll(batch, all, false); !ok || err != nil {
				b.Fatal(ok, err)
			}
		}
	}
	drawn := func() {
		if err := l.Ahead(tapes[0]); err != nil {
			b.Fatal(err)
		}
		for i, batch := range tapes {
			done := make(chan error)
			go func() {
				_, err := l.RunAll(batch, all, false)
				done <- err
			}()
			if i+1 < len(tapes) {
				if err := l.Ahead(tapes[i+1]); err != nil {
					b.Fatal(err)
				}
			}
			if err := <-done; err != nil {
				b.Fatal(err)
			}
		}
	}
	plain()
	drawn()
	var cpu, clock []float64
	var spent time.Duration
	for b.Loop() {
		used := [3]time.Duration{cpuOf(b, os.Getpid())}
		at := [3]time.Time{time.Now()}
		plain()
		used[1], at[1] = cpuOf(b, os.Getpid()), time.Now()
		drawn()
		used[2], at[2] = cpuOf(b, os.Getpid()), time.Now()
		cpu = append(cpu, lost(used[1]-used[0], used[2]-used[1]))
		clock = append(clock, lost(at[1].Sub(at[0]), at[2].Sub(at[1])))
		spent += used[1] - used[0]
	}
	slices.Sort(cpu)
	slices.Sort(clock)
	n := benchBatches * benchBatch
	b.ReportMetric(cpu[len(cpu)/2], "%lost/cpu")
	b.ReportMetric(clock[len(clock)/2], "%lost/clock")
	b.ReportMetric(float64(size)/float64(n), "bytes/input")
	b.ReportMetric(float64(spent.Microseconds())/float64(n*len(cpu)), "cpu-µs/plain-input")
}

// lost returns the lost share of the throughput in percent.
func lost(plain, drawn time.Duration) float64 {
	return 100 * (1 - float64(plain)/float64(max(drawn, 1)))
}

func encoded(b *testing.B, of any) json.RawMessage {
	data, err := json.Marshal(of)
	if err != nil {
		b.Fatal(err)
	}
	return data
}

// cpuOf returns the CPU time of a process and its descendants, in ticks of ten milliseconds.
func cpuOf(b *testing.B, root int) time.Duration {
	stats, err := filepath.Glob("/proc/[0-9]*/stat")
	if err != nil {
		b.Fatal(err)
	}
	parent, used := map[int]int{}, map[int]time.Duration{}
	for _, name := range stats {
		text, err := os.ReadFile(name)
		if err != nil {
			continue // it has ended
		}
		pid, _ := strconv.Atoi(filepath.Base(filepath.Dir(name)))
		// from the third field on
		f := strings.Fields(string(text[strings.LastIndexByte(string(text), ')')+1:]))
		number := func(i int) int { n, _ := strconv.Atoi(f[i-3]); return n }
		parent[pid], used[pid] = number(4), time.Duration(number(14)+number(15))*10*time.Millisecond
	}
	sum := time.Duration(0)
	for pid := range parent {
		for at := pid; at > 0; at = parent[at] {
			if at == root {
				sum += used[pid]
				break
			}
		}
	}
	return sum
}

// pythonParser is a program of kind persistent that parses JSON.
var pythonParser = `import json, struct, sys

requests, answers = sys.stdin.buffer, sys.stdout.buffer
answers.write(b"parallax-driver 1\n")
answers.flush()
for header in iter(lambda: requests.read(4), b""):
    data = requests.read(struct.unpack("<I", header)[0])
    try:
        verdict, said = b"A", json.dumps(json.loads(data.decode()), sort_keys=True).encode()
    except Exception as e:
        verdict, said = b"R", str(e).encode("utf-8", "replace")
    answers.write(struct.pack("<IcI", 5 + len(said), verdict, len(said)) + said)
    answers.flush()
`

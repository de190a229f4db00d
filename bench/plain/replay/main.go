// Replay calls the functions of a target in a plain loop, without instrumentation, on inputs that
// drive has recorded. It prints the cost.
//
//	replay -target json-valid -inputs FILE [-collector]
//
// The inputs lie in a mapped file, outside the heap. Results of the functions are ignored. With
// -collector the garbage is collected as a worker does, every 16 MiB on one thread, instead of at
// the runtime's own pace.
package main

import (
	"encoding/binary"
	stdjson "encoding/json"
	"flag"
	"fmt"
	"os"
	"runtime"
	"runtime/debug"
	"strings"
	"syscall"
	"time"

	burnt "github.com/BurntSushi/toml"
	goccy "github.com/goccy/go-json"
	pelletier "github.com/pelletier/go-toml/v2"
)

var targets = map[string][]func([]byte){
	"json-valid": {
		func(b []byte) { stdjson.Valid(b) },
		func(b []byte) { goccy.Valid(b) },
	},
	"json-decode": {decode(stdjson.Unmarshal), decode(func(b []byte, v any) error { return goccy.Unmarshal(b, v) })},
	"toml-decode": {decode(burnt.Unmarshal), decode(pelletier.Unmarshal)},
}

func decode(f func([]byte, any) error) func([]byte) {
	return func(b []byte) {
		var v any
		f(b, &v)
	}
}

func main() {
	target := flag.String("target", "json-valid", "json-valid, json-decode or toml-decode")
	inputs := flag.String("inputs", "", "file of recorded inputs")
	collector := flag.Bool("collector", false, "collect garbage as a worker does")
	flag.Parse()
	if err := run(*target, *inputs, *collector); err != nil {
		fmt.Fprintln(os.Stderr, "replay:", err)
		os.Exit(1)
	}
}

func run(name, inputs string, collector bool) error {
	functions := targets[strings.TrimSuffix(name, "-documents")]
	if functions == nil {
		return fmt.Errorf("unknown target %q", name)
	}
	f, err := os.Open(inputs)
	if err != nil {
		return err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return err
	}
	// Private: what a function writes into its input stays here.
	data, err := syscall.Mmap(int(f.Fd()), 0, int(info.Size()), syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_PRIVATE|syscall.MAP_POPULATE)
	if err != nil {
		return err
	}
	side := "plain"
	var gc func()
	if collector {
		side = "plain, collector of a worker"
		gc = workerCollector()
	}
	loadavg, _ := os.ReadFile("/proc/loadavg")
	panics, n, bytes := 0, 0, 0
	start, before := time.Now(), cpu()
	for len(data) > 0 {
		size := int(binary.LittleEndian.Uint32(data))
		flat := data[4 : 4+size : 4+size]
		data = data[4+size:]
		for _, f := range functions {
			if !call(f, flat) {
				panics++
			}
		}
		n++
		bytes += size
		if gc != nil {
			gc()
		}
	}
	used := cpu() - before
	fmt.Printf(`{"side":%q,"target":%q,"inputs":%d,"cpu_seconds":%.6f,"wall_seconds":%.6f,"mean_bytes":%.1f,"panics":%d,"loadavg":%q}`+"\n",
		side, name, n, used.Seconds(), time.Since(start).Seconds(), float64(bytes)/float64(max(n, 1)), panics,
		strings.Join(strings.Fields(string(loadavg))[:3], " ")+fmt.Sprintf(" of %d", runtime.NumCPU()))
	return nil
}

// call survives a panic of the function, as any loop over mutants must.
func call(f func([]byte), flat []byte) (ok bool) {
	defer func() {
		if !ok {
			recover()
		}
	}()
	f(flat)
	return true
}

// workerCollector is the rule of package worker: see its collector.
func workerCollector() func() {
	runtime.GOMAXPROCS(1)
	debug.SetGCPercent(-1)
	var last, debt uint64
	step, wait := 16, 16
	return func() {
		if wait--; wait > 0 {
			return
		}
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		allocated := m.TotalAlloc - last
		last = m.TotalAlloc
		if debt += allocated; debt >= 16<<20 {
			debt = 0
			runtime.GC()
		}
		each := allocated/uint64(step) + 1
		step = int(min(max(2<<20/each, 1), 4096, 2*uint64(step)))
		wait = step
	}
}

// cpu is the CPU time of the process.
func cpu() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		panic(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
